"""`gateway`: the gateway API under load: one process on one core, clients on the others."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.errors import BenchError
from bench.figures import Bound
from bench.report import Report
from bench.serving import free_port
from gateway_api.database import Database
from gateway_api.demo.generate import generate
from gateway_api.demo.load import load_demo
from gateway_api.migrations import migrate

CLIENTS = 4
TIMED_REQUESTS = 2_000
STEADY_REQUESTS = 100_000
LISTENERS, EVENTS = 500, 100
PAGE_LIMIT_MS, DEEP_LIMIT_MS = 30.0, 100.0
WRITERS, READS_BESIDE_WRITERS, READ_LIMIT_MS = 64, 500, 50.0
WARM_UP_S = 0.5
"""All clients write by then."""

IMPORTED_LINES, LINES_LIMIT, WRITE_LIMIT_MS = 100_000, 20_000.0, 250.0
GROWTH_LIMIT = 1.5
MEMORY_LIMIT = 1.1
"""Memory after all requests, beside memory after the first tenth."""

CONVERSATIONS = 200
WORKSPACE = "/api/v1/workspaces/web-shop"
WORKSPACE_SHARE = 88 / CONVERSATIONS
HOST = "127.0.0.1"


@dataclass(frozen=True)
class Server:
    """A running server."""

    port: int
    pid: int

    @property
    def rss_mib(self) -> float:
        """Memory of the process, in MiB."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) / 1024


def run(report: Report, *, steady_requests: int = STEADY_REQUESTS, timed_requests: int = TIMED_REQUESTS) -> None:
    """Measure calls, memory, the event stream, and what a hundred times as many conversations cost."""
    report.head("Gateway API: one process on one core")
    with tempfile.TemporaryDirectory(prefix="bench-gateway-") as folder:
        small = make_database(Path(folder) / "small.sqlite", conversations=1_000)
        middle = make_database(Path(folder) / "middle.sqlite", conversations=10_000)
        with serve(middle) as server:
            _measure_calls(report, server, timed_requests)
            _measure_memory(report, server, steady_requests)
            _measure_events(report, server, middle, Path(folder))
            _measure_reads_beside_writes(report, server)
            _measure_import(report, server, middle, Path(folder))
        large = make_database(Path(folder) / "large.sqlite", conversations=100_000)
        _measure_growth(report, small, large, timed_requests)


def make_database(path: Path, *, conversations: int) -> Path:
    """Fill a database with the demo data, as often as it takes; the active workspace has 44 in a hundred of them."""
    database = Database(f"sqlite:///{path}")
    migrate(database)
    load_demo(database, times=conversations // CONVERSATIONS)
    database.close()
    return path


@contextlib.contextmanager
def serve(path: Path) -> Iterator[Server]:
    """Run the server on the first core, and this process on the others.

    Raises:
        BenchError: It does not answer.
    """
    cores = sorted(os.sched_getaffinity(0))
    port = free_port()
    command = [sys.executable, "-m", "gateway_api", "--port", str(port), "--database-url", f"sqlite:///{path}"]
    environment = {**os.environ, "GATEWAY_DATA_DIR": str(path.parent)}
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, env=environment) as process:
        os.sched_setaffinity(process.pid, cores[:1])
        os.sched_setaffinity(0, cores[1:] or cores)
        try:
            _wait_until_ready(port, process)
            yield Server(port, process.pid)
        finally:
            os.sched_setaffinity(0, cores)
            process.terminate()


def _wait_until_ready(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError):
            asyncio.run(_time_requests(port, ["/health"], 1, clients=1))
            return
        time.sleep(0.05)
    raise BenchError("The gateway API does not answer.")


def _measure_calls(report: Report, server: Server, count: int) -> None:
    """Time the calls that a dashboard makes, by four clients that ask again as soon as they are answered."""
    paths = {
        "workspaces": "/api/v1/workspaces",
        "messages, 50 a page": f"{WORKSPACE}/messages",
        "token usage": f"{WORKSPACE}/token-usage",
    }
    rows = []
    for name, path in paths.items():
        asyncio.run(_time_requests(server.port, [path], 200, clients=CLIENTS))
        started = time.perf_counter()
        times = asyncio.run(_time_requests(server.port, [path], count, clients=CLIENTS))
        rate = count / (time.perf_counter() - started)
        rows.append([name, f"{rate:,.0f}", f"{statistics.median(times):.1f}", f"{p99(times):.1f}"])
        if name.startswith("messages"):
            report.bound(Bound("messages page at 10,000 conversations, p99", p99(times), PAGE_LIMIT_MS, "ms"))
    report.table([f"call ({CLIENTS} clients)", "requests/s", "median, ms", "p99, ms"], rows)


def _measure_memory(report: Report, server: Server, count: int) -> None:
    """Ask for pages at random places for long, and see whether memory grows."""
    if not count:
        return
    paths = [f"{WORKSPACE}/messages?page_size=5&page={page}" for page in range(1, 400)]
    paths += ["/api/v1/workspaces", f"{WORKSPACE}/token-usage", "/api/v1/workspaces/nobody", "/nowhere"]
    asyncio.run(_time_requests(server.port, paths, count // 10, clients=CLIENTS))
    early = server.rss_mib
    asyncio.run(_time_requests(server.port, paths, count - count // 10, clients=CLIENTS))
    report.say(f"memory: {early:.0f} MiB after {count // 10:,} requests, {server.rss_mib:.0f} MiB after {count:,}")
    report.bound(
        Bound(f"memory after {count:,} requests, beside a tenth", server.rss_mib / early, MEMORY_LIMIT, "times")
    )


def _measure_events(report: Report, server: Server, path: Path, folder: Path) -> None:
    """Open many streams, import alerts from another process, and count what every stream has heard."""
    file = folder / "alerts.jsonl"
    later = datetime.now(UTC) + timedelta(days=30)
    alerting = (exchange for exchange in generate(later, times=20, seed=1) if _is_heard(exchange.alerts))
    chosen = [next(alerting) for _ in range(EVENTS)]
    lines = [exchange.model_copy(update={"workspace": "web-shop"}).model_dump_json() for exchange in chosen]
    file.write_text("\n".join(lines), encoding="utf-8")
    command = [sys.executable, "-m", "gateway_api", "--database-url", f"sqlite:///{path}", "import", str(file)]
    heard, seconds = asyncio.run(_listen(server.port, command))
    report.say(
        f"events: {LISTENERS} listeners heard {min(heard)} to {max(heard)} of {EVENTS}, the last {seconds:.1f} s after import"
    )
    report.bound(Bound("events heard by every listener", min(heard), EVENTS, "events", is_floor=True))


def _measure_reads_beside_writes(report: Report, server: Server) -> None:
    """Read while 64 clients write without a pause."""

    async def measure() -> list[float]:
        async with _writing(server.port, WRITERS):
            return await _time_requests(server.port, ["/api/v1/workspaces"], READS_BESIDE_WRITERS, clients=1)

    report.bound(Bound(f"reads beside {WRITERS} writers, p99", p99(asyncio.run(measure())), READ_LIMIT_MS, "ms"))


def _measure_import(report: Report, server: Server, path: Path, folder: Path) -> None:
    """Import while one client writes without a pause: lines a second, and the longest wait of that client."""
    file = folder / "records.jsonl"
    exchanges = generate(datetime.now(UTC), times=IMPORTED_LINES // CONVERSATIONS, seed=2)
    lines = [exchange.model_copy(update={"workspace": "web-shop"}).model_dump_json() for exchange in exchanges]
    file.write_text("\n".join(lines), encoding="utf-8")
    command = [sys.executable, "-m", "gateway_api", "--database-url", f"sqlite:///{path}", "import", str(file)]

    async def measure() -> tuple[float, list[float]]:
        async with _writing(server.port, 1) as waits:
            started = time.perf_counter()
            process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.DEVNULL)
            os.sched_setaffinity(process.pid, range(os.cpu_count() or 1))  # a user's import is held to no core
            if await process.wait():
                raise BenchError("The import failed.")
            return time.perf_counter() - started, list(waits)

    seconds, waits = asyncio.run(measure())
    rate = len(lines) / seconds
    report.bound(
        Bound("import beside a writer, start of the command included", rate, LINES_LIMIT, "lines/s", is_floor=True)
    )
    report.bound(Bound("longest wait of that writer", max(waits), WRITE_LIMIT_MS, "ms"))


@contextlib.asynccontextmanager
async def _writing(port: int, clients: int) -> AsyncIterator[list[float]]:
    """Write instructions again and again while the block runs; gives the list of waits in ms, which grows."""
    waits: list[float] = []
    body = b'{"prompt": "x"}'
    head = f"PUT {WORKSPACE}/custom-instructions HTTP/1.1\r\nHost: {HOST}\r\ncontent-type: application/json\r\n"
    request = f"{head}content-length: {len(body)}\r\n\r\n".encode() + body

    async def write() -> None:
        reader, writer = await asyncio.open_connection(HOST, port)
        while True:
            started = time.perf_counter()
            writer.write(request)
            answer = await reader.readuntil(b"\r\n\r\n")
            waits.append((time.perf_counter() - started) * 1000)
            if b" 204 " not in answer:
                raise BenchError(f"A write was answered {answer[9:12].decode()}")

    tasks = [asyncio.create_task(write()) for _ in range(clients)]
    try:
        await asyncio.sleep(WARM_UP_S)
        yield waits
    finally:
        for task in tasks:
            task.cancel()
        failures = [
            found for found in await asyncio.gather(*tasks, return_exceptions=True) if isinstance(found, BenchError)
        ]
    if failures:
        raise failures[0]


def _is_heard(alerts: Sequence[object]) -> bool:
    return any(getattr(alert, "trigger_category", "") == "critical" for alert in alerts)


def _measure_growth(report: Report, small: Path, large: Path, count: int) -> None:
    """Compare the first page of a small and a large table, and time the pages that cost most."""
    first = [f"{WORKSPACE}/messages"]
    with serve(small) as server:
        few = asyncio.run(_time_requests(server.port, first, count, clients=1))
    total = round(100_000 * WORKSPACE_SHARE)
    costly = {
        "last page": f"{WORKSPACE}/messages?page={total // 50}",
        "middle page": f"{WORKSPACE}/messages?page={total // 100}",
        "secrets": f"{WORKSPACE}/messages?filter_by_alert_trigger_types=codegate-secrets",
        "secrets, deep": f"{WORKSPACE}/messages?filter_by_alert_trigger_types=codegate-secrets&page=40",
    }
    with serve(large) as server:
        many = asyncio.run(_time_requests(server.port, first, count, clients=1))
        times = {
            name: asyncio.run(_time_requests(server.port, [path], 200, clients=1)) for name, path in costly.items()
        }
    growth = statistics.median(many) / statistics.median(few)
    rows = [["first page, 1,000", f"{statistics.median(few):.1f}", f"{p99(few):.1f}"]]
    rows += [["first page, 100,000", f"{statistics.median(many):.1f}", f"{p99(many):.1f}"]]
    rows += [
        [f"{name}, 100,000", f"{statistics.median(found):.1f}", f"{p99(found):.1f}"] for name, found in times.items()
    ]
    report.table(["messages (1 client)", "median, ms", "p99, ms"], rows)
    report.bound(Bound("first page at 100,000 conversations, beside 1,000", growth, GROWTH_LIMIT, "times"))
    worst = max(p99(found) for found in times.values())
    report.bound(Bound("filtered and deep pages at 100,000 conversations, p99", worst, DEEP_LIMIT_MS, "ms"))


def p99(times: Sequence[float]) -> float:
    """Take the time that 99 of 100 do not exceed."""
    return sorted(times)[max(0, -(-len(times) * 99 // 100) - 1)]


async def _time_requests(port: int, paths: Sequence[str], count: int, *, clients: int) -> list[float]:
    """Ask for paths in turn over connections that stay open.

    Returns:
        Time of each answer, in ms.
    """
    times: list[float] = []
    numbers = iter(range(count))

    async def ask() -> None:
        reader, writer = await asyncio.open_connection(HOST, port)
        for number in numbers:
            request = f"GET {paths[number % len(paths)]} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()
            started = time.perf_counter()
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]))
            times.append((time.perf_counter() - started) * 1000)
            if head[9:10] == b"5":
                raise BenchError(f"{paths[number % len(paths)]} answered {head[9:12].decode()}")
        writer.close()
        await writer.wait_closed()

    await asyncio.gather(*(ask() for _ in range(clients)))
    return times


async def _listen(port: int, command: Sequence[str]) -> tuple[list[int], float]:
    """Count the events that each listener hears while another process imports alerts."""
    streams = [await asyncio.open_connection(HOST, port) for _ in range(LISTENERS)]
    for _, writer in streams:
        writer.write(f"GET /api/v1/alerts_notification HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
    for reader, _ in streams:
        await reader.readuntil(b": listening\n\n")
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    output, _ = await process.communicate()
    if process.returncode:
        raise BenchError(f"The import failed: {json.dumps(output.decode())}")
    started = time.perf_counter()

    async def count(reader: asyncio.StreamReader) -> int:
        heard = 0
        with contextlib.suppress(TimeoutError, asyncio.IncompleteReadError):
            async with asyncio.timeout(30):
                while heard < EVENTS:
                    await reader.readuntil(b"data: New alert detected: ")
                    heard += 1
        return heard

    heard = await asyncio.gather(*(count(reader) for reader, _ in streams))
    seconds = time.perf_counter() - started
    for _, writer in streams:
        writer.close()
    return list(heard), seconds
