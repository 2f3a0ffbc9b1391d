"""The HTTP protocol of servers' ports: limited heads, gathered writes, and word of connections that are lost.

The HTTP server writes the head of an answer and its body apart. Each write is a call of the system, and wakes the client.
So the writes of one turn of the loop are sent together.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

from starlette.types import Receive, Scope

from service_guard import LimitedHttp

MOST_GATHERED_BYTES = 64 * 1024
"""Above this size the parts are sent at once, so that flow control can pause the writer."""

_CONNECTION = "tool_api.connection"


class Gathering:
    """A transport whose writes are sent at the end of the turn; in all else the one that it is around."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._parts: list[bytes] = []
        self._size = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if not self._parts:
            self._loop.call_soon(self.flush)
        self._parts.append(data)
        self._size += len(data)
        if self._size > MOST_GATHERED_BYTES:
            self.flush()

    def flush(self) -> None:
        """Send what has been written."""
        if self._parts:
            parts, self._parts, self._size = self._parts, [], 0
            self._transport.write(b"".join(parts))

    def close(self) -> None:
        self.flush()
        self._transport.close()


class PortHttp(LimitedHttp):
    """For `uvicorn.Config(http=PortHttp)`."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.when_lost: set[Callable[[], object]] = set()
        super().connection_made(cast("asyncio.Transport", Gathering(cast("asyncio.Transport", transport))))

    def on_headers_complete(self) -> None:
        """Begin to answer (httptools' callback)."""
        cast("dict[str, object]", self.scope)[_CONNECTION] = self
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        for tell in list(self.when_lost):
            tell()


@contextmanager
def told_when_gone(scope: Scope, receive: Receive, tell: Callable[[], object]) -> Iterator[None]:
    """Call a function if the client of a request goes while the block runs.

    Args:
        scope: Of the request, whose body has been read.
        receive: Asked for the end of the connection where the server is not one of our ports: that needs a task.
        tell: Must not wait.
    """
    connection: PortHttp | None = scope.get(_CONNECTION)
    if connection is None:
        watcher = asyncio.create_task(_watch(receive, tell))
        try:
            yield
        finally:
            watcher.cancel()
        return
    connection.when_lost.add(tell)
    try:
        if connection.transport.is_closing():
            tell()
        yield
    finally:
        connection.when_lost.discard(tell)


async def _watch(receive: Receive, tell: Callable[[], object]) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    tell()
