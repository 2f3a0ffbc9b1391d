"""Heads of requests that are too large or too slow, ports, and names of what a server sends."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
import uvicorn
from uvicorn.server import ServerState

from engine.tests.unit.search.conftest import SETTINGS, records
from octavo.errors import ServeError
from octavo.search.index.tantivy_index import IndexWriter, make_entries
from octavo.server.access.heads import LAST_LOOK_S, LimitedHttp
from octavo.server.pages import markdown_of
from octavo.server.published_build import PublishedBuild
from octavo.server.run import address_of, addresses_of, bind_sockets, check_index_names
from tests.support.each import each
from tests.support.published import publish

MOST = 200
HEAD = b"GET / HTTP/1.1\r\nHost: example.org\r\n"


class Limited(LimitedHttp):
    max_head_bytes = MOST


class ShiftedLoop(asyncio.SelectorEventLoop):
    """A loop whose time a test moves on: what waits for it comes at once, on a busy machine as on an idle one."""

    shift_s = 0.0

    def time(self) -> float:
        return super().time() + self.shift_s

    async def pass_s(self, seconds: float) -> None:
        """Let time pass, and everything run that has waited for it."""
        self.shift_s += seconds
        for _ in range(5):
            await asyncio.sleep(0)


async def answer_all(scope: Any, receive: Any, send: Any) -> None:
    """Read the body, and say how long it was."""
    size = 0
    while True:
        message = await receive()
        size += len(message.get("body", b""))
        if not message.get("more_body"):
            break
    content = b"%d bytes" % size
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(content))]})
    await send({"type": "http.response.body", "body": content})


Conversation = Callable[[asyncio.StreamReader, Any, ShiftedLoop], Awaitable[bytes]]


def talk(conversation: Conversation, application: Any = answer_all) -> bytes:
    """Open a connection to an application behind the protocol; nothing listens."""
    loop = ShiftedLoop()

    async def run() -> bytes:
        config = uvicorn.Config(application, lifespan="off", log_config=None, timeout_keep_alive=100_000)
        config.load()
        ours, theirs = socket.socketpair()
        await loop.connect_accepted_socket(lambda: Limited(config, ServerState(), {}), theirs)
        reader, writer = await asyncio.open_connection(sock=ours)
        try:
            return await conversation(reader, writer, loop)
        finally:
            writer.close()

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        return runner.run(run())


def sent(*parts: bytes, until: bytes = b"") -> bytes:
    """Send parts, each after the one before has been read, and give what is answered up to a text, or to the end."""

    async def conversation(reader: asyncio.StreamReader, writer: Any, _: ShiftedLoop) -> bytes:
        for part in parts:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(0)
        return await (reader.readuntil(until) if until else reader.read())

    return talk(conversation)


def head_of(size: int) -> bytes:
    start = HEAD + b"X: "
    return start + b"x" * (size - len(start) - 4) + b"\r\n\r\n"


def test_head_may_be_as_long_as_the_limit_and_not_longer() -> None:
    assert len(head_of(MOST)) == MOST
    assert b"200 OK" in sent(head_of(MOST), until=b"0 bytes")
    refused = sent(head_of(MOST + 1))
    assert refused.startswith(b"HTTP/1.1 431 Request Header Fields Too Large\r\n")
    assert b"connection: close" in refused
    assert refused.endswith(b"\r\n\r\nThe head of this request is larger than 200 bytes.\n")


def test_head_in_parts_is_counted_as_one() -> None:
    head = head_of(MOST)
    assert b"200 OK" in sent(head[:90], head[90:-2], head[-2:], until=b"0 bytes")
    long = head_of(MOST + 1)
    assert b" 431 " in sent(long[:90], long[90:])
    assert b" 431 " in sent(HEAD, b"X: " + b"x" * MOST)


def test_end_of_a_head_is_found_wherever_its_parts_meet() -> None:
    head = HEAD.replace(b"GET", b"POST") + b"Content-Length: 500\r\n\r\n"
    for split in range(1, 7):
        parts = head[:-split], head[-split:] + b"x" * 500
        assert b"200 OK" in sent(*parts, until=b"500 bytes"), split
        assert b"200 OK" in sent(head[:-split][:-1], head[-split - 1 : -split], parts[1], until=b"500 bytes"), split


def test_body_is_no_part_of_the_head() -> None:
    head = HEAD.replace(b"GET", b"POST") + b"Content-Length: 500\r\n\r\n"
    assert b"200 OK" in sent(head + b"x" * 500, until=b"500 bytes")
    assert b"200 OK" in sent(head[:-2], head[-2:] + b"x" * 250, b"x" * 250, until=b"500 bytes")


def test_body_behind_an_offer_of_another_protocol_is_read() -> None:
    """Java's HTTP client makes such an offer with its first request."""
    head = HEAD.replace(b"GET", b"POST") + b"Connection: Upgrade\r\nUpgrade: h2c\r\n"
    whole = head + b"Content-Length: 5\r\n\r\nfirst"
    chunked = head + b"Transfer-Encoding: chunked\r\n\r\n4\r\nlast\r\n0\r\n\r\n"
    answered = sent(whole + whole[:-3], whole[-3:] + chunked + HEAD + b"\r\n", until=b"0 bytes")
    assert [part.rpartition(b"\n")[2] + b" bytes" for part in answered.split(b" bytes")[:-1]] == [
        b"5 bytes",
        b"5 bytes",
        b"4 bytes",
        b"0 bytes",
    ]


@each(
    ("request_", "expected"),
    [
        (b"GET /long HTTP/1.0\r\n\r\n", b"onetwo"),
        (b"GET /short HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", b"three"),
        (b"HEAD /long HTTP/1.0\r\n\r\n", b""),
    ],
)
def test_client_of_http_1_0_gets_no_chunks(request_: bytes, expected: bytes) -> None:
    async def answer(scope: Any, receive: Any, send: Any) -> None:
        is_short = scope["path"] == "/short"
        headers = [(b"Content-Length", b"5")] if is_short else []
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for piece in [b"three"] if is_short else [b"one", b"two", b""]:
            await send({"type": "http.response.body", "body": piece, "more_body": not is_short and piece != b""})

    async def conversation(reader: asyncio.StreamReader, writer: Any, _: ShiftedLoop) -> bytes:
        writer.write(request_)
        return await reader.read()

    head, _, body = talk(conversation, answer).partition(b"\r\n\r\n")
    assert body == expected
    assert b"connection: close" in head
    assert b"transfer-encoding" not in head


def test_each_head_of_a_connection_has_the_whole_limit() -> None:
    async def conversation(reader: asyncio.StreamReader, writer: Any, _: ShiftedLoop) -> bytes:
        for _ in range(3):
            writer.write(head_of(MOST))
            await reader.readuntil(b"0 bytes")
        writer.write(head_of(MOST + 1))
        return await reader.read()

    assert b" 431 " in talk(conversation)


@each("begun", [HEAD, b""])
def test_head_that_does_not_end_is_refused_after_its_time(begun: bytes) -> None:
    async def conversation(reader: asyncio.StreamReader, writer: Any, loop: ShiftedLoop) -> bytes:
        writer.write(begun)
        await loop.pass_s(Limited.head_timeout_s + 0.1)
        await loop.pass_s(LAST_LOOK_S + 0.1)
        return await reader.read()

    refused = talk(conversation)
    assert refused.startswith(b"HTTP/1.1 408 Request Timeout\r\n")
    assert b"not complete after 10 seconds" in refused


def test_head_may_take_its_time_and_what_came_meanwhile_is_looked_at() -> None:
    async def conversation(reader: asyncio.StreamReader, writer: Any, loop: ShiftedLoop) -> bytes:
        writer.write(HEAD)
        await loop.pass_s(Limited.head_timeout_s + 0.1)
        writer.write(b"\r\n")
        answer = await reader.readuntil(b"0 bytes")
        # The next head has its time from its first byte on.
        await loop.pass_s(100 * Limited.head_timeout_s)
        writer.write(HEAD)
        await loop.pass_s(Limited.head_timeout_s - 1)
        writer.write(b"\r\n")
        return answer + await reader.readuntil(b"0 bytes")

    assert talk(conversation).count(b"200 OK") == 2


def test_body_may_take_longer_than_a_head() -> None:
    head = HEAD.replace(b"GET", b"POST") + b"Expect: 100-continue\r\nContent-Length: 3\r\n\r\n"

    async def conversation(reader: asyncio.StreamReader, writer: Any, loop: ShiftedLoop) -> bytes:
        writer.write(head)
        await reader.readuntil(b"100 Continue\r\n\r\n")
        for _ in range(3):
            await loop.pass_s(Limited.head_timeout_s + LAST_LOOK_S)
        writer.write(b"abc")
        return await reader.readuntil(b"3 bytes")

    assert b"200 OK" in talk(conversation)


def test_port_is_taken_on_all_addresses_and_named() -> None:
    sockets = bind_sockets("127.0.0.1", 0)
    port = sockets[0].getsockname()[1]
    try:
        assert addresses_of(sockets) == ["127.0.0.1"]
        assert address_of("127.0.0.1", sockets) == f"http://127.0.0.1:{port}"
        assert address_of("0.0.0.0", sockets) == f"http://localhost:{port}"
        assert address_of("::1", sockets) == f"http://[::1]:{port}"
        with pytest.raises(ServeError, match=rf"Port {port} on 127\.0\.0\.1 is taken .*`--port {port % 65535 + 1}`"):
            bind_sockets("127.0.0.1", port)
    finally:
        for one in sockets:
            one.close()


@each("port", [-1, 65536])
def test_what_is_no_port_is_refused(port: int) -> None:
    with pytest.raises(ServeError, match=f"^{port} is not a port"):
        bind_sockets("127.0.0.1", port)


def test_unknown_host_is_refused() -> None:
    with pytest.raises(ServeError, match=r'^"kiln\.\.example" is not an address of this machine'):
        bind_sockets("kiln..example", 0)


def test_address_of_another_machine_is_refused() -> None:
    with closing(socket.socket()), pytest.raises(ServeError, match=r"cannot be opened: .*Choose another"):
        bind_sockets("192.0.2.1", 0)


@each(
    "path, files, markdown",
    [
        ("kiln/index.html", ["kiln.md"], "kiln.md"),
        ("kiln/index.html", ["kiln/index.md"], ""),
        ("kiln.html", ["kiln.md", "kiln.html.md"], "kiln.md"),
        ("kiln.html", ["kiln.html.md"], "kiln.html.md"),
        ("index.html", ["index.md"], "index.md"),
        ("kiln.png", ["kiln.md", "kiln.png.md", "kiln.png"], ""),
    ],
)
def test_page_has_the_markdown_file_of_its_name(tmp_path: Path, path: str, files: list[str], markdown: str) -> None:
    out = publish(
        tmp_path / path.replace("/", "-") / "-".join(files),
        dict.fromkeys([*files, "index.html", "404.html"], b"text"),
        routes={"/": "index.html"}, redirects={}, not_found_by_locale={},
    )  # fmt: skip
    assert markdown_of(PublishedBuild(out), path) == markdown


def site_with(out: Path, index_name: str | None) -> Path:
    files = {"index.html": b"a", "404.html": b"b"}
    search = "index" if index_name else ""
    publish(out, files, routes={"/": "index.html"}, redirects={}, not_found_by_locale={}, search=search)
    if index_name:
        writer = IndexWriter(out / "index")
        writer.add(make_entries(records("Kiln", "Hot."), "/kiln"))
        writer.commit(msgspec.structs.replace(SETTINGS, index_name=index_name))
    return out


def test_indices_of_several_sites_need_names_of_their_own(tmp_path: Path) -> None:
    docs, blog, again = (
        site_with(tmp_path / name, index) for name, index in (("a", "docs"), ("b", "blog"), ("c", "docs"))
    )
    none = site_with(tmp_path / "d", None)
    check_index_names([docs, blog])
    check_index_names([none])
    with pytest.raises(ServeError, match=f"{docs} and {again} both call their search index docs"):
        check_index_names([docs, blog, again])
    with pytest.raises(ServeError, match=f"{none} has no search index"):
        check_index_names([docs, none])
