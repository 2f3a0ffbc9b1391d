"""A connection to a server that is played in this process, over streams of messages as the SDK has them."""

from __future__ import annotations

import math
from contextlib import suppress

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCMessage, jsonrpc_message_adapter

from tool_api.runtime.base import Take
from tool_api.runtime.reading import WrittenCall

MessagesIn = MemoryObjectReceiveStream[SessionMessage | Exception]
MessagesOut = MemoryObjectSendStream[SessionMessage]
_Broken = (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream)


class StreamWire:
    """Carries messages between streams and who takes them."""

    def __init__(self, incoming: MessagesIn, outgoing: MessagesOut) -> None:
        """Args: incoming: Messages from the server. outgoing: Messages to the server."""
        self._incoming, self._outgoing = incoming, outgoing
        self._queue_in, self._queue = anyio.create_memory_object_stream[SessionMessage](math.inf)

    @property
    def unsent_bytes(self) -> int:
        return 0  # a server that is played here reads everything

    async def carry(self, take: Take) -> None:
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._write)
                async for item in self._incoming:
                    take(item if isinstance(item, Exception) else item.message)
                tasks.cancel_scope.cancel()
        finally:
            self._queue_in.close()
            self._queue.close()

    def send(self, message: JSONRPCMessage) -> None:
        with suppress(*_Broken):
            known = message.loaded() if isinstance(message, WrittenCall) else message
            self._queue_in.send_nowait(SessionMessage(known))

    def send_line(self, line: bytes) -> None:
        self.send(jsonrpc_message_adapter.validate_json(line, by_name=False))

    async def _write(self) -> None:
        with suppress(*_Broken):
            async for message in self._queue:
                await self._outgoing.send(message)
