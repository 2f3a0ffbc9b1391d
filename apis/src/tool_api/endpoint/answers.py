"""The answer to a call of streamable HTTP: an event stream that ends with the result.

The SDK's transport does the same with six tasks for each call, which took most of the time of a call. It still does
everything else, continuing a stream that broke included: what follows after the client has gone is handed to it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from mcp.server.streamable_http import MCP_SESSION_ID_HEADER
from mcp.types import JSONRPCError, JSONRPCMessage, JSONRPCResponse
from mcp.types.version import is_version_at_least
from starlette.types import Receive, Scope, Send

from tool_api.endpoint.direct import BRIEFLY_S, DirectRequest
from tool_api.endpoint.gathering import told_when_gone
from tool_api.logs import log
from tool_api.runtime.reading import written

PIECE_BYTES = 256 * 1024
"""Most that is sent in one turn of the loop; then others get theirs."""

MOST_WAITING_BYTES = 32 * 1024 * 1024
"""Size of what may wait for a client that reads slowly, beside the event that was added last."""

PING_S = 15
"""Seconds without an event after which a comment is sent, so that nothing on the way takes the connection for dead."""

FIRST_WITH_EMPTY_EVENTS = "2025-11-25"
"""Clients of earlier versions cannot read an event without data."""

Keep = Callable[[JSONRPCMessage | None], str]
"""Keeps an event for a client that comes back, and tells its id."""


class CallAnswer:
    """Messages that belong to one call, on their way to the client that waits for them."""

    def __init__(self, keep: Keep) -> None:
        self._keep = keep
        self._events: deque[memoryview] = deque()
        """Events that have not been sent, in parts of any size."""
        self.waiting_bytes = 0
        self._is_complete = False
        self._is_closed = False
        self._news = asyncio.Event()
        self._request: DirectRequest | None = None
        self._session_id = ""

    def begin(self, version: str) -> None:
        """Give the client an event to come back to, before there is any other.

        Args:
            version: Of the protocol, as the client says.
        """
        if is_version_at_least(version, FIRST_WITH_EMPTY_EVENTS):
            self._append(b"id: %s\r\ndata: \r\n\r\n" % self._keep(None).encode())

    def add(self, message: JSONRPCMessage) -> None:
        """Send a message; a result or an error is the last one.

        A stream whose client does not read ends here: the client comes back for what has been kept.
        """
        event_id = self._keep(message)
        if self.waiting_bytes > MOST_WAITING_BYTES:
            log("slow_client_dropped", level="warning", bytes=self.waiting_bytes)
            self._events.clear()
            self.waiting_bytes = 0
            self.close()
        self.repeat(event_id, message)

    def repeat(self, event_id: str, message: JSONRPCMessage | None) -> None:
        """Send a message again that has been kept; None is one that only gave the client an id."""
        if self._is_closed or message is None:
            return
        self._append(b"id: %s\r\nevent: message\r\ndata: " % event_id.encode(), *written(message), b"\r\n\r\n")
        self._is_complete = isinstance(message, JSONRPCResponse | JSONRPCError)
        self._tell()

    def close(self) -> None:
        """End without a result: the client or the session has gone."""
        self._is_closed = True
        self._tell()

    def send_soon(self, session_id: str, request: DirectRequest) -> None:
        """Answer a request at once when the result comes soon, else as `send` does."""
        self._request = request
        self._session_id = session_id
        request.hand_over_later(partial(self.send, session_id))
        self._send_whole()

    def _send_whole(self) -> None:
        """Send all in one piece, if that is all and not too much."""
        request = self._request
        if request is None or not request.is_open or not (self._is_complete or self._is_closed):
            return
        if self.waiting_bytes > PIECE_BYTES:
            request.hand_over(partial(self.send, self._session_id))
        else:
            request.answer(200, _headers(self._session_id), self._take())

    def _tell(self) -> None:
        self._news.set()
        self._send_whole()

    async def send(self, session_id: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Write the stream until it is complete, or closed."""
        with told_when_gone(scope, receive, self.close):
            if self._request is None:
                await self._wait_briefly()
            await send({"type": "http.response.start", "status": 200, "headers": _headers(session_id)})
            is_last = False
            while not is_last:
                piece = self._take()
                is_last = not self._events and (self._is_complete or self._is_closed)
                await send({"type": "http.response.body", "body": piece, "more_body": not is_last})
                if self._events:
                    await asyncio.sleep(0)
                elif not is_last:
                    await self._wait()

    async def _wait_briefly(self) -> None:
        """Wait for a result that comes at once: it is then sent together with what is before it."""
        if self._is_complete or self._is_closed:
            return
        timer = asyncio.get_running_loop().call_later(BRIEFLY_S, self._news.set)
        await self._news.wait()
        self._news.clear()
        timer.cancel()

    def _append(self, *parts: bytes) -> None:
        # Views: what is left of a large part is not copied for each piece.
        self._events += map(memoryview, parts)
        self.waiting_bytes += sum(map(len, parts))

    def _take(self) -> bytes:
        """Take the next piece of what waits."""
        parts, room = [], PIECE_BYTES
        while self._events and room:
            part = self._events.popleft()
            if len(part) > room:
                self._events.appendleft(part[room:])
            parts.append(part[:room])
            room -= len(parts[-1])
        self.waiting_bytes -= PIECE_BYTES - room
        return b"".join(parts)

    async def _wait(self) -> None:
        while not self._news.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(PING_S):
                    await self._news.wait()
            if not self._news.is_set():
                self._append(b": ping\r\n\r\n")
                return
        self._news.clear()


def _headers(session_id: str) -> list[tuple[bytes, bytes]]:
    return [
        (b"content-type", b"text/event-stream"),
        (b"cache-control", b"no-cache, no-transform"),
        (b"connection", b"keep-alive"),
        (b"x-accel-buffering", b"no"),
        (MCP_SESSION_ID_HEADER.encode(), session_id.encode()),
    ]
