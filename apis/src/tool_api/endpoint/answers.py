"""The answer to a call of streamable HTTP: an event stream that ends with the result.

The SDK's transport does the same with six tasks for each call, which took most of the time of a call. It still does
everything else, continuing a stream that broke included: what follows after the client has gone is handed to it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from functools import lru_cache

from mcp.server.streamable_http import MCP_SESSION_ID_HEADER
from mcp.types import CONNECTION_CLOSED, ErrorData, JSONRPCError, JSONRPCMessage, JSONRPCResponse, RequestId
from mcp.types.version import is_version_at_least
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tool_api.endpoint.direct import BRIEFLY_S, DirectRequest, Waiting, written_head
from tool_api.endpoint.events import EventLog
from tool_api.endpoint.gathering import told_when_gone
from tool_api.logs import log
from tool_api.runtime.reading import WrittenResponse, escape_line_ends, response_start, written

PIECE_BYTES = 256 * 1024
"""Most that is sent in one turn of the loop; then others get theirs."""

MOST_WAITING_BYTES = 32 * 1024 * 1024
"""Size of what may wait for a client that reads slowly, beside the event that was added last."""

PING_S = 15
"""Seconds without an event after which a comment is sent, so that nothing on the way takes the connection for dead."""

FIRST_WITH_EMPTY_EVENTS = "2025-11-25"
"""Clients of earlier versions cannot read an event without data."""

_NOTHING = b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none"}}'
"""What they can read and ignore: no request has that id."""


def lost_answer(request_id: RequestId) -> JSONRPCError:
    """The answer to a call whose own is not there, and will not come."""
    text = "The connection to the server was lost, and with it the answer; the call may have taken effect"
    return JSONRPCError(jsonrpc="2.0", id=request_id, error=ErrorData(code=CONNECTION_CLOSED, message=text))


class KeptStream:
    """The stream of one call in the log of events, from which it is sent again to a client that comes back."""

    __slots__ = ("_log", "_request_id", "_stream", "session_id")

    def __init__(self, log: EventLog, session_id: str, stream: str, request_id: RequestId | None = None) -> None:
        self._log, self.session_id, self._stream, self._request_id = log, session_id, stream, request_id

    def keep(self, message: JSONRPCMessage | None) -> str:
        """Keep an event; returns its id."""
        return self._log.add(self.session_id, self._stream, message, self._request_id)

    def keep_answered(self, request_id: RequestId, data: bytes) -> tuple[str, str]:
        """Keep the only event of a call, see `EventLog.add_answered`."""
        return self._log.add_answered(self.session_id, self._stream, request_id, data)


class CallAnswer:
    """Messages that belong to one call, on their way to the client that waits for them."""

    __slots__ = (
        "_app",
        "_begins",
        "_events",
        "_is_closed",
        "_is_complete",
        "_kept",
        "_news",
        "_request",
        "_waits",
        "waiting_bytes",
    )

    def __init__(self, kept: KeptStream) -> None:
        self._kept = kept
        self._events: deque[memoryview] = deque()
        """Events that have not been sent, in parts of any size."""
        self.waiting_bytes = 0
        self._begins = False
        """Whether there is to be an event before all others."""
        self._waits = False
        """Whether the head is sent with the first event only, or with the first ping: a client that has no id to come back with
        sees a request without an answer fail, while it would wait for the rest of an answer that has begun."""
        self._is_complete = False
        self._is_closed = False
        self._news: asyncio.Event | None = None
        self._request: DirectRequest | None = None
        self._app: ASGIApp | None = None
        """What answers the request if that takes longer."""

    def begin(self, *versions: str) -> None:
        """Give the client an event to come back to, before there is any other.

        Args:
            versions: Of the protocol: that which the client says, and that which it has asked for.
        """
        self._begins = any(is_version_at_least(version, FIRST_WITH_EMPTY_EVENTS) for version in versions)
        self._waits = not self._begins

    def add(self, message: JSONRPCMessage) -> None:
        """Send a message; a result or an error is the last one.

        A stream whose client does not read ends here: the client comes back for what has been kept.
        """
        self._write_beginning()
        event_id = self._kept.keep(message)
        if self.waiting_bytes > MOST_WAITING_BYTES:
            log("slow_client_dropped", level="warning", bytes=self.waiting_bytes)
            self._events.clear()
            self.waiting_bytes = 0
            self.close()
        self.repeat(event_id, message)

    def answer(self, request_id: RequestId, data: bytes) -> None:
        """Send a result, as `add` of a `WrittenResponse` does.

        Args:
            request_id: Of the call, as the client has chosen it.
            data: See `WrittenResponse`.
        """
        request = self._request
        if request is None or not request.is_open or self._events or len(data) > PIECE_BYTES:
            self.add(WrittenResponse(request_id, data))
            return
        # What most calls come to: nothing but the result, before anything was sent.
        first, event_id = self._kept.keep_answered(request_id, data)
        body = b"%bid: %b\r\nevent: message\r\ndata: %b%b}\r\n\r\n" % (
            b"id: %b\r\ndata: \r\n\r\n" % first.encode() if self._begins else b"",
            event_id.encode(),
            response_start(request_id),
            data,
        )
        self._is_complete = True
        request.answer_with(_written_head(self._kept.session_id), b"content-length: %d\r\n" % len(body), body)

    def keep(self, message: JSONRPCMessage) -> None:
        """Keep a message that comes after the client has gone."""
        self._kept.keep(message)

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

    def send_soon(self, request: DirectRequest, waiting: Waiting, send: ASGIApp) -> None:
        """Answer a request at once when the result comes soon.

        Args:
            request: To be answered.
            waiting: Of the port.
            send: What else answers it: calls `send`.
        """
        self._request, self._app = request, send
        if self._is_complete or self._is_closed:
            self._send_whole()
        if request.is_open:
            waiting.add(request, send)

    def _write_beginning(self) -> None:
        if self._begins:
            self._begins = False
            self._append(b"id: %s\r\ndata: \r\n\r\n" % self._kept.keep(None).encode())

    def _send_whole(self) -> None:
        """Send all in one piece, if that is all and not too much."""
        request = self._request
        if request is None or not request.is_open or not (self._is_complete or self._is_closed):
            return
        if self.waiting_bytes > PIECE_BYTES and self._app is not None:
            request.hand_over(self._app)
        else:
            body = self._take()
            request.answer_with(_written_head(self._kept.session_id), b"content-length: %d\r\n" % len(body), body)

    def _tell(self) -> None:
        if self._news is not None:
            self._news.set()
        self._send_whole()

    async def send(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Write the stream until it is complete, or closed."""
        with told_when_gone(scope, receive, self.close):
            self._write_beginning()
            if self._request is None:
                await self._wait_briefly()
            if self._waits and not (self._events or self._is_complete or self._is_closed):
                await self._wait()
            self._waits = False
            await send({"type": "http.response.start", "status": 200, "headers": _headers(self._kept.session_id)})
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
        news = self._news = self._news or asyncio.Event()
        timer = asyncio.get_running_loop().call_later(BRIEFLY_S, news.set)
        await news.wait()
        news.clear()
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
        news = self._news = self._news or asyncio.Event()
        while not news.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(PING_S):
                    await news.wait()
            if not news.is_set():
                self._append(self._ping())
                return
        news.clear()

    def _ping(self) -> bytes:
        """What keeps the connection: a comment, or before any event one that gives the client an id to come back with."""
        if not self._waits:
            return b": ping\r\n\r\n"
        self._waits = False
        return b"id: %b\r\nevent: message\r\ndata: %b\r\n\r\n" % (self._kept.keep(None).encode(), _NOTHING)


@lru_cache(maxsize=64)
def _written_head(session_id: str) -> bytes:
    return written_head(200, _headers(session_id))


def _headers(session_id: str) -> list[tuple[bytes, bytes]]:
    return [
        (b"content-type", b"text/event-stream"),
        (b"cache-control", b"no-cache, no-transform"),
        (b"connection", b"keep-alive"),
        (b"x-accel-buffering", b"no"),
        (MCP_SESSION_ID_HEADER.encode(), session_id.encode()),
    ]


def with_whole_lines(send: Send) -> Send:
    """Escape characters that some clients take for the end of a line of an event: a piece holds whole events."""

    async def escaped(message: Message) -> None:
        if message.get("body"):
            message["body"] = escape_line_ends(message["body"])
        await send(message)

    return escaped
