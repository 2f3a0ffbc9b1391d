"""The answer to a call of streamable HTTP: an event stream that ends with the result.

The SDK's transport does the same with six tasks for each call, which took most of the time of a call. It still does
everything else, continuing a stream that broke included: what follows after the client has gone is handed to it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from mcp.server.streamable_http import MCP_SESSION_ID_HEADER
from mcp.types import JSONRPCError, JSONRPCMessage, JSONRPCResponse
from mcp.types.version import is_version_at_least
from starlette.types import Receive, Send

PING_S = 15
"""Seconds without an event after which a comment is sent, so that nothing on the way takes the connection for dead."""

FIRST_WITH_EMPTY_EVENTS = "2025-11-25"
"""Clients of earlier versions cannot read an event without data."""

Keep = Callable[[JSONRPCMessage | None], int]
"""Keeps an event for a client that comes back, and tells its number."""


class Answer:
    """Messages that belong to one call, on their way to the client that waits for them."""

    def __init__(self, keep: Keep) -> None:
        self._keep = keep
        self._events: deque[bytes] = deque()
        self._is_complete = False
        self._is_closed = False
        self._news = asyncio.Event()

    def begin(self, version: str) -> None:
        """Give the client an event to come back to, before there is any other.

        Args:
            version: Of the protocol, as the client says.
        """
        if is_version_at_least(version, FIRST_WITH_EMPTY_EVENTS):
            self._events.append(b"id: %d\r\ndata: \r\n\r\n" % self._keep(None))

    def add(self, message: JSONRPCMessage) -> None:
        """Send a message; a result or an error is the last one."""
        number = self._keep(message)
        data = message.model_dump_json(by_alias=True, exclude_unset=True).encode()
        self._events.append(b"id: %d\r\nevent: message\r\ndata: %s\r\n\r\n" % (number, data))
        self._is_complete = isinstance(message, JSONRPCResponse | JSONRPCError)
        self._news.set()

    def close(self) -> None:
        """End without a result: the client or the session has gone."""
        self._is_closed = True
        self._news.set()

    async def send(self, session_id: str, receive: Receive, send: Send) -> None:
        """Write the stream until it is complete, or closed."""
        headers = [
            (b"content-type", b"text/event-stream"),
            (b"cache-control", b"no-cache, no-transform"),
            (b"connection", b"keep-alive"),
            (b"x-accel-buffering", b"no"),
            (MCP_SESSION_ID_HEADER.encode(), session_id.encode()),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        watcher = asyncio.create_task(self._close_when_gone(receive))
        try:
            is_last = False
            while not is_last:
                is_last = self._is_complete or self._is_closed
                body = b"".join(self._events)
                self._events.clear()
                await send({"type": "http.response.body", "body": body, "more_body": not is_last})
                if not is_last:
                    await self._wait()
        finally:
            watcher.cancel()

    async def _wait(self) -> None:
        while not self._news.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(PING_S):
                    await self._news.wait()
            if not self._news.is_set():
                self._events.append(b": ping\r\n\r\n")
                return
        self._news.clear()

    async def _close_when_gone(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.close()
