"""What open pages are told, and the way on which it goes to them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import msgspec

from octavo.contract import DevMessage

_MOST_WAITING = 100
"""Most messages that may wait for one browser; one that is further behind has to reload."""


_END = b""
"""Ends a stream."""


class Channel:
    """Sends messages to all who listen."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._queues: set[asyncio.Queue[bytes]] = set()
        self._greeting = b""

    def bind(self) -> None:
        """Belong to the event loop that runs now."""
        self._loop = asyncio.get_running_loop()

    def greet_with(self, message: DevMessage) -> None:
        """Set the first message of every new stream. Called from any thread."""
        self._greeting = _event(message)

    def send(self, message: DevMessage) -> None:
        """Tell everybody. Called from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._spread, _event(message))

    async def listen(self) -> AsyncIterator[bytes]:
        """Give the events of a stream: the first message, then every message sent."""
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
        """End all streams, and those that begin from now on. Called from any thread."""
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
