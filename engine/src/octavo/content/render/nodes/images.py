"""`<ThemedImage>`: a picture with a form for each colour mode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from octavo.content.escape import escape_attribute
from octavo.content.html_names import is_external
from octavo.content.render.raw_html import report_missing_alt

if TYPE_CHECKING:
    from octavo.content.render.protocol import NodeRenderer
    from octavo.content.scan.nodes import Element

_MODES = ("light", "dark")


def draw_themed_image(node: Element, renderer: NodeRenderer) -> tuple[str, str]:
    """Draw both forms; the theme's style sheet shows one of them."""
    context, source = renderer.context, renderer.fragment.source
    sources = node.attributes.get("sources") or node.attributes.get("src")
    if not isinstance(sources, dict) or not all(isinstance(sources.get(mode), str) for mode in _MODES):
        context.report(
            "error",
            "themed-image",
            '"<ThemedImage>" has no "sources" with a "light" and a "dark" address.',
            source,
            node.offset,
            suggestion="Write sources={{light: '/img/a.svg', dark: '/img/b.svg'}}.",
        )
        return "", ""
    given = node.attributes.get("alt")
    alt = given if isinstance(given, str) else ""
    if given is None:
        report_missing_alt(context, renderer.fragment, node.offset, sources["light"])
    html = "".join(_draw_mode(mode, sources[mode], alt, node, renderer) for mode in _MODES)
    return html, f"![{alt}]({sources['light']})"


def _draw_mode(mode: str, href: str, alt: str, node: Element, renderer: NodeRenderer) -> str:
    given: dict[str, Any] = node.attributes
    own = [
        f' {name}="{escape_attribute(str(given[name]))}"'
        for name in ("width", "height", "title")
        if isinstance(given.get(name), (str, int)) and given[name] is not True
    ]
    own_class = given.get("className") or given.get("class")
    names = f"themed themed-{mode}" + (f" {own_class}" if isinstance(own_class, str) else "")
    address, size = escape_attribute(href), ""
    if not is_external(href):
        span = renderer.fragment.source.span(node.offset)
        address, size = renderer.context.asset(href, span, has_size="width" in given or "height" in given)
    return (
        f'<img class="{escape_attribute(names)}" src="{address}" alt="{escape_attribute(alt)}"'
        f'{"".join(own)}{size} loading="lazy" decoding="async">'
    )
