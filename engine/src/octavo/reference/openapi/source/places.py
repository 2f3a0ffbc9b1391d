"""Where in a text of JSON or YAML the values are to which pointers lead."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from octavo.lazy import regex as re

Pointer = tuple[str | int, ...]
"""Keys from the root of a document, such as `("paths", "/pets", "get")`."""

_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*"|[{}\[\],]')
_VALUE = re.compile(r"[^\s]")


class Place(NamedTuple):
    """A place in a text; both numbers are 1-based, the column in characters."""

    line: int = 1
    column: int = 1


def places_of(text: str, pointers: Iterable[Pointer]) -> dict[Pointer, Place]:
    """Find the keys of values, or those of their nearest ancestors in the text; items of lists are found themselves."""
    wanted = list(pointers)
    if not wanted:
        return {}
    # Not as YAML, of which JSON is not part in fact: "\\/" and some control characters are none there.
    if text.lstrip("\ufeff \t\r\n").startswith("{") and (found := _places_in_json(text, wanted)) is not None:
        return found
    import yaml  # not at the top: a description in which nothing is wrong does without it

    try:
        root: Any = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, RecursionError):
        return dict.fromkeys(wanted, Place())
    return {pointer: _place_in_yaml(root, pointer) for pointer in wanted}


def _place_in_yaml(node: Any, pointer: Pointer) -> Place:
    mark = node.start_mark if node is not None else None
    for key in pointer:
        found = _child(node, key)
        if found is None:
            break
        key_node, node = found
        mark = key_node.start_mark
    return Place(mark.line + 1, mark.column + 1) if mark else Place()


def _child(node: Any, key: str | int) -> tuple[Any, Any] | None:
    import yaml

    if isinstance(node, yaml.MappingNode):
        return next(((name, value) for name, value in node.value if name.value == str(key)), None)
    if isinstance(node, yaml.SequenceNode) and str(key).isdecimal() and int(key) < len(node.value):
        item = node.value[int(key)]
        return item, item
    return None


class _Wanted:
    """What is looked for below a value, and where the value has been found."""

    __slots__ = ("inner", "offset")

    def __init__(self) -> None:
        self.inner: dict[str, _Wanted] = {}
        self.offset = -1


class _Frame:
    """An object or a list that is open."""

    __slots__ = ("index", "is_object", "key", "wanted")

    def __init__(self, wanted: _Wanted | None, *, is_object: bool) -> None:
        self.wanted = wanted
        self.is_object = is_object
        self.index = 0
        self.key: str | None = None
        """Of the value that comes next, in an object."""

    def next(self, position: int) -> None:
        """Go on to the item of a list at a position, if it is wanted."""
        if not self.is_object and self.wanted and (item := self.wanted.inner.get(str(self.index))):
            item.offset = position

    def child(self) -> _Wanted | None:
        """Return what is wanted of the value that comes next."""
        if self.wanted is None:
            return None
        return self.wanted.inner.get((self.key or "") if self.is_object else str(self.index))


def _places_in_json(text: str, pointers: list[Pointer]) -> dict[Pointer, Place] | None:
    """Find places in JSON; None if it is none."""
    try:
        json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None
    root = _Wanted()
    root.offset = text.index("{")
    for pointer in pointers:
        wanted = root
        for key in pointer:
            wanted = wanted.inner.setdefault(str(key), _Wanted())
    _scan(text, root)
    return {pointer: _place_at(text, _offset_of(root, pointer)) for pointer in pointers}


def _scan(text: str, root: _Wanted) -> None:
    """Note the offsets of wanted keys and items in JSON that is known to be right."""
    frames: list[_Frame] = []
    for token in _TOKEN.finditer(text):
        mark = token[0]
        frame = frames[-1] if frames else None
        if mark in "{[":
            opened = _Frame(frame.child() if frame else root, is_object=mark == "{")
            frames.append(opened)
            if mark == "[" and (first := _VALUE.search(text, token.end())) and first[0] != "]":
                opened.next(first.start())
        elif frame is None:
            break
        elif mark in "}]":
            frames.pop()
        elif mark == ",":
            frame.index += 1
            frame.key = None
            if first := _VALUE.search(text, token.end()):
                frame.next(first.start())
        elif frame.is_object and frame.key is None:
            frame.key = json.loads(mark) if "\\" in mark else mark[1:-1]
            if found := frame.child():
                found.offset = token.start()


def _offset_of(root: _Wanted, pointer: Pointer) -> int:
    offset, wanted = root.offset, root
    for key in pointer:
        wanted = wanted.inner[str(key)]
        if wanted.offset < 0:
            break
        offset = wanted.offset
    return offset


def _place_at(text: str, offset: int) -> Place:
    line_start = text.rfind("\n", 0, offset) + 1
    return Place(text.count("\n", 0, offset) + 1, offset - line_start + 1)
