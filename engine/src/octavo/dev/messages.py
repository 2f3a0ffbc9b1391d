"""Messages to open pages, and the channel that sends them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import msgspec

from octavo.contract import DevMessage

_MOST_WAITING = 100
"""Messages that may wait for one browser; a browser that is further behind has to reload."""
_END = b""
"""Marks the end of a stream."""


class Channel:
    """Sends messages to all open pages."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._queues: set[asyncio.Queue[bytes]] = set()
        self._greeting = b""

    def bind(self) -> None:
        """Use the running event loop. Must be called before messages are sent."""
        self._loop = asyncio.get_running_loop()

    def greet_with(self, message: DevMessage) -> None:
        """Set the first message of every new stream. May be called from any thread."""
        self._greeting = _event(message)

    def send(self, message: DevMessage) -> None:
        """Send a message to all open pages. May be called from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._spread, _event(message))

    async def listen(self) -> AsyncIterator[bytes]:
        """Yield the events of a stream: the first message, then every message sent."""
        queue: asyncio.Queue[bytes] = asyncio.Queue(_MOST_WAITING)
        self._queues.add(queue)
        try:
            if self._greeting == _END:
                return
            yield self._greeting
            while (event := await queue.get()) != _END:
                yield event
        finally:
            self._queues.discard(queue)

    def close(self) -> None:
        """End all streams, also those opened from now on. May be called from any thread."""
        self._greeting = _END
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._spread, _END)

    def _spread(self, event: bytes) -> None:
        for queue in list(self._queues):
            if queue.full():
                while not queue.empty():
                    queue.get_nowait()
                queue.put_nowait(self._greeting)
            queue.put_nowait(event)


def _event(message: DevMessage) -> bytes:
    return b"data: " + msgspec.json.encode(message) + b"\n\n"
