"""Components of packages that are not there: what they are given is shown, for their content is mostly the site's own."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from octavo.importing.components.statements import imported_names
from octavo.importing.components.unusable import UnusableError
from octavo.lazy import regex as re

_MODULE = """import { Fragment } from "react";
const pass = ({ children, href }) => {
  const content = typeof children === "function" ? null : children;
  return typeof href === "string" ? <a href={href}>{content}</a> : <Fragment>{content}</Fragment>;
};
"""

_HELPERS = Path(__file__).parent / "shims/helpers.tsx"
_LIBRARIES = frozenset(["lodash", "lodash-es", "es-toolkit", "es-toolkit/compat", "underscore"])
_GENERAL_NAMES = frozenset(
    ["chunk", "compact", "flatten", "get", "groupBy", "mapValues", "omit", "once", "pick", "range", "sortBy"]
)
"""Names that mean something else in other packages, such as `get` of a client for HTTP, or take values in another order."""


@cache
def _helpers() -> frozenset[str]:
    """Names of the functions that packages have in common."""
    text = _HELPERS.read_text(encoding="utf-8")
    return frozenset(re.findall(r"^export const (\w+)", text, re.MULTILINE))


def _is_helper(name: str, package: str) -> bool:
    return name in _helpers() | {"get"} and (name not in _GENERAL_NAMES or package in _LIBRARIES)


_CLASSES = frozenset(["classNames", "classnames", "clsx", "cn", "cx", "twJoin", "twMerge"])
"""Functions that join the names of classes."""


def package_module(package: str, text: str) -> tuple[str, list[str]]:
    """Write a module that stands for a package: its components show what is between their tags.

    Args:
        package: As it is imported.
        text: Of the module that imports it.

    Returns:
        The module, empty where only types are used, and the names of the components.

    Raises:
        UnusableError: something of it is computed.
    """
    default, everything, names = imported_names(package, text)
    if (written := _known(package, default, [*names, *_handed_on(package, text)])) is not None:
        return written, []
    names += [name for name in _handed_on(package, text) if name not in names]
    classes = [name for name in names if name in _CLASSES]
    names = [name for name in names if name not in classes]
    helpers = [name for name in names if _is_helper(name, package)]
    names = [name for name in names if name not in helpers]
    components = [name for name in names if name[0].isupper()]
    program = [
        name
        for name in names
        if name != "default" and not name[0].isupper() and re.search(rf"(?<![\w.]){name}\b(?!\s*:)", _rest(text))
    ]
    # `import debounce from "lodash/debounce"`, `import _ from "lodash"`.
    single = re.split(r"[/.]", package)[-1]
    is_library, is_helper = package in _LIBRARIES, bool(default) and _is_helper(single, re.split(r"[/.]", package)[0])
    if is_library or is_helper:
        default = everything = ""
    program += [name for name in (default, everything) if name and not re.search(rf"<{name}[\s/>.]", text)]
    program = [name for name in program if not _is_type(name, text)]
    if program:
        raise UnusableError(f"it imports {program[0]} from {package}")
    lines = [f"export const {name} = pass;" for name in components if name != "default"]
    lines += [
        f"export const {name} = (...given) => given.flat(9).filter((one) => typeof one === 'string').join(' ');"
        for name in classes
    ]
    if helpers:
        lines.append(f'export {{ {", ".join(helpers)} }} from "./helpers";')
    if is_library:
        lines.append('export { default } from "./helpers";\nexport * from "./helpers";')
    elif is_helper:
        lines.append(f'export {{ {single} as default }} from "./helpers";')
    if "default" in names:
        components.append(package.rpartition("/")[2])
        lines.append("export default pass;")
    if everything:
        members = list(dict.fromkeys(re.findall(rf"(?<![\w.]){everything}\.([A-Z]\w*)", text)))
        lines += [f"export const {name} = pass;" for name in members if name not in components]
        components += [f"{everything}.{name}" for name in members]
    if default:
        members = list(dict.fromkeys(re.findall(rf"<{default}\.([A-Z]\w*)", text)))
        lines.append(
            f"export default Object.assign((given) => pass(given), {{ {', '.join(f'{one}: pass' for one in members)} }});"
        )
        components.append(default)
    return _MODULE + "\n".join(lines) + "\n" if lines else "", components


_MEASURING = re.compile(
    r"(?:@vercel/(?:analytics|speed-insights|toolbar)|@next/third-parties|@sentry|@amplitude|@segment|@datadog|@statsig|@rudderstack|@fathom|@gtm-support"
    r"|@openpanel|@plausible)(?:/.*)?|(?:posthog-js|mixpanel-browser|react-ga4?|react-gtm-module|plausible-tracker|fathom-client|logrocket|umami|launchdarkly-js"
    r"|canvas-confetti|react-confetti(?:-explosion)?|nprogress|next-plausible|react-hot-toast|sonner)(?:/.*)?"
)
"""Packages that count readers, or show something for a moment: what they offer does nothing here."""
_SILENT = """const silent = new Proxy(function () {}, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => "" : key === "then" || key === "$$typeof" ? undefined : silent),
  apply: () => silent,
});
const pass = ({ children }) => children ?? null;
"""
_FONT = 'const font = () => ({ className: "", variable: "", style: {} });\n'
_PROVIDER = 'export const MDXProvider = ({ children }) => children;\nexport const useMDXComponents = (given) => (typeof given === "function" ? given({}) : given ?? {});\n'


def _known(package: str, default: str, names: list[str]) -> str | None:
    """Write a module for a package whose functions change nothing that readers see; None for any other."""
    if package.startswith("next/font"):
        return f"{_FONT}export default font;\n" + "".join(
            f"export const {name} = font;\n" for name in dict.fromkeys(names) if name != "default"
        )
    if package == "@mdx-js/react":
        return _PROVIDER
    if _MEASURING.fullmatch(package) is None:
        return None
    lines = [
        f"export const {name} = {'pass' if name[0].isupper() else 'silent'};"
        for name in dict.fromkeys(names)
        if name != "default"
    ]
    lines.append(f"export default {'pass' if default[:1].isupper() else 'silent'};")
    return _SILENT + "\n".join(lines) + "\n"


def _handed_on(package: str, text: str) -> list[str]:
    """List the names that a module exports again without using them."""
    clauses = re.findall(rf"""export\s*\{{([^{{}}]*)\}}\s*from\s*["']{re.escape(package)}["']""", text)
    return [
        one.split()[0]
        for clause in clauses
        for one in clause.split(",")
        if one.strip() and not one.strip().startswith("type ")
    ]


def _rest(text: str) -> str:
    """Give a module without its imports."""
    return re.sub(r"""^\s*import\s[^;'"]*["'][^"'\n]*["'];?""", "", text, flags=re.MULTILINE)


def _is_type(name: str, text: str) -> bool:
    """Whether a name is used for types only."""
    uses = re.findall(rf"(?:^|[^\w.])({re.escape(name)})\b(?=(.?))", _rest(text))
    return bool(name[0].isupper()) and all(after in (">", "[", ",", ")", ";", "|", "&", "") for _, after in uses)
