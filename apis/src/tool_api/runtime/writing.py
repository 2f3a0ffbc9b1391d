"""Writing to connections: at once, without waiting for the end of a turn of the loop, and what another connection sends."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress

PIECE_BYTES = 64 * 1024


async def pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Hand on what comes until it ends, and then the end."""
    try:
        while piece := await reader.read(PIECE_BYTES):
            writer.write(piece)
            await writer.drain()
    finally:
        with suppress(OSError, RuntimeError):
            if writer.can_write_eof():
                writer.write_eof()


class AtOnce:
    """The only writer to a transport; it writes at once where that is possible.

    uvloop's transports send what they are given when the turn of the loop ends, after all that the program still has to
    do in it. Who waits for a message would wait for that, too.
    """

    __slots__ = ("_descriptor", "_is_queued", "_loop", "_transport")

    def __init__(self, transport: asyncio.WriteTransport) -> None:
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        found = transport.get_extra_info("socket") or transport.get_extra_info("pipe")
        self._descriptor = found.fileno() if found is not None else -1
        self._is_queued = False
        """Whether the transport may hold something that its size does not tell yet: uvloop's know it a turn later."""

    def write(self, data: bytes) -> None:
        """Write all of it, behind what was written before; nothing to a transport that is being closed."""
        transport = self._transport
        if transport.is_closing():
            return  # its descriptor may be another file's by now
        if self._descriptor >= 0 and not self._is_queued and not transport.get_write_buffer_size():
            try:
                sent = os.write(self._descriptor, data)
            except OSError:
                sent = 0  # it is full, or broken: the transport finds out, and knows what to do
            if sent == len(data):
                return
            data = data[sent:]
        if not self._is_queued:
            self._is_queued = True
            self._loop.call_soon(self._look_again)
        transport.write(data)

    def _look_again(self) -> None:
        self._is_queued = False
