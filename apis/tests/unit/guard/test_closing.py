"""Answers to clients of HTTP/1.0."""

from __future__ import annotations

import asyncio
import socket
from typing import Any, cast

import pytest
import uvicorn
from uvicorn.server import ServerState

from service_guard import LimitedHttp

PIECES = [b"data: 1\r\n\r\n", b"data: 2\r\n\r\n", b""]
LIMIT_S = 30


async def stream(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"x-path", scope["path"].encode())]})
    for piece in PIECES:
        await send({"type": "http.response.body", "body": piece, "more_body": piece != b""})


@pytest.mark.parametrize("fields", ["", "Connection: keep-alive\r\n"])
def test_end_of_the_connection_is_the_end_of_the_body(fields: str) -> None:
    async def talk() -> bytes:
        config = uvicorn.Config(cast(Any, stream), lifespan="off", log_config=None, ws="none")
        config.load()
        ours, theirs = socket.socketpair()
        loop = asyncio.get_running_loop()
        await loop.connect_accepted_socket(lambda: LimitedHttp(config, ServerState(), {}), theirs)
        reader, writer = await asyncio.open_connection(sock=ours)
        writer.write(f"GET /a HTTP/1.0\r\nHost: localhost\r\n{fields}\r\n".encode())
        async with asyncio.timeout(LIMIT_S):
            found = await reader.read()
        writer.close()
        return found

    head, _, body = asyncio.run(talk()).partition(b"\r\n\r\n")
    assert body == b"".join(PIECES)
    assert b"x-path: /a" in head
    assert b"transfer-encoding" not in head
