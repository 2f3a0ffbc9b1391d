"""Draw the templates of a site's own shortcodes, and bring what they write into the form of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.content.translate.hugo_templates.evaluate import draw
from octavo.content.translate.hugo_templates.objects import INNER
from octavo.content.translate.hugo_templates.prose import CODE
from octavo.content.translate.hugo_templates.syntax import TemplateError
from octavo.content.translate.surroundings import PAGE
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.translate.shortcodes import ShortcodeCall
    from octavo.content.translate.surroundings import Surroundings

_TOOLS = re.compile(r"<(textarea|button|select|svg|noscript|style|template)\b[^<>]*>.*?</\1\s*>", re.DOTALL)
"""Elements that only programs of the old site use, and its styles."""
_LINKED_BUTTON = re.compile(r"(<a\b[^<>]*>\s*)<button\b[^<>]*>(.*?)</button\s*>(\s*</a\s*>)", re.DOTALL)
_TAG = re.compile(r"</?(?!(?:a|b|code|em|i|kbd|strong)\b)[a-zA-Z][^<>]*>")
"""Tags of all but what is in a line."""
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


def render_template(template: str, call: ShortcodeCall, around: Surroundings) -> str:
    """Give what a template writes; its content is marked with `INNER`.

    Raises:
        TemplateError: it uses what is not known here.
    """
    pieces = draw(template, call, around).split(CODE)
    text = CODE.join(one if at % 2 else _without_tools(one) for at, one in enumerate(pieces))
    if text.count(INNER) > 1 or "<script" in text or "<style" in text:
        raise TemplateError("its content is used twice, or it is a program")
    if CODE in text:
        # The tables and boxes around code are the old theme's; Markdown within them would need empty lines.
        pieces = text.split(CODE)
        return CODE.join(piece if index % 2 else _TAG.sub("", piece) for index, piece in enumerate(pieces))
    return text


def _without_tools(text: str) -> str:
    """Leave out what only programs of the old site use, but for content, and for the label of a link."""
    text = _LINKED_BUTTON.sub(r"\1\2\3", _COMMENT.sub("", text))
    return _TOOLS.sub(lambda match: INNER if INNER in match[0] and match[1] == "button" else "", text)


def tidy(text: str, *, in_code: bool = False) -> str:
    """Leave out the blank lines and the indentation that a template has for its own readers, but for those of code."""
    if PAGE in text:
        parts = text.split(PAGE)
        return "\n\n".join(filter(None, (one if at % 2 else tidy(one) for at, one in enumerate(parts))))
    pieces = [
        piece if (index % 2 == 0) == in_code else "\n".join(line.strip() for line in piece.split("\n") if line.strip())
        for index, piece in enumerate(text.split(CODE))
    ]
    return pieces[0] if len(pieces) == 1 else "\n\n".join(piece for piece in pieces if piece)
