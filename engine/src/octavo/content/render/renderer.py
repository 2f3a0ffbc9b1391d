"""The walk over a fragment's Markdown events that writes HTML, text for search, and what belongs to the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, cast

import pyromark
from pyromark import Options

from octavo.content.audit.foreign import audit
from octavo.content.code.blocks import draw_for_managers, render_code
from octavo.content.escape import escape
from octavo.content.html_names import is_element
from octavo.content.plain import resolve_markdown
from octavo.content.render.formulas import draw_formula
from octavo.content.render.headings import render_heading
from octavo.content.render.inline import InlineRenderer
from octavo.content.render.nodes.admonitions import frame_admonition, new_admonition_id
from octavo.content.scan.nodes import PLACEHOLDER
from octavo.content.scan.scope import Scope, fold_label
from octavo.content.source import MARK_OPEN, ByteOffsets, Fragment

if TYPE_CHECKING:
    from octavo.content.context import CompileContext

_EXTENSIONS = {"def_list": Options.ENABLE_DEFINITION_LIST, "math": Options.ENABLE_MATH}
"""Extensions that the parser knows itself."""
_OPTIONS = (
    Options.ENABLE_TABLES
    | Options.ENABLE_FOOTNOTES
    | Options.ENABLE_STRIKETHROUGH
    | Options.ENABLE_TASKLISTS
    | Options.ENABLE_GFM
)
_TAG_NAME = re.compile(r"\s*</?([A-Za-z][\w:.-]*)")
_CELL_END = re.compile(r"(?<!\\)\|")
_FOOTNOTE_USE = re.compile(r"\[\^([^\]\s]+)\]")
_Handler = Callable[[Any, Any, int], None]

_MAX_DEPTH = 100
"""Fragments within fragments."""

_OPENING = {"Emphasis": "<em>", "Strong": "<strong>", "Strikethrough": "<del>"}
_CLOSING = {"Emphasis": "</em>", "Strong": "</strong>", "Strikethrough": "</del>"}


class Renderer(InlineRenderer):
    """Draws one fragment; what it finds on the way goes to the page."""

    def __init__(self, context: CompileContext, scope: Scope, fragment: Fragment, kind: str, depth: int) -> None:
        super().__init__(context, scope, fragment, kind, depth)
        self._items: list[int] = []
        """Places in `out` of the open list items."""
        self._marks: list[int] = []
        """Places in `out` where a heading, a cell or a footnote began whose HTML is taken out at its end."""
        self._labels: list[tuple[str, int]] = []
        """Open footnotes: (label, place in the page's text)."""
        self._alerts: list[str] = []
        """Ids of the open alerts."""
        self._alignments: tuple[str, ...] = ()
        self.is_again = False
        """The fragment is a piece of one that another renderer draws."""
        self._row: list[str] = []
        self._cell = ""

    def render(self) -> str:
        """Draw the fragment and give its HTML with slots."""
        text = self.fragment.text
        limit = len(text) if text.isascii() else len(text.encode())
        footnotes = self._missing_footnotes()
        self.events = _parse(text + footnotes, self.scope, self._undefined_reference)
        if not self.is_again:
            audit(
                self.fragment,
                self.context,
                lambda text: _parse(text + footnotes, self.scope),
                self.scope.source.dialect,
            )
        out, plain = self.out, self.plain
        words = self.abbreviations()
        link_ends, has_marks = self.link_ends, bool(self.scope.nodes)
        starts, ends, others = self.starts, self.ends, self.others
        # The hottest loop of the build: what is most frequent comes first and calls nothing.
        for event, place in self.events:
            if event.__class__ is str:
                if event == "SoftBreak":
                    out.append("\n")
                    plain.append(" ")
                else:
                    self._break(event)
                continue
            key, value = event.popitem()
            if key == "Text":
                if (has_marks and MARK_OPEN in value) or (
                    ("://" in value or "@" in value or "www." in value) and not link_ends
                ):
                    self.rich_text(value, place["start"])
                elif words is not None and words.search(value):
                    self.explained_text(value, place["start"])
                else:
                    plain.append(value)
                    out.append(escape(value) if "&" in value or "<" in value or ">" in value else value)
            elif key == "End":
                if value.__class__ is not str:
                    value, data = value.popitem()
                    ends[value](self, data, place["start"])
                elif value == "Paragraph":
                    if plain:
                        self._flush()
                    out.append("</p>")
                elif value in _CLOSING:
                    out.append(_CLOSING[value])
                else:
                    ends[value](self, None, place["start"])
            elif key == "Start":
                if value.__class__ is not str:
                    value, data = value.popitem()
                    if place["start"] >= limit:
                        self._skip_footnote()
                    else:
                        starts[value](self, data, place["start"])
                elif value == "Paragraph":
                    if plain:
                        self._flush()
                    out.append("<p>")
                elif value in _OPENING:
                    out.append(_OPENING[value])
                else:
                    starts[value](self, None, place["start"])
            elif key == "Code":
                if has_marks:
                    value = self.plain_marks(value)
                plain.append(value)
                out.append(f"<code>{escape(value)}</code>")
            else:
                others[key](self, value, place["start"])
        self._flush()
        if not self.is_again:
            self.raw.report_open()
        return "".join(out)

    def nested(self, fragment: Fragment, kind: str, scope: Scope | None = None) -> tuple[str, str]:
        """Draw another fragment: its HTML with slots, and itself as plain Markdown."""
        scope = scope or self.scope
        if self.depth >= _MAX_DEPTH:
            message = f"Components and quotes are nested more than {_MAX_DEPTH} deep here."
            self.context.report("error", "too-deep", message, fragment.source, fragment.origin(0))
            return "", ""
        if self.out:
            self.context.is_blank = False
        renderer = Renderer(self.context, scope, fragment, kind, self.depth + 1)
        html = renderer.render()
        return html, resolve_markdown(fragment.text, renderer.markdown_of)

    def _missing_footnotes(self) -> str:
        """Definitions that make the parser see footnotes which are defined elsewhere in the file."""
        if not self.scope.footnotes or "[^" not in self.fragment.text:
            return ""
        used = dict.fromkeys(_FOOTNOTE_USE.findall(self.fragment.text))
        return "".join(f"\n\n[^{label}]: -" for label in used if label in self.scope.footnotes)

    def _skip_footnote(self) -> None:
        for event, _ in self.events:
            if event.__class__ is not str and event.get("End") == "FootnoteDefinition":
                break

    def _flush(self) -> None:
        """Record the text of the block that ends here."""
        if self.plain:
            self.context.prose("item" if self._items else self.kind, "".join(self.plain))
            self.plain.clear()

    def _break(self, event: str) -> None:
        if event == "HardBreak":
            self.out.append("<br>\n")
            self.plain.append(" ")
        else:
            self._flush()
            self.context.has_rule = True
            self.out.append("<hr>")

    # Blocks of text

    def _start_heading(self, _data: Any, _byte: int) -> None:
        self._flush()
        self.is_heading = True
        self._marks.append(len(self.out))

    def _end_heading(self, data: str, byte: int) -> None:
        html, text = self._take_marked(), "".join(self.plain)
        self.plain.clear()
        level = int(data[1])
        self._check_heading(level, text + html, byte)
        # The first heading is the page's title wherever it stands, as long as no rule comes before it.
        is_first = self.depth == 0 or (self.context.is_blank and not self.out)
        is_title = level == 1 and is_first and not self.context.headings and not self.context.has_rule
        given, self.heading_attributes, self.is_heading = self.heading_attributes, {}, False
        source = self.fragment.source
        heading = render_heading(self.context, level, html, text, source, lambda: self.origin(byte), given)
        self.context.has_title = self.context.has_title or is_title
        self.context.is_blank = False
        self.out.append(f"<header>{heading}</header>" if is_title else heading)

    def _check_heading(self, level: int, text: str, byte: int) -> None:
        """Report a heading that breaks the outline of the page."""
        before = self.context.headings
        last = before[-1].level if before else 1
        if not text.strip():
            self._report("empty-heading", "This heading has no text.", byte, "Write one, or take the marks out.")
        elif level == 1 and any(heading.level == 1 for heading in before):
            message = "This is the second title of the page; a page has one heading of level 1."
            self._report("second-title", message, byte, 'Write it as "## …".')
        elif level > last + 1 and len(self.scope.chain) == 1:
            message = f"This heading has level {level}, though the one before it has level {last}; levels are skipped."
            self._report("heading-order", message, byte, f'Write it as "{"#" * (last + 1)} …".')

    def _report(self, code: str, message: str, byte: int, suggestion: str) -> None:
        self.context.report("warn", code, message, self.fragment.source, self.origin(byte), suggestion=suggestion)

    def _undefined_reference(self, link: Any) -> None:
        """Report a reference whose definition is missing; `[text]` alone is prose."""
        if link["link_type"] in ("Reference", "Collapsed"):
            message = f'The reference "{link["reference"]}" is not defined; it is shown as text.'
            self.context.report(
                "warn",
                "undefined-reference",
                message,
                self.fragment.source,
                self.fragment.origin(ByteOffsets(self.fragment.text).char(link["span"]["start"])),
                suggestion=f'Write "[{link["reference"]}]: address" on a line of its own.',
            )

    def _take_marked(self) -> str:
        mark = self._marks.pop()
        html = "".join(self.out[mark:])
        del self.out[mark:]
        return html

    def _start_quote(self, data: str | None, _byte: int) -> None:
        self._flush()
        self._marks.append(len(self.out))
        if data is None:
            self.out.append("<blockquote>")
        else:
            self._alerts.append(new_admonition_id(self.context))

    def _end_quote(self, data: str | None, _byte: int) -> None:
        self._flush()
        html = self._take_marked()
        if data is None:
            self.out.append(f"{html}</blockquote>")
        else:
            self.out.append(frame_admonition(self._alerts.pop(), data.lower(), data, html))

    # Lists

    def _start_list(self, data: int | None, _byte: int) -> None:
        self._flush()
        self.out.append("<ul>" if data is None else "<ol>" if data == 1 else f'<ol start="{data}">')

    def _end_list(self, data: bool, _byte: int) -> None:
        self.out.append("</ol>" if data else "</ul>")

    def _start_item(self, _data: Any, _byte: int) -> None:
        self._flush()
        self._items.append(len(self.out))
        self.out.append("<li>")

    def _end_item(self, _data: Any, _byte: int) -> None:
        self._flush()
        self._items.pop()
        self.out.append("</li>")

    def _task_marker(self, is_done: bool, _byte: int) -> None:
        if self._items:
            self.out[self._items[-1]] = '<li class="task">'
        state = ' checked aria-label="Done"' if is_done else ' aria-label="To do"'
        self.out.append(f'<input type="checkbox" disabled{state}> ')

    def _start_definitions(self, _data: Any, _byte: int) -> None:
        self._flush()
        self.out.append("<dl>")

    def _start_term(self, _data: Any, _byte: int) -> None:
        self._flush()
        self.out.append("<dt>")

    def _start_definition(self, _data: Any, _byte: int) -> None:
        self._flush()
        self.out.append("<dd>")

    def _end_definitions(self, _data: Any, _byte: int) -> None:
        self.out.append("</dl>")

    def _end_term(self, _data: Any, _byte: int) -> None:
        self._flush()
        self.out.append("</dt>")

    def _end_definition(self, _data: Any, _byte: int) -> None:
        self._flush()
        self.out.append("</dd>")

    # Formulas

    def _inline_formula(self, formula: str, byte: int) -> None:
        self._formula(formula, byte, is_block=False)

    def _block_formula(self, formula: str, byte: int) -> None:
        self._formula(formula, byte, is_block=True)

    def _formula(self, formula: str, byte: int, *, is_block: bool) -> None:
        self.plain.append(formula)
        self.out.append(draw_formula(self.context, formula, self.fragment.source, self.origin(byte), is_block=is_block))

    # Tables

    def _start_table(self, data: tuple[str, ...], _byte: int) -> None:
        self._flush()
        self._alignments = tuple("" if side == "None" else f' class="align-{side.lower()}"' for side in data)
        self.out.append('<div class="table-wrap" tabindex="0"><table>')

    def _end_table(self, _data: Any, _byte: int) -> None:
        self.out.append("</tbody></table></div>")

    def _start_row(self, _data: Any, byte: int) -> None:
        self._check_row(byte)
        self._begin_cells("td", "<tr>")

    def _check_row(self, byte: int) -> None:
        """Report a row with more cells than the table has columns: the parser drops them."""
        text, start = self.fragment.text, self.char(byte)
        end = text.find("\n", start)
        line = text[start : end if end >= 0 else len(text)].strip()
        columns = len(self._alignments)
        if line.count("|") < columns:
            return
        cells = len(_CELL_END.findall(line.removeprefix("|").removesuffix("|"))) + 1
        if cells > columns:
            message = f"This row has {cells} cells, but the table has {columns} columns; the rest is left out."
            self._report("table-cells", message, byte, 'Write "\\|" for a bar that is text, in code as well.')

    def _end_row(self, _data: Any, _byte: int) -> None:
        self._finish_cells("</tr>")

    def _start_head(self, _data: Any, _byte: int) -> None:
        self._begin_cells("th", "<thead><tr>")

    def _end_head(self, _data: Any, _byte: int) -> None:
        self._finish_cells("</tr></thead><tbody>")

    def _begin_cells(self, cell: str, opening: str) -> None:
        self._row = []
        self._cell = cell
        self.out.append(opening)

    def _finish_cells(self, closing: str) -> None:
        self.context.prose("row", " | ".join(filter(None, self._row)))
        self.out.append(closing)

    def _start_cell(self, _data: Any, _byte: int) -> None:
        self._marks.append(len(self.out))
        self.plain.clear()

    def _end_cell(self, _data: Any, _byte: int) -> None:
        html = self._take_marked()
        column = len(self._row)
        alignment = self._alignments[column] if column < len(self._alignments) else ""
        text = " ".join("".join(self.plain).split())
        self.plain.clear()
        self._row.append(text)
        if self._cell == "th" and html:
            self.out.append(f'<th scope="col"{alignment}>{html}</th>')
        else:
            self.out.append(f"<td{alignment}>{html}</td>")

    # Code and HTML

    def _code(self, data: Any, byte: int) -> None:
        self._flush()
        parts: list[str] = []
        end = byte
        for event, place in self.events:
            if "End" in event:
                end = place["end"]
                break
            parts.append(event["Text"])
        if data != "Indented":
            self._check_fence(byte, end)
        code = self.plain_marks("".join(parts)) if data != "Indented" else "".join(parts)
        if data == "Indented":
            self.out.append(self._indented(code, byte, end))
        else:
            info = self.plain_marks(data["Fenced"])
            draw = draw_for_managers if "npm2yarn" in info else render_code
            self.out.append(draw(self.context, info, code, self.fragment.source, self.origin(byte)))

    def _check_fence(self, byte: int, end: int) -> None:
        """Report a fence that nothing closes: it takes the rest of its list item, or of the page."""
        text, start = self.fragment.text, self.char(byte)
        block = text[start : self.char(end)].rstrip("\n")
        marks = block[: len(block) - len(block.lstrip(block[:1]))]
        last = block[block.rfind("\n") + 1 :].strip(" \t>") if "\n" in block else ""
        if not last.startswith(marks) or last.strip(marks[:1]):
            message = "This block of code is never closed: everything behind it is taken for code."
            self._report("unclosed-fence", message, byte, f'Close it with a line "{marks}".')

    def _indented(self, text: str, start: int, end: int) -> str:
        """Draw what the parser took for code; where indentation never means code it is Markdown."""
        if self.fragment.is_contained:
            return self._draw_again(text, self.char(start), self.char(end))
        return render_code(self.context, "", self.plain_marks(text), self.fragment.source, self.origin(start))

    def _draw_again(self, text: str, start: int, end: int) -> str:
        """Draw a piece of this fragment as Markdown of its own; its lines may have lost what stood before them."""
        if self.depth >= _MAX_DEPTH:
            return escape(text)
        if self.out:
            self.context.is_blank = False
        kind = "item" if self._items else self.kind
        renderer = Renderer(self.context, self.scope, self.fragment.realigned(text, start, end), kind, self.depth + 1)
        renderer.is_again, renderer.raw.open = True, self.raw.open
        html = renderer.render()
        self.markdown_of |= renderer.markdown_of
        return html

    def _html_block(self, _data: Any, byte: int) -> None:
        self._flush()
        parts: list[str] = []
        end = byte
        for event, place in self.events:
            if "End" in event:
                end = place["end"]
                break
            parts.append(event.get("Html") or event["Text"])
        html = "".join(parts)
        if match := PLACEHOLDER.fullmatch(html):
            self.print_node(int(match[1]))
            return
        start, end = self.char(byte), self.char(end)
        name = _TAG_NAME.match(html)
        if name and not is_element(name[1]):
            self.out.append(self._draw_again(html.replace("<", "\\<", 1), start, end))
            return
        fragment = self.fragment.realigned(html, start, end)
        self.out.append(self.raw.rewrite(html, fragment.origin))

    def _inline_html(self, html: str, byte: int) -> None:
        if match := PLACEHOLDER.fullmatch(html):
            self.print_node(int(match[1]), is_inline=True)
            return
        origin = self.origin(byte)
        drawn = self.raw.rewrite(html, lambda offset: origin + offset)
        if drawn.startswith("&lt;"):
            self.plain.append(html)
        self.out.append(drawn)

    # Footnotes

    def _footnote_reference(self, label: str, _byte: int) -> None:
        self.out.append(self.context.footnotes.refer(self.fragment.source, label))

    def _start_footnote(self, label: str, _byte: int) -> None:
        self._flush()
        self._labels.append((label, len(self.context.chunks)))
        self._marks.append(len(self.out))

    def _end_footnote(self, _data: Any, _byte: int) -> None:
        self._flush()
        label, mark = self._labels.pop()
        chunks = self.context.chunks[mark:]
        del self.context.chunks[mark:]
        self.context.footnotes.define(self.fragment.source, label, self._take_marked(), chunks)

    starts: ClassVar[dict[str, _Handler]] = {
        "Heading": _start_heading,
        "BlockQuote": _start_quote,
        "CodeBlock": _code,
        "HtmlBlock": _html_block,
        "List": _start_list,
        "Item": _start_item,
        "FootnoteDefinition": _start_footnote,
        "DefinitionList": _start_definitions,
        "DefinitionListTitle": _start_term,
        "DefinitionListDefinition": _start_definition,
        "Table": _start_table,
        "TableHead": _start_head,
        "TableRow": _start_row,
        "TableCell": _start_cell,
        "Link": InlineRenderer.start_link,
        "Image": InlineRenderer.image,
    }
    ends: ClassVar[dict[str, _Handler]] = {
        "Heading": _end_heading,
        "BlockQuote": _end_quote,
        "List": _end_list,
        "Item": _end_item,
        "FootnoteDefinition": _end_footnote,
        "DefinitionList": _end_definitions,
        "DefinitionListTitle": _end_term,
        "DefinitionListDefinition": _end_definition,
        "Table": _end_table,
        "TableHead": _end_head,
        "TableRow": _end_row,
        "TableCell": _end_cell,
        "Link": InlineRenderer.end_link,
    }
    others: ClassVar[dict[str, _Handler]] = {
        "InlineHtml": _inline_html,
        "FootnoteReference": _footnote_reference,
        "TaskListMarker": _task_marker,
        "InlineMath": _inline_formula,
        "DisplayMath": _block_formula,
    }


def _parse(text: str, scope: Scope, report: Callable[[Any], None] | None = None) -> Iterator[tuple[Any, Any]]:
    """Parse Markdown; link definitions of the whole file are known in each of its fragments.

    Args:
        text: What is parsed.
        scope: Of its file.
        report: Called for each reference without a definition.
    """
    definitions = scope.definitions
    parser, options = _parser(scope.source.dialect.extensions)
    if not definitions and (report is None or "][" not in text):
        return cast("Iterator[tuple[Any, Any]]", parser.events_with_range(text, merge_text=True))

    def resolve(link: Any) -> tuple[str, str] | None:
        found = definitions.get(fold_label(link["reference"]))
        if found is None and report is not None:
            report(link)
        return found

    events = pyromark.events_with_range(text, options=options, merge_text=True, broken_link_callback=resolve)
    return cast("Iterator[tuple[Any, Any]]", events)


@cache
def _parser(extensions: frozenset[str]) -> tuple[pyromark.Markdown, Options]:
    """Make the parser of a dialect."""
    options = _OPTIONS
    for name, option in _EXTENSIONS.items():
        if name in extensions:
            options |= option
    return pyromark.Markdown(options=options), options
