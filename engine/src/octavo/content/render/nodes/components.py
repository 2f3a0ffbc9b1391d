"""Components of the site's authors in React: islands that are drawn when the page is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.content.document import COMPONENT_KIND, SLOT, Island
from octavo.content.render.unwrap import unwrap

if TYPE_CHECKING:
    from octavo.content.render.protocol import NodeRenderer
    from octavo.content.scan.nodes import Element
    from octavo.content.scan.scope import Content


def draw_component(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Draw the use of a component: its island's slot, and what it holds as Markdown."""
    context = renderer.context
    index = context.reserve_island()
    context.is_blank = False
    html = markdown = ""
    if content is not None:
        html, markdown = content.html, content.markdown
    elif node.body is not None:
        html, markdown = renderer.nested(node.body, renderer.kind)
    if node.body is not None and "\n" not in node.body.text:
        html = unwrap(html)
    span = renderer.fragment.source.span(node.offset)
    props = {
        "props": node.attributes,
        "at": [span.path, span.line, span.column],
        "isInline": content is not None or node.is_inline,
    }
    children = [html] if html.strip() else []
    context.islands[index] = Island(f"{COMPONENT_KIND}{node.name}", props, children)
    return f"{SLOT}I{index}{SLOT}", markdown.strip("\n")
