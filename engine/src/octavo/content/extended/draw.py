"""Draw what extensions have made."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from octavo.content.render.html_tree import html_as_markdown
from octavo.content.render.raw_html import RawHtml
from octavo.content.scan.nodes import PLACEHOLDER_OR_MARK
from octavo.content.scan.scanner import scan
from octavo.content.scan.scope import Scope
from octavo.content.source import MARK_CLOSE, MARK_OPEN, Fragment, MadeText
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.render.protocol import NodeRenderer
    from octavo.content.scan.nodes import Made

_HIDDEN = re.compile(r"<(script|style|svg)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")


def draw_made(node: Made, renderer: NodeRenderer) -> tuple[str, str]:
    """Draw the parts in order: HTML as it is, with its links resolved, and Markdown and content between."""
    pieces: list[str] = []
    drawn: list[str] = []
    markdown: list[str] = []
    for kind, text in node.parts:
        if kind == "html":
            pieces.append(PLACEHOLDER_OR_MARK.sub("", text))
            plain = " ".join(html.unescape(_TAG.sub(" ", _HIDDEN.sub(" ", text))).split())
            renderer.context.prose(renderer.kind, plain)
            markdown.append(html_as_markdown(text))
            continue
        inner, plain = _draw_text(kind, text, node, renderer)
        pieces.append(f"<?{MARK_OPEN}{len(drawn)}{MARK_CLOSE}?>")
        drawn.append(inner)
        markdown.append(plain.strip("\n"))
    source = node.source
    raw = RawHtml(renderer.context, Fragment(source, "", [0], [0]))
    written = raw.rewrite(
        "".join(pieces),
        lambda _: 0,
        lambda text: PLACEHOLDER_OR_MARK.sub(lambda match: drawn[int(match[1])], text),
    )
    raw.report_open()
    return written, "\n\n".join(part for part in markdown if part)


def _draw_text(kind: str, text: str, node: Made, renderer: NodeRenderer) -> tuple[str, str]:
    if kind == "body":
        return renderer.nested(node.body, renderer.kind) if node.body is not None else ("", "")
    around = renderer.scope
    source = MadeText.beside(node.source, text)
    scope = Scope(source, props=around.props, content=around.content, chain=around.chain)
    scope.abbreviations = around.abbreviations
    scope.imports = around.imports
    fragment = scan(Fragment.whole(source, 0), scope, renderer.context)
    scope.definitions = {**around.definitions, **scope.definitions}
    return renderer.nested(fragment, renderer.kind, scope)
