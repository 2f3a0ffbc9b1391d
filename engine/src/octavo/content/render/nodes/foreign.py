"""Components of other engines: those of Starlight and of VitePress, and the listings of mdBook.

They are known where the dialect of a file has the extension of their engine, and need no import there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from octavo.content.escape import escape, escape_attribute
from octavo.content.render.nodes.admonitions import draw_admonition
from octavo.content.render.nodes.cards import draw_card
from octavo.content.render.raw_html import report_missing_alt
from octavo.content.render.unwrap import unwrap
from octavo.content.scan.nodes import Admonition, Element
from octavo.content.source import Fragment

if TYPE_CHECKING:
    from octavo.content.render.protocol import NodeRenderer
    from octavo.content.scan.scope import Content


def draw_foreign(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Draw a component of another engine.

    Args:
        node: Its name is in `FOREIGN_COMPONENTS`.
        renderer: Of the fragment with its placeholder.
        content: HTML of its children, where it is inside a line.
    """
    renderer.context.is_blank = False
    return _DRAW[node.name](node, renderer, content)


def _children(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    if content is not None:
        return content.html, content.markdown
    return renderer.nested(node.body, renderer.kind) if node.body is not None else ("", "")


def _text(node: Element, *names: str) -> str:
    """Give the first of these attributes that is a text."""
    return next((str(node.attributes[name]) for name in names if isinstance(node.attributes.get(name), str)), "")


def _inline(text: str, node: Element, renderer: NodeRenderer) -> tuple[str, str]:
    """Draw an attribute that holds Markdown of one line."""
    fragment = Fragment(renderer.fragment.source, text, [0], [node.offset])
    drawn, markdown = renderer.nested(fragment, renderer.kind)
    return unwrap(drawn).strip(), markdown.strip()


def _card(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    title = _text(node, "title")
    label, label_markdown = _inline(title, node, renderer) if title else ("", "")
    body, markdown = _children(node, renderer, content)
    head = f'<p class="panel-title">{label}</p>' if label else ""
    bold = f"**{label_markdown}**\n\n" if label else ""
    return f'<div class="panel">{head}{body}</div>', f"{bold}{markdown.strip()}"


def _frame(name: str) -> Callable[[Element, NodeRenderer, Content | None], tuple[str, str]]:
    def draw(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
        body, markdown = _children(node, renderer, content)
        return f'<div class="{name}">{body}</div>', markdown.strip("\n")

    return draw


def _link_card(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:  # noqa: ARG001
    if not isinstance(node.attributes.get("href"), str):
        return _card(node, renderer, None)
    return draw_card(node, renderer)


def _aside(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    kind, title = _text(node, "type") or "note", _text(node, "title")
    source = renderer.fragment.source
    head = Fragment(source, title, [0], [node.offset]) if title else None
    if content is not None or node.body is None:
        body, markdown = _children(node, renderer, content)
        return f'<div class="panel">{escape(title)} {body}</div>', f"{title} {markdown}"
    return draw_admonition(Admonition(kind, head, None, node.offset, node.body), renderer)


def _link_button(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    return _linked(node, renderer, content, _text(node, "href", "link"), "button-link")


def _badge(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    body, markdown = _children(node, renderer, content)
    text = _text(node, "text")
    if text:
        renderer.context.prose(renderer.kind, text)
        body, markdown = escape(text), text
    return f'<span class="badge">{unwrap(body).strip()}</span>', markdown.strip()


def _nothing(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Leave a picture out; a label of its own is read aloud."""
    label = _text(node, "label")
    body, markdown = _children(node, renderer, content)
    return (f'<span role="img" aria-label="{escape_attribute(label)}"></span>' if label else "") + body, markdown


def _listing(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Draw a listing of mdBook: a block of code with its file, number and caption."""
    file, number, caption = (_text(node, name) for name in ("file-name", "number", "caption"))
    name, _ = _inline(f"Filename: {file}", node, renderer) if file else ("", "")
    body, markdown = _children(node, renderer, content)
    head = f'<p class="listing-file">{name}</p>' if name else ""
    label = ": ".join(part for part in (f"Listing {number}" if number else "", caption) if part)
    if not label:
        return f"{head}{body}", markdown.strip("\n")
    shown, _ = _inline(label, node, renderer)
    anchor = f"listing-{number}" if number else ""
    if anchor:
        renderer.context.anchors.append(anchor)
    own = f' id="{escape_attribute(anchor)}"' if anchor else ""
    html = f'<figure class="listing"{own}>{head}{body}<figcaption>{shown}</figcaption></figure>'
    return html, f"{markdown.strip()}\n\n{label}"


def _link(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Draw the link of Docusaurus."""
    return _linked(node, renderer, content, _text(node, "to", "href"), _text(node, "className", "class"))


def _linked(
    node: Element, renderer: NodeRenderer, content: Content | None, href: str, class_name: str
) -> tuple[str, str]:
    """Link what is inside of a component; without an address it stays text."""
    label, markdown = _children(node, renderer, content)
    if not href:
        return label, markdown
    slot = renderer.context.link(href, renderer.fragment.source.span(node.offset), is_markup=True)
    attribute = f' class="{escape_attribute(class_name)}"' if class_name else ""
    return f'<a{attribute} href="{slot}">{unwrap(label).strip()}</a>', f"[{markdown.strip()}]({href})"


def _image(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:  # noqa: ARG001
    """Draw the image of Astro, or of Docusaurus' plug-in for images."""
    href, alt = _text(node, "src", "img"), _text(node, "alt")
    if not href:
        return "", ""
    numbers = {key: node.attributes[key] for key in ("width", "height") if isinstance(node.attributes.get(key), int)}
    if node.attributes.get("alt") is None:
        report_missing_alt(renderer.context, renderer.fragment, node.offset, href)
    size = "".join(f' {key}="{value}"' for key, value in numbers.items())
    tag = f'<img src="{escape_attribute(href)}" alt="{escape_attribute(alt)}"{size} loading="lazy" decoding="async">'
    return renderer.opening_tag(tag, node.offset), f"![{alt}]({href})"


def _details(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    body, markdown = _children(node, renderer, content)
    summary = _text(node, "summary")
    return f"<details><summary>{escape(summary)}</summary>{body}</details>", f"**{summary}**\n\n{markdown.strip()}"


def _left_out(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:  # noqa: ARG001
    """Leave out what no reader sees, such as tags for the head of the page."""
    message = f'The content of "<{node.name}>" is left out.'
    hint = "The title, the description and the image for previews are keys of the front matter."
    renderer.context.report("warn", "foreign-syntax", message, renderer.fragment.source, node.offset, suggestion=hint)
    return "", ""


_Draw = Callable[["Element", "NodeRenderer", "Content | None"], tuple[str, str]]
_DRAW: dict[str, _Draw] = {
    "Card": _card,
    "CardGrid": _frame("panels"),
    "LinkCard": _link_card,
    "LinkButton": _link_button,
    "Aside": _aside,
    "Steps": _frame("steps"),
    "FileTree": _frame("file-tree"),
    "Icon": _nothing,
    "Badge": _badge,
    "ClientOnly": _children,
    "Details": _details,
    "Fragment": _children,
    "Head": _left_out,
    "Image": _image,
    "Link": _link,
    "Listing": _listing,
}
