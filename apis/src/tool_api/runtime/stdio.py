"""Messages of a container's standard streams: one JSON object a line, in the frames of the engine's attach stream."""

from __future__ import annotations

import asyncio
import math
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress

import anyio
from mcp.shared.message import SessionMessage

from tool_api.runtime.base import MessagesIn, MessagesOut, OversizedMessageError
from tool_api.runtime.reading import escape_line_ends, oversized, parse

# Docker Engine API, ContainerAttach, "Stream format": a byte for the stream, three of zero, four for the size.
HEADER_BYTES = 8
STDOUT = 1
PIECE_BYTES = 128 * 1024
"""Most that is read in one turn of the loop; then others get theirs."""

KEPT_BYTES = 1024
"""Bytes that are kept of each end of a line that is too long: enough to find the message's id."""


@asynccontextmanager
async def talk(attached: socket.socket, max_bytes: int) -> AsyncIterator[tuple[MessagesIn, MessagesOut]]:
    """Read and write messages on an attach socket; what the server says ends when it does.

    Args:
        attached: Is closed at the end.
        max_bytes: Largest line; a longer one becomes an `OversizedMessageError` among the messages.
    """
    attached.setblocking(False)
    said_in, said = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    told_in, told = anyio.create_memory_object_stream[SessionMessage](math.inf)

    async def listen() -> None:
        async with said_in:
            async for item in _messages(attached, max_bytes):
                try:
                    said_in.send_nowait(item)  # `send` takes a turn of the loop also where somebody waits for it
                except anyio.WouldBlock:
                    await said_in.send(item)

    async def tell() -> None:
        async with told:
            async for message in told:
                text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                with suppress(OSError):
                    await asyncio.get_running_loop().sock_sendall(attached, escape_line_ends(text.encode()) + b"\n")

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(listen)
        tasks.start_soon(tell)
        try:
            yield said, told_in
        finally:
            tasks.cancel_scope.cancel()
            attached.close()


async def _messages(attached: socket.socket, max_bytes: int) -> AsyncIterator[SessionMessage | Exception]:
    loop = asyncio.get_running_loop()
    frames, lines = bytearray(), Lines(max_bytes)
    while True:
        try:
            piece = await loop.sock_recv(attached, PIECE_BYTES)
        except OSError:
            return
        if not piece:
            return
        frames += piece
        for payload in take_frames(frames):
            for line in lines.feed(payload):
                for message in [line] if isinstance(line, Exception) else parse(line):
                    yield message
        # Python's own loop returns at once from reading while there is something to read.
        await asyncio.sleep(0)


class Lines:
    """Splits a stream of bytes into lines and keeps no more than `max_bytes` of any."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._pieces: list[bytes] = []
        self._size = 0
        self._head = self._tail = b""

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
