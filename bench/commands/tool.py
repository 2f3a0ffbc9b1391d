"""`tool`: the tool API with 200 servers on the simulated runtime, one client that asks again as it is answered."""

from __future__ import annotations

import contextlib
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx

from bench.errors import BenchError
from bench.figures import Bound
from bench.report import Report
from bench.serving import free_port

SERVERS = 200
CLIENTS = 8
TIMED_REQUESTS = 500
LIST_LIMIT_MS = 20.0
URL = "/api/v1beta/servers"
START_S = 30


def run(report: Report, *, timed_requests: int = TIMED_REQUESTS) -> None:
    """Time creating, listing, getting and deleting."""
    report.head(f"Tool API: {SERVERS} servers, simulated")
    names = [f"s{number:03}" for number in range(SERVERS)]
    with tempfile.TemporaryDirectory(prefix="bench-tool-") as folder, serve(Path(folder)) as client:
        rows = [["create", *_row(_at_once(client, "POST", names))]]
        listed = [_time(client, "GET", URL) for _ in range(timed_requests)]
        rows.append([f"list of {SERVERS}", *_row(listed)])
        rows.append(["get", *_row([_time(client, "GET", f"{URL}/{names[0]}") for _ in range(timed_requests)])])
        rows.append(["delete", *_row(_at_once(client, "DELETE", names))])
    report.table(["call", "median, ms", "p99, ms"], rows)
    report.bound(Bound(f"list of {SERVERS} servers, p99", p99(listed), LIST_LIMIT_MS, "ms"))


@contextlib.contextmanager
def serve(folder: Path) -> Iterator[httpx.Client]:
    """Run the API in a process of its own.

    Raises:
        BenchError: It does not answer.
    """
    port = free_port()
    command = [sys.executable, "-m", "tool_api", "--port", str(port), "--runtime", "simulated"]
    with subprocess.Popen([*command, "--state-dir", str(folder)], stderr=subprocess.DEVNULL) as process:
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
                _wait_until_ready(client)
                yield client
        finally:
            process.terminate()


def p99(times: list[float]) -> float:
    """The time that one request in a hundred exceeds."""
    return statistics.quantiles(times, n=100)[98]


def _wait_until_ready(client: httpx.Client) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        with contextlib.suppress(httpx.HTTPError):
            client.get("/health")
            return
        time.sleep(0.05)
    raise BenchError("The tool API does not answer.")


def _at_once(client: httpx.Client, method: str, names: list[str]) -> list[float]:
    def change(name: str) -> float:
        if method == "POST":
            return _time(client, "POST", URL, {"name": name, "image": "mcp/time:latest"})
        return _time(client, "DELETE", f"{URL}/{name}")

    with ThreadPoolExecutor(CLIENTS) as pool:
        return list(pool.map(change, names))


def _time(client: httpx.Client, method: str, path: str, body: dict[str, str] | None = None) -> float:
    """Milliseconds to the whole answer.

    Raises:
        BenchError: The answer is a refusal.
    """
    content = json.dumps(body) if body else None
    started = time.perf_counter()
    response = client.request(method, path, content=content, headers={"content-type": "application/json"})
    took = (time.perf_counter() - started) * 1000
    if response.is_error:
        raise BenchError(f"{method} {path} answered {response.status_code}: {response.text}")
    return took


def _row(times: list[float]) -> list[str]:
    return [f"{statistics.median(times):.1f}", f"{p99(times):.1f}"]
