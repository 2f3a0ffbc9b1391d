"""Bytes from one connection to another."""

from __future__ import annotations

import asyncio
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
