"""HTML in descriptions: known elements become elements of our own, with attributes of our own; all else is text.

A description comes from whoever wrote the API. Nothing of its HTML reaches a page as it was: tags are read, and others
are written, balanced, with links to the web and mail only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape, unescape
from typing import NamedTuple

from octavo.lazy import regex as re
from octavo.reference.openapi.names import schema_anchor, schema_name

_ELEMENT = r"<(/?)([A-Za-z][A-Za-z0-9]*)((?:\s[^<>]*)?/?)>"
_TAG = re.compile(_ELEMENT)
_TAG_OR_COMMENT = re.compile(rf"<!--.*?-->|{_ELEMENT}", re.DOTALL)
_ATTRIBUTE = re.compile(r"""(?<![\w-])([A-Za-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_MARK = re.compile(r"\x00([ocv])([a-z0-9]+)\|([^\x00]*)\x00|<(/?)([a-z][a-z0-9-]*)[^>]*?(/?)>")

_INLINE = {
    **{
        name: name
        for name in ("code", "kbd", "samp", "var", "ins", "u", "sub", "sup", "small", "mark", "q", "abbr", "cite")
    },
    "b": "strong",
    "strong": "strong",
    "i": "em",
    "em": "em",
    "tt": "code",
    "s": "s",
    "strike": "s",
    "del": "s",
    "a": "a",
}
"""Elements within a line → those that we write."""
_HEADINGS = {f"h{level}": "<p><strong>" for level in range(1, 7)}
_BOXES = ("div", "section", "article", "center")
_BLOCKS = {
    **{name: f"<{name}>" for name in ("p", "ul", "ol", "li", "dl", "dt", "dd", "blockquote", "thead", "tbody", "tr")},
    **{name: f"<{name}>" for name in ("td", "th", "details", "summary", "caption")},
    **dict.fromkeys(_BOXES, "<div>"),
    **_HEADINGS,
    "pre": '<pre tabindex="0">',
    "table": '<div class="table-wrap" tabindex="0"><table>',
}
_ENDS = {"table": "</table></div>", **dict.fromkeys(_BOXES, "</div>"), **dict.fromkeys(_HEADINGS, "</strong></p>")}
_INVISIBLE = frozenset(["span", "font", "tfoot", "colgroup", "col", "wbr", "html", "body"])
"""Elements of which the content is shown and the tags are not."""
_VOID = {"br": "<br>", "hr": "<hr>"}
_PARENTS = {
    "li": ("ul", "ol"),
    "tr": ("table", "thead", "tbody"),
    **dict.fromkeys(("td", "th"), ("tr",)),
    **dict.fromkeys(("thead", "tbody", "caption"), ("table",)),
    **dict.fromkeys(("dt", "dd"), ("dl",)),
    "summary": ("details",),
}
"""Elements that are none outside of these."""
_WITH_TEXT_ONLY = frozenset(["p", "summary", "dt", "caption", "pre", *_HEADINGS])
"""Blocks that the next block ends."""
_ALL_SECURITY = "securitydefinitions"
"""Redoc's element for the ways to authenticate. Its `SchemaDefinition` shows a schema, to which we link."""
_MOST_OPEN = 100
"""Elements within each other; deeper ones are left out, and their text is shown."""
_OWN_VOID = frozenset(["br", "hr", "img", "input", "wbr"])
_OWN_BLOCKS = frozenset(
    [
        "p",
        "ul",
        "ol",
        "li",
        "blockquote",
        "div",
        "figure",
        "table",
        "hr",
        "section",
        "details",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
    ]
)


class MarkupPiece(NamedTuple):
    """A piece of HTML that the parser of Markdown has left as it was."""

    kind: str
    """`text`, or `o`, `c`, `v`: a tag that opens, one that closes, one without an end."""
    text: str
    """Plain text, or the name of the element."""
    href: str = ""
    """Where a link leads, or where a picture lies; as it is written."""


def read_pieces(source: str) -> Iterator[MarkupPiece]:
    """Read tags of known elements and the text between them; comments are left out, and other tags are text."""
    position = 0
    for match in _tags(source):
        pieces = list(_pieces_of_tag(match))
        if pieces == [None]:
            continue
        if match.start() > position:
            yield MarkupPiece("text", unescape(source[position : match.start()]))
        yield from (piece for piece in pieces if piece is not None)
        position = match.end()
    if position < len(source):
        yield MarkupPiece("text", unescape(source[position:]))


def _tags(source: str) -> Iterator[re.Match[str]]:
    # Behind the last end of a comment none is looked for: each beginning would be followed to the end of the text.
    end = source.rfind("-->") + 3
    last = 0
    for match in _TAG_OR_COMMENT.finditer(source, 0, end) if end > 2 else ():
        last = match.end()
        yield match
    yield from _TAG.finditer(source, max(last, end if end > 2 else 0))


def plain_pieces(source: str) -> Iterator[str]:
    """Give the text of HTML, blanks where its elements separate words."""
    for piece in read_pieces(source):
        if piece.kind == "text":
            yield piece.text
        elif piece.text not in _INLINE and piece.text not in ("span", "font", "wbr", "img"):
            yield " "


def _pieces_of_tag(match: re.Match[str]) -> Iterator[MarkupPiece | None]:
    """Give the pieces of a tag; a single None for one that is text."""
    if match[2] is None:
        return  # a comment
    name, attributes = match[2].lower(), match[3]
    if name == "img":
        given = _attributes(attributes)
        yield MarkupPiece("o", "img", given.get("src", ""))
        yield MarkupPiece("text", given.get("alt") or given.get("title") or given.get("src", "").rpartition("/")[2])
        yield MarkupPiece("c", "img")
    elif name in _VOID:
        yield MarkupPiece("v", name)
    elif name == _ALL_SECURITY:
        return  # the overview shows them
    elif name == "schemadefinition" and (schema := schema_name(_attributes(attributes).get("schemaref", ""))):
        yield MarkupPiece("o", "a", f"#{schema_anchor(schema)}")
        yield MarkupPiece("text", schema)
        yield MarkupPiece("c", "a")
    elif name in _INLINE or name in _BLOCKS or name in _INVISIBLE:
        yield MarkupPiece(
            "c" if match[1] else "o", name, _attributes(attributes).get("href", "") if name == "a" else ""
        )
        if attributes.rstrip().endswith("/") and not match[1]:
            yield MarkupPiece("c", name)
    else:
        yield None


def _attributes(text: str) -> dict[str, str]:
    return {
        match[1].lower(): unescape(next(filter(None, match.groups()[1:]), "")) for match in _ATTRIBUTE.finditer(text)
    }


def mark(piece: MarkupPiece) -> str:
    """Write a tag so that `balanced` finds it among HTML of ours. Texts of descriptions have no NUL."""
    return f"\x00{piece.kind}{piece.text}|{escape(piece.href)}\x00"


class _Open(NamedTuple):
    name: str
    end: str
    is_ours: bool
    is_block: bool


def balanced(html: str, is_safe: Callable[[str], bool]) -> str:
    """Write the tags that were marked in HTML of ours, so that each is closed where it must be.

    Args:
        html: Balanced HTML of ours, with marks.
        is_safe: Whether a link may lead to an address.
    """
    writer = _Balancer(is_safe)
    position = 0
    for match in _MARK.finditer(html):
        writer.parts.append(html[position : match.start()])
        position = match.end()
        if match[1] is None:
            writer.ours(match[0], match[5], is_end=bool(match[4]), is_void=bool(match[6]))
        elif match[1] == "v":
            writer.void(match[2])
        elif match[1] == "o":
            writer.open(match[2], match[3])
        else:
            writer.close(match[2])
    writer.parts.append(html[position:])
    writer.close_to(0)
    return "".join(writer.parts)


class _Balancer:
    def __init__(self, is_safe: Callable[[str], bool]) -> None:
        self.parts: list[str] = []
        self._is_safe = is_safe
        self._stack: list[_Open] = []

    def ours(self, tag: str, name: str, *, is_end: bool, is_void: bool) -> None:
        """Take over a tag that we have written."""
        if is_void or name in _OWN_VOID:
            self.parts.append(tag)
        elif is_end:
            found = self._find(lambda one: one.is_ours and one.name == name)
            if found >= 0:
                self.close_to(found)
            # Else a block has ended it already.
        else:
            if name in _OWN_BLOCKS:
                self._end_lines()
                if self._stack and not self._stack[-1].is_ours and self._stack[-1].name in _WITH_TEXT_ONLY:
                    self.close_to(len(self._stack) - 1)
            self._stack.append(_Open(name, f"</{name}>", is_ours=True, is_block=name in _OWN_BLOCKS))
            self.parts.append(tag)

    def void(self, name: str) -> None:
        if name == "hr":
            self._end_text()
        self.parts.append(_VOID[name])

    def open(self, name: str, href: str) -> None:
        """Open an element of the description."""
        if name in _BLOCKS:
            self._open_block(name)
        elif name in ("a", "img"):
            is_link = self._is_safe(unescape(href)) and self._find(lambda one: one.name in ("a", "img")) < 0
            self._push(name, f'<a href="{href}">' if is_link else "", "</a>" if is_link else "", is_block=False)
        elif name in _INLINE:
            self._push(name, f"<{_INLINE[name]}>", f"</{_INLINE[name]}>", is_block=False)

    def _open_block(self, name: str) -> None:
        if parents := _PARENTS.get(name):
            found = self._find(lambda one: one.is_ours or one.name in ("table", "ul", "ol", "dl", "details", *parents))
            if found < 0 or self._stack[found].name not in parents:
                return
            self.close_to(found + 1)
        else:
            self._end_text()
        self._push(name, _BLOCKS[name], _ENDS.get(name, f"</{name}>"), is_block=True)

    def close(self, name: str) -> None:
        """Close an element of the description, and what is open in it; ends of what is not open are left out."""
        found = self._find(lambda one: one.is_ours or one.name == name)
        if found >= 0 and not self._stack[found].is_ours:
            self.close_to(found)

    def close_to(self, height: int) -> None:
        """Close what is open above a height."""
        while len(self._stack) > height:
            self.parts.append(self._stack.pop().end)

    def _push(self, name: str, start: str, end: str, *, is_block: bool) -> None:
        if len(self._stack) >= _MOST_OPEN:
            return
        self._stack.append(_Open(name, end, is_ours=False, is_block=is_block))
        self.parts.append(start)

    def _end_lines(self) -> None:
        """Close elements of the description that lie within a line: a block follows."""
        height = len(self._stack)
        while height and not self._stack[height - 1].is_ours and not self._stack[height - 1].is_block:
            height -= 1
        self.close_to(height)

    def _end_text(self) -> None:
        """Close the paragraph that is open, ours included, and what lies in it: a block follows."""
        height = len(self._stack)
        while height and not self._stack[height - 1].is_block:
            height -= 1
        if height and self._stack[height - 1].name in _WITH_TEXT_ONLY:
            height -= 1
        self.close_to(height)

    def _find(self, fits: Callable[[_Open], bool]) -> int:
        return next((index for index in range(len(self._stack) - 1, -1, -1) if fits(self._stack[index])), -1)
