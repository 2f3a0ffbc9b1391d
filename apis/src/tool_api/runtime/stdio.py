"""Messages of a container's standard streams: one JSON object a line, in the frames of the engine's attach stream."""

from __future__ import annotations

import asyncio
import os
import re
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import cast

from mcp.types import JSONRPCMessage, JSONRPCNotification, JSONRPCRequest

from tool_api.runtime.base import OversizedMessageError, Take, UnreadAnswer, UnusableMessageError, Wire
from tool_api.runtime.reading import NOT_JSON, oversized, parse, read_answer, written
from tool_api.runtime.writing import AtOnce

# Docker Engine API, ContainerAttach, "Stream format": a byte for the stream, three of zero, four for the size.
HEADER_BYTES = 8
STDOUT = 1
KEPT_BYTES = 1024
"""Bytes that are kept of each end of a line that is too long: enough to find the message's id."""

MOST_BROKEN_BYTES = 1024 * 1024
"""Longest message that is put together from several lines."""

BROKEN_S = 1.0
"""Seconds that the rest of such a message may take; then what came of it is read as it is."""


@asynccontextmanager
async def talk(attached: socket.socket, max_bytes: int, direct: int | None = None) -> AsyncIterator[Wire]:
    """Read and write messages on an attach socket.

    Args:
        attached: Is closed at the end.
        max_bytes: Largest line; a longer one becomes an `OversizedMessageError` among the messages.
        direct: Descriptor of the pipe that leads to standard input, see `place.open_input`; is closed at the end.
    """
    pipe = None if direct is None else os.fdopen(direct, "wb", buffering=0)
    loop = asyncio.get_running_loop()
    make = loop.create_unix_connection if attached.family == socket.AF_UNIX else loop.create_connection
    try:
        attached.setblocking(False)
        _, wire = await make(lambda: AttachedWire(max_bytes), sock=attached)
    except BaseException:
        attached.close()
        if pipe is not None:
            pipe.close()
        raise
    try:
        if pipe is not None:
            wire.write_to((await loop.connect_write_pipe(asyncio.BaseProtocol, pipe))[0])
        yield wire
    finally:
        wire.close()


class AttachedWire(asyncio.Protocol):
    """A connection to standard streams.

    Messages go straight from the socket to who takes them: streams and tasks in between took longer than everything else
    on the way of a message.
    """

    def __init__(self, max_bytes: int) -> None:
        self._transport: asyncio.Transport | None = None
        self._direct: asyncio.WriteTransport | None = None
        self._input: AtOnce | None = None
        self._frames, self._lines = bytearray(), Lines(max_bytes)
        self._broken = Broken()
        self._broken_timer: asyncio.TimerHandle | None = None
        self._take: Take | None = None
        self._ended = asyncio.get_running_loop().create_future()
        self._is_refused = False

    @property
    def unsent_bytes(self) -> int:
        transport = self._direct or self._transport
        return transport.get_write_buffer_size() if transport is not None else 0

    async def carry(self, take: Take) -> None:
        self._take = take
        self.data_received(b"")
        await self._ended

    def send(self, message: JSONRPCMessage) -> None:
        self.send_line(b"".join(written(message)) + b"\n")

    def send_line(self, line: bytes) -> None:
        if self._transport is None or self._transport.is_closing():
            return
        # Of a server that has closed its standard input, too: what the engine does with the message is its concern.
        if self._input is not None and self._direct is not None and not self._direct.is_closing():
            self._input.write(line)
        else:
            self._transport.write(line)

    def write_to(self, direct: asyncio.WriteTransport) -> None:
        """Write to standard input itself from now on."""
        self._direct, self._input = direct, AtOnce(direct)

    def close(self) -> None:
        for transport in (self._transport, self._direct):
            if transport is not None and not transport.is_closing():
                transport.abort()

    # asyncio's callbacks

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Not checked by isinstance: uvloop's transports are classes of their own.
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        if self._take is not None and not self._frames and self._is_next_line(data):
            # As nearly all comes.
            if found := data[HEADER_BYTES:].strip():
                self._read(found)
            return
        self._frames += data
        if self._take is None:
            return  # kept until `carry`; uvloop reads at once, also where `connection_made` pauses it
        for payload in take_frames(self._frames):
            for line in self._lines.feed(payload):
                if isinstance(line, Exception):
                    self._hand_on(line)
                else:
                    self._read(line)

    def connection_lost(self, exc: Exception | None) -> None:
        del exc  # However it ended, the next one is tried.
        self._read_broken()
        if not self._ended.done():
            self._ended.set_result(None)

    def _is_next_line(self, data: bytes) -> bool:
        return self._lines.is_between and len(data) <= self._lines.most_bytes and is_line(data)

    def _read(self, line: bytes) -> None:
        if (answer := read_answer(line)) is not None:
            if not self._broken.is_empty:
                self._read_broken()
            self._hand_on(answer)
            return
        for message in self._broken.read(line):
            self._hand_on(message)
        if not self._broken.is_empty and self._broken_timer is None:
            self._broken_timer = asyncio.get_running_loop().call_later(BROKEN_S, self._read_broken)

    def _read_broken(self) -> None:
        """Read what came of a message on several lines: the rest does not come, or something else has come."""
        if self._broken_timer is not None:
            self._broken_timer.cancel()
            self._broken_timer = None
        for message in self._broken.take():
            self._hand_on(message)

    def _hand_on(self, message: JSONRPCMessage | UnreadAnswer | Exception) -> None:
        if self._take is None or self._is_refused:
            return
        try:
            self._take(message)
        except Exception as error:
            self._is_refused = True
            if self._ended.done():
                raise  # `carry` hands on what came before the connection ended
            self._ended.set_exception(error)


class Broken:
    """Puts messages together that a server has written on several lines, which the protocol does not allow.

    Such a line begins with an object that does not end on it. What follows belongs to it until the brackets match, or a
    line comes that is a message by itself.
    """

    def __init__(self) -> None:
        self._lines: list[bytes] = []
        """With what is between them."""
        self._size = self._depth = 0
        self._is_in_text = False

    @property
    def is_empty(self) -> bool:
        return not self._lines

    def read(self, line: bytes) -> list[JSONRPCMessage | Exception]:
        """Read a line.

        Returns:
            See `reading.parse`; nothing for a line that is a part of a message which goes on.
        """
        found = parse(line)
        if self.is_empty:
            is_begun = _is_unreadable(found) and line.startswith(b"{") and len(line) <= MOST_BROKEN_BYTES
            if is_begun and not self._count(line):
                return []
            self._forget()
            return found
        if not all(isinstance(item, UnusableMessageError) for item in found):
            return [*self.take(), *found]
        if self._size + len(line) > MOST_BROKEN_BYTES:
            return [*self.take(), *found]
        return self.take() if self._count(line) else []

    def take(self) -> list[JSONRPCMessage | Exception]:
        """Read what there is of a message, whole or not.

        Of several lines only answers are taken: servers also print what they have received, in a form for people.
        """
        lines = self._lines
        self._forget()
        found = parse(b"".join(lines)) if lines else []
        # A line and what joins it to the next one are two.
        return found if len(lines) < 3 else [_only_answer(item) for item in found]

    def _forget(self) -> None:
        self._lines, self._size, self._depth, self._is_in_text = [], 0, 0, False

    def _count(self, line: bytes) -> bool:
        """Add a line. Returns: Whether the message ends on it."""
        if self._lines:
            # On one line, as all that is passed on: a result is not written anew.
            self._lines.append(rb"\n" if self._is_in_text else b" ")
        self._lines.append(line)
        self._size += len(line) + 1
        for mark in _MARKS.findall(line):
            if mark == b'"':
                self._is_in_text = not self._is_in_text
            elif not self._is_in_text and len(mark) == 1:
                self._depth += 1 if mark in b"{[" else -1
        return self._depth <= 0 and not self._is_in_text


_MARKS = re.compile(rb"""\\.|["{}\[\]]""", re.DOTALL)
"""What counts for where a JSON value ends."""


def _only_answer(item: JSONRPCMessage | Exception) -> JSONRPCMessage | Exception:
    if isinstance(item, JSONRPCRequest | JSONRPCNotification):
        return UnusableMessageError(NOT_JSON, asks=item.id if isinstance(item, JSONRPCRequest) else None)
    return item


def _is_unreadable(found: list[JSONRPCMessage | Exception]) -> bool:
    return all(isinstance(item, UnusableMessageError) and item.reason == NOT_JSON for item in found)


class Lines:
    """Splits a stream of bytes into lines and keeps no more than `max_bytes` of any."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._pieces: list[bytes] = []
        self._size = 0
        self._head = self._tail = b""

    @property
    def is_between(self) -> bool:
        """Whether the next byte is the first one of a line."""
        return not self._size

    @property
    def most_bytes(self) -> int:
        return self._max_bytes

    def feed(self, piece: bytes) -> Iterator[bytes | OversizedMessageError]:
        """Add bytes; yields the lines that they complete, without empty ones."""
        *ends, rest = piece.split(b"\n")
        for end in ends:
            self._add(end)
            line = self._take()
            if line:
                yield line
        self._add(rest)

    def _add(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size <= self._max_bytes:
            self._pieces.append(piece)
            return
        # From here on only the two ends are kept.
        if not self._head:
            self._tail = b"".join(self._pieces)
            self._head = (self._tail + piece)[:KEPT_BYTES]
            self._pieces = []
        self._tail = (self._tail + piece)[-KEPT_BYTES:]

    def _take(self) -> bytes | OversizedMessageError:
        is_oversized, line = self._size > self._max_bytes, b"".join(self._pieces).strip()
        head, tail = self._head, self._tail
        self._pieces, self._size, self._head, self._tail = [], 0, b"", b""
        return oversized(head, tail, self._max_bytes) if is_oversized else line


def is_line(data: bytes) -> bool:
    """Whether data is one whole frame of standard output, and that one whole line."""
    size = len(data) - HEADER_BYTES
    return (
        size > 1
        and data[0] == STDOUT
        and int.from_bytes(data[4:HEADER_BYTES], "big") == size
        and data.find(b"\n", HEADER_BYTES) == len(data) - 1
    )


def take_frames(buffer: bytearray) -> list[bytes]:
    """Take the whole frames off a buffer.

    Returns:
        Payloads of standard output, in order; those of other streams are dropped.
    """
    payloads = []
    start = 0
    with memoryview(buffer) as view:
        while len(buffer) - start >= HEADER_BYTES:
            end = start + HEADER_BYTES + int.from_bytes(view[start + 4 : start + HEADER_BYTES], "big")
            if len(buffer) < end:
                break
            if buffer[start] == STDOUT:
                payloads.append(bytes(view[start + HEADER_BYTES : end]))
            start = end
    del buffer[:start]
    return payloads
