"""Messages of a container's standard streams: one JSON object a line, in the frames of the engine's attach stream."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter
from pydantic import ValidationError

from tool_api.runtime.base import MessagesIn, MessagesOut

# Docker Engine API, ContainerAttach, "Stream format": a byte for the stream, three of zero, four for the size.
HEADER_BYTES = 8
STDOUT = 1
PIECE_BYTES = 64 * 1024
MAX_LINE_BYTES = 16 * 1024 * 1024


@asynccontextmanager
async def talk(attached: socket.socket) -> AsyncIterator[tuple[MessagesIn, MessagesOut]]:
    """Read and write messages on an attach socket; what the server says ends when it does."""
    attached.setblocking(False)
    said_in, said = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    told_in, told = anyio.create_memory_object_stream[SessionMessage](0)

    async def listen() -> None:
        async with said_in:
            async for line in _lines(attached):
                await said_in.send(_parse(line))

    async def tell() -> None:
        async with told:
            async for message in told:
                text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                with suppress(OSError):
                    await asyncio.get_running_loop().sock_sendall(attached, text.encode() + b"\n")

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(listen)
        tasks.start_soon(tell)
        try:
            yield said, told_in
        finally:
            tasks.cancel_scope.cancel()
            attached.close()


async def _lines(attached: socket.socket) -> AsyncIterator[bytes]:
    loop = asyncio.get_running_loop()
    frames, text = bytearray(), bytearray()
    while True:
        try:
            piece = await loop.sock_recv(attached, PIECE_BYTES)
        except OSError:
            return
        if not piece:
            return
        frames += piece
        for payload in take_frames(frames):
            text += payload
        while (end := text.find(b"\n")) >= 0:
            line = bytes(text[:end]).strip()
            del text[: end + 1]
            if line:
                yield line
        if len(text) > MAX_LINE_BYTES:
            return


def take_frames(buffer: bytearray) -> list[bytes]:
    """Take the whole frames off a buffer.

    Returns:
        Payloads of standard output, in order; those of other streams are dropped.
    """
    payloads = []
    while len(buffer) >= HEADER_BYTES:
        size = int.from_bytes(buffer[4:HEADER_BYTES], "big")
        if len(buffer) < HEADER_BYTES + size:
            break
        if buffer[0] == STDOUT:
            payloads.append(bytes(buffer[HEADER_BYTES : HEADER_BYTES + size]))
        del buffer[: HEADER_BYTES + size]
    return payloads


def _parse(line: bytes) -> SessionMessage | Exception:
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValidationError as error:
        # Servers print other things than messages, too; the protocol asks clients to bear with it.
        return error
