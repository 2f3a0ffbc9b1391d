"""Answers of a server as they are on the wire: what is whole, what is cut off, and which connections are used again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import pytest

from tool_api.endpoint.upstream import MOST_WAITING_BYTES, BrokenError, Upstream
from tool_api.runtime.place import LastingPlace, Place

REQUEST = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"
WHOLE = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"


@asynccontextmanager
async def answering(*answers: bytes, closes: bool = False) -> AsyncIterator[tuple[Place, list[int]]]:
    """A server that gives its answers in turn; yields its place, and how many requests each connection had."""
    waiting, connections = list(answers), []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(0)
        place = len(connections) - 1
        try:
            while waiting:
                await reader.readuntil(b"\r\n\r\n")
                connections[place] += 1
                writer.write(waiting.pop(0))
                await writer.drain()
                if closes:
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield LastingPlace(f"http://127.0.0.1:{port}"), connections
    finally:
        server.close()


async def read(upstream: Upstream, place: Place, *, has_no_body: bool = False) -> tuple[int, bytes]:
    connection = await upstream.connection(place)
    try:
        await connection.ask(REQUEST, b"", has_no_body=has_no_body)
        body, is_last = b"", False
        while not is_last:
            piece, is_last = await connection.next_piece()
            body += piece
        return connection.status, body
    finally:
        upstream.release(place, connection)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (WHOLE, (200, b"ok")),
        (b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", (200, b"ok")),
        (b"HTTP/1.1 200 OK\r\n\r\nto the end", (200, b"to the end")),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + WHOLE, (200, b"ok")),
        (b"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n" + WHOLE, (200, b"ok")),
        (b"HTTP/1.1 204 No Content\r\n\r\n", (204, b"")),
        (b"HTTP/1.0 500 No\r\ncontent-length: 3\r\n\r\nbad", (500, b"bad")),
    ],
)
def test_whole_answers(answer: bytes, expected: tuple[int, bytes]) -> None:
    async def talk() -> tuple[int, bytes]:
        async with answering(answer, closes=True) as (place, _):
            return await read(Upstream(5), place)

    assert anyio.run(talk) == expected


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200",
        b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\ncut",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n",
        b"SSH-2.0-OpenSSH_9\r\n",
        b"HTTP/1.1 999 None of HTTP\r\ncontent-length: 2\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok!",
    ],
)
def test_answers_that_are_not_whole(answer: bytes) -> None:
    async def talk() -> None:
        async with answering(answer, closes=True) as (place, _):
            with pytest.raises(BrokenError):
                await read(Upstream(5), place)

    anyio.run(talk)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (WHOLE, [3]),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok", [1, 1, 1]),
    ],
)
def test_connection_is_used_again_if_the_server_keeps_it(answer: bytes, expected: list[int]) -> None:
    async def talk() -> list[int]:
        upstream = Upstream(5)
        async with answering(answer, answer, answer) as (place, connections):
            for _ in range(3):
                assert await read(upstream, place) == (200, b"ok")
            upstream.close()
            return connections

    assert anyio.run(talk) == expected


def test_connection_to_another_place_is_not_used_again() -> None:
    """A server that was started again may have another address, and its former one may be somebody else's."""

    async def talk() -> tuple[list[int], list[int]]:
        upstream = Upstream(5)
        async with answering(WHOLE, WHOLE) as (former, of_former), answering(WHOLE) as (place, of_place):
            assert await read(upstream, former) == (200, b"ok")
            assert await read(upstream, place) == (200, b"ok")
            upstream.close()
            return of_former, of_place

    assert anyio.run(talk) == ([1], [1])


def test_head_only_answer_leaves_nothing_for_the_next_one() -> None:
    head = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n"

    async def talk() -> None:
        upstream = Upstream(5)
        async with answering(head, WHOLE) as (place, connections):
            assert await read(upstream, place, has_no_body=True) == (200, b"")
            assert await read(upstream, place) == (200, b"ok")
            assert len(connections) == 2

    anyio.run(talk)


def test_server_waits_for_a_client_that_reads_slowly() -> None:
    size = 64 * MOST_WAITING_BYTES
    answer = b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % size + b"x" * size

    async def talk() -> int:
        upstream = Upstream(5)
        async with answering(answer, WHOLE) as (place, connections):
            connection = await upstream.connection(place)
            await connection.ask(REQUEST, b"", has_no_body=False)
            most = count = 0
            is_last = False
            while not is_last:
                await asyncio.sleep(0)
                most = max(most, connection.waiting_bytes)
                piece, is_last = await connection.next_piece()
                count += len(piece)
            assert count == size
            upstream.release(place, connection)
            assert await read(upstream, place) == (200, b"ok")
            assert connections == [2]
            return most

    assert anyio.run(talk) < 4 * MOST_WAITING_BYTES
