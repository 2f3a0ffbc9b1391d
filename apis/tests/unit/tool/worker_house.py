"""Real workers that run in the test's own loop, at the other end of a socket pair, and a state folder with their servers."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tool_api.endpoint.port import bind
from tool_api.endpoint.ports import Sockets
from tool_api.runtime.base import LinkSpec
from tool_api.settings import Limits
from tool_api.store import ServerRow, ServerSpec, Store
from tool_api.workers import Spawner, Start, Workers
from tool_api.workers.worker import Worker

LIMIT_S = 240
LINK: LinkSpec = {"kind": "simulated", "tools": ["tell"]}
ENDED = "The process of the server's port has ended"


@contextmanager
def unhidden_stderr() -> Iterator[None]:
    """Write to the descriptor that a worker leads to its file; the test runner has put another file in its place."""
    hidden, sys.stderr = sys.stderr, os.fdopen(2, "w", closefd=False)
    try:
        yield
    finally:
        sys.stderr.close()
        sys.stderr = hidden


def run(work: Coroutine[Any, Any, None]) -> None:
    with unhidden_stderr():
        asyncio.run(asyncio.wait_for(work, LIMIT_S))


async def until(condition: Callable[[], object]) -> None:
    while not condition():  # noqa: ASYNC110 - what is waited for happens in the same loop
        await asyncio.sleep(0.001)


def is_listening(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


async def live(worker: Worker, connection: socket.socket) -> None:
    """Let a worker live in this process: at its end it closes what the end of a process would close."""
    try:
        await worker.work(connection)
    finally:
        tasks = list(worker._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await worker._ports.aclose()


class NotedWorker(Worker):
    """Notes each line that is logged: both sides of a worker have one log where they are in one process."""

    def __init__(self, start: Start, note: Callable[[str], None]) -> None:
        super().__init__(start)
        self._note = note

    def _write_log(self, line: str) -> None:
        self._note(line)
        super()._write_log(line)


class Here(Spawner):
    """Starts workers in this process."""

    def __init__(self, house: House) -> None:
        super().__init__()
        self._house = house
        self.started: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []

    def spawn(self, start: Start) -> socket.socket:
        start.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self.started.append(start.worker)
        self.tasks.append(asyncio.create_task(live(NotedWorker(start, self._house.note), theirs)))
        return ours


class House:
    """A state folder with servers, and the lines that were logged."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = Store(folder)
        self.lines: list[dict[str, Any]] = []
        self.told: list[str] = []
        """Lines that workers have handed over."""
        self.lost: list[str] = []
        self.start = Start("", folder, Limits(), (), "simulated ")

    def workers(self, spawner: Spawner, *, one_group: bool = True, start: Start | None = None) -> Workers:
        return Workers(
            spawner,
            start or self.start,
            group_of=lambda row: "all" if one_group else row.name,
            on_lost=self.lost.append,
        )

    def add(self, name: str = "one") -> tuple[ServerRow, Sockets]:
        """Make the row of a server and the socket of its port."""
        bound = bind("127.0.0.1", 0)
        port = bound.getsockname()[1]
        moment = "2025-05-01T10:00:00Z"
        row = ServerRow(ServerSpec(name, "mcp/one"), f"container-{name}", port, "kept", "running", moment, moment)
        self.store.add(row)
        return row, Sockets(bound)

    def note(self, line: str) -> None:
        self.lines.append(json.loads(line))

    def said(self, event: str) -> list[dict[str, Any]]:
        hidden = {"time", "event"}
        return [{k: v for k, v in one.items() if k not in hidden} for one in self.lines if one["event"] == event]

    def files(self) -> set[str]:
        return {path.suffix for path in (self.folder / "workers").iterdir()}
