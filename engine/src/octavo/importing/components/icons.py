"""Icons of packages that components in React import: Lucide's of the same meaning, or nothing, for icons have no words."""

from __future__ import annotations

import json

from octavo.content import svg_of
from octavo.importing.components.statements import imported_names
from octavo.lazy import regex as re

_PACKAGES = re.compile(
    r"(?:react-icons(?:/\w+)*|lucide-react|react-feather|@heroicons/react(?:/[\w/]+)?|@tabler/icons-react|@radix-ui/react-icons"
    r"|@phosphor-icons/react(?:/[\w/]+)?|phosphor-react|@mui/icons-material(?:/\w+)?|@material-ui/icons(?:/\w+)?|@iconify/(?:react|vue)"
    r"|@fortawesome/[\w-]+(?:/\w+)?|@ant-design/icons|@fluentui/react-icons|@styled-icons/[\w-]+|devicons-react|@devicon/react(?:/[\w/]+)?|@primer/octicons-react|@carbon/icons-react|@remixicon/react|astro-icon(?:/components)?"
    r"|iconoir-react|react-bootstrap-icons|simple-icons|@icons-pack/react-simple-icons|unplugin-icons/[\w/-]+|~icons/[\w/-]+)"
)
_PREFIX = re.compile(r"(?:Fa|Md|Io|Ai|Bs|Bi|Fi|Gi|Go|Gr|Hi|Im|Lu|Ri|Rx|Si|Sl|Tb|Tfi|Ti|Vsc|Cg|Di|Fc|Icon|fa)(?=[A-Z])")
_SUFFIX = re.compile(r"(?:Icon|Outlined|Filled|Rounded|Outline|Solid|Fill|Line|Regular|Duotone|Bold|\d+)+$")
_NOTHING = "() => null"


def is_package_of_icons(name: str) -> bool:
    """Return whether all that a package offers are icons."""
    return _PACKAGES.fullmatch(name) is not None


def icons_module(package: str, text: str) -> tuple[str, list[str]]:
    """Write a module with the icons that another one imports from a package.

    Args:
        package: As it is imported.
        text: Of the module that imports it.

    Returns:
        The module, and the names of the icons that have no counterpart and are left out.
    """
    named: dict[str, str | None] = {"default": _drawn(package.rpartition("/")[2])}
    default, _, names = imported_names(package, text)
    named |= {name: _drawn(name) for name in names}
    lines = [
        f"export {'default' if name == 'default' else f'const {name} ='} {drawn or _NOTHING};"
        for name, drawn in named.items()
    ]
    missing = [name for name, drawn in named.items() if drawn is None and name != "default"]
    if default and named["default"] is None:
        missing.append(package)
    return "\n".join(lines) + "\n", missing


def _drawn(name: str) -> str | None:
    """Write a component that shows Lucide's icon of this name; None where it has none."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", _SUFFIX.sub("", _PREFIX.sub("", name))).lower()
    svg = svg_of(words, lambda _: None) if re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", words) else None
    if svg is None:
        return None
    return f"({{ className }}) => <span className={{className}} dangerouslySetInnerHTML={{{{ __html: {json.dumps(svg)} }}}} />"
