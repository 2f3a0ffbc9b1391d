"""Drawing of what the scanner has lifted out of the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recto.content.admonitions import draw_admonition
from recto.content.nodes import Admonition, Node

if TYPE_CHECKING:
    from recto.content.inline import InlineRenderer
    from recto.content.scope import Content


def draw_node(node: Node, renderer: InlineRenderer, content: Content | None = None) -> tuple[str, str]:
    """Draw a node: its HTML with slots, and itself as plain Markdown."""
    if isinstance(node, Admonition):
        return draw_admonition(node, renderer)
    return "", ""
