"""Diagrams of a page: drawn as SVG, beside their source; what cannot be drawn here is left to the browser."""

from __future__ import annotations

import hashlib
from html import escape
from typing import TYPE_CHECKING

from octavo.content.code.diagram_words import diagram_words
from octavo.content.code.fences import FenceInfo, draw_fence
from octavo.content.document import DrawnCode
from octavo.diagrams import ID_MARK, DiagramDrawing, DiagramFailure, draw_diagram, find_left_out
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import DocumentText

ISLAND = "mermaid"
_LINK = 'href="link:{}"'
_HAS_LINKS = re.compile(r"\b(?:click|links?|href|url)\b", re.IGNORECASE)
"""What the source of a diagram with links contains."""
_SAFE_SCHEMES = ("http:", "https:", "mailto:")
_LEAST_SCALE = 0.6
"""Part of its natural size below which a drawing scrolls instead: its text is 10 pixels high then."""


def render_diagram(context: CompileContext, code: str, source: DocumentText, offset: int) -> str:
    """Draw a diagram.

    Args:
        context: The page it belongs to.
        code: Its source.
        source: The file that contains it.
        offset: Of the fence, in characters of the file.
    """
    context.prose("diagram", diagram_words(code))
    label = context.words["diagram.source"]
    key = hashlib.sha256(f"diagram\n{label}\n{code}".encode()).hexdigest()[:24]
    kept = context.drawn_code.get(key)
    if kept is not None:
        _report_left_out(context, code, source, offset)
    if kept is not None and not kept.html and not _HAS_LINKS.search(code):
        # Only a summary of the page is made: the links of a drawing belong to it, the drawing does not.
        return ""
    if kept is None or not kept.html:
        drawing = draw_diagram(code)
        if isinstance(drawing, DiagramFailure):
            return _render_failure(context, drawing, code, source, offset)
        if kept is None:
            _report_left_out(context, code, source, offset)
        kept = DrawnCode(_figure(drawing, code, label), "\n".join(drawing.links))
    context.code[key] = kept
    html = kept.html
    for number, address in enumerate(kept.text.split("\n") if kept.text else []):
        html = html.replace(_LINK.format(number), _link(context, address, source, offset), 1)
    return html.replace(ID_MARK, f"diagram.{context.serial('diagram')}.")


def render_unknown_diagram(context: CompileContext, code: str, source: DocumentText, offset: int) -> str:
    """Show the source of a diagram whose kind is not known, which has been reported."""
    del source, offset
    context.prose("diagram", diagram_words(code))
    message = "The diagram cannot be drawn: its kind is not known."
    return f'<div class="diagram-failed"><p class="chunk-error">{message}</p>{_source_block(code)}</div>'


def _figure(drawing: DiagramDrawing, code: str, label: str) -> str:
    """Write a drawing and its source below a label, with marks where the page puts ids and links."""
    # A picture has no links inside: its parts are hidden from screen readers.
    attributes = 'class="diagram-drawing" ' + ('role="group"' if drawing.links else 'role="img"')
    title = f"{drawing.kind}: {drawing.title}" if drawing.title else drawing.kind
    attributes += f' aria-label="{escape(title)}"'
    description = ""
    if drawing.description:
        attributes += f' aria-describedby="{ID_MARK}desc"'
        description = f'<desc id="{ID_MARK}desc">{escape(drawing.description)}</desc>'
    svg = drawing.svg.replace("<svg ", f"<svg {attributes} ", 1).replace(">", f">{description}", 1)
    name = f"diagram diagram-on-{drawing.own_ground}" if drawing.own_ground else "diagram"
    # What keeps the drawing from becoming smaller than readable: pages forbid inline styles, but a width is none.
    floor = (
        f'<svg class="diagram-floor" width="{drawing.width * _LEAST_SCALE:.0f}" height="1" aria-hidden="true"></svg>'
    )
    return (
        f'<figure class="{name}"><div class="diagram-view"><div class="diagram-fit">{floor}{svg}</div></div>'
        f'<details class="diagram-source"><summary>{escape(label)}</summary>{_source_block(code)}</details></figure>'
    )


def _link(context: CompileContext, address: str, source: DocumentText, offset: int) -> str:
    """Give the attribute of a link, checked like every other link of the page."""
    scheme, colon, _ = address.partition(":")
    if colon and "/" not in scheme and f"{scheme.lower()}:" not in _SAFE_SCHEMES:
        return ""
    return f'href="{context.link(address, source.span(offset), is_markup=True)}"'


def _render_failure(
    context: CompileContext, failure: DiagramFailure, code: str, source: DocumentText, offset: int
) -> str:
    if failure.reason == "syntax":
        # The renderer's grammar is narrower than Mermaid's in places: what it refuses may be right.
        message = f"The diagram cannot be drawn: {failure.message}."
        place = _place(source, offset, code, failure.line, failure.column)
        hint = "Correct this line, or write it in a simpler way: until then browsers of readers try to draw it."
    else:
        message, place = f"The diagram is not drawn: {failure.message}.", offset
        hint = "Browsers of readers draw it instead, with a script of a megabyte."
    context.report("warn", "mermaid", message, source, place, suggestion=hint)
    return context.island(ISLAND, {"code": code})


def _report_left_out(context: CompileContext, code: str, source: DocumentText, offset: int) -> None:
    for part in find_left_out(code):
        place = _place(source, offset, code, part.line, part.column)
        context.report("warn", "mermaid", f"{part.message}.", source, place, suggestion=part.suggestion)


def _place(source: DocumentText, offset: int, code: str, number: int, column: int) -> int:
    """Give the character of the file that a line and column of a source mean; the fence where it is not found."""
    text, start = source.text, offset
    for _ in range(number):
        start = text.find("\n", start) + 1
        if not start:
            return offset
    line = [*code.split("\n"), ""][number - 1 : number]
    words = line[0].strip() if line else ""
    end = text.find("\n", start)
    found = text.find(words, start, end if end >= 0 else len(text)) if words else -1
    if found < 0:
        return start if not words else offset
    indent = len(line[0]) - len(line[0].lstrip())
    return found + min(max(column - 1 - indent, 0), len(words))


def _source_block(code: str) -> str:
    return draw_fence(FenceInfo("text"), code, {}).html
