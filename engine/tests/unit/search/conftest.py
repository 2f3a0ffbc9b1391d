"""A small index of a few named pages, and searches in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from octavo.content import Heading, TextChunk
from octavo.search.index.facts import Kind, PageFacts
from octavo.search.index.pages import PAGE_RANKS
from octavo.search.index.record import Indexed, make_records
from octavo.search.index.settings import IndexSettings
from octavo.search.index.tantivy_index import IndexReader, IndexWriter, make_entries
from octavo.search.protocol.answer import make_answer
from octavo.search.query.parameters import parse_parameters
from octavo.search.ranking.engine import Engine

SETTINGS = IndexSettings(app_id="app", api_key="key", index_name="docs")


def facts(title: str, **given: Any) -> PageFacts:
    """Describe a page; its address is made of its title."""
    kind: Kind = given.pop("kind", "guide")
    route = title.lower().replace(" ", "-")
    values: dict[str, Any] = {
        "url": f"https://docs.example.org/{route}",
        "title": title,
        "description": "",
        "lvl0": "Pottery",
        "section": "Pottery",
        "language": "en",
        "version": "current",
        "tag": "docs-default-current",
        "kind": kind,
        "page_rank": PAGE_RANKS[kind],
    }
    return PageFacts(**(values | given))


def records(title: str, body: str = "", **given: Any) -> list[Indexed]:
    """Make the records of a page: `## ` begins a heading, four spaces code, all other lines are paragraphs."""
    headings: list[Heading] = []
    chunks: list[TextChunk] = []
    for line in filter(None, body.split("\n")):
        if line.startswith("#"):
            marks, _, text = line.partition(" ")
            headings.append(Heading(len(marks), text.lower().replace(" ", "-"), text, text))
            chunks.append(TextChunk("heading", len(headings) - 1, text))
        else:
            kind = "code" if line.startswith("    ") else "paragraph"
            chunks.append(TextChunk(kind, len(headings) - 1, line.strip()))
    return make_records(facts(title, **given), headings, chunks)


class Index:
    """An index, searched."""

    def __init__(self, folder: Path, pages: Sequence[list[Indexed]], settings: IndexSettings = SETTINGS) -> None:
        writer = IndexWriter(folder)
        for page in pages:
            writer.add(make_entries(page, page[0].record.url))
        writer.commit(settings)
        self.engine = Engine(IndexReader(folder))

    def answer(self, query: str, **parameters: Any) -> dict[str, Any]:
        """Search, and give the answer."""
        raw = {"query": query, **parameters}
        return make_answer(self.engine, "docs", parse_parameters(raw), raw)

    def found(self, query: str, **parameters: Any) -> list[str]:
        """Search, and give for each hit its own heading, or its text."""
        hits = self.answer(query, **parameters)["hits"]
        return [hit["content"] or hit["hierarchy"][hit["type"]] for hit in hits]


MakeIndex = Callable[..., Index]


@pytest.fixture
def make_index(tmp_path: Path) -> MakeIndex:
    """`make_index({title: body})`, or a list of pages made by `records`."""

    def make(pages: Mapping[str, str] | Sequence[list[Indexed]]) -> Index:
        if isinstance(pages, Mapping):
            pages = [records(title, body) for title, body in pages.items()]
        return Index(tmp_path / "index", pages)

    return make
