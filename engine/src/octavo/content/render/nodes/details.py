"""`<details>` with Markdown inside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.content.escape import escape_attribute
from octavo.content.render.nodes.admonitions import bare_label
from octavo.content.render.unwrap import unwrap
from octavo.content.scan.nodes import PLACEHOLDER, Element
from octavo.content.source import MARK_OPEN, Fragment

if TYPE_CHECKING:
    from octavo.content.render.protocol import NodeRenderer


def draw_details(node: Element, renderer: NodeRenderer) -> tuple[str, str]:
    """Draw a details element; its first `<summary>` is its label.

    Returns:
        Its HTML with slots; as Markdown a bold label and the content.
    """
    if node.body is None:
        return "", ""
    if node.name == "summary":
        return renderer.nested(node.body, renderer.kind)
    summary, rest = _split_summary(node.body, renderer)
    label_html = label = default = renderer.context.words["directive.details"]
    if summary is not None and summary.body is not None:
        label_html, label = renderer.nested(summary.body, "summary")
        label_html = unwrap(label_html).strip() or default
    body, markdown = renderer.nested(rest, renderer.kind)
    html = f"<details{_attributes(node, renderer)}><summary>{label_html}</summary>{body}</details>"
    return html, f"**{bare_label(label)}**\n\n{markdown.strip()}"


def _split_summary(body: Fragment, renderer: NodeRenderer) -> tuple[Element | None, Fragment]:
    """Find the summary at the start of the content, and give the content without it."""
    head = body.text.lstrip()
    match = PLACEHOLDER.match(head) if head.startswith(f"<?{MARK_OPEN}") else None
    node = renderer.scope.nodes[int(match[1])] if match else None
    if match is None or not isinstance(node, Element) or node.name != "summary":
        return None, body
    start = len(body.text) - len(head) + match.end()
    return node, body.realigned(body.text[start:], start, len(body.text))


def _attributes(node: Element, renderer: NodeRenderer) -> str:
    """The author's own id, class and open state."""
    given = node.attributes
    own_class = given.get("className") or given.get("class")
    parts = [f' class="{escape_attribute(f"details {own_class}" if isinstance(own_class, str) else "details")}"']
    if isinstance(given.get("id"), str):
        renderer.context.anchors.append(given["id"])
        parts.append(f' id="{escape_attribute(given["id"])}"')
    if "open" in given and given["open"] is not False:
        parts.append(" open")
    return "".join(parts)
