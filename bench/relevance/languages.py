"""`python -m bench.relevance.languages`: the probes of many languages, asked ours and Meilisearch on one site of all."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence

import msgspec

from bench import paths
from bench.errors import Unavailable
from bench.relevance.engines import FOLDER
from bench.report import Report
from bench.search.meilisearch import running
from bench.search.speed import SETTINGS
from octavo.content import TextChunk
from octavo.search.index.facts import PageFacts
from octavo.search.index.record import Indexed, make_records
from octavo.search.index.tantivy_index import IndexReader, IndexWriter, make_entries
from octavo.search.query.parameters import parse_parameters
from octavo.search.ranking.engine import Engine

PROBES = paths.ROOT / "engine" / "tests" / "unit" / "search" / "languages"
SETS = ("", "_2", "_3")
FIRST = 3
"""Hits among which the language's page must be."""

Ask = Callable[[str], Sequence[str]]
"""Query → languages of the first hits."""


def run(report: Report) -> None:
    """Ask all probes, on a site that does not say its languages and on one that does."""
    report.head("Words of many languages")
    rows = []
    for name in SETS:
        probes = _rows(f"probes{name}")
        for says in (False, True):
            pages = [_page(*row, says=says) for row in _rows(f"pages{name}")]
            ours = _missed(probes, _ours(pages))
            try:
                with running("languages") as server:
                    server.fill(iter([[record for page in pages for record, _ in page]]))
                    theirs = _missed(
                        probes, lambda query: [hit["section"] for hit in server.search(query, limit=FIRST)["hits"]]
                    )
            except Unavailable as error:
                report.skip("Meilisearch", error)
                theirs = []
            kind = "said" if says else "not said"
            rows.append([f"probes{name}", str(len(probes)), kind, str(len(ours)), str(len(theirs))])
            report.say(f"missed by Octavo: {', '.join(ours) or 'none'}")
            report.say(f"missed by Meilisearch: {', '.join(theirs) or 'none'}")
    report.table(["set", "probes", "languages", "missed by Octavo", "missed by Meilisearch"], rows)


def _rows(name: str) -> list[list[str]]:
    return [line.split("\t") for line in (PROBES / f"{name}.tsv").read_text(encoding="utf-8").splitlines() if line]


def _page(language: str, title: str, *texts: str, says: bool) -> list[Indexed]:
    facts = PageFacts(
        url=f"https://docs.example.org/{language}",
        title=title,
        description="",
        lvl0="",
        section=language,
        language=language if says else "en",
        version="current",
        tag="docs-default-current",
        kind="guide",
        page_rank=10,
    )
    return make_records(facts, [], [TextChunk("paragraph", -1, text) for text in texts])


def _ours(pages: Sequence[list[Indexed]]) -> Ask:
    folder = FOLDER / "languages"
    shutil.rmtree(folder, ignore_errors=True)
    writer = IndexWriter(folder)
    for page in pages:
        writer.add(make_entries(page, page[0].record.url))
    writer.commit(msgspec.structs.replace(SETTINGS))
    engine = Engine(IndexReader(folder))

    def ask(query: str) -> Sequence[str]:
        found = engine.search(parse_parameters({"query": query, "hitsPerPage": FIRST})).ranked
        return [hit.record.section for hit in found[:FIRST]]

    return ask


def _missed(probes: Sequence[Sequence[str]], ask: Ask) -> list[str]:
    return [f"{language} {query}" for language, query in probes if language not in ask(query)]


if __name__ == "__main__":
    main_report = Report()
    main_report.open()
    run(main_report)
