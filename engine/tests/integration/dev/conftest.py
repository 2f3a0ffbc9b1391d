"""`octavo dev` as a process of its own, on a site that is edited."""

from __future__ import annotations

import http.client
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.support.children import children_of, command_of

START_S = 60
FOLLOW_S = 60
_ADDRESS = re.compile(r"http://([^/\s]+)/")


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    """By name in small letters."""
    body: bytes


class Dev:
    """A running server, and the folder that it follows."""

    def __init__(self, root: Path, host: str, process: subprocess.Popen[str]) -> None:
        self.root = root
        self._host = host
        self._process = process

    def ask(self, path: str, method: str = "GET", body: str | None = None) -> Reply:
        """Ask for a path."""
        connection = http.client.HTTPConnection(self._host, timeout=START_S)
        headers = {"x-algolia-application-id": "octavo", "x-algolia-api-key": "public-search-key"} if body else {}
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return Reply(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        finally:
            connection.close()

    def get(self, path: str) -> tuple[int, bytes]:
        """Ask for a path; gives (status, content)."""
        reply = self.ask(path)
        return reply.status, reply.body

    def count_hits(self, query: str) -> int:
        """Count what search finds."""
        reply = self.ask("/1/indexes/docs/query", "POST", json.dumps({"query": query}))
        return int(json.loads(reply.body)["nbHits"]) if reply.status == 200 else 0

    @property
    def port(self) -> int:
        return int(self._host.rpartition(":")[2])

    def token(self) -> str:
        """Read from a page what opens the event stream."""
        found = re.search(rb'data-token="([^"]+)"', self.get("/")[1])
        assert found is not None
        return found[1].decode()

    @contextmanager
    def listen(self) -> Iterator[Iterator[Any]]:
        """Collect the messages that pages receive."""
        connection = http.client.HTTPConnection(self._host, timeout=FOLLOW_S)
        try:
            connection.request("GET", f"/_octavo/dev/events?token={self.token()}")
            answer = connection.getresponse()
            yield (json.loads(line.removeprefix(b"data: ")) for line in answer if line.startswith(b"data: "))
        finally:
            connection.close()

    def greeting(self) -> Any:
        """Return the first message that a page receives."""
        with self.listen() as events:
            return next(events)

    def problems(self) -> list[str]:
        """List the places of what is wrong now."""
        return [
            f"{problem['span']['path']}:{problem['span']['line']}:{problem['span']['column']}"
            for problem in self.greeting()["problems"]
        ]

    def wait_until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds, which an edit brings about."""
        deadline = time.monotonic() + FOLLOW_S
        while not holds():
            assert time.monotonic() < deadline, "the server did not follow the edit"
            time.sleep(0.02)

    def children(self, command: bytes) -> list[int]:
        """List the processes that it has started with such a command."""
        return [child for child in children_of(self._process.pid) if command in command_of(child)]

    def kill_children(self, command: bytes = b"octavo\0dev") -> None:
        """Kill the processes with such a command; by default those that it has forked to render."""
        for child in self.children(command):
            os.kill(child, signal.SIGKILL)

    def stop(self) -> None:
        """Tell it to stop, and see that it ends well."""
        self._process.terminate()
        assert self._process.wait(60) == 0


@pytest.fixture
def start_dev(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], Dev]]:
    """Start servers; none of them may print a traceback, from its start to its end."""
    processes: list[subprocess.Popen[str]] = []
    messages = tmp_path_factory.mktemp("dev") / "stderr"

    def start(root: Path) -> Dev:
        command = [sys.executable, "-m", "octavo", "dev", str(root), "--port", "0"]
        with messages.open("a") as stderr:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True)
        processes.append(process)
        assert process.stdout is not None
        deadline = time.monotonic() + START_S
        said = ""
        while time.monotonic() < deadline:
            ready, _, _ = select.select([process.stdout], [], [], deadline - time.monotonic())
            # Not by lines: of two that come together the second would be in Python's buffer, where select sees nothing.
            said += os.read(process.stdout.fileno(), 4096).decode() if ready else ""
            if found := _ADDRESS.search(said):
                return Dev(root, found[1], process)
            assert process.poll() is None, "the server ended at once"
        raise AssertionError("the server did not start")

    yield start
    for process in processes:
        process.terminate()
        assert process.wait(60) == 0
        if process.stdout is not None:
            process.stdout.close()
    assert "Traceback" not in messages.read_text()
