"""`python -m bench.search.scale [RECORDS …]`: ours and Meilisearch over the same records, asked the same queries in turn.

Both answer over HTTP on one connection, with 20 hits whose words are marked, as a search dialog asks. Times depend on
what else the machine does; the processor time of the two servers hardly does.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import httpx
import msgspec

from bench import paths
from bench.corpus import load_corpus
from bench.errors import Unavailable
from bench.processes import MIB, stop
from bench.report import Report
from bench.search import meilisearch
from bench.search.queries import make_queries
from bench.search.records import load_pages, make_record_pages
from bench.search.speed import DIALOG, SETTINGS, percentile
from bench.serving import HOST, STOP_TIMEOUT_S, free_port, wait_until_open
from octavo.search.index.record import Indexed, Record
from octavo.search.index.tantivy_index import IndexReader, IndexWriter, make_entries

SIZES = (10_000, 100_000)
QUERIES = {10_000: 600, 100_000: 500, 500_000: 250}
SAMPLE = 3000
"""Records from which queries are taken."""

PART = 20_000
"""Records that Meilisearch gets at once."""

Ask = Callable[[str], object]


class Side(NamedTuple):
    """One of the two servers, ready to answer."""

    ask: Ask
    process: subprocess.Popen[bytes]
    index_cpu_s: float
    index_mib: float


def run(report: Report, sizes: Sequence[int] = SIZES) -> None:
    """Measure."""
    report.head("Search beside Meilisearch")
    rows = []
    for size in sizes:
        folder = paths.WORK / f"scale-{size}"
        try:
            with _ours(folder, size) as ours, _theirs(size) as theirs:
                queries = make_queries(_sample(folder, size), QUERIES.get(size, 250))
                rows += _rows(size, ours, theirs, queries)
        except Unavailable as error:
            report.skip(f"Meilisearch, {size:,} records", error)
        shutil.rmtree(folder, ignore_errors=True)
    columns = [
        "records",
        "",
        "index CPU s",
        "index MiB",
        "p50 ms",
        "p99 ms",
        "worst ms",
        "CPU ms a query",
        "resident MiB",
    ]
    report.table(columns, rows)


def _rows(size: int, ours: Side, theirs: Side, queries: Sequence[str]) -> list[list[str]]:
    sides = {"Octavo": ours, "Meilisearch": theirs}
    for query in queries[:20]:  # pages of files are read, and what is made at first use
        for side in sides.values():
            side.ask(query)
    used = {name: -cpu_s(side.process.pid) for name, side in sides.items()}
    times: dict[str, list[float]] = {name: [] for name in sides}
    for number, query in enumerate(queries):
        for name in list(sides) if number % 2 else reversed(sides):
            started = time.perf_counter()
            sides[name].ask(query)
            times[name].append((time.perf_counter() - started) * 1000)
    rows = []
    for name, side in sides.items():
        used[name] += cpu_s(side.process.pid)
        shown = [percentile(times[name], part) for part in (50, 99, 100)]
        rows.append(
            [
                f"{size:,}",
                name,
                f"{side.index_cpu_s:.1f}",
                f"{side.index_mib:.0f}",
                *(f"{value:.1f}" for value in shown),
                f"{used[name] * 1000 / len(queries):.1f}",
                f"{resident_mib(side.process.pid):.0f}",
            ]
        )
    return rows


@contextmanager
def _ours(folder: Path, size: int) -> Iterator[Side]:
    shutil.rmtree(folder, ignore_errors=True)
    started = time.process_time()
    writer = IndexWriter(folder)
    before = time.process_time()
    making = 0.0  # of records, which both get ready-made
    for route, records in _pages(size):
        making += time.process_time() - before
        writer.add(make_entries(records, route))
        before = time.process_time()
    writer.commit(msgspec.structs.replace(SETTINGS, most_per_second=0))
    index_cpu_s = time.process_time() - started - making
    port = free_port()
    command = [sys.executable, "-m", "bench.search.server", str(folder), str(port)]
    with httpx.Client(base_url=f"http://{HOST}:{port}", timeout=60) as client:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        try:
            wait_until_open(process, port)
            yield Side(lambda query: _ask(client, query), process, index_cpu_s, _size_mib(folder))
        finally:
            stop(process, STOP_TIMEOUT_S)


def _ask(client: httpx.Client, query: str) -> None:
    credentials = {"x-algolia-application-id": SETTINGS.app_id, "x-algolia-api-key": SETTINGS.api_key}
    body = {"requests": [{"indexName": SETTINGS.index_name, "query": query, **DIALOG}]}
    client.post("/1/indexes/*/queries", json=body, headers=credentials).raise_for_status()


@contextmanager
def _theirs(size: int) -> Iterator[Side]:
    asked = {
        "limit": 20, "attributesToHighlight": ["*"], "attributesToCrop": ["content"], "cropLength": 10,
        "highlightPreTag": "<mark>", "highlightPostTag": "</mark>",
    }  # fmt: skip
    with meilisearch.running(f"scale-{size}") as server:
        before = cpu_s(server.process.pid)
        server.fill(_parts(size))
        used = cpu_s(server.process.pid) - before
        folder = meilisearch.FOLDER / f"scale-{size}"
        yield Side(lambda query: server.search(query, **asked), server.process, used, _size_mib(folder))


def _pages(size: int) -> Iterator[tuple[str, list[Indexed]]]:
    yield from make_record_pages(load_pages(load_corpus()), size)


def _parts(size: int) -> Iterator[Sequence[Record]]:
    records = (record for _, page in _pages(size) for record, _ in page)
    while part := list(islice(records, PART)):
        yield part


def _sample(folder: Path, size: int) -> list[Record]:
    return list(islice(IndexReader(folder).all_records(), 0, None, max(1, size // SAMPLE)))


def _size_mib(folder: Path) -> float:
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file()) / MIB


def cpu_s(process: int) -> float:
    """Processor time of a process and its threads."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def resident_mib(process: int) -> float:
    """Memory of a process."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


if __name__ == "__main__":
    main_report = Report()
    main_report.open()
    run(main_report, [int(size) for size in sys.argv[1:]] or SIZES)
