"""Requests that offer another protocol are read like all others, with their bodies."""

from __future__ import annotations

import asyncio
import socket
from itertools import pairwise
from typing import Any, cast

import pytest
import uvicorn
from uvicorn.server import ServerState

from service_guard import LimitedHttp

LIMIT_S = 30
OFFER = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"
HEAD = b"POST /a HTTP/1.1\r\nHost: localhost\r\n" + OFFER
WHOLE = HEAD + b"Content-Length: 5\r\n\r\nfirst"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n3\r\nfir\r\n2\r\nst\r\n0\r\n\r\n"
NEXT = b"POST /b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\n\r\nsecond"
WITHOUT_BODY = b"GET /a HTTP/1.1\r\nHost: localhost\r\n" + OFFER + b"\r\n"


async def repeat(scope: Any, receive: Any, send: Any) -> None:
    """Answer with the method, the path and the body."""
    body, is_last = b"", False
    while not is_last:
        message = await receive()
        body += message.get("body", b"")
        is_last = not message.get("more_body")
    content = f"{scope['method']} {scope['path']} ".encode() + body
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(content))]})
    await send({"type": "http.response.body", "body": content})


def answers_to(*parts: bytes, count: int) -> list[bytes]:
    """Send parts one after the other on a connection; nothing listens."""

    async def talk() -> list[bytes]:
        config = uvicorn.Config(cast(Any, repeat), lifespan="off", log_config=None, ws="none")
        config.load()
        ours, theirs = socket.socketpair()
        loop = asyncio.get_running_loop()
        await loop.connect_accepted_socket(lambda: LimitedHttp(config, ServerState(), {}), theirs)
        reader, writer = await asyncio.open_connection(sock=ours)
        for part in parts:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(0)
        found = []
        async with asyncio.timeout(LIMIT_S):
            while len(found) < count:
                head = await reader.readuntil(b"\r\n\r\n")
                found.append(await reader.readexactly(int(head.partition(b"content-length: ")[2].split(b"\r\n")[0])))
        writer.close()
        return found

    return asyncio.run(talk())


@pytest.mark.parametrize("request_", [WHOLE, CHUNKED])
def test_body_is_read_and_so_is_the_next_request(request_: bytes) -> None:
    expected = [b"POST /a first", b"POST /b second"]
    assert answers_to(request_ + NEXT, count=2) == expected
    assert answers_to(request_, NEXT, count=2) == expected
    assert answers_to(request_, request_, NEXT, count=3) == [expected[0], *expected]


def test_parts_may_meet_anywhere() -> None:
    ends = (*range(30, len(WHOLE), 7), len(WHOLE))
    parts = [WHOLE[:30], *(WHOLE[start:end] for start, end in pairwise(ends))]
    assert answers_to(*parts, count=1) == [b"POST /a first"]
    for split in range(len(HEAD), len(CHUNKED)):
        assert answers_to(CHUNKED[:split], CHUNKED[split:] + NEXT, count=2)[0] == b"POST /a first", split


def test_request_without_a_body_is_answered() -> None:
    assert answers_to(WITHOUT_BODY, WITHOUT_BODY + NEXT, count=3) == [b"GET /a ", b"GET /a ", b"POST /b second"]
