"""`python -m bench.search.scale [RECORDS …]`: ours and Meilisearch over the same records, asked the same queries in turn.

Both answer over HTTP on one connection, with 20 hits whose words are marked, as a search dialog asks. Times depend on
what else the machine does; the processor time of the two servers hardly does. `--index` makes the indexes and keeps them, `--ask`
asks those that were kept: 500,000 records take Meilisearch minutes to index, and the questions one minute on a quiet machine.
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
from octavo.search.index.record import Record
from octavo.search.index.tantivy_index import IndexReader, IndexWriter, make_entries

SIZES = (10_000, 100_000)
QUERIES = {10_000: 600, 100_000: 500, 500_000: 250}
SAMPLE = 3000
"""Records from which queries are taken."""

PART = 20_000
"""Records that Meilisearch gets at once."""

_INDEX_NAME, _MADE_NAME = "index", "made.json"

Ask = Callable[[str], object]


class Made(msgspec.Struct):
    """What it took to make the two indexes."""

    ours_cpu_s: float
    ours_mib: float
    theirs_cpu_s: float
    theirs_mib: float


class Side(NamedTuple):
    """One of the two servers, ready to answer."""

    ask: Ask
    process: subprocess.Popen[bytes]
    index_cpu_s: float
    index_mib: float


def run(report: Report, sizes: Sequence[int] = SIZES, *, only: str = "") -> None:
    """Measure.

    Args:
        report: Where the figures go.
        sizes: Numbers of records.
        only: `--index` makes the indexes, `--ask` asks those that are kept; empty does both, and keeps nothing.
    """
    report.head("Search beside Meilisearch")
    rows = []
    for size in sizes:
        folder = _folder(size)
        try:
            if only != "--ask":
                _make(folder, size)
            if only != "--index":
                made = msgspec.json.decode((folder / _MADE_NAME).read_bytes(), type=Made)
                with _ours(folder, made) as ours, _theirs(size, made) as theirs:
                    queries = make_queries(_sample(folder, size), QUERIES.get(size, 250))
                    rows += _rows(size, ours, theirs, queries)
        except Unavailable as error:
            report.skip(f"Meilisearch, {size:,} records", error)
        if not only:
            shutil.rmtree(folder, ignore_errors=True)
            shutil.rmtree(meilisearch.FOLDER / folder.name, ignore_errors=True)
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


def _folder(size: int) -> Path:
    return paths.WORK / f"scale-{size}"


def _make(folder: Path, size: int) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    started = time.process_time()
    writer = IndexWriter(folder / _INDEX_NAME)
    before = time.process_time()
    making = 0.0  # of records, which both get ready-made
    for route, records in make_record_pages(load_pages(load_corpus()), size):
        making += time.process_time() - before
        writer.add(make_entries(records, route))
        before = time.process_time()
    writer.commit(msgspec.structs.replace(SETTINGS, most_per_second=0))
    ours_cpu_s = time.process_time() - started - making
    with meilisearch.running(folder.name) as server:
        before = cpu_s(server.process.pid)
        server.fill(_parts(IndexReader(folder / _INDEX_NAME).all_records()))
        theirs_cpu_s = cpu_s(server.process.pid) - before
        theirs_mib = _size_mib(meilisearch.FOLDER / folder.name)
    made = Made(ours_cpu_s, _size_mib(folder / _INDEX_NAME), theirs_cpu_s, theirs_mib)
    (folder / _MADE_NAME).write_bytes(msgspec.json.encode(made))


@contextmanager
def _ours(folder: Path, made: Made) -> Iterator[Side]:
    port = free_port()
    command = [sys.executable, "-m", "bench.search.server", str(folder / _INDEX_NAME), str(port)]
    with httpx.Client(base_url=f"http://{HOST}:{port}", timeout=60) as client:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        try:
            wait_until_open(process, port)
            yield Side(lambda query: _ask(client, query), process, made.ours_cpu_s, made.ours_mib)
        finally:
            stop(process, STOP_TIMEOUT_S)


def _ask(client: httpx.Client, query: str) -> None:
    credentials = {"x-algolia-application-id": SETTINGS.app_id, "x-algolia-api-key": SETTINGS.api_key}
    body = {"requests": [{"indexName": SETTINGS.index_name, "query": query, **DIALOG}]}
    client.post("/1/indexes/*/queries", json=body, headers=credentials).raise_for_status()


@contextmanager
def _theirs(size: int, made: Made) -> Iterator[Side]:
    asked = {
        "limit": 20, "attributesToHighlight": ["*"], "attributesToCrop": ["content"], "cropLength": 10,
        "highlightPreTag": "<mark>", "highlightPostTag": "</mark>",
    }  # fmt: skip
    with meilisearch.running(_folder(size).name, is_kept=True) as server:
        yield Side(lambda query: server.search(query, **asked), server.process, made.theirs_cpu_s, made.theirs_mib)


def _parts(records: Iterator[Record]) -> Iterator[Sequence[Record]]:
    while part := list(islice(records, PART)):
        yield part


def _sample(folder: Path, size: int) -> list[Record]:
    return list(islice(IndexReader(folder / _INDEX_NAME).all_records(), 0, None, max(1, size // SAMPLE)))


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
    flags = [word for word in sys.argv[1:] if word in ("--index", "--ask")]
    run(main_report, [int(word) for word in sys.argv[1:] if word.isdigit()] or SIZES, only=flags[0] if flags else "")
