"""Blocks of text: headings, quotes, lists, definitions, formulas and footnotes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from octavo.content.escape import escape, escape_attribute
from octavo.content.render.formulas import draw_formula
from octavo.content.render.headings import render_heading
from octavo.content.render.inline import InlineRenderer
from octavo.content.render.nodes.admonitions import admonition_name, frame_admonition, new_admonition_id

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.scan.scope import Scope
    from octavo.content.source import Fragment

Handler = Callable[[Any, Any, int], None]
"""(renderer, what the parser says of the event, place in bytes)."""


class TextBlocks(InlineRenderer):
    """The part of the renderer that draws blocks of text."""

    def __init__(self, context: CompileContext, scope: Scope, fragment: Fragment, kind: str, depth: int) -> None:
        super().__init__(context, scope, fragment, kind, depth)
        self._items: list[int] = []
        """Places in `out` of the open list items."""
        self._marks: list[int] = []
        """Places in `out` where a heading, a cell or a footnote began whose HTML is taken out at its end."""
        self._labels: list[tuple[str, int, int]] = []
        """Open footnotes: (label, place in the page's text)."""
        self._alerts: list[str] = []
        """Ids of the open alerts."""

    def _flush(self) -> None:
        """Record the text of the block that ends here."""
        if self.plain:
            self.context.prose("item" if self._items else self.kind, "".join(self.plain))
            self.plain.clear()

    def _take_marked(self) -> str:
        mark = self._marks.pop()
        html = "".join(self.out[mark:])
        del self.out[mark:]
        return html

    # Headings and quotes

    def _start_heading(self, _data: Any, _byte: int) -> None:
        self._flush()
        self.is_heading = True
        self._marks.append(len(self.out))

    def _end_heading(self, data: str, byte: int) -> None:
        html, text = self._take_marked(), "".join(self.plain)
        self.plain.clear()
        level = int(data[1])
        self._check_heading(level, text + html, byte)
        # The first heading is the page's title at any position, unless a rule comes before it.
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
            look = data.lower()
            title = escape(admonition_name(look, self.context.words))
            self.out.append(frame_admonition(self._alerts.pop(), look, title, html))

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
        label = escape_attribute(self.context.words["task.done" if is_done else "task.open"])
        state = " checked" if is_done else ""
        self.out.append(f'<input type="checkbox" disabled{state} aria-label="{label}"> ')

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
        # A heading is one line, and what a list of contents shows in a link.
        self._formula(formula, byte, is_block=not self.is_heading)

    def _formula(self, formula: str, byte: int, *, is_block: bool) -> None:
        formula = self.plain_marks(formula)
        self.plain.append(formula)
        self.out.append(draw_formula(self.context, formula, self.fragment.source, self.origin(byte), is_block=is_block))

    # Footnotes

    def _footnote_reference(self, label: str, _byte: int) -> None:
        self.out.append(self.context.footnotes.refer(self.fragment.source, label))

    def _start_footnote(self, label: str, byte: int) -> None:
        self._flush()
        self._labels.append((label, len(self.context.chunks), self.origin(byte)))
        self._marks.append(len(self.out))

    def _end_footnote(self, _data: Any, _byte: int) -> None:
        self._flush()
        label, mark, offset = self._labels.pop()
        chunks = self.context.chunks[mark:]
        del self.context.chunks[mark:]
        source = self.fragment.source
        if not self.context.footnotes.define(source, label, self._take_marked(), chunks, offset):
            message = f'The footnote "[^{label}]" is defined above already; nobody sees this text.'
            hint = "Give one of them another name, or take it out."
            self.context.report("warn", "duplicate-definition", message, source, offset, suggestion=hint)

    starts: ClassVar[dict[str, Handler]] = {
        "Heading": _start_heading,
        "BlockQuote": _start_quote,
        "List": _start_list,
        "Item": _start_item,
        "FootnoteDefinition": _start_footnote,
        "DefinitionList": _start_definitions,
        "DefinitionListTitle": _start_term,
        "DefinitionListDefinition": _start_definition,
        "Link": InlineRenderer.start_link,
        "Image": InlineRenderer.image,
    }
    ends: ClassVar[dict[str, Handler]] = {
        "Heading": _end_heading,
        "BlockQuote": _end_quote,
        "List": _end_list,
        "Item": _end_item,
        "FootnoteDefinition": _end_footnote,
        "DefinitionList": _end_definitions,
        "DefinitionListTitle": _end_term,
        "DefinitionListDefinition": _end_definition,
        "Link": InlineRenderer.end_link,
    }
    others: ClassVar[dict[str, Handler]] = {
        "FootnoteReference": _footnote_reference,
        "TaskListMarker": _task_marker,
        "InlineMath": _inline_formula,
        "DisplayMath": _block_formula,
    }
