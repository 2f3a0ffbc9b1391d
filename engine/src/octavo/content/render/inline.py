"""Inline content: text with bare addresses, links, images, raw tags, and lifted pieces."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape
from typing import TYPE_CHECKING, Any

from octavo.content.escape import escape, escape_attribute
from octavo.content.html_names import is_external
from octavo.content.render.autolinks import find_addresses, with_references
from octavo.content.render.nodes.blocks import add_attributes
from octavo.content.render.nodes.draw import draw_node
from octavo.content.render.parsing import as_typed
from octavo.content.render.raw_html import RawHtml, report_missing_alt
from octavo.content.render.unwrap import unwrap
from octavo.content.scan.nodes import MARK, PLACEHOLDER_OR_MARK, Attributes, InlineClose, InlineOpen, Value
from octavo.content.scan.scope import Content
from octavo.content.source import MARK_OPEN, ByteOffsets, Fragment
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.render.html_pieces import HtmlPiece
    from octavo.content.scan.nodes import Element
    from octavo.content.scan.scope import Scope

_UNSAFE = re.compile(r"(?:javascript|vbscript|data(?!:image/(?!svg))):", re.IGNORECASE)
_CONTROLS = re.compile(r"[\x00-\x20]")
_MOST_PIECES = 500
"""Pieces of output among which the element of an attribute list is looked for; keeps hostile input cheap."""
_CLOSING_TAG = re.compile(r"</(a|em|strong|del|mark|ins|sub|sup|span)>")
_CHILDREN = "\x00"
"""Stands for the children of a component in its Markdown; no source has this character."""
_LINE_END = re.compile(r"(?<!\s)\s*\n\s*")
_NEW_WINDOW = ' target="_blank" rel="noopener noreferrer"'


class InlineRenderer:
    """The inline half of a renderer, and the state that both halves share."""

    def __init__(self, context: CompileContext, scope: Scope, fragment: Fragment, kind: str, depth: int) -> None:
        self.context = context
        self.scope = scope
        self.fragment = fragment
        self.kind = kind
        """Kind of this text: `paragraph`, `admonition`, `tab` or `summary`."""
        self.depth = depth
        self.out: list[str] = []
        self.plain: list[str] = []
        """Plain text of the current block."""
        self.markdown_of: dict[int, str] = {}
        """Number of a node that was drawn here → the node as plain Markdown."""
        self.pieces: list[HtmlPiece] = []
        """What of this fragment is not Markdown as it is."""
        self.events: Iterator[tuple[Any, Any]] = iter(())
        self.raw = RawHtml(context, fragment)
        self.is_heading = False
        """What is printed belongs to a heading."""
        self.heading_attributes: dict[str, str] = {}
        self.cell_attributes: dict[str, str] | None = None
        """Those of the cell that is being drawn; None outside of one."""
        self.link_ends: list[str] = []
        self._link_starts: list[int] = []
        """Places in `out` of the content of the open links."""
        self._offsets = ByteOffsets(fragment.text)
        self._open_components: list[tuple[int, Element, int]] = []

    def nested(self, fragment: Fragment, kind: str, scope: Scope | None = None) -> tuple[str, str]:
        """Draw another fragment: its HTML with slots, and itself as plain Markdown."""
        raise NotImplementedError

    def origin(self, byte: int) -> int:
        """Offset in the file, in characters, of a byte of this fragment."""
        return self.fragment.origin(self._offsets.char(byte))

    def char(self, byte: int) -> int:
        """Offset in this fragment, in characters, of one of its bytes."""
        return self._offsets.char(byte)

    def rich_text(self, text: str, byte: int) -> None:
        """Print text that may hold bare addresses or lifted pieces."""
        if MARK_OPEN not in text:
            self._text_with_addresses(text, byte)
            return
        position = 0
        for match in MARK.finditer(text):
            self._text_with_addresses(text[position : match.start()], byte)
            self.print_mark(int(match[1]))
            position = match.end()
        self._text_with_addresses(text[position:], byte)

    def abbreviations(self) -> re.Pattern[str] | None:
        """Words of the file that are explained; None where there are none."""
        words = self.scope.abbreviations
        if not words:
            return None
        longest_first = sorted(words, key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")

    def explained_text(self, text: str, byte: int) -> None:
        """Print text with the words that are explained."""
        words = self.abbreviations()
        position = 0
        for match in words.finditer(text) if words else ():
            self._text_with_addresses(text[position : match.start()], byte)
            meaning = escape_attribute(self.scope.abbreviations[match[0]])
            self.plain.append(match[0])
            self.out.append(f'<abbr title="{meaning}">{escape(match[0])}</abbr>')
            position = match.end()
        self._text_with_addresses(text[position:], byte)

    def _text_with_addresses(self, text: str, byte: int) -> None:
        if not text:
            return
        self.plain.append(text)
        position = at = 0
        for start, end, href in () if self.link_ends else self._addresses(text):
            address, target = text[start:end], href
            if address not in self.fragment.text and as_typed(address) in self.fragment.text:
                address, target = as_typed(address), as_typed(href)  # `smart` has drawn marks in it
            at = max(self.fragment.text.find(address, at or self._offsets.char(byte)), 0)
            slot = self.context.link(target, self.fragment.span(at), is_markup=True)
            window = "" if target.startswith("mailto:") else _NEW_WINDOW
            self.out.append(f'{escape(text[position:start])}<a href="{slot}"{window}>{escape(address)}</a>')
            position = end
            at += len(address)
        self.out.append(escape(text[position:]))

    def _addresses(self, text: str) -> list[tuple[int, int, str]]:
        found = find_addresses(text)
        repository = self.fragment.source.dialect.repository
        return with_references(text, found, repository) if repository else found

    def print_mark(self, number: int) -> None:
        """Print a lifted piece inside a line."""
        node = self.scope.nodes[number]
        if isinstance(node, Value):
            self.plain.append(node.text)
            self.out.append(escape(node.text))
            self.markdown_of[number] = node.text
        elif isinstance(node, InlineOpen):
            self._open_components.append((number, node.element, len(self.out)))
        elif isinstance(node, InlineClose):
            self._close_component(number)
        elif isinstance(node, Attributes):
            self.markdown_of[number] = ""
            self._attribute(node.values)
        else:
            self.print_node(number, is_inline=True)

    def _attribute(self, values: dict[str, str]) -> None:
        """Give attributes to the element that ends here, or to the block around this place."""
        if "id" in values and not self.is_heading:
            self.context.anchors.append(values["id"])
        out = self.out
        last = out[-1] if out else ""
        recent = range(len(out) - 1, max(len(out) - _MOST_PIECES, 0) - 1, -1)
        closing = _CLOSING_TAG.fullmatch(last)
        if closing is not None:
            opening = f"<{closing[1]}"
            place = next((i for i in recent if out[i].startswith(opening)), None)
        elif last.startswith(("<img ", "<code>", "<code ")):
            place = len(out) - 1
        elif self.is_heading:
            self.heading_attributes.update(values)
            return
        elif self.cell_attributes is not None:
            self.cell_attributes.update(values)
            return
        else:
            place = next(
                (i for i in recent if out[i].startswith(("<p>", "<p ", "<li>", "<td", "<th", "<dt", "<dd"))), None
            )
            if last.endswith("\n"):
                out[-1] = last[:-1]
        if place is not None:
            out[place] = add_attributes(out[place], values)

    def opening_tag(self, tag: str, offset: int) -> str:
        """Rewrite an opening tag of the author's: its links, files and ids; `offset` is in the file."""
        open_before = len(self.raw.open)
        html = self.raw.rewrite(tag, lambda _: offset, self.draw_marks)
        del self.raw.open[open_before:]
        return html

    def _close_component(self, number: int) -> None:
        self.markdown_of[number] = ""
        if not self._open_components:
            return
        opened, element, mark = self._open_components.pop()
        html = "".join(self.out[mark:])
        del self.out[mark:]
        html, markdown = draw_node(element, self, Content(html=html, is_tight=True, markdown=_CHILDREN))
        # What a component adds around its children, which are Markdown of the line already.
        before, is_there, after = _LINE_END.sub(" ", markdown).partition(_CHILDREN)
        self.markdown_of[opened], self.markdown_of[number] = (before, after) if is_there else ("", "")
        self.out.append(unwrap(html))

    def print_node(self, number: int, *, is_inline: bool = False) -> None:
        """Print a node, and remember it as Markdown."""
        html, self.markdown_of[number] = draw_node(self.scope.nodes[number], self)
        self.out.append(unwrap(html) if is_inline else html)

    def draw_marks(self, text: str) -> str:
        """Put the lifted pieces back into a stretch of raw HTML, whose text is recorded if there are some."""
        if MARK_OPEN not in text:
            return text
        mark = len(self.out)
        position = 0
        for match in PLACEHOLDER_OR_MARK.finditer(text):
            self._literal(text[position : match.start()])
            self.print_mark(int(match[1]))
            position = match.end()
        self._literal(text[position:])
        html = "".join(self.out[mark:])
        del self.out[mark:]
        return html

    def _literal(self, html: str) -> None:
        """Print text of raw HTML as it is."""
        self.out.append(html)
        self.plain.append(unescape(html))

    def start_link(self, data: Any, byte: int) -> None:
        """Print the opening tag of a link; an unsafe one stays text."""
        href: str = data["dest_url"]
        if data["link_type"] == "Email":
            href = f"mailto:{href}"
        if MARK_OPEN in href:
            href = self.plain_marks(href)
        if ":" in href and _UNSAFE.match(_CONTROLS.sub("", href)):
            self._report_unsafe(href, byte)
            self.link_ends.append("")
            self._link_starts.append(-1)
            return
        if not href:
            self._report_empty("The link has no address.", byte)
        slot = self.context.link(href, self.fragment.source.span(self.origin(byte)), is_markup=True)
        title = f' title="{escape_attribute(self.plain_marks(data["title"]))}"' if data["title"] else ""
        window = _NEW_WINDOW if href.startswith(("http:", "https:", "//")) else ""
        self.link_ends.append("</a>")
        self.out.append(f'<a href="{slot}"{title}{window}>')
        self._link_starts.append(len(self.out))

    def end_link(self, _data: Any, byte: int) -> None:
        """Print the closing tag of a link."""
        if self._link_starts.pop() == len(self.out):
            self._report_empty("The link has no text: nobody can see or choose it.", byte)
        self.out.append(self.link_ends.pop())

    def _report_empty(self, message: str, byte: int) -> None:
        source = self.fragment.source
        hint = "Write [text](address), or take it out."
        self.context.report("warn", "empty-link", message, source, self.origin(byte), suggestion=hint)

    def _report_unsafe(self, href: str, byte: int) -> None:
        self.context.report(
            "error",
            "unsafe-link",
            f'The link "{href}" would run a script in the reader\'s browser; it is left out.',
            self.fragment.source,
            self.origin(byte),
            suggestion="Link to a page or to an address.",
        )

    def image(self, data: Any, byte: int) -> None:
        """Print an image; the text in its brackets is its alternative text."""
        alt = self.plain_marks(self._collect_alt())
        href = self.plain_marks(data["dest_url"])
        if not href:
            self._report_empty("The image has no address.", byte)
        if not alt.strip():
            report_missing_alt(self.context, self.fragment, self.origin(byte), href)
        title = f' title="{escape_attribute(self.plain_marks(data["title"]))}"' if data["title"] else ""
        address, size = escape_attribute(href), ""
        if not is_external(href):
            address, size = self.context.asset(href, self.fragment.source.span(self.origin(byte)))
        elif not href.startswith(("http:", "https:", "//", "data:image/")):
            self._report_unsafe(href, byte)
            return
        else:
            self.context.check_address(href, self.fragment.source.span(self.origin(byte)))
        self.out.append(
            f'<img src="{address}" alt="{escape_attribute(alt)}"{title}{size} loading="lazy" decoding="async">'
        )

    def _collect_alt(self) -> str:
        """Take events up to the end of the image, those of images within it included."""
        parts: list[str] = []
        depth = 1
        for event, _ in self.events:
            if event in ("SoftBreak", "HardBreak"):
                parts.append(" ")
                continue
            key, value = event.popitem()
            if key in ("Text", "Code"):
                parts.append(value)
            elif key == "Start" and not isinstance(value, str) and "Image" in value:
                depth += 1
            elif key == "End" and value == "Image":
                depth -= 1
                if not depth:
                    break
        return "".join(parts)

    def plain_marks(self, text: str) -> str:
        """Put literal values back into text that becomes an attribute; other pieces are left out."""
        if MARK_OPEN not in text:
            return text
        return PLACEHOLDER_OR_MARK.sub(self._plain_mark, text)

    def _plain_mark(self, match: re.Match[str]) -> str:
        number = int(match[1])
        node = self.scope.nodes[number]
        value = node.text if isinstance(node, Value) else ""
        self.markdown_of[number] = value
        return value
