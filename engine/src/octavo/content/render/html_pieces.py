"""A fragment's Markdown with the HTML in it written as Markdown, where that has a form for it."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import msgspec

from octavo.content.code.diagram_words import SEPARATOR
from octavo.content.document import SLOT
from octavo.content.html_names import VOID, is_element
from octavo.content.render.html_tree import (
    BLOCKS,
    CODE,
    FRAMES,
    HIDDEN,
    TAG,
    attributes_of,
    frame,
    html_as_markdown,
    image,
    in_ticks,
    wrap,
)
from octavo.lazy import regex as re

_NOT_QUOTE = re.compile(r"[^>]")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_ONE_LINK = re.compile(r"\[(?P<label>(?:\\.|[^\[\]`*<\\\n])+)\](?P<target>\([^()\s]*\))")
_MARKUP = re.compile(r"[`*<]|\]\(|(?<!\w)_|_(?!\w)")

_TICKS = re.compile(r"`+")
_FENCE = 3
"""Backticks that begin a block of code, which may go on to the end of the page."""
_MOST_PARTS = 50
"""Parts among which the start of a line is looked for; keeps hostile input cheap."""


class HtmlPiece(msgspec.Struct, frozen=True):
    """A stretch of a fragment that is HTML, or that was drawn as Markdown of its own."""

    start: int
    """In characters of the fragment."""
    end: int
    kind: Literal["block", "inline", "markdown", "indented"]
    text: str
    """The HTML; of the last two what is written instead, for `indented` with four spaces less before it."""


class _Tag(msgspec.Struct):
    """A tag within a line, or the text between two."""

    text: str
    name: str = ""
    attributes: dict[str, str] = {}
    is_end: bool = False


class HtmlText(NamedTuple):
    """What readers see of one block in HTML."""

    kind: str
    """As of `TextChunk`."""
    text: str
    anchor: str
    """Id of the block, if it is a heading."""


_BETWEEN = re.compile(rf"{SLOT}[A-Z][0-9]+{SLOT}")
"""An island or a part of one: it has recorded its own text."""
UNSEEN = HIDDEN | {"math", "noscript", "iframe", "select"}
APART = BLOCKS | {"br"}
"""Elements whose text is not part of the word before them."""
_KINDS = {"tr": "row", "summary": "summary", "pre": "code"}
_CELLS = frozenset({"td", "th"})
_HEADING = re.compile(r"h[1-6]")


def texts_of_html(drawn: str) -> Iterator[HtmlText]:
    """Give the texts of a piece of HTML, block by block; the cells of a row are one text.

    Args:
        drawn: HTML as it is published, with slots. Elements may be open at its end, and end tags may lack their start.
    """
    parts: list[str] = []
    kind, anchor, hidden = "html", "", ""
    position = 0
    for tag in [*TAG.finditer(drawn), None]:
        if not hidden:
            parts.append(_BETWEEN.sub(" ", drawn[position : tag.start() if tag else len(drawn)]))
        if tag is None:
            break
        position, name = tag.end(), tag[2].lower()
        if hidden:
            hidden = "" if tag[1] and name == hidden else hidden
        elif name in UNSEEN:
            hidden = "" if tag[1] or tag[3].endswith("/") else name
        elif name in _CELLS:
            parts.append(" " if tag[1] else SLOT)
        elif name == "br" or (kind == "row" and name in BLOCKS - {"tr", "table"}):
            parts.append(" ")
        elif name in BLOCKS:
            yield from _text_of(kind, parts, anchor)
            parts.clear()
            kind = "html" if tag[1] else _KINDS.get(name, "html")
            anchor = attributes_of(tag[3]).get("id", "") if _HEADING.fullmatch(name) and not tag[1] else ""
    yield from _text_of(kind, parts, anchor)


def _text_of(kind: str, parts: list[str], anchor: str) -> Iterator[HtmlText]:
    text = html.unescape("".join(parts))
    if kind == "row":
        text = SEPARATOR.join(filter(None, (" ".join(cell.split()) for cell in text.split(SLOT))))
    text = text.strip("\n") if kind == "code" else " ".join(text.replace(SLOT, " ").split())
    if text and not text.isspace():
        yield HtmlText(kind, text, anchor)


def with_markdown(text: str, pieces: Sequence[HtmlPiece]) -> str:
    """Write the HTML of a fragment as Markdown.

    Args:
        text: Of the fragment.
        pieces: Where its parser has found HTML.
    """
    if not pieces:
        return text
    out: list[str] = []
    line: list[_Tag] = []
    end = 0
    for piece in sorted(pieces, key=lambda one: one.start):
        if piece.start < end:
            continue
        line.append(_Tag(text[end : piece.start]))
        end = piece.end
        if piece.kind == "inline":
            line.append(_tag(piece.text))
            continue
        out.append(_within_line(line))
        line.clear()
        written = html_as_markdown(piece.text) if piece.kind == "block" else piece.text
        if piece.kind == "indented" and out:
            out[-1] = out[-1].removesuffix("    ")
        has_end = text[piece.start : end].endswith("\n")
        _add_block(out, written.strip("\n"), text[end : end + 1], has_end=has_end)
    line.append(_Tag(text[end:]))
    out.append(_within_line(line))
    return "".join(out)


def _add_block(out: list[str], written: str, after: str, *, has_end: bool) -> None:
    """Add a block where the last line begins; one without text takes its line with it."""
    before = ""
    while out and "\n\n" not in before:
        before = out.pop() + before
    start = before.rfind("\n") + 1
    prefix = before[start:]
    if not written:
        if not prefix.strip(" \t>"):
            before = before[:start]
            if after == "\n" and before.endswith("\n\n"):
                before = before[:-1]
        elif has_end:
            before += "\n"
        out.append(before)
        return
    quote = _NOT_QUOTE.sub(" ", prefix)
    lines = written.split("\n")
    is_beside = bool(prefix.strip(" \t>"))
    above = before[:start].rstrip("\n").rpartition("\n")[2].strip(" \t>") if before[:start].strip("\n") else ""
    is_close = before[:start].endswith("\n") and not before[:start].endswith("\n\n")
    gap = f"{prefix.rstrip()}\n" if above and is_close and not is_beside else ""
    shown = "\n".join([prefix + lines[0], *((quote + line).rstrip() for line in lines[1:])])
    out += [before[:start], gap, shown, "\n" if has_end or after else ""]


def _tag(text: str) -> _Tag:
    match = TAG.fullmatch(text.strip())
    if match is None:
        return _Tag("" if text.startswith(("<!", "<?")) else text)
    if not is_element(match[2]):
        return _Tag(f"\\{text}")
    return _Tag(text, match[2].lower(), attributes_of(match[3]), bool(match[1]))


def _within_line(tags: Sequence[_Tag]) -> str:
    """Write the tags of a stretch of lines, pair by pair."""
    if len(tags) == 1:
        return tags[0].text
    open_: list[tuple[_Tag, list[str]]] = []
    names = Counter[str]()
    parts: list[str] = []
    has_code = any(tag.name in CODE for tag in tags)

    def take() -> _Tag:
        """Leave the innermost element; its content joins what is around it."""
        nonlocal parts
        tag, around = open_.pop()
        names[tag.name] -= 1
        around.extend(parts)
        parts = around
        return tag

    for tag in tags:
        if not tag.name:
            parts.append(_without_open_ticks(tag.text) if has_code else tag.text)
            continue
        if not tag.is_end:
            if tag.name in VOID:
                if tag.name == "source" and open_ and open_[-1][0].name in FRAMES:
                    open_[-1][0].attributes.setdefault("src", tag.attributes.get("src", ""))
                parts.append(_void(tag, parts))
            else:
                open_.append((tag, parts))
                names[tag.name] += 1
                parts = []
        elif names[tag.name]:
            while open_[-1][0].name != tag.name:  # crossed
                take()
            text = _joined(parts)
            parts = []
            started = take()
            parts.append(_pair(started, text))
    while open_:
        take()
    return _joined(parts)


def _without_open_ticks(text: str) -> str:
    """Escape backticks that nothing ends: together with those written for an element of code they would make other code."""
    if "`" not in text or "~~~" in text:
        return text
    runs = [match for match in _TICKS.finditer(text) if not _is_escaped(text, match.start())]
    escaped: list[tuple[int, int]] = []
    index = 0
    while index < len(runs):
        size = len(runs[index][0])
        closing = next((other for other in range(index + 1, len(runs)) if len(runs[other][0]) == size), None)
        if closing is None and size < _FENCE:
            escaped.append(runs[index].span())
        index = index + 1 if closing is None else closing + 1
    for start, end in reversed(escaped):
        text = text[:start] + "\\`" * (end - start) + text[end:]
    return text


def _is_escaped(text: str, at: int) -> bool:
    first = at
    while first and text[first - 1] == "\\":
        first -= 1
    return (at - first) % 2 == 1


def _joined(parts: Sequence[str]) -> str:
    """Join the parts of a line; two ends of code that a tag kept apart stay so."""
    shown = [part for part in parts if part]
    for index in range(1, len(shown)):
        if shown[index - 1].endswith("`") and shown[index].startswith("`"):
            shown[index] = f" {shown[index]}"
    return "".join(shown)


def _pair(tag: _Tag, text: str) -> str:
    if "\n\n" in text:
        return text
    if tag.name in FRAMES:
        return frame(tag.name, tag.attributes)
    if tag.name in HIDDEN or "hidden" in tag.attributes:
        return tag.attributes.get("aria-label", "")
    plain = None
    if tag.name in CODE and not _MARKUP.search(without := _ESCAPED.sub("", text)) and "\n" not in without:
        plain = html.unescape(_ESCAPED.sub(r"\1", text))
    elif tag.name in CODE and (only := _ONE_LINK.fullmatch(text)):
        # Code that is a link as a whole; within code Markdown has no links.
        label = html.unescape(_ESCAPED.sub(r"\1", only["label"]))
        return f"[{in_ticks(label)}]{only['target']}"
    return wrap(tag.name, tag.attributes, text, plain)


def _void(tag: _Tag, before: Sequence[str]) -> str:
    if tag.name == "img":
        return image(tag.attributes)
    if tag.name == "br":
        # A row of a table is one line: there is no other form for a break in its cells.
        return "<br>" if "|" in _last_line(before) else "\\\n"
    if tag.name == "embed":
        return frame(tag.name, tag.attributes)
    return ""


def _last_line(parts: Sequence[str]) -> str:
    line = ""
    for part in reversed(parts[-_MOST_PARTS:]):
        line = part[part.rfind("\n") + 1 :] + line
        if "\n" in part:
            break
    return line
