"""Drawing of what the scanner has lifted out of the text: for each kind of node its HTML and its plain Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from octavo.content.audit.attributes import check_attributes
from octavo.content.code.blocks import render_code
from octavo.content.extended.draw import draw_made
from octavo.content.foreign_components import foreign_components
from octavo.content.render.nodes.admonitions import draw_admonition
from octavo.content.render.nodes.blocks import draw_include, draw_wrapper
from octavo.content.render.nodes.cards import draw_card, draw_card_list
from octavo.content.render.nodes.components import draw_component
from octavo.content.render.nodes.contents import draw_contents
from octavo.content.render.nodes.details import draw_details
from octavo.content.render.nodes.foreign import draw_foreign
from octavo.content.render.nodes.icons import draw_icon_node
from octavo.content.render.nodes.images import draw_themed_image
from octavo.content.render.nodes.partials import draw_bare, draw_children, draw_partial, draw_stub
from octavo.content.render.nodes.tabs import draw_group, draw_stray_item, draw_tabs, is_group
from octavo.content.render.nodes.version_marks import VERSION_MARKS, draw_version_mark
from octavo.content.scan.imports import ICON, PICTURE
from octavo.content.scan.nodes import AdjacentTabs, Admonition, Children, Element, Include, Made, Node, Value, Wrapper
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.render.protocol import NodeRenderer
    from octavo.content.scan.scope import Content

_LANGUAGE = re.compile(r"(?:^|\s)language-([\w+#.-]+)")
"""How Docusaurus takes the language of code from the class of its element."""
_Draw = Callable[["Element", "NodeRenderer"], tuple[str, str]]


def draw_node(node: Node, renderer: NodeRenderer, content: Content | None = None) -> tuple[str, str]:
    """Draw a node.

    Args:
        node: What was lifted.
        renderer: Of the fragment with its placeholder.
        content: HTML of its children, if drawn already.

    Returns:
        Its HTML with slots, and itself as plain Markdown.
    """
    if isinstance(node, Admonition):
        renderer.context.is_blank = False
        return draw_admonition(node, renderer)
    if isinstance(node, Made):
        renderer.context.is_blank = False
        return draw_made(node, renderer)
    if isinstance(node, Children):
        return draw_children(renderer)
    if isinstance(node, Value):
        return node.text, node.text
    if isinstance(node, (Include, Wrapper, AdjacentTabs)):
        renderer.context.is_blank = False
        if isinstance(node, AdjacentTabs):
            return draw_group(node.items, renderer)
        return draw_include(node, renderer) if isinstance(node, Include) else draw_wrapper(node, renderer)
    if not isinstance(node, Element):
        return "", ""
    if node.attributes and (
        node.name in _STOCK
        or node.name in VERSION_MARKS
        or node.name in renderer.scope.builtins
        or _is_foreign(node.name, renderer)
    ):
        check_attributes(node, renderer)
    if known := renderer.scope.builtins.get(node.name):
        if known.startswith(f"{ICON} "):
            named = {"name": known.partition(" ")[2]}
            return draw_icon_node(msgspec.structs.replace(node, name=ICON, attributes=named), renderer)
        if known.startswith(f"{PICTURE} "):
            shown = {"src": known.partition(" ")[2], "alt": node.attributes.get("title"), **node.attributes}
            return draw_foreign(msgspec.structs.replace(node, name="Image", attributes=shown), renderer, content)
        return draw_foreign(msgspec.structs.replace(node, name=known), renderer, content)
    if _is_foreign(node.name, renderer):
        is_code = node.name in ("Code", "DynamicCodeBlock")
        return draw_code_block(node, renderer) if is_code else draw_foreign(node, renderer, content)
    if node.name in renderer.context.options.react and not renderer.scope.imports.get(node.name):
        # What is between the tags of a component in React is one piece to it: it could not take tabs apart.
        if is_group(node, renderer):
            return draw_tabs(node, renderer)
        return draw_component(node, renderer, content)
    if node.name in renderer.context.options.stubs and not renderer.scope.imports.get(node.name):
        return draw_tabs(node, renderer) if is_group(node, renderer) else draw_stub(node, renderer, content)
    if node.name in renderer.scope.imports or node.name in renderer.context.options.components:
        return draw_partial(node, renderer, content)
    if node.name in VERSION_MARKS:
        renderer.context.is_blank = False
        return draw_version_mark(node, renderer, content)
    draw = _STOCK.get(node.name)
    if draw is not None:
        renderer.context.is_blank = False
        return draw(node, renderer)
    return draw_bare(node, renderer, content)


def _is_foreign(name: str, renderer: NodeRenderer) -> bool:
    """Whether a component is another engine's, and not one of the site with its name."""
    extensions = renderer.fragment.source.dialect.extensions
    if not extensions or name not in foreign_components(extensions):
        return False
    return not renderer.scope.imports.get(name) and name not in renderer.context.options.components


def _marks(attributes: dict[str, Any]) -> Iterator[str]:
    """Write the marks of `<Code>` as Expressive Code has them after a fence: texts, lines, and labels of these."""
    for kind in ("mark", "ins", "del", "collapse"):
        given = attributes.get(kind)
        for one in given if isinstance(given, list) else [given]:
            lines = one.get("range") if isinstance(one, dict) else one if isinstance(one, int) else None
            text = one.get("text") if isinstance(one, dict) else one
            label = one.get("label") if isinstance(one, dict) else None
            if isinstance(one, bool):
                continue
            if kind == "collapse" and isinstance(one, str):
                yield f"collapse={{{one}}}"
            elif lines is not None:
                yield f"{kind}={{{_quoted(label)}:{lines}}}" if isinstance(label, str) else f"{kind}={{{lines}}}"
            elif isinstance(text, str) and text and kind != "collapse":
                yield f"{kind}={_quoted(text)}"


def _quoted(text: str) -> str:
    quote = "'" if '"' in text else '"'
    return f"{quote}{text}{quote}"


def draw_code_block(node: Element, renderer: NodeRenderer) -> tuple[str, str]:
    """Draw `<CodeBlock language="…" title="…">`."""
    named = _LANGUAGE.search(str(node.attributes.get("className") or ""))
    language = node.attributes.get("language") or node.attributes.get("lang") or (named[1] if named else "")
    language = str(language).strip().split(" ")[0]
    code = str(node.attributes.get("code") or "")
    meta = str(node.attributes.get("metastring") or "")
    title = node.attributes.get("title")
    quote = "'" if '"' in str(title) else '"'
    numbers = " showLineNumbers" if node.attributes.get("showLineNumbers") else ""
    title_meta = f" title={quote}{title}{quote}" if title else ""
    if node.name == "Code":
        meta = " ".join(filter(None, (meta, str(node.attributes.get("meta") or ""), *_marks(node.attributes))))
    info = f"{language}{title_meta} {meta}{numbers}".rstrip()
    html = render_code(renderer.context, info, f"{code}\n", renderer.fragment.source, node.offset)
    fence = "`" * 3
    while fence in code:
        fence += "`"
    # Programs that read the page know the title as they know it behind a fence.
    return html, f"{fence}{language}{title_meta}\n{code}\n{fence}"


_STOCK: dict[str, _Draw] = {
    "Tabs": draw_tabs,
    "TabItem": draw_stray_item,
    "details": draw_details,
    "summary": draw_details,
    "ThemedImage": draw_themed_image,
    "Icon": draw_icon_node,
    "DocCard": draw_card,
    "DocCardList": draw_card_list,
    "CodeBlock": draw_code_block,
    "TOCInline": draw_contents,
}
