"""Types of a component's properties, as far as they can be read off its file, and what is wrong with the values of a use.

Only what is certain is checked: texts, numbers, truth values, literals, unions and lists of them. All other types take
every value, as do components in JavaScript.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from octavo.content import nearest

_COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)
_DEFAULT = re.compile(
    r"\bexport\s+default\s+(?:(?:async\s+)?function\s*\w*\s*(?:<[^>(]*>)?\s*|(?:memo|forwardRef)\s*\(\s*(?:function\s*\w*\s*)?)?\("
)
_NAMED_DEFAULT = re.compile(
    r"\bexport\s+default\s+(\w+)\s*;?[ \t]*$|\bexport\s*\{\s*(\w+)\s+as\s+default\b", re.MULTILINE
)
_MEMBER = re.compile(r"\s*(?:readonly\s+)?(?P<name>[A-Za-z_$][\w$]*|\"[^\"\n]+\"|'[^'\n]+')\s*(?P<optional>\?)?\s*:")
_LITERAL = re.compile(
    r"""(?P<text>"[^"\n]*"|'[^'\n]*')|(?P<number>-?\d+(?:\.\d+)?)|(?P<word>true|false|null|undefined)"""
)
_ARRAY_OF = re.compile(r"(?:Readonly)?Array<(?P<item>.+)>", re.DOTALL)
_OPENING, _CLOSING = "{[(<", "}])>"
_ABSENT = object()


class Property(NamedTuple):
    """A property of a component."""

    type: str
    """As its author wrote it."""
    is_optional: bool
    line: int
    column: int


class Properties(NamedTuple):
    """The properties of a component."""

    all: dict[str, Property]
    is_complete: bool
    """It takes no others."""


def read_properties(text: str) -> Properties | None:
    """Read the properties off a file in TypeScript; None where they are not written as a type that can be read."""
    bare = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    given = _type_of_parameter(bare)
    if given is None:
        return None
    start, written = given
    if not written.startswith("{"):
        name = re.escape(re.sub(r"^Readonly<(\w+)>$", r"\1", written.strip()))
        found = re.search(
            rf"\b(?:interface\s+{name}\s*(?P<more>extends\b[^{{]*)?|type\s+{name}\s*=\s*)(?P<body>\{{)", bare
        )
        if found is None:
            return None
        start, is_closed = found.start("body"), not found["more"]
    else:
        is_closed = True
    end = _end_of(bare, start)
    if end is None:
        return None
    is_closed = is_closed and not re.match(r"\s*&", bare[end:])
    members = dict(_members(bare, start + 1, end - 1))
    return Properties(members, is_closed and "[" not in members)


def wrong_values(
    properties: Properties, name: str, path: str, given: Mapping[str, Any], *, has_children: bool
) -> list[str]:
    """Say what is wrong with the values of a use of the component `name` in the file `path`, each as a sentence."""
    return list(_wrong_values(properties, name, path, given, has_children=has_children))


def _wrong_values(
    properties: Properties, name: str, path: str, given: Mapping[str, Any], *, has_children: bool
) -> Iterator[str]:
    for key, wanted in properties.all.items():
        at = f"{path}:{wanted.line}:{wanted.column}"
        if key in given:
            if not _fits(given[key], wanted.type) and not (wanted.is_optional and given[key] is None):
                yield f'"{key}" of <{name}> is {_shown(given[key])}, and must be {wanted.type} ({at}).'
        elif not wanted.is_optional and not (key == "children" and has_children) and not _fits(_ABSENT, wanted.type):
            yield f'<{name}> needs "{key}", which is {wanted.type} ({at}).'
    if properties.is_complete:
        for key in given:
            if key not in properties.all and key not in ("key", "children"):
                close = nearest(key, properties.all)
                yield f'<{name}> has no property "{key}".' + (f' Did you mean "{close}"?' if close else "")


def _type_of_parameter(text: str) -> tuple[int, str] | None:
    """Find the type of the first parameter of the default export: (offset, text)."""
    opening = _DEFAULT.search(text)
    if opening is None:
        named = _NAMED_DEFAULT.search(text)
        if named is None:
            return None
        name = re.escape(named[1] or named[2])
        opening = re.search(rf"\bfunction\s+{name}\s*\(|\bconst\s+{name}\s*=\s*(?:async\s*)?(?:memo\s*\(\s*)?\(", text)
        if opening is None:
            return None
    parameters_end = _end_of(text, opening.end() - 1)
    if parameters_end is None:
        return None
    position = opening.end()
    if pattern := re.compile(r"\s*\{").match(text, position):
        end = _end_of(text, pattern.end() - 1)
        if end is None:
            return None
        position = end
    colon = re.compile(r"\s*\w*\s*:\s*").match(text, position, parameters_end - 1)
    if colon is None:
        return None
    return colon.end(), text[colon.end() : parameters_end - 1].strip().rstrip(",").strip()


def _end_of(text: str, start: int) -> int | None:
    """Find the offset after the bracket that closes the one at `start`; None where none does."""
    depth = 0
    position = start
    while position < len(text):
        char = text[position]
        if char in "\"'`":
            closing = text.find(char, position + 1)
            if closing < 0:
                return None
            position = closing
        elif char in "{[(":
            depth += 1
        elif char in "}])":
            depth -= 1
            if depth == 0:
                return position + 1
        position += 1
    return None


def _members(text: str, start: int, end: int) -> Iterator[tuple[str, Property]]:
    """Read the members of an object type between two offsets; what is no property with a type is given as `[`."""
    for first, last in _split(text, start, end, ";,\n"):
        part = text[first:last]
        if not part.strip():
            continue
        member = _MEMBER.match(part)
        at = first + len(part) - len(part.lstrip())
        line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
        if member is None:
            yield "[", Property("any", is_optional=True, line=line, column=column)
            continue
        kind = " ".join(part[member.end() :].split())
        yield member["name"].strip("\"'"), Property(kind, bool(member["optional"]), line, column)


def _split(text: str, start: int, end: int, marks: str) -> Iterator[tuple[int, int]]:
    """Split a stretch at marks that are in no bracket; a line end is one only where what is before it is whole."""
    depth, first, position = 0, start, start
    while position < end:
        char = text[position]
        if char in "\"'":
            closing = text.find(char, position + 1, end)
            position = closing if closing > 0 else position
        elif char in _OPENING:
            depth += 1
        elif char in _CLOSING and text[position - 1 : position + 1] != "=>":
            depth -= 1
        elif depth == 0 and char in marks and not (char == "\n" and _goes_on(text, first, position, end)):
            yield first, position
            first = position + 1
        position += 1
    yield first, end


def _goes_on(text: str, first: int, position: int, end: int) -> bool:
    """Whether a member goes on in the next line."""
    before, after = text[first:position].rstrip(), text[position:end].lstrip()
    return before.endswith((":", "|", "&", "=>")) or after.startswith(("|", "&", "=>"))


def _fits(value: Any, kind: str) -> bool:
    """Whether a value is of a type; types that are not known take all."""
    return any(_fits_one(value, option) for option in _options(kind))


@lru_cache(maxsize=1024)
def _options(kind: str) -> tuple[str, ...]:
    """Split a union into its types."""
    options = (kind[first:last].strip() for first, last in _split(kind, 0, len(kind), "|"))
    return tuple(option for option in options if option)


def _fits_one(value: Any, kind: str) -> bool:
    kind = kind.removeprefix("readonly ").strip()
    if kind.startswith("(") and kind.endswith(")"):
        return _fits(value, kind[1:-1])
    if kind in ("any", "unknown", "undefined", "ReactNode", "React.ReactNode") and value is _ABSENT:
        return True
    if value is _ABSENT:
        return False
    match kind:
        case "string":
            return isinstance(value, str)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "boolean":
            return isinstance(value, bool)
    if literal := _LITERAL.fullmatch(kind):
        return _is_literal(value, literal)
    item = kind[:-2] if kind.endswith("[]") else None
    if array := _ARRAY_OF.fullmatch(kind):
        item = array["item"]
    if item is not None:
        return isinstance(value, list) and all(_fits(one, item) for one in value)
    if kind.startswith("{"):
        return isinstance(value, dict)
    return True


def _is_literal(value: Any, literal: re.Match[str]) -> bool:
    if literal["text"]:
        return bool(value == literal["text"][1:-1])
    if literal["number"]:
        return isinstance(value, int | float) and not isinstance(value, bool) and value == float(literal["number"])
    return value is {"true": True, "false": False}.get(literal["word"])


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    kinds = {
        str: "the text ",
        bool: "",
        int: "the number ",
        float: "the number ",
        list: "the list ",
        dict: "the object ",
    }
    return f"{kinds.get(type(value), '')}{text if len(text) <= 40 else f'{text[:40]}…'}"
