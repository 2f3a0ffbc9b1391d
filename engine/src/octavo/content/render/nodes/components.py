"""Components of the site's authors in React: islands that are drawn when the page is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from octavo.content.document import COMPONENT_KIND, SLOT, Island
from octavo.content.render.unwrap import unwrap
from octavo.content.scan.nodes import ImportedFile, Markup, RequiredFile
from octavo.content.scan.scanner import scan
from octavo.content.scan.scope import Scope
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.render.protocol import NodeRenderer
    from octavo.content.scan.nodes import Element
    from octavo.content.scan.scope import Content
    from octavo.diagnostics import Span

_LINKS = ("href", "link", "to", "url")
"""Ends of the names of properties that lead to other pages."""
_OTHER_PAGE = re.compile(r"(?!https?:|//)[^\s:?#]+\.mdx?(?:#\S*)?")
_OWN_FILE = re.compile(r"\.{1,2}/[^\s?#]+\.(?:png|jpe?g|gif|svg|webp|avif|mp4|webm|pdf)", re.IGNORECASE)


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
    values = {name: value for name, value in node.attributes.items() if not isinstance(value, Markup)}
    props = {
        "props": _with_addresses(values, span, renderer),
        "at": [span.path, span.line, span.column],
        "isInline": content is not None or node.is_inline,
    }
    children = [html] if html.strip() else []
    elements = {name: value for name, value in node.attributes.items() if isinstance(value, Markup)}
    if elements:
        drawn = [_draw_markup(value, renderer) for value in elements.values()]
        props["elements"] = list(elements)
        children = [html, *(one for one, _ in drawn)]
        markdown = ("\n\n" if "\n" in markdown else " ").join(filter(None, [*(text for _, text in drawn), markdown]))
    context.islands[index] = Island(f"{COMPONENT_KIND}{node.name}", props, children)
    return f"{SLOT}I{index}{SLOT}", markdown.strip("\n")


def _draw_markup(value: Markup, renderer: NodeRenderer) -> tuple[str, str]:
    """Draw an element that is the value of an attribute: its HTML, and itself as Markdown."""
    around = renderer.scope
    scope = Scope(around.source, props=around.props, content=around.content, chain=around.chain[:-1])
    scope.imports, scope.builtins = around.imports, around.builtins
    html, markdown = renderer.nested(scan(value.fragment, scope, renderer.context), renderer.kind, scope)
    return unwrap(html), markdown.strip()


def _with_addresses(value: Any, span: Span, renderer: NodeRenderer, name: str = "") -> Any:
    """Give the slots of their published addresses in the place of files: imported ones, and those that it names itself.

    Args:
        value: Of a property.
        span: Of the use.
        renderer: Of the text around it.
        name: Of the property.
    """
    if isinstance(value, dict):
        return {key: _with_addresses(one, span, renderer, key) for key, one in value.items()}
    if isinstance(value, list):
        return [_with_addresses(one, span, renderer, name) for one in value]
    if isinstance(value, ImportedFile) or (isinstance(value, str) and _OWN_FILE.fullmatch(value)):
        address = renderer.context.asset(str(value), span, has_size=True)[0]
        return {"default": address} if isinstance(value, RequiredFile) else address
    # Published beside each page is its Markdown, to which the address of its file would lead.
    if isinstance(value, str) and name.lower().endswith(_LINKS) and _OTHER_PAGE.fullmatch(value):
        return renderer.context.link(value, span, is_markup=True)
    return value


def plain_addresses(value: Any) -> Any:
    """Give the same value with plain text in the place of addresses of imported files; itself where it holds none."""
    if isinstance(value, ImportedFile):
        return str(value)
    if isinstance(value, dict):
        made: Any = {key: plain_addresses(one) for key, one in value.items()}
        is_same = all(one is value[key] for key, one in made.items())
    elif isinstance(value, list):
        made = [plain_addresses(one) for one in value]
        is_same = all(one is other for one, other in zip(made, value, strict=True))
    else:
        return value
    return value if is_same else made
