"""`gateway-compare`: the gateway's weak points of its first release, on that release and on this one, in one run.

Saving a provider with its key while it answers slowly, reading while writers wait, importing and deleting beside a
writer. Every tree runs its own code on a database of its own; the trees take turns scene by scene. The databases are files
of SQLite, or those of one PostgreSQL that waits for the disk.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
from sqlalchemy import Connection, NullPool, create_engine, text

from apis.tests.contract.gateway.postgres import find_programs, run_cluster
from bench.errors import BenchError, Unavailable
from bench.report import Report
from bench.serving import free_port
from gateway_api.demo.generate import generate
from gateway_api.postgresql import WRITER_LOCK

SAVES, PROVIDER_S = 10, 0.5
WAITING_WRITES, HELD_S = 10, 5.0
ROWS = 20_000
WORKSPACE = "bulk"
LIMIT_S = 3_600.0
START_S = 60.0
_API = "/api/v1"
_GONE = "SELECT count(*) FROM (SELECT 1 FROM prompts WHERE workspace_id = :place LIMIT 1) AS one"
_HOLD = {"sqlite": "BEGIN IMMEDIATE", "postgresql": f"SELECT pg_advisory_lock({WRITER_LOCK})"}
_RELEASE = {"sqlite": "ROLLBACK", "postgresql": f"SELECT pg_advisory_unlock({WRITER_LOCK})"}


@dataclass(frozen=True)
class Tree:
    """Sources of one release."""

    name: str
    sources: Path


@dataclass
class Waits:
    """What a client that writes without a pause has met."""

    longest_s: float = 0.0
    count: int = 0
    refused: int = 0


@dataclass
class Server:
    """A running server of a tree."""

    tree: Tree
    folder: Path
    address: str
    url: str
    """The database."""
    results: dict[str, str] = field(default_factory=dict)

    @property
    def log(self) -> Path | None:
        """SQLite's log."""
        return self.folder / "gateway.sqlite-wal" if self.url.startswith("sqlite") else None

    def ask(self, method: str, path: str, body: object = None) -> httpx.Response:
        """Send one request over a connection of its own."""
        with self.connect() as client:
            return client.request(method, path, json=body)

    def connect(self) -> httpx.Client:
        """A client that keeps its connection; without certificates, which take longer to read than an answer."""
        return httpx.Client(base_url=f"{self.address}{_API}", timeout=LIMIT_S, trust_env=False, verify=False)

    def open(self) -> Connection:
        """Connect to the database beside the server; each statement is a transaction of its own."""
        engine = create_engine(self.url.replace("postgresql:", "postgresql+psycopg:"), poolclass=NullPool)
        return engine.connect().execution_options(isolation_level="AUTOCOMMIT")

    def query(self, statement: str, **values: object) -> int:
        """Read a number from the database."""
        with self.open() as connection:
            return int(connection.execute(text(statement), values).scalar_one())


def run(report: Report, *, before: Path | None, rows: int = ROWS, store: str = "sqlite") -> None:
    """Measure this tree, and an earlier one beside it.

    Args:
        report: Where the table goes.
        before: Folder of the earlier sources, which has `gateway_api`; None measures this tree alone.
        rows: Conversations that are imported and deleted.
        store: `sqlite` or `postgresql`.

    Raises:
        Unavailable: PostgreSQL is not installed.
    """
    report.head(f"Gateway API: before and after, {store}")
    trees = [Tree("after", Path(__file__).parents[2] / "apis" / "src")]
    if before is not None:
        trees.insert(0, Tree("before", before))
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-compare-")))
        records = _write_records(folder / "records.jsonl", rows)
        if store == "sqlite":
            urls = [f"sqlite:///{folder / tree.name / 'gateway.sqlite'}" for tree in trees]
        else:
            programs = find_programs()
            if programs is None:
                raise Unavailable("PostgreSQL is not installed")
            cluster = stack.enter_context(run_cluster(programs, is_durable=True))
            urls = [cluster.fresh_database() for _ in trees]
        servers = [
            stack.enter_context(serve(tree, folder / tree.name, url)) for tree, url in zip(trees, urls, strict=True)
        ]
        scenes: tuple[Callable[[Server], None], ...] = (
            save_providers,
            read_beside_waiting_writes,
            lambda server: import_beside_a_writer(server, records, rows),
            lambda server: delete_beside_a_writer(server, rows),
        )
        for scene in scenes:
            for server in servers:
                scene(server)
                load = os.getloadavg()[0]
                report.say(f"{server.tree.name}: {list(server.results.items())[-1]} at load {load:.1f}")
        names = list(servers[-1].results)
        table = [[name, *(server.results.get(name, "") for server in servers)] for name in names]
        report.table(["what", *(server.tree.name for server in servers)], table)


def _write_records(path: Path, rows: int) -> Path:
    with path.open("w", encoding="utf-8") as file:
        left = rows
        while left > 0:
            for exchange in generate(datetime.now(UTC), times=min(500, -(-left // 200)), seed=left):
                if left > 0:
                    file.write(exchange.model_copy(update={"workspace": WORKSPACE}).model_dump_json() + "\n")
                    left -= 1
    return path


@contextlib.contextmanager
def serve(tree: Tree, folder: Path, url: str) -> Iterator[Server]:
    """Run a tree's server on a new database.

    Raises:
        BenchError: It does not answer.
    """
    folder.mkdir()
    port = free_port()
    server = Server(tree, folder, f"http://127.0.0.1:{port}", url)
    command = [*_command(server), "--port", str(port)]
    with (folder / "log").open("wb") as log, subprocess.Popen(command, stderr=log, env=_environment(server)) as process:
        try:
            _wait(lambda: process.poll() is not None or _answers(server), START_S)
            if process.poll() is not None:
                raise BenchError(f"The {tree.name} server ended: {(folder / 'log').read_text()[-300:]}")
            server.ask("POST", "/workspaces", {"name": WORKSPACE}).raise_for_status()
            yield server
        finally:
            process.terminate()


def _command(server: Server) -> list[str]:
    return [sys.executable, "-m", "gateway_api", "--database-url", server.url]


def _environment(server: Server) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(server.tree.sources), "GATEWAY_DATA_DIR": str(server.folder)}


def _answers(server: Server) -> bool:
    with contextlib.suppress(httpx.HTTPError):
        return server.ask("GET", "/workspaces").status_code == httpx.codes.OK
    return False


def _wait(condition: Callable[[], bool], limit_s: float) -> None:
    deadline = time.monotonic() + limit_s
    while not condition():
        if time.monotonic() > deadline:
            raise BenchError("What was waited for did not happen.")
        time.sleep(0.02)


@contextlib.contextmanager
def _slow_provider() -> Iterator[str]:
    """A provider that answers after half a second."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            time.sleep(PROVIDER_S)
            data = json.dumps({"data": [{"id": "model-a"}]}).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            with contextlib.suppress(OSError):
                self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def save_providers(server: Server) -> None:
    """Save name and key at once, as the official dashboard does, and count the keys that are lost."""
    kept = 0
    with _slow_provider() as endpoint, ThreadPoolExecutor(2) as pool:
        for number in range(SAVES):
            old, new = f"/provider-endpoints/old-{number}", f"new-{number}"
            values = {"description": "", "provider_type": "openai", "endpoint": endpoint, "auth_type": "none"}
            server.ask("POST", "/provider-endpoints", values | {"name": f"old-{number}"}).raise_for_status()
            secret = {"auth_type": "api_key", "api_key": "sk-compare"}
            saved = [
                pool.submit(server.ask, "PUT", f"{old}/auth-material", secret),
                pool.submit(server.ask, "PUT", old, values | {"name": new, "auth_type": "api_key"}),
            ]
            for one in saved:
                one.result()
            kept += server.query(
                "SELECT count(*) FROM providers WHERE name = :name AND sealed_key IS NOT NULL", name=new
            )
    server.results[f"keys lost in {SAVES} saves of name and key at once"] = str(SAVES - kept)


def read_beside_waiting_writes(server: Server) -> None:
    """Read while another process holds the lock and writes wait for it."""
    times: list[float] = []
    path = f"/workspaces/{WORKSPACE}/custom-instructions"
    with server.open() as holder, ThreadPoolExecutor(WAITING_WRITES + 1) as pool:
        store = holder.dialect.name
        holder.exec_driver_sql(_HOLD[store])
        waiting = [pool.submit(server.ask, "PUT", path, {"prompt": "x"}) for _ in range(WAITING_WRITES)]
        reading = pool.submit(_read_until, server, time.monotonic() + HELD_S, times)
        time.sleep(HELD_S)
        holder.exec_driver_sql(_RELEASE[store])
        for one in (reading, *waiting):
            one.result()
    server.results[f"longest read beside {WAITING_WRITES} waiting writes"] = f"{max(times) * 1000:,.0f} ms"


def _read_until(server: Server, end: float, times: list[float]) -> None:
    with server.connect() as client:
        while time.monotonic() < end:
            started = time.monotonic()
            client.get("/workspaces")
            times.append(time.monotonic() - started)


@contextlib.contextmanager
def _writing(server: Server) -> Iterator[Waits]:
    """Write instructions of another workspace again and again."""
    waits, stop = Waits(), threading.Event()

    def write() -> None:
        with server.connect() as client:
            while not stop.is_set():
                started = time.monotonic()
                answer = client.put("/workspaces/default/custom-instructions", json={"prompt": "x"})
                waits.longest_s = max(waits.longest_s, time.monotonic() - started)
                waits.count += 1
                waits.refused += answer.status_code != httpx.codes.NO_CONTENT
                stop.wait(0.02)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield waits
    finally:
        stop.set()
        thread.join()


def import_beside_a_writer(server: Server, records: Path, rows: int) -> None:
    """Import while one client writes fifty times a second."""
    with _writing(server) as waits:
        started = time.monotonic()
        done = subprocess.run([*_command(server), "import", str(records)], env=_environment(server), check=False)
        seconds = time.monotonic() - started
    if done.returncode:
        raise BenchError(f"The import of the {server.tree.name} tree failed.")
    server.results[f"import of {rows:,} lines beside a writer"] = f"{rows / seconds:,.0f} lines/s"
    server.results["… longest write beside the import"] = _describe(waits)


def delete_beside_a_writer(server: Server, rows: int) -> None:
    """Delete the workspace of the import for good, and wait until none of its records is left."""
    place = server.query("SELECT id FROM workspaces WHERE name = :name", name=WORKSPACE)
    log, largest = server.log, 0
    with _writing(server) as waits, ThreadPoolExecutor(1) as pool:
        started = time.monotonic()
        server.ask("DELETE", f"/workspaces/{WORKSPACE}").raise_for_status()
        asked = time.monotonic()
        answer = pool.submit(server.ask, "DELETE", f"/workspaces/archive/{WORKSPACE}")
        answered_s = 0.0
        while not answer.done() or server.query(_GONE, place=place):
            if answer.done() and not answered_s:
                answered_s = time.monotonic() - asked
            largest = max(largest, log.stat().st_size if log and log.exists() else 0)
            time.sleep(0.1)
        answer.result().raise_for_status()
        seconds = time.monotonic() - started
    server.results[f"deletion of {rows:,} conversations"] = f"{seconds:,.1f} s"
    server.results["… answered after"] = f"{(answered_s or seconds) * 1000:,.0f} ms"
    server.results["… longest write beside the deletion"] = _describe(waits)
    if log:
        server.results["… largest log"] = f"{largest / 1e6:,.0f} MB"


def _describe(waits: Waits) -> str:
    return f"{waits.longest_s * 1000:,.0f} ms, {waits.refused} of {waits.count:,} refused"
