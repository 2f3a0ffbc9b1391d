"""What articles consist of and a site may draw itself: its component gets what the theme would have shown."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from octavo.content.document import COMPONENT_KIND, SLOT, Island
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.diagnostics import Span

_TAG = re.compile(r"<[^>]*>")


def draw_slot(context: CompileContext, name: str, span: Span, props: dict[str, Any], inner: str) -> str:
    """Let the site's component draw something; gives the slot of its island.

    Args:
        context: The page.
        name: Name of the place.
        span: Of the use.
        props: What the component is given.
        inner: HTML that it is given as its children.
    """
    at = {"props": props, "at": [span.path, span.line, span.column], "isInline": False}
    context.islands.append(Island(f"{COMPONENT_KIND}slot:{name}", at, [inner]))
    return f"{SLOT}I{len(context.islands) - 1}{SLOT}"


def plain_text(markup: str) -> str:
    """Give the text of inline HTML."""
    return html.unescape(_TAG.sub("", markup)).strip()
