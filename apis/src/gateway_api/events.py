"""News of alerts, sent to everybody who listens.

While somebody listens, the database is asked for exchanges recorded since the last look, so alerts that another
process has recorded are sent as well. Every listener has a short queue of its own; one that does not empty it is
closed, and all others go on.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from functools import partial

import anyio
from prometheus_client import Gauge
from sqlalchemy import func, select
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from gateway_api.database import Database
from gateway_api.settings import Settings
from gateway_api.storage_errors import StorageError
from gateway_api.tables import prompts
from gateway_api.values.moments import from_us

MOST_NEWS = 200
"""Events sent after one look; the rest follows with the next."""

HELLO = b": listening\n\n"
HEARTBEAT = b": still here\n\n"

Queue = asyncio.Queue[bytes | None]
"""Events as they go over the wire; None ends the stream."""


class TooManyListenersError(Exception):
    """The server holds as many streams as it may."""


class AlertNews:
    """The event stream of one server."""

    def __init__(self, database: Database, settings: Settings, listeners: Gauge, report: Callable[..., None]) -> None:
        self._database = database
        self._settings = settings
        self._gauge = listeners
        self._report = report
        self._queues: dict[Queue, int] = {}
        """Queue of a listener → number of the newest exchange when it began to listen."""
        self._seen = 0
        self._watcher: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._is_closed = False

    async def join(self) -> Queue:
        """Begin to listen; events recorded from now on will be in the queue.

        Raises:
            TooManyListenersError: The server holds as many streams as it may.
        """
        if len(self._queues) >= self._settings.most_listeners:
            raise TooManyListenersError
        queue: Queue = asyncio.Queue(maxsize=self._settings.listener_queue + 1)  # one place is for the end
        async with self._starting:
            if self._is_closed:
                queue.put_nowait(None)
                return queue
            newest = await run_in_threadpool(self._newest)
            self._queues[queue] = newest
            if self._watcher is None or self._watcher.done():
                self._seen = newest
                self._watcher = asyncio.create_task(self._watch())
            self._gauge.set(len(self._queues))
        return queue

    def leave(self, queue: Queue) -> None:
        """Stop listening."""
        self._queues.pop(queue, None)
        self._gauge.set(len(self._queues))

    async def stream(self, queue: Queue) -> AsyncIterator[bytes]:
        """Give the events of a listener as bytes, with a comment where nothing happens for long."""
        yield HELLO
        while True:
            try:
                event = await asyncio.wait_for(queue.get(), self._settings.heartbeat_s)
            except TimeoutError:
                event = HEARTBEAT
            if event is None:
                return
            yield event

    def close(self) -> None:
        """End all streams; call it from the event loop."""
        self._is_closed = True
        if self._watcher:
            self._watcher.cancel()
        for queue in list(self._queues):
            self._end(queue)

    async def _watch(self) -> None:
        """Look for news until nobody listens any more."""
        while self._queues:
            news: list[tuple[int, int]] = []
            try:
                news = await run_in_threadpool(self._news)
                for number, moment in news:
                    self._tell(number, moment)
            except StorageError as error:  # a database that is away comes back; listeners stay
                self._report("news_unread", trouble=error.trouble, code=error.code)
            except Exception as error:  # noqa: BLE001 - listeners would wait for ever for what nobody reads
                self._report("news_unread", error=type(error).__name__)
            await asyncio.sleep(0 if len(news) == MOST_NEWS else self._settings.poll_s)

    def _newest(self) -> int:
        with self._database.reading() as connection:
            return connection.scalar(select(func.max(prompts.c.id))) or 0

    def _news(self) -> list[tuple[int, int]]:
        """Read which exchanges since the last look raised critical alerts, and when, oldest first."""
        with self._database.reading() as connection:
            query = select(prompts.c.id, prompts.c.alerted_at)
            query = query.where(prompts.c.id > self._seen, prompts.c.alerted_at.is_not(None))
            rows = connection.execute(query.order_by(prompts.c.id).limit(MOST_NEWS)).all()
        if rows:
            self._seen = rows[-1].id
        return [(row.id, row.alerted_at) for row in rows]

    def _tell(self, number: int, moment_us: int) -> None:
        event = event_at(moment_us)
        for queue, newest in list(self._queues.items()):
            if number <= newest:
                continue  # recorded before this listener came, and not looked at since
            if queue.qsize() < self._settings.listener_queue:
                queue.put_nowait(event)
            else:
                self._end(queue)

    def _end(self, queue: Queue) -> None:
        self.leave(queue)
        with suppress(asyncio.QueueFull):  # it holds its end already
            queue.put_nowait(None)


class EventStream(StreamingResponse):
    """The answer to a listener; it ends as soon as the listener has gone, and not only at the next attempt to send."""

    def __init__(self, news: AlertNews, queue: Queue) -> None:
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        super().__init__(news.stream(queue), media_type="text/event-stream", headers=headers)
        self._leave = partial(news.leave, queue)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - ASGI's own signature
        try:
            async with anyio.create_task_group() as group:

                async def until_one_ends(part: Callable[[], Awaitable[None]]) -> None:
                    await part()
                    group.cancel_scope.cancel()

                group.start_soon(until_one_ends, partial(self.stream_response, send))
                await until_one_ends(partial(self.listen_for_disconnect, receive))
        finally:
            self._leave()


def event_at(moment_us: int) -> bytes:
    """Write an event; clients know it by the words before the first colon."""
    moment = from_us(moment_us).isoformat(sep=" ", timespec="microseconds")
    return f"data: New alert detected: {moment}\n\n".encode()
