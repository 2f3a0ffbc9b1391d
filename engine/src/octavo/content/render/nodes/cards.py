"""`<DocCard>` and `<DocCardList>`: cards that lead to other pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from octavo.content.document import CARDS_IN_MARKDOWN
from octavo.content.extended.slots import draw_slot
from octavo.content.html_names import is_external
from octavo.content.icons import draw_icon, local_name

if TYPE_CHECKING:
    from octavo.content.render.protocol import NodeRenderer
    from octavo.content.scan.nodes import Element

_ISLAND = "card-list"
_KINDS = ("link", "category", "doc", "html")
"""Types of the items of a sidebar in Docusaurus, which sites pass to lists of cards."""


def draw_card_list(node: Element, renderer: NodeRenderer) -> tuple[str, str]:
    """Draw a list of cards; without `items` the site fills it with the pages of the category."""
    items = node.attributes.get("items")
    body, markdown = _body(node, renderer)
    if items is None and body:
        return body, markdown
    if items is None:
        return renderer.context.island(_ISLAND, {"items": None}), CARDS_IN_MARKDOWN
    if not isinstance(items, list):
        _report(node, renderer, 'the "items" of "<DocCardList>" are not a list')
        return "", ""
    html, lines = _draw(items, node, renderer)
    return html + body, f"{lines}\n\n{markdown}".strip("\n")


def draw_card(node: Element, renderer: NodeRenderer) -> tuple[str, str]:
    """Draw one card, from `item` or from attributes of its own; content that it has follows it."""
    html, line = _draw([node.attributes.get("item", node.attributes)], node, renderer)
    context = renderer.context
    if html and "card" in context.options.slots:
        card = context.islands[-1].props["items"][0]
        props = {"href": card["href"], "title": card["label"], "description": card["description"]}
        html = draw_slot(context, "card", renderer.fragment.source.span(node.offset), props, html)
    body, markdown = _body(node, renderer)
    return html + body, f"{line}\n\n{markdown}".strip("\n")


def _body(node: Element, renderer: NodeRenderer) -> tuple[str, str]:
    return renderer.nested(node.body, renderer.kind) if node.body is not None and node.body.text.strip() else ("", "")


def _draw(items: list[Any], node: Element, renderer: NodeRenderer) -> tuple[str, str]:
    cards: list[dict[str, str]] = []
    lines: list[str] = []
    for item in items:
        href = item.get("href") if isinstance(item, dict) else None
        if not isinstance(href, str):
            _report(node, renderer, f'a card of "<{node.name}>" has no "href"')
            continue
        kind = item.get("type")
        if node.name == "DocCardList" and kind not in (None, *_KINDS):
            message = f'The type "{kind}" of a card is not known: the card is drawn by its address.'
            hint = 'Known types: "link" and "category".'
            renderer.context.report("warn", "card", message, renderer.fragment.source, node.offset, suggestion=hint)
        label = _first_text(item, "label", "title", "header") or href
        description = _first_text(item, "description")
        name, source = _first_text(item, "icon"), renderer.fragment.source
        icon = draw_icon(local_name(name), renderer.context, source, node.offset) if name else ""
        cards.append(
            {
                "kind": _kind(item, href),
                "href": renderer.context.link(href, renderer.fragment.source.span(node.offset), is_markup=True),
                "label": label,
                "description": description,
                "icon": icon,
            }
        )
        lines.append(f"- [{label}]({href})" + (f": {description}" if description else ""))
        renderer.context.prose("item", f"{label} {description}")
    return (renderer.context.island(_ISLAND, {"items": cards}), "\n".join(lines)) if cards else ("", "")


def _kind(item: dict[str, Any], href: str) -> str:
    if item.get("type") == "category":
        return "category"
    return "link" if is_external(href) else "doc"


def _first_text(item: dict[str, Any], *names: str) -> str:
    return next((item[name] for name in names if isinstance(item.get(name), str)), "")


def _report(node: Element, renderer: NodeRenderer, problem: str) -> None:
    renderer.context.report(
        "error",
        "card",
        f"{problem[0].upper()}{problem[1:]}.",
        renderer.fragment.source,
        node.offset,
        suggestion='Write <DocCard href="./page.md" title="Page" description="What it is about" />.',
    )
