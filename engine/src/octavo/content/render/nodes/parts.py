"""What drawings of other engines' components have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from octavo.content.escape import escape_attribute
from octavo.content.render.nodes.icons import draw_named_icon
from octavo.content.render.unwrap import unwrap
from octavo.content.source import Fragment

if TYPE_CHECKING:
    from octavo.content.render.protocol import NodeRenderer
    from octavo.content.scan.nodes import Element
    from octavo.content.scan.scope import Content

Draw = Callable[["Element", "NodeRenderer", "Content | None"], tuple[str, str]]
"""Draws a component: the node, the renderer, and the HTML of its children where it is inside a line; gives its HTML
with slots, and plain Markdown."""


def draw_children(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Draw what is inside of a component, without the component."""
    if content is not None:
        return content.html, content.markdown
    return renderer.nested(node.body, renderer.kind) if node.body is not None else ("", "")


def text_of(node: Element, *names: str) -> str:
    """Give the first of these attributes that is a text; empty where there is none."""
    return next((str(node.attributes[name]) for name in names if isinstance(node.attributes.get(name), str)), "")


def draw_inline(text: str, node: Element, renderer: NodeRenderer) -> tuple[str, str]:
    """Draw an attribute that holds Markdown of one line."""
    fragment = Fragment(renderer.fragment.source, text, [0], [node.offset])
    drawn, markdown = renderer.nested(fragment, renderer.kind)
    return unwrap(drawn).strip(), markdown.strip()


def draw_panel(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Draw a frame with a title, which is a link where the component has an address."""
    title, href = text_of(node, "title", "header"), text_of(node, "href", "link", "url", "to")
    title = title or href
    label, label_markdown = draw_inline(title, node, renderer) if title else ("", "")
    if href and label:
        slot = renderer.context.link(href, renderer.fragment.source.span(node.offset), is_markup=True)
        label, label_markdown = f'<a href="{slot}">{label}</a>', f"[{label_markdown}]({href})"
    label = with_icon(label, node, renderer)
    texts = filter(None, (text_of(node, "description"), text_of(node, "content")))
    leads = [draw_inline(text, node, renderer) for text in texts]
    body, markdown = draw_children(node, renderer, content)
    head = f'<p class="panel-title">{label}</p>' if label else ""
    head += "".join(f"<p>{lead}</p>" for lead, _ in leads)
    parts = (f"**{label_markdown}**" if label else "", *(lead for _, lead in leads), markdown.strip())
    bold = "\n\n".join(part for part in parts if part)
    return f'<div class="panel">{head}{body}</div>', bold


def with_icon(label: str, node: Element, renderer: NodeRenderer) -> str:
    """Put the icon of a component before its label, if it has both."""
    icon = text_of(node, "icon")
    drawn = draw_named_icon(icon, node, renderer) if label and icon else ""
    return f"{drawn} {label}" if drawn else label


def make_frame(name: str) -> Draw:
    """Make the drawing of a component that only puts a box with this class around its content."""

    def draw(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
        body, markdown = draw_children(node, renderer, content)
        return f'<div class="{name}">{body}</div>', markdown.strip("\n")

    return draw


def draw_linked(
    node: Element, renderer: NodeRenderer, content: Content | None, href: str, class_name: str
) -> tuple[str, str]:
    """Link what is inside of a component; without an address it stays text."""
    label, markdown = draw_children(node, renderer, content)
    if not href:
        return label, markdown
    slot = renderer.context.link(href, renderer.fragment.source.span(node.offset), is_markup=True)
    attribute = f' class="{escape_attribute(class_name)}"' if class_name else ""
    title = text_of(node, "title")
    attribute += f' title="{escape_attribute(title)}"' if title else ""
    return f'<a{attribute} href="{slot}">{unwrap(label).strip()}</a>', f"[{markdown.strip()}]({href})"
