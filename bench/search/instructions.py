"""`python -m bench.search.instructions [FOLDER]`: processor instructions of a query, counted by cachegrind.

They hardly change with the load of a machine, where times do: run it in two checkouts to compare these. FOLDER keeps
the index and the queries, so that both may answer the same queries, and an index is made only once.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import msgspec

from bench import paths
from bench.errors import Unavailable
from bench.report import Report
from bench.search.queries import make_queries
from bench.search.speed import DIALOG, OWN_DIALOG, build
from octavo.runtime.memory import settle_memory
from octavo.search.index.tantivy_index import IndexReader
from octavo.search.protocol.answer import make_answer
from octavo.search.query.parameters import parse_parameters
from octavo.search.query.values import Raw
from octavo.search.ranking.engine import Engine

RECORDS = 60_000
QUERIES = 150

_HITS: Raw = {name: value for name, value in OWN_DIALOG.items() if name != "facets"}
_COUNTS: Raw = {"hitsPerPage": 0, "facets": OWN_DIALOG["facets"], "facetFilters": OWN_DIALOG["facetFilters"]}
KINDS: dict[str, Sequence[Raw]] = {
    "client of the protocol": [DIALOG],
    "our dialog": [OWN_DIALOG],
    "hits, then counts": [_HITS, _COUNTS],
}
"""What is asked for each query."""

WARM_UP = "mistipyed wrods"
"""Asked before the others, so that what is made for the first mistyped word of a process counts as opening."""

_QUERIES_NAME = "queries.json"


def run(report: Report, folder: Path) -> None:
    """Measure."""
    report.head(f"Search: instructions of a query, {RECORDS:,} records")
    if not (folder / _QUERIES_NAME).exists():
        build(folder / "index", RECORDS)
        sample = list(islice(IndexReader(folder / "index").all_records(), 0, None, 47))
        (folder / _QUERIES_NAME).write_text(json.dumps(make_queries(sample, QUERIES)))
    rows = []
    for kind in KINDS:
        opened, answered = (_instructions(folder, kind, count) for count in (0, QUERIES))
        rows.append([kind, f"{(answered - opened) / QUERIES / 1e6:.2f}", f"{opened / 1e6:.0f}"])
    report.table(["millions of instructions", "a query", "start and opening"], rows)


def _instructions(folder: Path, kind: str, count: int) -> int:
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise Unavailable("valgrind is not installed")
    command = [valgrind, "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    command += [sys.executable, "-m", "bench.search.instructions", str(folder), kind, str(count)]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=True,
        cwd=paths.BENCH.parent,
        env=os.environ | {"PYTHONHASHSEED": "1"},
    )
    found = re.search(r"I +refs: +([\d,]+)", done.stderr)
    if found is None:
        raise Unavailable(f"valgrind has counted nothing: {done.stderr[-200:]}")
    return int(found[1].replace(",", ""))


def answer(folder: Path, kind: str, count: int) -> None:
    """Open the index and answer some queries; this is what is counted."""
    engine = Engine(IndexReader(folder / "index"))
    settle_memory()
    engine.search(parse_parameters({"query": WARM_UP}))
    queries: list[str] = json.loads((folder / _QUERIES_NAME).read_text())
    for query in queries[:count]:
        for asked in KINDS[kind]:
            raw: Raw = {**asked, "query": query}
            msgspec.json.encode(make_answer(engine, "docs", parse_parameters(raw), raw))


if __name__ == "__main__":
    if len(sys.argv) == 4:
        answer(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
    else:
        main_report = Report()
        main_report.open()
        run(main_report, Path(sys.argv[1]) if sys.argv[1:] else paths.WORK / "search-instructions")
