"""`python -m bench.relevance.remote meilisearch http://127.0.0.1:7700`: an engine that runs elsewhere, beside the embedded one.

The records of our site replace the index `octavo-bench` there. A key comes from OCTAVO_SEARCH_WRITE_KEY.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from bench import paths
from bench.relevance.engines import FOLDER, our_engine, our_search
from bench.relevance.measure import DEPTH, Search, reciprocal_rank, unique
from bench.relevance.queries import load_judged
from bench.relevance.site import load_site_pages, site_settings
from bench.report import Report
from octavo.cli.search_engine import given_engine
from octavo.config import SearchEngine
from octavo.search import IndexReader, open_remote, push_records
from octavo.search.engines.remote import RemoteEngine
from octavo.search.query.parameters import parse_parameters

SETS = ("judged", "held_out", "fresh", "unseen")
WAIT_S = 60.0


def remote_search(engine: RemoteEngine) -> Search:
    """Search pages by an engine that runs elsewhere."""

    def search(query: str) -> Sequence[str]:
        hits = engine.results(parse_parameters({"query": query, "hitsPerPage": 60})).hits(0, 60)
        return unique(["/" + hit.record.url_without_anchor.split("/", 3)[3] for hit in hits])[:DEPTH]

    return search


def run(report: Report, kind: str, url: str) -> None:
    """Measure: MRR@10, and the part of queries whose first page is right."""
    report.head(f"Relevance: the embedded engine and {kind}, MRR@10 and first page right")
    key = os.environ.get("OCTAVO_SEARCH_WRITE_KEY", "")
    given = given_engine(SearchEngine(), kind=kind, url=url, key=key, timeout_s=WAIT_S)
    if given is None:
        raise SystemExit("Name another engine than the embedded one.")
    embedded = our_engine(load_site_pages(paths.SITE), FOLDER / "site", site_settings(paths.SITE))
    reader = IndexReader(FOLDER / "site")
    index = open_remote(given, "octavo-bench")
    push_records(reader, index)
    rows = []
    for name in SETS:
        judged = load_judged(name)
        row = [name, str(len(judged))]
        for search in (our_search(embedded), remote_search(RemoteEngine(index, reader.settings))):
            ranks = [reciprocal_rank(search(item.query), item) for item in judged]
            first = sum(rank == 1 for rank in ranks) / len(ranks)
            row.append(f"{sum(ranks) / len(ranks):.3f} {first:.3f}")
        rows.append(row)
    report.table(["queries", "number", "embedded", kind], rows)


if __name__ == "__main__":
    main_report = Report()
    main_report.open()
    run(main_report, *sys.argv[1:3])
