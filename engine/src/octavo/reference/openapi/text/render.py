"""Descriptions: CommonMark of unknown origin; HTML in it is read, and written anew (see `markup.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from html import escape, unescape
from typing import Any, NamedTuple

import pyromark

from octavo.content import alert_tags, find_addresses, find_text_columns, inline_code, parse_info, render_fence
from octavo.lazy import regex as re
from octavo.reference.openapi.names import Unique, anchor_part
from octavo.reference.openapi.text.markup import balanced, mark, plain_pieces, read_pieces

# Of GitHub's Markdown the parser knows alerts, tables and struck text each by a name of their own.
_OPTIONS = pyromark.Options.ENABLE_GFM | pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_STRIKETHROUGH
_SAFE_HREF = re.compile(r"(?:https?://|mailto:|#)[^\s\"<>\\]*", re.IGNORECASE)
_PLAIN_TAGS = {
    "Paragraph": "p",
    "Emphasis": "em",
    "Strong": "strong",
    "Strikethrough": "s",
    "Item": "li",
}
_TABLE_PARTS = ("Table", "TableHead", "TableRow", "TableCell")
_CODE_OR_TAG = re.compile(r"<code\b.*?</code>|<[^>]*>")
_WITHIN_WORDS = ("Emphasis", "Strong", "Strikethrough", "Link")
"""Elements whose end separates no words."""
_ANY_TAG = re.compile(r"\x00[^\x00]*\x00|<[^>]*>")


class TextSection(NamedTuple):
    """A heading of a description, with what follows it up to the next one."""

    level: int
    anchor: str
    title: str
    """Its words, as plain text."""
    html: str
    """The heading and the rest."""


class SectionedText(NamedTuple):
    """A description with headings of the page."""

    lead: str
    """HTML before the first heading."""
    sections: tuple[TextSection, ...]


@lru_cache(maxsize=4096)
def render_text(markdown: str) -> str:
    """Draw a description.

    Known elements of HTML in it are drawn as those of Markdown, and other tags shown as text. Only links to the web, mail
    and this page are links; a picture is one to its file, so that no page loads it from elsewhere.
    """
    if not markdown.strip():
        return ""
    return _Writer().write(_events(markdown))


@lru_cache(maxsize=512)
def render_sections(markdown: str, anchor: str, level: int) -> SectionedText:
    """Draw a description whose headings are headings of the page.

    Args:
        markdown: The description.
        anchor: What the ids of its headings begin with. As in Redoc, that of a heading below another one has both words:
            `section/Limits/Burst`.
        level: Of its topmost headings; no level below is skipped.
    """
    if not markdown.strip():
        return SectionedText("", ())
    return _SectionWriter(anchor, level).write_sections(_events(markdown))


def _events(markdown: str) -> Any:
    return pyromark.events(markdown.replace("\x00", "\ufffd"), options=_OPTIONS)


@lru_cache(maxsize=4096)
def plain_text(markdown: str) -> str:
    """Give the words of a description, in one line."""
    words: list[str] = []
    html: list[str] = []
    for event in _events(markdown):
        if isinstance(event, dict) and (piece := event.get("Html") or event.get("InlineHtml")):
            html.append(str(piece))
            continue
        if html:
            words += plain_pieces("".join(html))
            html.clear()
        if isinstance(event, dict):
            is_end = "End" in event and event["End"] not in _WITHIN_WORDS
            words.append(str(event.get("Text") or event.get("Code") or (" " if is_end else "")))
        elif event in ("SoftBreak", "HardBreak"):
            words.append(" ")
    words += plain_pieces("".join(html))
    return " ".join("".join(words).split())


class _Writer:
    def __init__(self) -> None:
        self._parts: list[str] = []
        self._ends: list[str] = []
        self._code: list[str] | None = None
        self._words: list[str] = []
        """Text that the parser gives in pieces, such as an address with marks in it."""
        self._html: list[str] = []
        """HTML that the parser gives in pieces, such as a tag over two lines."""
        self._has_marks = False
        self._links = 0
        """Links that are open."""
        self._language = ""
        self._sides: tuple[str, ...] = ()
        """How the columns of the open table are aligned."""
        self._rows: list[list[str]] = []
        """Its cells; the first row is its head."""
        self._cell = 0
        """Where the open cell begins in what has been drawn."""

    def write(self, events: Any) -> str:
        self._write(events)
        return self._html_of("".join(self._parts))

    def _html_of(self, drawn: str) -> str:
        html = drawn.strip()
        return balanced(html, _is_safe) if self._has_marks else html

    def _write(self, events: Any) -> None:
        for event in events:
            if self._code is None and isinstance(event, dict) and "Text" in event:
                self._flush_html()
                self._words.append(event["Text"])
                continue
            self._flush()
            if isinstance(event, dict) and (piece := event.get("Html") or event.get("InlineHtml")):
                self._html.append(str(piece))
                continue
            self._flush_html()
            if isinstance(event, str):
                self._parts.append({"SoftBreak": "\n", "HardBreak": "<br>", "Rule": "<hr>"}.get(event, ""))
                continue
            ((kind, value),) = event.items()
            if kind == "Start":
                self._start(value)
            elif kind == "End":
                self._end(value)
            elif kind == "Code":
                self._parts.append(inline_code(value))
            elif self._code is not None:
                self._code.append(str(value))
            elif isinstance(value, str):
                self._parts.append(escape(value, quote=False))
        self._flush()
        self._flush_html()

    def _flush_html(self) -> None:
        """Write the HTML that has been collected: known tags as marks, which are balanced at the end."""
        if not self._html:
            return
        for piece in read_pieces("".join(self._html)):
            self._has_marks = self._has_marks or piece.kind != "text"
            self._parts.append(escape(piece.text, quote=False) if piece.kind == "text" else mark(piece))
        self._html.clear()

    def _flush(self) -> None:
        """Write the text that has been collected; addresses in it are links, unless they are in one."""
        text, position = "".join(self._words), 0
        self._words.clear()
        for start, end, href in find_addresses(text) if "://" in text and not self._links else ():
            if _SAFE_HREF.fullmatch(href):
                self._parts.append(escape(text[position:start], quote=False))
                self._parts.append(f'<a href="{escape(href)}">{escape(text[start:end], quote=False)}</a>')
                position = end
        self._parts.append(escape(text[position:], quote=False))

    def _start(self, value: Any) -> None:
        name, detail = next(iter(value.items())) if isinstance(value, dict) else (value, None)
        if name == "CodeBlock":
            self._code = []
            self._language = detail.get("Fenced", "") if isinstance(detail, dict) else ""
            return
        if name in _TABLE_PARTS:
            self._start_of_table(name, detail)
            return
        start, end = self._tags(name, detail)
        self._links += name in ("Link", "Image")
        self._parts.append(start)
        self._ends.append(end)

    def _start_of_table(self, name: str, detail: Any) -> None:
        if name == "Table":
            self._sides, self._rows = detail, []
        elif name == "TableCell":
            self._cell = len(self._parts)
        else:
            self._rows.append([])

    def _tags(self, name: str, detail: Any) -> tuple[str, str]:
        if name in _PLAIN_TAGS:
            return f"<{_PLAIN_TAGS[name]}>", f"</{_PLAIN_TAGS[name]}>"
        if name == "Heading":
            # Not a heading of the page: its level would not fit the page's outline.
            return "<p><strong>", "</strong></p>"
        if name == "BlockQuote":
            return alert_tags(detail.lower()) if detail else ("<blockquote>", "</blockquote>")
        if name == "List":
            return ("<ul>", "</ul>") if detail is None else (f'<ol start="{int(detail)}">', "</ol>")
        # A picture within a link would be a link within one.
        if name in ("Link", "Image") and not self._links and _is_safe(detail["dest_url"]):
            return f'<a href="{escape(detail["dest_url"])}">', "</a>"
        return "", ""

    def _end(self, value: Any) -> None:
        name = next(iter(value)) if isinstance(value, dict) else value
        if name == "CodeBlock":
            self._parts.append(code_block("".join(self._code or []), self._language))
            self._code = None
        elif name == "Table":
            self._parts.append(_draw_table(self._rows, self._sides))
        elif name == "TableCell":
            self._rows[-1].append("".join(self._parts[self._cell :]))
            del self._parts[self._cell :]
        elif name not in _TABLE_PARTS:
            self._links -= name in ("Link", "Image")
            self._parts.append(self._ends.pop() if self._ends else "")


class _Heading(NamedTuple):
    start: int
    """Index of its tag in what has been drawn."""
    level: int
    anchor: str
    title: str


class _SectionWriter(_Writer):
    """Draws headings as such, except those within lists, quotes and tables, and those without words."""

    def __init__(self, anchor: str, level: int) -> None:
        super().__init__()
        self._prefix, self._level = anchor, level
        self._unique = Unique()
        self._above: list[tuple[int, str]] = []
        """The headings that the next one may be below: level as written, id."""
        self._begun: tuple[int, int] | None = None
        """Index of the open heading's tag, level as written."""
        self._headings: list[_Heading] = []

    def write_sections(self, events: Any) -> SectionedText:
        self._write(events)
        ends = [*(heading.start for heading in self._headings[1:]), len(self._parts)]
        first = self._headings[0].start if self._headings else len(self._parts)
        return SectionedText(
            self._html_of("".join(self._parts[:first])),
            tuple(
                TextSection(one.level, one.anchor, one.title, self._html_of("".join(self._parts[one.start : end])))
                for one, end in zip(self._headings, ends, strict=False)
            ),
        )

    def _tags(self, name: str, detail: Any) -> tuple[str, str]:
        if name == "Heading" and not self._ends:
            self._begun = (len(self._parts), int(str(detail["level"]).removeprefix("H")))
        return super()._tags(name, detail)

    def _end(self, value: Any) -> None:
        super()._end(value)
        if self._begun and not self._ends:
            start, written = self._begun
            self._begun = None
            title = " ".join(unescape(_ANY_TAG.sub("", "".join(self._parts[start:]))).split())
            if title:
                self._headings.append(self._named(start, written, title))

    def _named(self, start: int, written: int, title: str) -> _Heading:
        while self._above and self._above[-1][0] >= written:
            self._above.pop()
        above = self._above[-1][1] if self._above else self._prefix
        anchor = self._unique.name(f"{above}/{anchor_part(title)}")
        level = min(self._level + len(self._above), 6)
        self._above.append((written, anchor))
        self._parts[start] = f'<h{level} id="{escape(anchor)}">'
        self._parts[-1] = f"</h{level}>"
        return _Heading(start, level, anchor, title)


def _is_safe(address: str) -> bool:
    return _SAFE_HREF.fullmatch(address) is not None


def _draw_table(rows: Sequence[Sequence[str]], sides: Sequence[str]) -> str:
    """Draw a table as those of documents are drawn, so that its head is read out with its cells."""
    are_text = find_text_columns([max(map(_length_of_text, column)) for column in zip(*rows, strict=False)])
    drawn = []
    for row in rows:
        cells = []
        for cell, side, is_text in zip(row, sides, are_text, strict=False):
            is_head = row is rows[0]
            names = [f"align-{side.lower()}"] if side != "None" else []
            names += ["text-column"] if is_head and is_text else []
            classes = f' class="{" ".join(names)}"' if names else ""
            cells.append(f'<th scope="col"{classes}>{cell}</th>' if is_head and cell else f"<td{classes}>{cell}</td>")
        drawn.append(f"<tr>{''.join(cells)}</tr>")
    body = f"<tbody>{''.join(drawn[1:])}</tbody>" if drawn[1:] else ""
    return f'<div class="table-wrap" tabindex="0"><table><thead>{drawn[0]}</thead>{body}</table></div>'


def _length_of_text(cell: str) -> int:
    return len(unescape(_CODE_OR_TAG.sub("", cell)))


def code_block(code: str, language: str) -> str:
    """Draw a block of code as the pages' own blocks are drawn."""
    info = parse_info(language.split(" ", 1)[0])
    return render_fence(info, code.removesuffix("\n"), {})[0]
