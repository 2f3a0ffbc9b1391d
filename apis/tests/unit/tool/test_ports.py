"""The ports of servers: writes that are sent together, requests that do not come to their end, clients that go."""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import Callable

import pytest
import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from apis.tests.unit.tool.direct_port import LIMIT_S, run, served_by
from service_guard import heads
from tool_api import guard
from tool_api.endpoint.gathering import MOST_GATHERED_BYTES, Gathering, PortHttp, told_when_gone
from tool_api.endpoint.ports import Sockets
from tool_api.guard import BodyLimit


class Written(asyncio.Transport):
    """Keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[bytes] = []
        self.is_closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert not self.is_closed
        self.parts.append(bytes(data))

    def close(self) -> None:
        self.is_closed = True

    def is_closing(self) -> bool:
        return self.is_closed


def _stop_for(seconds: float) -> None:
    """Keep this thread, which has the loop, from doing anything else."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        pass


def _noting(heard: asyncio.Event, app: ASGIApp) -> ASGIApp:
    """An application that tells when a request has come, whose body need not be complete."""

    async def noting(scope: Scope, receive: Receive, send: Send) -> None:
        heard.set()
        await app(scope, receive, send)

    return noting


def _telling(taken: asyncio.Event, made: Callable[[PortHttp, asyncio.BaseTransport], None]) -> Callable[..., None]:
    def tell(protocol: PortHttp, transport: asyncio.BaseTransport) -> None:
        made(protocol, transport)
        taken.set()

    return tell


async def hello(scope: Scope, receive: Receive, send: Send) -> None:
    del scope, receive
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
    await send({"type": "http.response.body", "body": b"hello", "more_body": False})


async def reading(scope: Scope, receive: Receive, send: Send) -> None:
    """Read the body before the answer."""
    if await BodyLimit(100).read(scope, receive, send) is not None:
        await hello(scope, receive, send)


def test_writes_of_one_turn_are_sent_together() -> None:
    async def work() -> None:
        inner = Written()
        transport = Gathering(inner)
        transport.write(b"head ")
        transport.write(b"body")
        assert inner.parts == []
        await asyncio.sleep(0)
        assert inner.parts == [b"head body"]
        transport.write(b"next")
        await asyncio.sleep(0)
        assert inner.parts == [b"head body", b"next"]

    run(work)


def test_much_is_sent_at_once_and_the_rest_before_the_end() -> None:
    async def work() -> None:
        inner = Written()
        transport = Gathering(inner)
        transport.write(b"a" * MOST_GATHERED_BYTES)
        transport.write(b"b")
        assert [len(part) for part in inner.parts] == [MOST_GATHERED_BYTES + 1]
        transport.write(b"last")
        transport.close()
        assert inner.parts[1:] == [b"last"]
        assert transport.is_closing()
        await asyncio.sleep(0)

    run(work)


@pytest.mark.costly
def test_head_that_is_too_large_or_does_not_come_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PortHttp, "head_timeout_s", 0.1)

    async def work() -> None:
        async with served_by(hello) as (reader, writer):
            writer.write(b"GET / HTTP/1.1\r\nx: ")
            assert (await reader.read()).startswith(b"HTTP/1.1 408 ")
        async with served_by(hello) as (reader, writer):
            writer.write(b"GET / HTTP/1.1\r\nx: " + b"a" * PortHttp.max_head_bytes)
            assert (await reader.readline()).startswith(b"HTTP/1.1 431 ")

    run(work)


def test_stop_of_this_process_is_not_held_against_its_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that sleeps, or a loop that is held up: what came meanwhile is read before the time counts."""
    monkeypatch.setattr(PortHttp, "head_timeout_s", 0.05)
    monkeypatch.setattr(guard, "BODY_S", 0.05)
    monkeypatch.setattr(heads, "LAST_LOOK_S", LIMIT_S)
    made = PortHttp.connection_made

    async def work() -> None:
        head = b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\n"
        for first, rest in ((b"", head + b"body"), (head, b"body")):
            heard, taken = asyncio.Event(), asyncio.Event()
            monkeypatch.setattr(PortHttp, "connection_made", _telling(taken, made))
            async with served_by(_noting(heard, reading)) as (reader, writer):
                connection: socket.socket = writer.get_extra_info("socket")
                if first:
                    writer.write(first)
                    await heard.wait()
                else:
                    await taken.wait()
                if first:
                    os.write(connection.fileno(), rest)
                _stop_for(0.1)
                if not first:
                    # The client was stopped as well, and goes on a little later.
                    for _ in range(20):
                        await asyncio.sleep(0)
                    os.write(connection.fileno(), rest)
                assert (await reader.readline()) == b"HTTP/1.1 200 OK\r\n", (first, rest)

    async def limited() -> None:
        async with asyncio.timeout(LIMIT_S):
            await work()

    # The loop of the ports: that of asyncio reads before it looks at its timers.
    with asyncio.Runner(loop_factory=uvicorn.Config(hello).get_loop_factory()) as runner:
        runner.run(limited())


def test_connection_is_used_again_after_an_answer() -> None:
    async def work() -> None:
        async with served_by(hello) as (reader, writer):
            for _ in range(3):
                writer.write(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
                assert (await reader.readuntil(b"hello")).startswith(b"HTTP/1.1 200 OK\r\n")

    run(work)


def test_body_in_pieces_is_read_whole() -> None:
    async def work() -> None:
        heard = asyncio.Event()
        async with served_by(_noting(heard, reading)) as (reader, writer):
            writer.write(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\nconnection: close\r\n\r\nab")
            await heard.wait()
            writer.write(b"cd")
            assert (await reader.read()).startswith(b"HTTP/1.1 200 ")

    run(work)


def test_both_sockets_of_a_server_are_closed() -> None:
    pair = Sockets(socket.socket(), socket.socket())
    pair.close()
    assert pair.egress is not None
    assert (pair.clients.fileno(), pair.egress.fileno()) == (-1, -1)
    Sockets(socket.socket()).close()


@pytest.mark.costly
def test_body_that_does_not_come_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "BODY_S", 0.1)

    async def work() -> None:
        async with served_by(reading) as (reader, writer):
            writer.write(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 50\r\n\r\nhalf")
            answer = await reader.read()
            assert answer.startswith(b"HTTP/1.1 408 ")
            assert b"The body was not complete after 0.1 seconds" in answer

    run(work)


@pytest.mark.parametrize("how", ["close", "reset"])
def test_application_hears_that_its_client_has_gone(how: str) -> None:
    async def work() -> None:
        begun, told = asyncio.Event(), asyncio.Event()

        async def waiting(scope: Scope, receive: Receive, send: Send) -> None:
            del send
            with told_when_gone(scope, receive, told.set):
                begun.set()
                await told.wait()

        async with served_by(waiting) as (_, writer):
            writer.write(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
            await begun.wait()
            if how == "reset":
                found = writer.get_extra_info("socket")
                found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            writer.close()
            await told.wait()

    run(work)


def test_client_that_has_gone_before_is_told_at_once() -> None:
    async def work() -> None:
        released, told = asyncio.Event(), asyncio.Event()

        async def late(scope: Scope, receive: Receive, send: Send) -> None:
            del send
            while (await receive())["type"] != "http.disconnect":
                pass
            with told_when_gone(scope, receive, told.set):
                await told.wait()
            released.set()

        async with served_by(late) as (_, writer):
            writer.write(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
            writer.close()
            await released.wait()

    run(work)


def test_elsewhere_the_end_of_the_connection_is_waited_for() -> None:
    async def work() -> None:
        told = asyncio.Event()
        messages: asyncio.Queue[Message] = asyncio.Queue()
        with told_when_gone({"type": "http"}, messages.get, told.set):
            messages.put_nowait({"type": "http.request"})
            messages.put_nowait({"type": "http.disconnect"})
            await told.wait()

    run(work)
