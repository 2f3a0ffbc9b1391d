"""Code blocks of a page: diagrams become islands, everything else is pure HTML."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from octavo.content.code.fences import parse_info, render_fence
from octavo.content.code.highlight import is_known, known_languages
from octavo.content.context import nearest
from octavo.content.document import DrawnCode

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import Source

DIAGRAM = "mermaid"


def render_code(context: CompileContext, info_text: str, code: str, source: Source, offset: int) -> str:
    """Draw a block of code or a diagram.

    Args:
        context: The page it belongs to.
        info_text: The words after the fence.
        code: What stands between the fences, with its final line end.
        source: The file it stands in.
        offset: Of the fence, in characters of the file.
    """
    code = code.removesuffix("\n")
    info = parse_info(info_text)
    if info.language == DIAGRAM:
        context.verbatim("diagram", code)
        return context.island(DIAGRAM, {"code": code})
    key = hashlib.sha256(f"{info_text}\n{code}".encode()).hexdigest()[:24]
    drawn = context.drawn_code.get(key)
    if drawn is None:
        drawn = DrawnCode(*render_fence(info, code, context.options.magic_comments))
        if not is_known(info.language):
            _report_unknown(context, info.language, source, offset)
            context.verbatim("code", drawn.text)
            return drawn.html
    context.code[key] = drawn
    context.verbatim("code", drawn.text)
    return drawn.html


def _report_unknown(context: CompileContext, language: str, source: Source, offset: int) -> None:
    close = nearest(language, known_languages())
    context.report(
        "warn",
        "unknown-language",
        f'The language "{language}" is not known; the block is shown as plain text.',
        source,
        offset,
        suggestion=f'Did you mean "{close}"?' if close else 'Write "text" to show a block as it is.',
    )
