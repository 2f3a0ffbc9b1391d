"""Changes in a JSON text that leave everything else as it is: comments, order, spaces, trailing commas.

Editors keep their settings as JSON with comments, written by hand. Reading such a file and writing it again would lose
what its owner has put there, so single members are inserted and removed in the text itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

MISSING: Any = object()
"""What `get` returns where there is no such member."""

_SPACE = re.compile(r"(?:[ \t\r\n]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"-?[0-9][0-9.eE+-]*|true|false|null")
_DEEPEST = 200


class JsoncError(ValueError):
    """The text is not JSON; the message has line and column."""


@dataclass(frozen=True, slots=True)
class _Member:
    """A member of an object: places of its key and of its value, and of the comma behind it."""

    key: str
    start: int
    value: _Value
    comma: int | None


@dataclass(frozen=True, slots=True)
class _Value:
    """A value: where it is, what it is, and its members if it is an object."""

    start: int
    end: int
    data: Any
    members: tuple[_Member, ...] | None = None

    def find(self, key: str) -> _Member | None:
        # Of equal keys the last one counts, as in every reader.
        return next((member for member in reversed(self.members or ()) if member.key == key), None)


def get(text: str, keys: Sequence[str]) -> Any:
    """Read a value.

    Raises:
        JsoncError: The text is not JSON, or has something else than an object on the way.
    """
    found: _Value | None = _parse(text)
    for number, key in enumerate(keys):
        assert found is not None  # noqa: S101 - the loop ends before
        if found.members is None:
            raise JsoncError(f"{'.'.join(keys[:number]) or 'the file'} is not an object")
        member = found.find(key)
        if member is None:
            return MISSING
        found = member.value
    return found.data if found else MISSING


def set_value(text: str, keys: Sequence[str], data: Any) -> str:
    """Set a value; objects on the way are made where there are none. An empty text counts as an empty object.

    Raises:
        JsoncError: See `get`.
    """
    if not text.strip("\ufeff \t\r\n"):
        text = "{}\n"
    place = _parse(text)
    for number, key in enumerate(keys):
        if place.members is None:
            raise JsoncError(f"{'.'.join(keys[:number]) or 'the file'} is not an object")
        member = place.find(key)
        if member is None:
            for outer in reversed(keys[number + 1 :]):
                data = {outer: data}
            return _insert(text, place, key, data)
        place = member.value
    written = _dump(data, _indent_at(text, place.start), _unit(text))
    return text[: place.start] + written + text[place.end :]


def remove(text: str, keys: Sequence[str]) -> str:
    """Remove a member; a text without it is returned as it is.

    Raises:
        JsoncError: See `get`.
    """
    if get(text, keys) is MISSING:
        return text
    place = _object_at(text, keys[:-1])
    gone = place.find(keys[-1])
    assert gone is not None  # noqa: S101 - as above
    start = len(text[: gone.start].rstrip(" \t"))
    if start and text[start - 1] == "\n":
        start -= 1
        start -= text[start - 1] == "\r"
    else:
        start = gone.start
    end = gone.value.end if gone.comma is None else gone.comma + 1
    text = text[:start] + text[end:]
    before = [member for member in place.members or () if member.start < gone.start]
    if gone.comma is None and before and before[-1].comma is not None:
        comma = before[-1].comma
        text = text[:comma] + text[comma + 1 :]
    return _closed_on_its_line(text, keys[:-1])


def _object_at(text: str, keys: Sequence[str]) -> _Value:
    """Find an object that is known to be there."""
    place = _parse(text)
    for key in keys:
        member = place.find(key)
        assert member is not None  # noqa: S101 - the callers have found it
        place = member.value
    return place


def _closed_on_its_line(text: str, keys: Sequence[str]) -> str:
    """An object whose members are on the line that it begins on also ends there: `_insert` has put its end on another line."""
    place = _object_at(text, keys)
    if not place.members or "\n" in text[place.start : place.members[-1].start]:
        return text
    last = place.members[-1]
    end = last.value.end if last.comma is None else last.comma + 1
    between = text[end : place.end - 1]
    return text[:end] + text[place.end - 1 :] if "\n" in between and not between.strip() else text


def _insert(text: str, place: _Value, key: str, data: Any) -> str:
    members = place.members or ()
    newline = "\r\n" if "\r\n" in text else "\n"
    unit = _unit(text)
    outer = _indent_at(text, place.start)
    inner = (
        _indent_at(text, members[-1].start)
        if members and "\n" in text[place.start : members[-1].start]
        else outer + unit
    )
    member = f"{inner}{json.dumps(key, ensure_ascii=False)}: {_dump(data, inner, unit)}".replace("\n", newline)
    close = place.end - 1
    kept = text[:close].rstrip(" \t\r\n")
    has_comma = bool(members) and members[-1].comma is not None
    if members and not has_comma:
        end = members[-1].value.end
        kept = kept[:end] + "," + kept[end:]
    return f"{kept}{newline}{member}{',' if has_comma else ''}{newline}{outer}{text[close:]}"


def _dump(data: Any, indent: str, unit: str) -> str:
    lines = json.dumps(data, indent=unit, ensure_ascii=False).split("\n")
    return "\n".join([lines[0], *(indent + line for line in lines[1:])])


def _indent_at(text: str, place: int) -> str:
    """The white space at the beginning of a line."""
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    """What the file indents by: that of its first indented line; two spaces where there is none."""
    found = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    return found[1] if found else "  "


def _parse(text: str) -> _Value:
    reader = _Reader(text)
    start = 1 if text.startswith("\ufeff") else 0
    found = reader.value(reader.skip(start), 0)
    if reader.skip(found.end) != len(text):
        reader.fail(reader.skip(found.end), "something comes after the end")
    return found


class _Reader:
    """Reads JSON with comments and trailing commas, and notes the places of members."""

    def __init__(self, text: str) -> None:
        self._text = text

    def fail(self, place: int, problem: str) -> NoReturn:
        before = self._text[:place]
        line, column = before.count("\n") + 1, place - before.rfind("\n")
        raise JsoncError(f"line {line}, column {column}: {problem}")

    def skip(self, place: int) -> int:
        found = _SPACE.match(self._text, place)
        return found.end() if found else place

    def value(self, place: int, depth: int) -> _Value:
        if depth > _DEEPEST:
            self.fail(place, "too deep")
        character = self._text[place : place + 1]
        if character == "{":
            return self._object(place, depth)
        if character == "[":
            return self._array(place, depth)
        found = _STRING.match(self._text, place) or _SCALAR.match(self._text, place)
        if found is None:
            self.fail(place, "expected a value")
        return _Value(place, found.end(), self._load(found[0], place))

    def _object(self, start: int, depth: int) -> _Value:
        members: list[_Member] = []
        place = self.skip(start + 1)
        while self._text[place : place + 1] != "}":
            if members and members[-1].comma is None:
                self.fail(place, "expected a comma or the end of the object")
            key = _STRING.match(self._text, place)
            if key is None:
                self.fail(place, "expected a key in double quotes")
            colon = self.skip(key.end())
            if self._text[colon : colon + 1] != ":":
                self.fail(colon, "expected a colon")
            value = self.value(self.skip(colon + 1), depth + 1)
            after = self.skip(value.end)
            has_comma = self._text[after : after + 1] == ","
            members.append(_Member(self._load(key[0], place), place, value, after if has_comma else None))
            place = self.skip(after + has_comma)
        data = {member.key: member.value.data for member in members}
        return _Value(start, place + 1, data, tuple(members))

    def _array(self, start: int, depth: int) -> _Value:
        items: list[Any] = []
        place, may_end = self.skip(start + 1), True
        while self._text[place : place + 1] != "]":
            if not may_end and items:
                self.fail(place, "expected a comma or the end of the list")
            item = self.value(place, depth + 1)
            items.append(item.data)
            after = self.skip(item.end)
            may_end = self._text[after : after + 1] == ","
            place = self.skip(after + may_end)
        return _Value(start, place + 1, items)

    def _load(self, text: str, place: int) -> Any:
        try:
            return json.loads(text)
        except ValueError:
            self.fail(place, "not a JSON value")
