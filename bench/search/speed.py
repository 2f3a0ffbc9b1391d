"""`python -m bench.search.speed`: index build, memory and server time at 100,000 records."""

from __future__ import annotations

import shutil
import statistics
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import msgspec

from bench import paths
from bench.corpus import load_corpus
from bench.figures import Bound
from bench.report import Report
from bench.search.queries import make_queries
from bench.search.records import load_pages, make_record_pages
from octavo.runtime.memory import settle_memory
from octavo.search.index.settings import IndexSettings
from octavo.search.index.tantivy_index import IndexReader, IndexWriter, make_entries
from octavo.search.protocol.answer import make_answer
from octavo.search.query.parameters import parse_parameters
from octavo.search.query.values import Raw
from octavo.search.ranking.engine import Engine

RECORDS = 100_000
QUERIES = 1_000
SETTINGS = IndexSettings(app_id="bench", api_key="bench", index_name="docs")

LEVELS = [f"hierarchy.lvl{level}" for level in range(7)]
DIALOG: Raw = {
    "hitsPerPage": 20,
    "attributesToRetrieve": [*LEVELS, "content", "type", "url"],
    "attributesToSnippet": [f"{name}:10" for name in [*LEVELS[1:], "content"]],
    "snippetEllipsisText": "…",
    "highlightPreTag": "<mark>",
    "highlightPostTag": "</mark>",
}
"""What the reference widget asks for: hits with all their texts marked."""
OWN_DIALOG: Raw = DIALOG | {
    "attributesToHighlight": [],
    "facets": ["section", "kind"],
    "facetFilters": ["language:en", ["docusaurus_tag:default", "docusaurus_tag:docs-default-current"]],
    "clickAnalytics": True,
}
"""What our dialog asks for: snippets alone, counts for its chips, hits of the version that is read."""


def run(report: Report) -> None:
    """Measure."""
    report.head(f"Search: {RECORDS:,} records")
    folder = paths.WORK / "search-index"
    build_s = build(folder)
    report.bound(Bound("index build, CPU of tokenising and writing", build_s, 15, "s"))
    with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as server:
        measured = server.submit(answer_all, folder).result()
    times_ms = measured.times_ms
    report.table(
        ["server time", "p50", "p90", "p99", "worst"],
        [
            ["ms", *(f"{percentile(times_ms, part):.2f}" for part in (50, 90, 99, 100))],
            ["our dialog", *(f"{percentile(measured.own_times_ms, part):.2f}" for part in (50, 90, 99, 100))],
        ],
    )
    report.bound(Bound("server time, p50", percentile(times_ms, 50), 3, "ms"))
    report.bound(Bound("server time, p99", percentile(times_ms, 99), 15, "ms"))
    report.say(f"resident before the index was opened: {measured.before_mib:.0f} MiB")
    report.say(f"resident when the index was open: {measured.open_mib:.0f} MiB")
    report.bound(Bound("resident memory after all queries", measured.after_mib, 400, "MiB"))


class Measured(NamedTuple):
    """What one process has answered."""

    times_ms: list[float]
    """Of each query."""
    own_times_ms: list[float]
    """Of as many other queries, asked as our dialog asks."""
    before_mib: float
    """Resident memory before the index was opened."""
    open_mib: float
    after_mib: float
    """After all queries."""


def answer_all(folder: Path) -> Measured:
    """Open an index and answer all queries, in a process that has made no index: servers are not builders."""
    before_mib = resident_mib()
    engine = Engine(IndexReader(folder))
    open_mib = resident_mib()
    sample = [item.record for item in engine.search(parse_parameters({"query": "", "length": 1000})).ranked]
    sample += islice(IndexReader(folder).all_records(), 0, None, RECORDS // 2000)
    settle_memory()  # as the server does
    queries = make_queries(sample, 2 * QUERIES)
    times_ms, own_times_ms = [], []
    # In turn, so that other load affects both alike.
    for query, other in zip(queries[:QUERIES], queries[QUERIES:], strict=True):
        times_ms.append(server_time_ms(engine, query))
        own_times_ms.append(server_time_ms(engine, other, OWN_DIALOG))
    return Measured(times_ms, own_times_ms, before_mib, open_mib, resident_mib())


def build(folder: Path, count: int = RECORDS) -> float:
    """Make an index of so many records; CPU seconds of this process, compiling the corpus left out."""
    shutil.rmtree(folder, ignore_errors=True)
    pages = load_pages(load_corpus())
    started = time.process_time()
    writer = IndexWriter(folder)
    for route, records in make_record_pages(pages, count):
        writer.add(make_entries(records, route))
    writer.commit(SETTINGS)
    return time.process_time() - started


def server_time_ms(engine: Engine, query: str, asked: Raw = DIALOG) -> float:
    """Answer one search, from its parameters to the bytes; CPU time, for other work on the machine to matter less."""
    raw: Raw = {"query": query, **asked}
    started = time.process_time_ns()
    msgspec.json.encode(make_answer(engine, "docs", parse_parameters(raw), raw))
    return (time.process_time_ns() - started) / 1e6


def percentile(values: Sequence[float], part: int) -> float:
    """Give the value below which so many percent lie."""
    if part == 100:
        return max(values)
    return statistics.quantiles(values, n=100, method="inclusive")[part - 1]


def resident_mib() -> float:
    """Memory of this process."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    main_report = Report()
    main_report.open()
    run(main_report)
