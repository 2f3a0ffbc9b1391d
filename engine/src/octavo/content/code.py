"""Code blocks of a page: diagrams become islands, everything else is pure HTML."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from octavo.content.document import DrawnCode
from octavo.content.fences import parse_info, render_fence
from octavo.content.highlight import is_known, known_languages
from octavo.content.page import nearest

if TYPE_CHECKING:
    from octavo.content.page import Page
    from octavo.content.source import Source

DIAGRAM = "mermaid"


def render_code(page: Page, info_text: str, code: str, source: Source, offset: int) -> str:
    """Draw a block of code or a diagram.

    Args:
        page: The page it belongs to.
        info_text: The words after the fence.
        code: What stands between the fences, with its final line end.
        source: The file it stands in.
        offset: Of the fence, in characters of the file.
    """
    code = code.removesuffix("\n")
    info = parse_info(info_text)
    if info.language == DIAGRAM:
        page.verbatim("diagram", code)
        return page.island(DIAGRAM, {"code": code})
    key = hashlib.sha256(f"{info_text}\n{code}".encode()).hexdigest()[:24]
    drawn = page.drawn_code.get(key)
    if drawn is None:
        drawn = DrawnCode(*render_fence(info, code, page.options.magic_comments))
        if not is_known(info.language):
            _report_unknown(page, info.language, source, offset)
            page.verbatim("code", drawn.text)
            return drawn.html
    page.code[key] = drawn
    page.verbatim("code", drawn.text)
    return drawn.html


def _report_unknown(page: Page, language: str, source: Source, offset: int) -> None:
    close = nearest(language, known_languages())
    page.report(
        "warn",
        "unknown-language",
        f'The language "{language}" is not known; the block is shown as plain text.',
        source,
        offset,
        suggestion=f'Did you mean "{close}"?' if close else 'Write "text" to show a block as it is.',
    )
