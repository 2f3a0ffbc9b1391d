"""`<Icon name="rocket" />`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.content.icons import draw_icon

if TYPE_CHECKING:
    from octavo.content.render.protocol import NodeRenderer
    from octavo.content.scan.nodes import Element


def draw_icon_node(node: Element, renderer: NodeRenderer) -> tuple[str, str]:
    """Draw an icon of the site or of the built-in set."""
    name, label = node.attributes.get("name"), node.attributes.get("label")
    source = renderer.fragment.source
    if not isinstance(name, str):
        message = '"<Icon>" has no "name".'
        renderer.context.report(
            "warn", "icon", message, source, node.offset, suggestion='Write <Icon name="rocket" />.'
        )
        return "", ""
    label = label if isinstance(label, str) else ""
    return draw_icon(name, renderer.context, source, node.offset, label=label), label
