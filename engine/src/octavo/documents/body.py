"""`Body`: the heavy part of a compiled document, kept out of memory until its page is drawn."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from octavo.content import Document, Island, TextChunk
from octavo.runtime.cache import Cache, Place
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


class StoredSummary(msgspec.Struct, frozen=True):
    """A summary as the cache keeps it, with what tells whether it still holds."""

    key: str
    """Hash of the source, of the options and of the compiler."""
    dependencies: dict[str, str]
    """Path of each partial → hash of its content."""
    summary: msgspec.Raw
    """The `DocumentSummary`, encoded."""
    body_key: str
    body: Place
    """Where the cache holds its body."""
    code: Place | None
    """Where it holds the blocks of code, `Document.code`; None where there are none."""


class StoredSummaries(msgspec.Struct, frozen=True):
    """The summaries of a site."""

    compiler: str
    """Hash of the compiler and its options."""
    summaries: dict[str, StoredSummary]
    """Source path → summary."""


class Bodies:
    """The bodies of a site, read when their pages are drawn."""

    def __init__(self, cache: Cache, places: Mapping[str, Place]) -> None:
        self._cache = cache
        self._places = places

    def load(self, body_key: str) -> Body:
        """Load a body by its key."""
        return self._cache.load_piece(self._places[body_key], Body)


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
