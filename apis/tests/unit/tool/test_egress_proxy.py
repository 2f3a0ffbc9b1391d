"""The egress proxy as a container meets it: answers, what is forwarded, and its end. Everything is on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from tool_api.runtime import egress
from tool_api.runtime.egress import EgressProxy, bind_listener
from tool_api.store import Network

LIMIT_S = 60

Scene = Callable[[EgressProxy, int, int, list[bytes]], Awaitable[None]]


async def _answering(heard: list[bytes], reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A server that keeps what it has heard, answers, and holds the connection until the other end closes it."""
    heard.append(await reader.readuntil(b"\r\n\r\n"))
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
    await writer.drain()
    await reader.read()
    writer.close()


def play(scene: Scene) -> None:
    """Run a scene with a proxy that lets out to one server on loopback, with their ports and what the server hears."""

    async def run() -> None:
        heard: list[bytes] = []
        server = await asyncio.start_server(lambda *ends: _answering(heard, *ends), "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        proxy = EgressProxy("files", Network("filtered", ("127.0.0.1",), (port, port + 1)))
        bound = bind_listener("127.0.0.1", 0)
        at = bound.getsockname()[1]
        await proxy.open(bound)
        try:
            await scene(proxy, at, port, heard)
        finally:
            await proxy.close()
            server.close()

    asyncio.run(asyncio.wait_for(run(), LIMIT_S))


async def ask(port: int, request: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter, str]:
    """Send the head of a request; gives the connection and the first line of the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request.replace("\n", "\r\n").encode())
    head = await reader.readuntil(b"\r\n\r\n")
    return reader, writer, head.split(b"\r\n")[0].decode()


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        ("CONNECT 127.0.0.1:{port} HTTP/1.1\n\n", "200 Connection established"),
        ("GET http://127.0.0.1:{port}/ HTTP/1.1\n\n", "200 OK"),
        ("CONNECT 127.0.0.1:22 HTTP/1.1\n\n", "403 Forbidden"),
        ("CONNECT example.com:{port} HTTP/1.1\n\n", "403 Forbidden"),
        ("GET http://127.0.0.2:{port}/ HTTP/1.1\n\n", "403 Forbidden"),
        ("GET http://127.0.0.1/ HTTP/1.1\n\n", "403 Forbidden"),  # port 80
        ("CONNECT 127.0.0.1 HTTP/1.1\n\n", "400 Bad Request"),
        ("GET / HTTP/1.1\nHost: 127.0.0.1\n\n", "400 Bad Request"),
        ("GET https://127.0.0.1:{port}/ HTTP/1.1\n\n", "400 Bad Request"),
        ("GET http://127.0.0.1:{port}/ HTTP/2.0\n\n", "400 Bad Request"),
        ("no request\n\n", "400 Bad Request"),
    ],
)
def test_answer_says_why_nothing_is_let_out(request_: str, status: str) -> None:
    async def scene(_proxy: EgressProxy, at: int, port: int, heard: list[bytes]) -> None:
        _, writer, line = await ask(at, request_.format(port=port))
        assert line == f"HTTP/1.1 {status}"
        assert bool(heard) == (status == "200 OK")
        writer.close()

    play(scene)


def test_server_that_does_not_listen_is_a_bad_gateway() -> None:
    async def scene(_proxy: EgressProxy, at: int, port: int, _heard: list[bytes]) -> None:
        closed = bind_listener("127.0.0.1", 0)
        closed.close()
        _, writer, line = await ask(at, f"CONNECT 127.0.0.1:{port + 1} HTTP/1.1\n\n")
        assert line == "HTTP/1.1 502 Bad Gateway"
        writer.close()

    play(scene)


def test_request_is_forwarded_in_origin_form_with_the_host_that_was_checked() -> None:
    async def scene(_proxy: EgressProxy, at: int, port: int, heard: list[bytes]) -> None:
        reader, writer, _ = await ask(at, f"GET http://127.0.0.1:{port}/a?b=c HTTP/1.1\nHost: other\nX-Own: 1\n\n")
        assert await reader.readexactly(5) == b"hello"
        lines = heard[0].decode().split("\r\n")
        assert lines[0] == "GET /a?b=c HTTP/1.1"
        assert set(lines[1:]) == {f"Host: 127.0.0.1:{port}", "X-Own: 1", "Connection: close", ""}
        writer.close()

    play(scene)


@pytest.mark.parametrize(
    "head",
    [
        b"GET http://HOST/ HTTP/1.1\r\nX: 1\nHost: other\r\n\r\n",
        b"GET http://HOST/ HTTP/1.1\r\nX: 1\rHost: other\r\n\r\n",
        b"GET http://HOST/ HTTP/1.1\r\nX: 1\0\r\n\r\n",
        b"GET http://HOST/ HTTP/1.1\r\nHost : other\r\n\r\n",
        b"GET http://HOST/ HTTP/1.1\r\nX: 1\r\n Host: other\r\n\r\n",
        b"GET http://HOST/ HTTP/1.1\r\nHost\r\n\r\n",
        b"GET\t/other\tHTTP/1.1\nHost:other\n\nGET http://HOST/ HTTP/1.1\r\n\r\n",
        b"GET http://HOST/\x0b HTTP/1.1\r\n\r\n",
    ],
)
def test_head_that_a_server_might_read_in_another_way_is_refused(head: bytes) -> None:
    """It could name another host than the one that was checked (RFC 9112, sections 2.2 and 5)."""

    async def scene(_proxy: EgressProxy, at: int, port: int, heard: list[bytes]) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", at)
        writer.write(head.replace(b"HOST", b"127.0.0.1:%d" % port))
        assert (await reader.readuntil(b"\r\n")) == b"HTTP/1.1 400 Bad Request\r\n"
        assert heard == []
        writer.close()

    play(scene)


def test_end_of_the_proxy_ends_its_connections_and_frees_its_port() -> None:
    """A server that was stopped must not keep a way out by a connection that it still has."""

    async def scene(proxy: EgressProxy, at: int, port: int, _heard: list[bytes]) -> None:
        reader, writer, line = await ask(at, f"CONNECT 127.0.0.1:{port} HTTP/1.1\n\n")
        assert line.startswith("HTTP/1.1 200")
        await proxy.close()
        assert await reader.read() == b""
        writer.close()
        bind_listener("127.0.0.1", at).close()

    play(scene)


def test_client_that_says_nothing_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(egress, "HEAD_TIMEOUT_S", 0.05)

    async def scene(_proxy: EgressProxy, at: int, _port: int, _heard: list[bytes]) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", at)
        assert await reader.read() == b""
        writer.close()

    play(scene)
