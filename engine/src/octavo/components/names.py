"""Names that modules of authors export, and those that they take from each other.

In a browser's own modules a name that nothing exports is an error. Compiled to CommonJS it is `undefined`, in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from octavo.components.component import stem
from octavo.content import nearest
from octavo.lazy import regex as re
from octavo.stylesheets import MODULE_ENDING

_EXPORTED = re.compile(r"\bexports\.\s?(?P<name>[A-Za-z_$][\w$]*)|_createNamedExportFrom\(\w+, '(?P<handed>[^']+)', ")
_STAR = re.compile(r"_createStarExport\((?P<variable>\w+)\)")
_LOADED = re.compile(r"""\bvar (?P<variable>_\w+) = require\((?P<quote>['"])(?P<name>[^'"\n]+)(?P=quote)\)""")
_DEFAULT = re.compile(r"\bvar (?P<variable>_\w+) = _interopRequireDefault\((?P<of>\w+)\)")
_HANDED_ON = re.compile(r"_createNamedExportFrom\((?P<variable>\w+), '[^']+', '(?P<name>[^']+)'\)")
_MEMBER = re.compile(r"(?<![\w$.])(?P<variable>_\w+)\.(?P<name>[A-Za-z_$][\w$]*)")
_OF_DEFAULT = re.compile(
    r"""(?<![\w$.])(?P<variable>_\w+)\.default(?:\.(?P<name>[A-Za-z_$][\w$]*)|\[(?P<quote>['"])(?P<text>[^'"\n]+)(?P=quote)\])"""
)
_OPEN = re.compile(r"\bmodule\.exports\b|\bexports\[|\bdefineProperty\(exports, (?!\"__esModule\"|localName|key)")
"""Exports that no reader of the code can list."""
_SHOWN = 6
"""Names that a message lists."""


class ModuleNames(msgspec.Struct, frozen=True):
    """What a module exports and takes."""

    exported: list[str] = []
    is_open: bool = True
    """It may export more, under names that its code does not show."""
    stars: list[str] = []
    """Modules of which it exports all names, as they are written."""
    taken: dict[str, list[str]] = {}
    """Module as it is written → names that are taken from it, `default` among them."""
    members: dict[str, list[str]] = {}
    """CSS module as it is written → classes that are taken from its object."""


def read_names(code: str) -> ModuleNames:
    """Read the names in a compiled module."""
    loaded = {match["variable"]: match["name"] for match in _LOADED.finditer(code)}
    defaults = {match["variable"]: loaded.get(match["of"]) for match in _DEFAULT.finditer(code)}
    taken: dict[str, list[str]] = {}

    def take(module: str | None, name: str) -> None:
        if module is not None and name not in taken.setdefault(module, []):
            taken[module].append(name)

    for match in _MEMBER.finditer(code):
        if match["variable"] in defaults:
            take(defaults[match["variable"]], "default")
        else:
            take(loaded.get(match["variable"]), match["name"])
    for match in _HANDED_ON.finditer(code):
        take(loaded.get(match["variable"]), match["name"])
    members: dict[str, list[str]] = {}
    for match in _OF_DEFAULT.finditer(code):
        written = defaults.get(match["variable"]) or ""
        name = match["name"] or match["text"]
        if written.endswith(MODULE_ENDING) and name not in members.setdefault(written, []):
            members[written].append(name)
    exported = dict.fromkeys(match["name"] or match["handed"] for match in _EXPORTED.finditer(code))
    stars = [loaded[match["variable"]] for match in _STAR.finditer(code) if match["variable"] in loaded]
    return ModuleNames(list(exported), '"__esModule"' not in code or bool(_OPEN.search(code)), stars, taken, members)


def missing_names(
    names: ModuleNames, find: Callable[[str], tuple[str, ModuleNames] | None], text_of: Callable[[str], str]
) -> Iterator[tuple[str, str, str]]:
    """Find names that a module takes and nothing exports.

    Args:
        names: Of the module.
        find: Gives the path and the names of a module that it imports; None where they are not known.
        text_of: Gives the source of a file.

    Returns:
        Of each, the module as it is written, the name, and what helps.
    """
    for written, taken in names.taken.items():
        found = find(written)
        if found is None or found[1].is_open or found[1].stars:
            continue
        path, other = found
        source = text_of(path)
        for name in taken:
            if name in other.exported or _is_type(name, source):
                continue
            yield written, name, did_you_mean(name, other.exported, "It exports")


def missing_members(
    names: ModuleNames, find: Callable[[str], tuple[str, ModuleNames] | None]
) -> Iterator[tuple[str, str, str]]:
    """Find classes that a module takes from CSS modules and that these do not have; see `missing_names`."""
    for written, members in names.members.items():
        found = find(written)
        known = [] if found is None else [name for name in found[1].exported if name != "default"]
        for name in members:
            if found is not None and name not in known:
                yield written, name, did_you_mean(name, known)


def did_you_mean(name: str, known: Iterable[str], what: str = "It has") -> str:
    """Write a hint for a name that is not among the known ones."""
    known = list(known)
    close = nearest(name, known)
    listed = ", ".join(known[:_SHOWN]) + (", …" if len(known) > _SHOWN else "")
    return f'Did you mean "{close}"?' if close else f"{what}: {listed}." if listed else f"{what} nothing."


def _is_type(name: str, source: str) -> bool:
    """Whether a name is one of a type, of which nothing is left in what is compiled."""
    escaped = re.escape(name)
    return bool(
        re.search(rf"\b(?:interface|type|namespace|declare\s+\w+)\s+{escaped}\b", source)
        or re.search(rf"\btype\s*\{{[^}}]*\b{escaped}\b", source)
        or (name == "default" and re.search(r"\bexport\s+default\s+(?:abstract\s+)?(?:interface|type)\b", source))
    )


def place_of_import(text: str, written: str, name: str) -> int:
    """Find where a module takes a name: its offset, or that of the module's name."""
    statement = re.search(
        rf"""\b(?:import|export)\b(?P<clause>[^'";]*?)\bfrom\s*(?P<quote>['"])(?P<module>{re.escape(written)})(?P=quote)""",
        text,
    )
    if statement is None:
        return 0
    found = re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", statement["clause"])
    return statement.start("clause") + found.start() if found else statement.start("module")


def place_of_member(text: str, written: str, name: str) -> int:
    """Find where a module takes a class of a CSS module: its offset, or that of the import."""
    statement = re.search(rf"""\bimport\s+(?P<name>[\w$]+)\b[^'";]*?\bfrom\s*['"]{re.escape(written)}['"]""", text)
    if statement is None:
        return place_of_import(text, written, name)
    taken = (
        rf"""(?<![\w$.]){re.escape(statement["name"])}\s*(?:\.\s*|\[\s*['"])(?P<member>{re.escape(name)})(?![\w$-])"""
    )
    found = re.search(taken, text)
    return found.start("member") if found else statement.start()


def imported_names_of(text: str, offsets: Mapping[str, int]) -> Iterator[tuple[str, str, int]]:
    """Find style sheets that are imported with a name: the sheet as it is written, the name, and its offset.

    Args:
        text: The module, without comments.
        offsets: Modules that it imports, as they are written → offset of the name.
    """
    for written, offset in offsets.items():
        if written.endswith(".css") and not written.endswith(MODULE_ENDING):
            clause = re.search(r"\bimport\s+(?P<name>[^'\";]+?)\s+from\s*['\"]\Z", text[max(offset - 200, 0) : offset])
            if clause is not None:
                yield written, clause["name"], max(offset - 200, 0) + clause.start("name")


def export_of_name(path: str, text: str) -> re.Match[str] | None:
    """Find the export that has the name of its file: `export function Note` in `Note.tsx`."""
    name = re.escape(stem(path))
    declared = rf"^export\s+(?:async\s+)?(?:function|class|const|let|var)\s+(?P<name>{name})\b"
    listed = rf"^export\s*\{{(?:[^}}]*[\s,])?(?:\w+\s+as\s+)?(?P<name>{name})\s*(?:,[^}}]*)?\}}"
    if not name[:1].isupper():
        return None
    return re.search(declared, text, re.MULTILINE) or re.search(listed, text, re.MULTILINE)
