"""HTTP/1.1 connections to the one server behind a port, on the parser that also reads what its clients send.

A general client took more time for a call than everything else on its way: it builds requests, keeps cookies, follows
redirects, decodes. Here bytes are passed on.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import cast
from urllib.parse import urlsplit

import httptools

from tool_api.runtime.place import Place
from tool_api.runtime.writing import AtOnce

IDLE_S = 2.0
"""Seconds after which a connection is not used again. Servers close them after 5 and more; one that closes just now
would lose the request."""

MOST_STATUS = 599
"""Greater numbers are not a status of HTTP (RFC 9110, section 15), and cannot be passed on."""

MOST_IDLE = 20
MOST_WAITING_BYTES = 256 * 1024
"""Bytes of a body that wait for the client; then the server has to wait, too."""


class UnreachableError(Exception):
    """No connection to the server: nothing was sent."""


class BrokenError(Exception):
    """The server broke off, or what it sent is not HTTP."""


class Connection(asyncio.Protocol):
    """One connection; one request at a time."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._news = asyncio.Event()
        self._parser: httptools.HttpResponseParser | None = None
        self._is_lost = False
        self.used = 0.0
        self._told: Callable[[], object] | None = None
        self._start(has_no_body=False)

    def _start(self, *, has_no_body: bool) -> None:
        self.status = 0
        self.is_chunked = False
        """Whether the end of the answer is known only when it comes."""
        self.fields: list[tuple[bytes, bytes]] = []
        self._has_no_body = has_no_body
        self._has_head = self._is_whole = self._is_broken = self._is_paused = False
        self._pieces: list[bytes] = []
        self.waiting_bytes = 0
        self._news.clear()

    @property
    def is_reusable(self) -> bool:
        """Whether another request may be sent."""
        return self._is_whole and not self._is_lost and not self._is_broken and not self._has_no_body

    @property
    def is_open(self) -> bool:
        return self._transport is not None and not self._is_lost and not self._transport.is_closing()

    @property
    def is_whole(self) -> bool:
        """Whether all of the answer has come."""
        return self._is_whole

    @property
    def has_head(self) -> bool:
        """Whether `status` and `fields` are known."""
        return self._has_head

    @property
    def has_failed(self) -> bool:
        """Whether the rest of the answer does not come."""
        return not self._is_whole and (self._is_broken or self._is_lost)

    def send(self, head: bytes, body: bytes, *, has_no_body: bool, tell: Callable[[], object] | None = None) -> bool:
        """Send a request; tells whether there is a connection to send it on.

        Args:
            head: Request line and headers, as they are sent.
            body: May be empty.
            has_no_body: The answer has a head only, whatever that says.
            tell: Called when more of the answer has come, or nothing more will, until `tell_nobody`.
        """
        if self._transport is None:
            return False
        self._start(has_no_body=has_no_body)
        self._told = tell
        self._parser = httptools.HttpResponseParser(self)
        self._output.write(head + body)
        return True

    def tell_nobody(self) -> None:
        """Keep what comes for `next_piece`."""
        self._told = None

    async def ask(self, head: bytes, body: bytes, *, has_no_body: bool) -> None:
        """Send a request as `send` does; returns when `status` and `fields` are known.

        Raises:
            BrokenError: No answer comes.
        """
        if not self.send(head, body, has_no_body=has_no_body):
            raise BrokenError
        await self.until_head()

    async def until_head(self) -> None:
        """Wait until `status` and `fields` of the answer are known.

        Raises:
            BrokenError: No answer comes.
        """
        while not self._has_head:
            await self._wait()

    async def next_piece(self) -> tuple[bytes, bool]:
        """What has come of the body since the last call, and whether that was the last of it.

        Raises:
            BrokenError: It is cut off.
        """
        while not self._pieces and not self._is_whole:
            await self._wait()
        return self.take(), self._is_whole

    def take(self) -> bytes:
        """What has come of the body since the last call."""
        piece = b"".join(self._pieces)
        self._pieces.clear()
        self.waiting_bytes = 0
        if self._is_paused and self._transport is not None:
            self._is_paused = False
            self._transport.resume_reading()
        return piece

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    async def _wait(self) -> None:
        if self._is_broken or (self._is_lost and not self._is_whole):
            raise BrokenError
        await self._news.wait()
        self._news.clear()

    # asyncio's callbacks

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Not checked by isinstance: uvloop's transports are classes of their own.
        self._transport = cast("asyncio.Transport", transport)
        self._output = AtOnce(self._transport)

    def data_received(self, data: bytes) -> None:
        if self._parser is None or self._is_whole:
            self._is_broken = True  # nothing was asked
            self.close()
            return
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError:
            self._is_broken = True
            self.close()
        self._tell()

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_lost = True
        # Without a length, the end of the connection is the end of the body.
        if exc is None and self._has_head and not self._has_length():
            self._is_whole = True
        self._tell()

    def _tell(self) -> None:
        self._news.set()
        if self._told is not None:
            self._told()

    def _has_length(self) -> bool:
        return any(name in {b"content-length", b"transfer-encoding"} for name, _ in self.fields)

    # httptools' callbacks

    def on_message_begin(self) -> None:
        if self._is_whole:
            self._is_broken = True  # a second answer to one request

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._has_head:
            return  # fields behind the body are not passed on
        name = name.lower()
        self.fields.append((name, value))
        if name == b"transfer-encoding":
            self.is_chunked = True

    def on_headers_complete(self) -> None:
        if self._parser is None or self._is_whole:
            return
        self.status = self._parser.get_status_code()
        if self.status < 200:
            self.fields, self.is_chunked = [], False
            return
        if self.status > MOST_STATUS:
            self._is_broken = True
            return
        self._has_head = True
        self._is_whole = self._has_no_body

    def on_body(self, piece: bytes) -> None:
        if self._has_no_body or self._is_whole:
            return
        self._pieces.append(piece)
        self.waiting_bytes += len(piece)
        if self.waiting_bytes > MOST_WAITING_BYTES and not self._is_paused and self._transport is not None:
            self._is_paused = True
            self._transport.pause_reading()

    def on_message_complete(self) -> None:
        if not self._has_head:
            return
        self._is_whole = True
        if self._parser is not None and not self._parser.should_keep_alive():
            self._is_broken = True  # not to be used again; what has come is whole


class Upstream:
    """The connections to one server."""

    def __init__(self, connect_timeout_s: float) -> None:
        self._connect_timeout_s = connect_timeout_s
        self._idle: list[tuple[Place, Connection]] = []

    async def connection(self, place: Place) -> Connection:
        """A connection on which a request can be sent; give it back with `release`.

        Raises:
            UnreachableError: Nobody listens, or the server is no longer there and its address may be another's.
        """
        if idle := self.idle(place):
            return idle
        parts = urlsplit(place.url)
        try:
            async with asyncio.timeout(self._connect_timeout_s):
                _, made = await asyncio.get_running_loop().create_connection(
                    Connection, parts.hostname or "", parts.port or 80
                )
        except (OSError, TimeoutError) as error:
            raise UnreachableError from error
        try:
            # Asked now: an address is not given away while a process that has it exists.
            is_current = await place.is_current()
        except BaseException:
            made.close()
            raise
        if not is_current:
            made.close()
            raise UnreachableError
        return made

    def idle(self, place: Place) -> Connection | None:
        """A connection that has been used before, if there is one; give it back with `release`."""
        now = time.monotonic()
        while self._idle:
            former, idle = self._idle.pop()
            if former is place and idle.is_open and now - idle.used < IDLE_S:
                return idle
            idle.close()
        return None

    def release(self, place: Place, connection: Connection) -> None:
        """Keep a connection for the next request, or close it."""
        if connection.is_reusable and connection.is_open and len(self._idle) < MOST_IDLE:
            connection.used = time.monotonic()
            self._idle.append((place, connection))
        else:
            connection.close()

    def close(self) -> None:
        for _, connection in self._idle:
            with suppress(OSError):
                connection.close()
        self._idle.clear()
