"""The page without components: as plain Markdown, and the first lines of it as a description."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from recto.content.document import TextChunk
from recto.content.source import MARK_CLOSE, MARK_OPEN

_EXCERPT_LENGTH = 160
"""Characters, the ellipsis included."""


def excerpt(chunks: Iterable[TextChunk]) -> str:
    """Give the first meaningful prose of a page, cut at a word."""
    found: dict[str, str] = {}
    for chunk in chunks:
        found.setdefault(chunk.kind, chunk.text)
        if chunk.kind == "paragraph":
            break
    text = next((found[kind] for kind in ("paragraph", "item", "admonition", "tab") if kind in found), "")
    if len(text) <= _EXCERPT_LENGTH:
        return text
    head = text[:_EXCERPT_LENGTH]
    return f"{(head.rpartition(' ')[0] or head[:-1]).rstrip('.,;:')}…"


_PLACEHOLDER = re.compile(rf"^([^\n{MARK_OPEN}]*?)<\?{MARK_OPEN}([0-9]+){MARK_CLOSE}\?>", re.MULTILINE)
_MARK = re.compile(f"{MARK_OPEN}([0-9]+){MARK_CLOSE}")


def resolve_markdown(text: str, markdown_of: Mapping[int, str]) -> str:
    """Put the lifted pieces back into a fragment's text, each as plain Markdown, indented as its place is."""
    if MARK_OPEN not in text:
        return text

    def block(match: re.Match[str]) -> str:
        before, markdown = match[1], markdown_of.get(int(match[2]), "").strip("\n")
        indent = " " * len(before)
        return before + f"\n{indent}".join(markdown.split("\n"))

    text = _PLACEHOLDER.sub(block, text)
    return _MARK.sub(lambda match: markdown_of.get(int(match[1]), ""), text)
