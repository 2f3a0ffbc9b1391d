"""`<Icon name="rocket" />`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.content.escape import escape_attribute
from octavo.content.html_names import is_external
from octavo.content.icons import draw_icon, find_icon, local_name
from octavo.lazy import regex as re

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


def draw_named_icon(given: str, node: Element, renderer: NodeRenderer, *, label: str = "") -> str:
    """Draw the icon that another engine's component names.

    Args:
        given: A name of any set, of which the icon with the same meaning is drawn; the address of a picture; or an emoji.
        node: The component. An icon without a counterpart is left out, with a finding at its place.
        renderer: Draws the page.
        label: What it says to those who do not see it; decoration without.
    """
    context, source = renderer.context, renderer.fragment.source
    if re.match(r"https?:|\.{0,2}/", given):
        address = escape_attribute(given)
        if not is_external(given):
            address, _ = context.asset(given, source.span(node.offset), has_size=True, has_sources=True)
        return f'<img class="icon" src="{address}" alt="{escape_attribute(label)}" width="24" height="24">'
    if not re.search(r"[A-Za-z]", given):
        return escape_attribute(given)
    # Packages of Font Awesome export `faServer`.
    drawn = find_icon(local_name(re.sub(r"\Afa(?=[A-Z])", "", given)), context, source, node.offset, label=label)
    if drawn is None:
        context.icons.append((given, source, node.offset))
    return drawn or ""
