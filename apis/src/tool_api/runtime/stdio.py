"""Messages of a container's standard streams: one JSON object a line, in the frames of the engine's attach stream."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import cast

from mcp.types import JSONRPCMessage

from tool_api.runtime.base import OversizedMessageError, Take, UnreadAnswer, Wire
from tool_api.runtime.reading import oversized, parse, read_answer, written
from tool_api.runtime.writing import AtOnce

# Docker Engine API, ContainerAttach, "Stream format": a byte for the stream, three of zero, four for the size.
HEADER_BYTES = 8
STDOUT = 1
KEPT_BYTES = 1024
"""Bytes that are kept of each end of a line that is too long: enough to find the message's id."""


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
        if not self._ended.done():
            self._ended.set_result(None)

    def _is_next_line(self, data: bytes) -> bool:
        return self._lines.is_between and len(data) <= self._lines.most_bytes and is_line(data)

    def _read(self, line: bytes) -> None:
        if (answer := read_answer(line)) is not None:
            self._hand_on(answer)
            return
        for message in parse(line):
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
