"""`<Since version="2.1" />`, `<Changed … />` and `<Removed … />`: the version that added, changed or removed the item they follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.content.escape import escape, escape_attribute
from octavo.content.render.nodes.parts import draw_children
from octavo.content.render.unwrap import unwrap
from octavo.words import fill_word

if TYPE_CHECKING:
    from octavo.content.render.protocol import NodeRenderer
    from octavo.content.scan.nodes import Element
    from octavo.content.scan.scope import Content

VERSION_MARKS = frozenset(["Since", "Changed", "Removed"])


def draw_version_mark(node: Element, renderer: NodeRenderer, content: Content | None = None) -> tuple[str, str]:
    """Draw a mark: beside the text, and no part of it, so that headings keep their ids. What it encloses goes before it."""
    body, markdown = draw_children(node, renderer, content)
    mark, plain = _draw(node, renderer)
    return f"{unwrap(body)} {mark}".strip(), f"{markdown.strip()} {plain}".strip()


def _draw(node: Element, renderer: NodeRenderer) -> tuple[str, str]:
    given = node.attributes.get("version")
    version = str(given).strip() if isinstance(given, (str, int, float)) and not isinstance(given, bool) else ""
    if not version:
        renderer.context.report(
            "warn",
            "version-mark",
            f'"<{node.name}>" names no version; it is left out.',
            renderer.fragment.source,
            node.offset,
            suggestion=f'Write <{node.name} version="2.1" />.',
        )
        return "", ""
    kind = node.name.lower()
    words = renderer.context.words
    text = fill_word(words.get(f"mark.{kind}") or f"{node.name} {{version}}", version=version)
    attributes = f'data-mark="{kind}" data-version="{escape_attribute(version)}"'
    return f'<span class="badge" {attributes}>{escape(text)}</span>', f"*({text})*"
