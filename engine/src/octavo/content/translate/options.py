"""Options of autodoc, and what of Python source they name."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from octavo.lazy import regex as re

_HOLDERS = ("module", "class", "exception", "pydantic_model", "enum", "configurable")
"""Kinds of autodoc, without `auto`, whose members are shown where their options ask for them."""
_EVERY = ("", "true", "none", "1")


UNDERSTOOD = frozenset(
    ["exclude-members", "ignore-module-all", "imported-members", "inherited-members", "member-order", "members", "no-members", "no-undoc-members",
     "no-inherited-members", "no-private-members", "no-special-members", "private-members", "show-inheritance", "special-members", "undoc-members"]
)  # fmt: skip
"""Options that are written as attributes of `::autodoc`; it always shows what a class inherits from."""


def autodoc_attributes(kind: str, options: Mapping[str, str], defaults: Mapping[str, str]) -> str:
    """Write the options of a directive of autodoc as attributes of `::autodoc`; empty where there is nothing to say.

    Args:
        kind: The directive, such as `autoclass`.
        options: What it says itself.
        defaults: What `autodoc_default_options` says.
    """
    if kind.removeprefix("auto") not in _HOLDERS:
        return ""
    given = {name: value.strip() for name, value in {**defaults, **options}.items()}
    given = {name: value for name, value in given.items() if f"no-{name}" not in options}
    if not {"members", "undoc-members", "inherited-members"} & set(given) and kind != "autoconfigurable":
        return "{members=false}"
    made: dict[str, str] = {}
    members = _names(given.get("members", ""))
    for name, key in (("private-members", "private_members"), ("special-members", "special_members")):
        if name in given:
            listed = _names(given[name])
            made[key] = ",".join(listed) or "true"
            members += [one for one in listed if members]
    if members:
        made["members"] = ",".join(dict.fromkeys(members))
    if _names(given.get("exclude-members", "")):
        made["exclude_members"] = ",".join(_names(given["exclude-members"]))
    if "undoc-members" in given:
        made["show_if_no_docstring"] = made["annotated_members"] = "true"
    if "inherited-members" in given:
        made["inherited_members"] = "true"
    if "member-order" in given:
        made["members_order"] = "source" if given["member-order"] == "bysource" else "alphabetical"
    if kind == "automodule":
        made["reexported"] = "false" if "ignore-module-all" in given else "true"
    return "{" + " ".join(f'{key}="{value}"' for key, value in made.items()) + "}" if made else ""


def _names(value: str) -> list[str]:
    """Read a list of members; empty for all of them."""
    if value.lower() in _EVERY:
        return []
    return [name for name in value.replace(",", " ").split() if name.replace("_", "a").isalnum()]


_AUTODOC = re.compile(
    r"^\.\.[ \t]+(?:py:)?(?P<kind>auto(?!summary)\w+|module|currentmodule)::[ \t]*(?P<name>[\w.]+)[^\n]*"
    r"(?P<options>(?:\n[ \t]+[^\n]*|\n[ \t]*(?=\n))*)",
    re.MULTILINE,
)


_OPTION_LINE = re.compile(r"^[ \t]+:([\w-]+):[ \t]*([^\n]*)$", re.MULTILINE)
_MODULE = re.compile(
    r"^(?:\.\.[ \t]+(?:py:)?(?:current)?module::|(?:`{3,}|:{3,})\{(?:py:)?(?:current)?module\})[ \t]*([\w.]+)",
    re.MULTILINE,
)
"""Names the module of what follows: in reStructuredText, or in MyST."""


def written_autodoc(body: str, page: str, defaults: Mapping[str, str]) -> str | None:
    """Write the directives of autodoc as those of the extension for Python; None where there is anything else."""
    text = textwrap.dedent(body).strip("\n") + "\n"
    found = list(_AUTODOC.finditer(text))
    if not found or _AUTODOC.sub("", text).strip():
        return None
    before = _MODULE.findall(page, 0, max(page.find(body.strip()), 0))
    module, lines = before[-1] if before else "", []
    for match in found:
        name = match["name"]
        if match["kind"] in ("module", "currentmodule"):
            module = name
            continue
        if module and not name.startswith(f"{module}."):
            name = f"{module}.{name}"
        options = dict(_OPTION_LINE.findall(match["options"]))
        lines.append(f"::autodoc[{name}]{autodoc_attributes(match['kind'], options, defaults)}")
    return "\n\n".join(lines)


def python_object(lines: list[str], name: str) -> list[str] | None:
    """Cut a function or class of a program in Python out of its lines; None where it is not there."""
    opening = re.compile(rf"(?P<indent>\s*)(?:async\s+)?(?:def|class)\s+{re.escape(name.rpartition('.')[2])}\b")
    for number, line in enumerate(lines):
        if match := opening.match(line):
            stop = number + 1
            while stop < len(lines) and (
                not lines[stop].strip() or lines[stop].startswith((match["indent"] + " ", match["indent"] + ")"))
            ):
                stop += 1
            return lines[number:stop]
    return None
