"""An engine that answers late, as one does that waits for the end of a server: a small one that speaks Docker's protocol."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socketserver import ThreadingMixIn, UnixStreamServer

import docker
import pytest

from tool_api.runtime.docker import DockerRuntime
from tool_api.store import ServerRow, ServerSpec

STOP_S = 10
LIMIT_S = 60
MANY = min(32, (os.cpu_count() or 1) + 4) + 1
"""One more than what asyncio has threads for."""


class Engine(ThreadingMixIn, UnixStreamServer):
    """Has a container for each identifier; stops and pulls of images are answered when they may be."""

    daemon_threads = True
    request_queue_size = 2 * MANY

    def __init__(self, path: Path) -> None:
        self.asked = threading.Semaphore(0)
        """Is released by each request that waits."""
        self.may_answer = threading.Event()
        super().__init__(str(path), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: Engine
    protocol_version = "HTTP/1.1"

    def address_string(self) -> str:
        return ""

    def log_message(self, *_: object) -> None: ...

    def do_GET(self) -> None:
        if "/images/" in self.path:
            self._answer(404, {"message": "No such image"})
        elif self.path.partition("?")[0].endswith("/containers/json"):
            self._answer(200, [])
        else:
            self._answer(200, {"Id": "0" * 64, "Name": "/one"})

    def do_POST(self) -> None:
        self.server.asked.release()
        self.server.may_answer.wait()
        self._answer(204 if "/stop" in self.path else 200, None)

    def _answer(self, status: int, value: object) -> None:
        body = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        if status != 204:
            self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with Engine(tmp_path / "engine.sock") as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield running
        running.may_answer.set()
        running.shutdown()
        thread.join(LIMIT_S)


def make_runtime(engine: Engine) -> DockerRuntime:
    url = f"unix://{engine.server_address}"
    return DockerRuntime(docker.DockerClient(base_url=url, version="1.44"), url, "here")


def row(name: str, image: str = "an-image") -> ServerRow:
    now = "2026-01-01T00:00:00Z"
    return ServerRow(ServerSpec(name, image), name.ljust(64, "0"), 1, "kept", "running", now, now)


async def until_asked(engine: Engine, times: int) -> None:
    for _ in range(times):
        assert await asyncio.to_thread(engine.asked.acquire, timeout=LIMIT_S)


def test_servers_that_do_not_stop_hold_up_no_question_to_the_engine(engine: Engine) -> None:
    async def test() -> None:
        runtime = make_runtime(engine)
        stops = [asyncio.create_task(runtime.stop(row(f"s{number}"), STOP_S)) for number in range(MANY)]
        async with asyncio.timeout(LIMIT_S):
            # All are stopped at the same time, and none waits for another.
            await until_asked(engine, MANY)
            assert await runtime.states() == {}
            assert not any(stop.done() for stop in stops)
            engine.may_answer.set()
            await asyncio.gather(*stops)
            await runtime.aclose()

    asyncio.run(test())


def test_program_ends_while_an_image_is_being_pulled(engine: Engine) -> None:
    """A registry that does not answer has no time-out: a pull may take hours."""

    async def test() -> None:
        creating = asyncio.create_task(make_runtime(engine).create(row("one", "an-image:1"), {}))
        async with asyncio.timeout(LIMIT_S):
            await until_asked(engine, 1)
        creating.cancel()
        with pytest.raises(asyncio.CancelledError):
            await creating

    asyncio.run(test())
    assert not engine.may_answer.is_set()
