"""What the scanner lifts out of the text, and what the renderer puts back as HTML."""

from __future__ import annotations

from typing import Any

import msgspec

from octavo.content.source import MARK_CLOSE, MARK_OPEN, DocumentText, Fragment
from octavo.lazy import regex as re

MARK = re.compile(f"{MARK_OPEN}([0-9]+){MARK_CLOSE}")
"""Stands for a node inside a line."""
PLACEHOLDER = re.compile(rf"\s*<\?{MARK_OPEN}([0-9]+){MARK_CLOSE}\?>\s*")
"""Stands for a node that is a block."""
PLACEHOLDER_OR_MARK = re.compile(rf"(?:<\?)?{MARK_OPEN}([0-9]+){MARK_CLOSE}(?:\?>)?")


class Admonition(msgspec.Struct, frozen=True, eq=False):
    """`:::kind[Title]` … `:::`."""

    kind: str
    title: Fragment | None
    anchor: str | None
    """Id from `{#id}` after the title."""
    offset: int
    body: Fragment
    is_untitled: bool = False
    """Its author wants no title."""
    classes: str = ""
    """More classes, separated by spaces."""
    icon: str = ""
    """Name of the icon before its title; empty for that of its kind."""


class ImportedFile(str):
    """Address of an imported file that is published, such as a picture, which is an object with `src` in some engines."""

    __slots__ = ()


class RequiredFile(ImportedFile):
    """Address of a file that an expression requires: to components in React, as webpack has it, an object with `default`."""

    __slots__ = ()


class Markup(msgspec.Struct, frozen=True, eq=False):
    """An element that is the value of an attribute of a component in React."""

    fragment: Fragment


class Element(msgspec.Struct, frozen=True, eq=False):
    """A component: one of the stock ones, a partial, or one that the site registers."""

    name: str
    attributes: dict[str, Any]
    """Values are str, int, float, bool, None, list or dict; of a component in React also `Markup`."""
    offset: int
    """Of the `<`, in characters of the file."""
    body: Fragment | None = None
    """None: it closes itself, or is inline and its content is drawn in place."""
    is_tight: bool = False
    """Tags and content are on one line: the content is not a paragraph."""
    is_inline: bool = False
    """It is inside a line of text."""


class Children(msgspec.Struct, frozen=True, eq=False):
    """`{props.children}`."""

    offset: int


class Value(msgspec.Struct, frozen=True, eq=False):
    """A literal expression: text as it is."""

    text: str


class InlineOpen(msgspec.Struct, frozen=True, eq=False):
    """The opening tag of a component inside a line of text."""

    element: Element


class InlineClose(msgspec.Struct, frozen=True, eq=False):
    """The closing tag that belongs to an `InlineOpen`."""

    name: str


class Attributes(msgspec.Struct, frozen=True, eq=False):
    """`{ #id .class key=value }`: belongs to the element that ends before it, or to the block that it ends."""

    values: dict[str, str]


class Include(msgspec.Struct, frozen=True, eq=False):
    """A file, or lines of one, that is included in this place."""

    fragment: Fragment
    offset: int
    """Of the line that names it, in characters of the file that holds the line."""


class Wrapper(msgspec.Struct, frozen=True, eq=False):
    """An HTML element that holds Markdown."""

    opening: str
    """Its opening tag, as its author wrote it."""
    name: str
    offset: int
    body: Fragment
    is_span: bool = False
    """Its content is text in a line, no block."""


class AdjacentTabs(msgspec.Struct, frozen=True, eq=False):
    """Tabs that follow each other."""

    items: list[Element]
    """`TabItem` elements."""
    offset: int


class Made(msgspec.Struct, frozen=True, eq=False):
    """What an extension has made of a directive or a fence."""

    parts: list[tuple[str, str]]
    """(kind, text) in order, as in `Extended.value`."""
    source: DocumentText
    """What its Markdown is taken for: all of it has the place of the use."""
    offset: int
    body: Fragment | None = None
    """What the directive holds."""


Node = (
    Made
    | Admonition
    | Element
    | Children
    | Value
    | InlineOpen
    | InlineClose
    | Attributes
    | Include
    | Wrapper
    | AdjacentTabs
)

_ELSEWHERE = re.compile(r"#|//|[a-zA-Z][\w+.-]*:|$")


def below_base(address: str) -> str:
    """Give what `useBaseUrl` puts the base URL before: any path, also one without a slash at its beginning."""
    return address if address.startswith("/") or _ELSEWHERE.match(address) else f"/{address.removeprefix('./')}"
