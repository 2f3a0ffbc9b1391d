"""A server under mixed load for long: no read is refused, no write is lost, memory and open files stay as they were.

`python -m apis.tests.contract.gateway.soaking --minutes 60` is the long run, on SQLite and PostgreSQL side by side. Its
clients pause between requests: it looks for what grows, not for the most that a server can do.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import httpx

from apis.tests.contract.gateway.killing import Server
from apis.tests.contract.gateway.postgres import find_programs, run_cluster
from gateway_api.database import Database
from gateway_api.demo.generate import generate
from gateway_api.demo.load import load_demo
from gateway_api.migrations import migrate

READERS, WRITERS, LISTENERS = 3, 2, 3
PAUSE_S = 0.05
"""Pause of each client between two requests."""

JOB_PAUSES = 100
"""Pauses of a client between two jobs: import, prune, deletion for good."""

SAMPLE_S = 2.0
ANSWER_S = 180
"""Longest wait for an answer. The server itself refuses after 15 s of waiting for its database; what takes longer says how
loaded the machine is."""

GROWTH_LIMIT = 1.1
"""Memory of the last tenth of the run beside that of its second tenth, medians."""

MORE_FILES = 10
"""Open files may differ by as many, because connections come and go."""

STEADY = "web-shop"
CHURN = "churn"
"""Workspaces of the demo that only readers use, and of the jobs."""

STEADY_PATH = f"/api/v1/workspaces/{STEADY}"
READS = (
    *("/health", "/api/v1/version", "/api/v1/workspaces", "/api/v1/workspaces/active", "/api/v1/workspaces/archive"),
    *("/api/v1/personas", "/api/v1/provider-endpoints", "/api/v1/provider-endpoints/models"),
    *(f"{STEADY_PATH}{part}" for part in ("", "/muxes", "/custom-instructions", "/alerts-summary", "/token-usage")),
    *(f"{STEADY_PATH}/messages?page_size=20&page={page}" for page in range(1, 5)),
    f"{STEADY_PATH}/messages?filter_by_alert_trigger_types=codegate-secrets",
    f"{STEADY_PATH}/alerts",
    *(f"/api/v1/workspaces/{CHURN}{part}" for part in ("/messages", "/alerts", "/token-usage")),
)


@dataclass
class Findings:
    """What a run has seen."""

    answers: Counter[str] = field(default_factory=Counter)
    """Kind of request → how many were answered as they must be."""
    faults: list[str] = field(default_factory=list)
    """Answers that must not be, failed connections, failed commands."""
    memory_kib: list[int] = field(default_factory=list)
    files: list[int] = field(default_factory=list)
    events: Counter[int] = field(default_factory=Counter)
    slowest_read_ms: float = 0.0

    def fault(self, text: str) -> None:
        """Note what must not be, with its time: what else happened on the machine then may explain it."""
        self.faults.append(f"{datetime.now(UTC):%H:%M:%S} {text}")
        print(self.faults[-1], flush=True)

    def growth(self, values: list[int]) -> float:
        """Compare the last tenth with the second."""
        tenth = max(1, len(values) // 10)
        return statistics.median(values[-tenth:]) / statistics.median(values[tenth : 2 * tenth])

    def problems(self) -> list[str]:
        """List what must not be; empty after a good run."""
        found = self.faults[:20]
        if len(self.faults) > len(found):
            found.append(f"… and {len(self.faults) - len(found)} more")
        if (growth := self.growth(self.memory_kib)) > GROWTH_LIMIT:
            found.append(f"memory has grown {growth:.2f} times")
        tenth = max(1, len(self.files) // 10)
        if statistics.median(self.files[-tenth:]) > statistics.median(self.files[tenth : 2 * tenth]) + MORE_FILES:
            found.append(f"open files have grown: {self.files[tenth]} to {self.files[-1]}")
        if len(set(self.events.values())) > 1:
            found.append(f"listeners have heard different numbers of events: {dict(self.events)}")
        return found

    def summary(self) -> str:
        """Say it in one line."""
        tenth = max(1, len(self.memory_kib) // 10)
        early, late = self.memory_kib[tenth : 2 * tenth], self.memory_kib[-tenth:]
        counts = ", ".join(f"{count:,} {kind}" for kind, count in sorted(self.answers.items()))
        return (
            f"{counts}; slowest read {self.slowest_read_ms:,.0f} ms; {len(self.faults)} faults; memory "
            f"{statistics.median(early) / 1024:.0f} MiB, then {statistics.median(late) / 1024:.0f} MiB; "
            f"open files {self.files[tenth]}, then {self.files[-1]}; events {sorted(self.events.values())}"
        )


class Soak:
    """Mixed load on one server until a moment.

    Args:
        folder: Where files go.
        url: An empty database.
        end: Value of `time.monotonic`.
        pause_s: Pause of each client between two requests.
    """

    def __init__(self, folder: Path, url: str, end: float, *, pause_s: float = PAUSE_S) -> None:
        self.findings = Findings()
        self._folder = folder
        self._url = url
        self._end = end
        self._pause_s = pause_s
        self._server = Server(folder, url)
        self._client = httpx.AsyncClient(base_url=self._server.address, trust_env=False, timeout=ANSWER_S)
        self._jobs = 0

    async def run(self) -> Findings:
        """Load the server with everything at once."""
        database = Database(self._url)
        migrate(database)
        load_demo(database)
        database.close()
        await asyncio.to_thread(self._server.start)
        try:
            async with self._client:
                await self._expect("write", "POST", "/api/v1/workspaces", 201, {"name": CHURN})
                listeners = [asyncio.create_task(self._listen(number)) for number in range(LISTENERS)]
                steps: list[Callable[[Random], Awaitable[None]]] = [self._read] * READERS + [self._write] * WRITERS
                loads = [self._repeat(step, self._pause_s, seed) for seed, step in enumerate(steps)]
                await asyncio.gather(*loads, self._repeat(self._job, self._pause_s * JOB_PAUSES, 99), self._watch())
                await asyncio.sleep(SAMPLE_S)  # the last events are on their way
                for listener in listeners:
                    listener.cancel()
                await asyncio.gather(*listeners, return_exceptions=True)
        finally:
            self._server.kill()
        return self.findings

    async def _repeat(self, step: Callable[[Random], Awaitable[None]], pause_s: float, seed: int) -> None:
        random = Random(seed)
        while time.monotonic() < self._end:
            try:
                await step(random)
            except (httpx.HTTPError, OSError) as error:
                self.findings.fault(f"{step.__name__}: {type(error).__name__}: {error}")
            await asyncio.sleep(pause_s)

    async def _expect(self, kind: str, method: str, path: str, status: int, body: Any = None) -> httpx.Response:
        answer = await self._client.request(method, path, json=body)
        if answer.status_code == status:
            self.findings.answers[f"{kind}s"] += 1
        else:
            self.findings.fault(f"{method} {path}: {answer.status_code} {answer.text[:200]}")
        return answer

    async def _read(self, random: Random) -> None:
        started = time.perf_counter()
        answer = await self._expect("read", "GET", random.choice(READS), 200)
        self.findings.slowest_read_ms = max(self.findings.slowest_read_ms, (time.perf_counter() - started) * 1000)
        if answer.url.path == f"{STEADY_PATH}/messages" and (listed := answer.json()["data"]):
            await self._expect("read", "GET", f"{STEADY_PATH}/messages/{random.choice(listed)['chat_id']}", 200)

    async def _write(self, random: Random) -> None:
        name = f"soak {random.getrandbits(64):016x}"
        choice = random.randrange(3)
        if choice == 0:
            path = f"/api/v1/workspaces/{CHURN}/custom-instructions"
            await self._expect("write", "PUT", path, 204, {"prompt": name * random.randrange(200)})
        elif choice == 1:
            words = " ".join(f"{random.getrandbits(64):x}" for _ in range(30))
            await self._expect("write", "POST", "/api/v1/personas", 201, {"name": name, "description": words})
            await self._expect("write", "DELETE", f"/api/v1/personas/{name}", 204)
        else:
            await self._expect("write", "PUT", f"/api/v1/workspaces/{CHURN}/muxes", 204, [])

    async def _job(self, _: Random) -> None:
        """Import; remove what an earlier job has brought; now and then, a workspace's whole life."""
        self._jobs += 1
        await self._import(CHURN)
        await self._command("prune", "--keep-last", "200", "--workspace", CHURN)
        if self._jobs % 4 == 0:
            name = f"short-{self._jobs}"
            await self._expect("write", "POST", "/api/v1/workspaces", 201, {"name": name})
            await self._import(name)
            await self._expect("write", "DELETE", f"/api/v1/workspaces/{name}", 204)
            await self._expect("write", "DELETE", f"/api/v1/workspaces/archive/{name}", 204)

    async def _import(self, workspace: str) -> None:
        file = self._folder / "records.jsonl"
        made = generate(datetime.now(UTC), seed=self._jobs * 2 + (workspace == CHURN))
        lines = [one.model_copy(update={"workspace": workspace}).model_dump_json() for one in made]
        file.write_text("\n".join(lines), encoding="utf-8")
        await self._command("import", str(file))

    async def _command(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "gateway_api", "--database-url", self._url, *arguments]
        environment = {**os.environ, "GATEWAY_DATA_DIR": str(self._folder)}
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe, env=environment)
        _, said = await process.communicate()
        if process.returncode:
            self.findings.fault(f"{arguments[0]}: {said.decode()[:300]}")
        else:
            self.findings.answers["commands"] += 1

    async def _listen(self, number: int) -> None:
        async with self._client.stream("GET", "/api/v1/alerts_notification", timeout=None) as answer:
            async for line in answer.aiter_lines():
                if line.startswith("data:"):
                    self.findings.events[number] += 1
        self.findings.fault("a stream of events has ended")

    async def _watch(self) -> None:
        """Note memory and open files of the server."""
        place = Path(f"/proc/{self._server.pid}")
        while time.monotonic() < self._end:
            with suppress(OSError):
                status = (place / "status").read_text(encoding="ascii")
                self.findings.memory_kib.append(int(status.partition("VmRSS:")[2].split()[0]))
                self.findings.files.append(len(list((place / "fd").iterdir())))
            await asyncio.sleep(SAMPLE_S)


async def soak(
    folder: Path, urls: dict[str, str], *, seconds: float, report_s: float = 60, pause_s: float = PAUSE_S
) -> list[str]:
    """Load one server for each database, side by side.

    Args:
        folder: Where files go.
        urls: Name → empty database.
        seconds: Length of the load.
        report_s: Seconds between two lines about how far it is.
        pause_s: Pause of each client between two requests.

    Returns:
        What must not be; empty after a good run.
    """
    end = time.monotonic() + seconds
    runs = {}
    for name, url in urls.items():
        (folder / name).mkdir()
        runs[name] = Soak(folder / name, url, end, pause_s=pause_s)

    async def report() -> None:
        while True:
            await asyncio.sleep(report_s)
            for name, run in runs.items():
                if run.findings.files:
                    print(f"{datetime.now(UTC):%H:%M:%S} {name}: {run.findings.summary()}", flush=True)

    reporting = asyncio.create_task(report())
    await asyncio.gather(*(run.run() for run in runs.values()))
    reporting.cancel()
    for name, run in runs.items():
        print(f"{name}, {seconds / 60:.0f} minutes: {run.findings.summary()}", flush=True)
    return [f"{name}: {problem}" for name, run in runs.items() for problem in run.findings.problems()]


def main() -> None:
    """Run on both databases."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--pause", type=float, default=PAUSE_S, help="seconds between two requests of a client")
    options = parser.parse_args()
    seconds, pause_s = options.minutes * 60, options.pause
    with tempfile.TemporaryDirectory() as folder:
        urls = {"sqlite": f"sqlite:///{folder}/gateway.sqlite"}
        programs = find_programs()
        if programs is None:
            print("PostgreSQL is not installed: SKIPPED")
            problems = asyncio.run(soak(Path(folder), urls, seconds=seconds, pause_s=pause_s))
        else:
            with run_cluster(programs) as cluster:
                urls["postgresql"] = cluster.fresh_database()
                problems = asyncio.run(soak(Path(folder), urls, seconds=seconds, pause_s=pause_s))
    print(json.dumps(problems, indent=1))
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
