"""`Body`: the heavy part of a compiled document, kept out of memory until its page is drawn."""

from __future__ import annotations

from typing import Protocol

import msgspec

from octavo.content import Document, Island, TextChunk
from octavo.site import DocumentSummary


class Body(msgspec.Struct, frozen=True):
    """What only the drawing of its own page, and the search records, need."""

    html: str
    """HTML with slots."""
    islands: list[Island]
    anchors: list[str]
    text: list[TextChunk]
    markdown: str
    files: dict[str, str] = {}
    """Texts published beside the page: address from the site's root → content."""


class BodySource(Protocol):
    """Gives the bodies of documents."""

    def load(self, body_key: str) -> Body:
        """Load a body by its key."""


def split_document(document: Document, body_key: str) -> tuple[DocumentSummary, Body]:
    """Split a document into what the site may know and what only its page needs."""
    summary = DocumentSummary(
        source_path=document.source_path,
        front_matter=document.front_matter,
        headings=document.headings,
        links=document.links,
        assets=document.assets,
        has_title=document.has_title,
        excerpt=document.excerpt,
        island_kinds=sorted({island.kind for island in document.islands}),
        diagnostics=document.diagnostics,
        body_key=body_key,
        icon=document.icon,
        names=document.names,
        moved=document.moved,
    )
    body = Body(
        html=document.body,
        islands=document.islands,
        anchors=document.anchors,
        text=document.text,
        markdown=document.markdown,
        files=document.files,
    )
    return summary, body
