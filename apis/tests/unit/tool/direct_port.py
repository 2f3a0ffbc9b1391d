"""Connections to a port: with a handler that answers in its loop, before an application, and without one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from tool_api.endpoint import gathering
from tool_api.endpoint.direct import DirectRequest, Handler, TakeRequest
from tool_api.endpoint.port import Port, bind
from tool_api.guard import BodyLimit

POST = b"POST /x HTTP/1.1\r\nhost: localhost\r\ncontent-length: 4\r\n\r\nbody"
GET = b"GET /x HTTP/1.1\r\nhost: localhost\r\n\r\n"
LIMIT_S = 60
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def limited() -> None:
        async with asyncio.timeout(LIMIT_S):
            await work()

    asyncio.run(limited())


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    body = await BodyLimit(1_000_000).read(scope, receive, send)
    if body is not None:
        await say(b"application %d" % len(body), send)


async def say(text: bytes, send: Send) -> None:
    headers = [(b"content-length", b"%d" % len(text))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": text, "more_body": False})


def answering(request: DirectRequest) -> bool:
    request.answer(200, [], b"direct " + request.body)
    return True


def served(
    take: TakeRequest, app: Application = application
) -> AbstractAsyncContextManager[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    return served_after(lambda _: take, app)


def served_by(app: Application) -> AbstractAsyncContextManager[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    return served_after(None, app)


@asynccontextmanager
async def served_after(
    handler: Handler | None, app: Application = application
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    bound = bind("127.0.0.1", 0)
    port = Port(bound)
    address = bound.getsockname()
    await port.open(app, handler)
    try:
        reader, writer = await asyncio.open_connection(*address)
        yield reader, writer
        writer.close()
    finally:
        await port.close()


async def read_answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
    return int(head.split(b" ", 2)[1]), await reader.readexactly(length)


SAME = b"POST /x?q HTTP/1.1\r\nHost: localhost\r\nContent-Length: %b\r\nx-name: a\r\n\r\n%b"


class KeptTransport(asyncio.Transport):
    """Keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.is_closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += data

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def close(self) -> None:
        self.is_closed = True

    def is_closing(self) -> bool:
        return self.is_closed


def connect(take: TakeRequest, app: Application = application) -> tuple[gathering.PortHttp, KeptTransport]:
    return connect_after(lambda _: take, app)


def connect_after(handler: Handler, app: Application = application) -> tuple[gathering.PortHttp, KeptTransport]:
    """The protocol of a port, on a connection that has just been made."""
    config = uvicorn.Config(app, lifespan="off", log_config=None, access_log=False, ws="none")
    protocol = gathering.PortHttp(config=config, server_state=ServerState(), app_state={"a": 1}, handler=handler)
    transport = KeptTransport()
    protocol.connection_made(transport)
    return protocol, transport
