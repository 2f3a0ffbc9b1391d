"""The HTTP protocol of servers' ports: limited heads, gathered writes, and word of connections that are lost.

The HTTP server writes the head of an answer and its body apart. Each write is a call of the system, and wakes the client.
So the writes of one turn of the loop are sent together.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from starlette.types import ASGIApp, Receive, Scope
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from service_guard import LimitedHttp
from tool_api.endpoint.direct import BODY_S, PLAIN, DirectRequest, Handler, RepeatedHead, is_plain, repeated_head

MOST_GATHERED_BYTES = 64 * 1024
"""Above this size the parts are sent at once, so that flow control can pause the writer."""

_CONNECTION = "tool_api.connection"


class Gathering:
    """A transport whose writes are sent at the end of the turn; in all else the one that it is around."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._parts: list[bytes] = []
        self._size = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if not self._parts:
            self._loop.call_soon(self.flush)
        self._parts.append(data)
        self._size += len(data)
        if self._size > MOST_GATHERED_BYTES:
            self.flush()

    def write_now(self, data: bytes) -> None:
        """Send data, and before it what has been written."""
        if self._parts:
            self.write(data)
            self.flush()
        else:
            self._transport.write(data)

    def is_closing(self) -> bool:
        return self._transport.is_closing()

    def flush(self) -> None:
        """Send what has been written."""
        if self._parts:
            parts, self._parts, self._size = self._parts, [], 0
            self._transport.write(b"".join(parts))

    def close(self) -> None:
        self.flush()
        self._transport.close()


@dataclass(slots=True)
class _Coming:
    """A request for the handler whose body is not whole yet."""

    cycle: RequestResponseCycle
    app: ASGIApp
    handler: Handler
    timer: asyncio.TimerHandle | None = None
    """Runs while the body is not whole."""


class PortHttp(LimitedHttp):
    """For `uvicorn.Config(http=PortHttp)`, with the keyword `handler` for requests that need no application."""

    def __init__(self, *arguments: Any, handler: Handler | None = None, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self.when_lost: set[Callable[[], object]] = set()
        self._handler = handler
        self._coming: _Coming | None = None
        self._asked: DirectRequest | None = None
        """What the handler was asked about last."""
        self._head: RepeatedHead | None = None
        """Of the last request that the handler was asked about."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        gathering = Gathering(cast("asyncio.Transport", transport))
        self._write_now = gathering.write_now
        super().connection_made(cast("asyncio.Transport", gathering))

    def on_headers_complete(self) -> None:
        """Begin to answer (httptools' callback)."""
        cast("dict[str, object]", self.scope)[_CONNECTION] = self
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._coming is not None:
            self._leave_coming(self._coming)
        super().connection_lost(exc)
        self._head = None
        for tell in list(self.when_lost):
            tell()

    def data_received(self, data: bytes) -> None:
        is_next = self._is_idle()
        if is_next and self._head is not None and self._handler is not None and (found := self._head.find(data)):
            self._begin_repeated(self._handler, *found)
            return
        super().data_received(data)
        # Not among the parser's callbacks: it would take an error of the handler for one of the request.
        coming = self._coming
        if coming is None:
            return
        if coming.cycle.more_body:
            if coming.timer is None:
                coming.timer = self.loop.call_later(BODY_S, self._stop_waiting_for_body)
            return
        self._leave_coming(coming)
        if not self.transport.is_closing():  # it is where something that is not HTTP followed
            self._head = repeated_head(data, cast("Scope", coming.cycle.scope)) if is_next else None
            self._ask_handler(coming)

    def _is_idle(self) -> bool:
        """Whether what comes is a new request, with none before it that is still to be answered."""
        return (
            self.is_between_requests
            and (self.cycle is None or self.cycle.response_complete)
            and not self.pipeline
            and not self.transport.is_closing()
            and not self.flow.write_paused
        )

    def _begin_repeated(self, handler: Handler, scope: dict[str, Any], body: bytes) -> None:
        """Begin to answer a request with a head that is known: what the parser and uvicorn would do."""
        self._unset_keepalive_if_required()
        scope["state"] = self.app_state.copy()
        self.scope = cast("Any", scope)
        self.headers = scope["headers"]
        cycle = self.cycle = RequestResponseCycle(
            scope=self.scope,
            transport=self.transport,
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=self.access_log,
            default_headers=self.server_state.default_headers,
            message_event=asyncio.Event(),
            expect_100_continue=False,
            keep_alive=True,
            on_response=self.on_response_complete,
        )
        cycle.body += body
        cycle.more_body = False
        cycle.message_event.set()
        self._ask_handler(_Coming(cycle, cast("Any", self.app), handler))

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGIApp) -> None:  # type: ignore[override]
        """Begin to answer a request; its body may be on its way."""
        # A request that is whole already has waited for the one before it.
        if self._handler is None or not cycle.more_body or not is_plain(cycle):
            self._start_application(cycle, app)
            return
        self._coming = _Coming(cycle, app, self._handler)

    def _start_application(self, cycle: RequestResponseCycle, app: ASGIApp) -> asyncio.Task[None]:
        task = self.loop.create_task(cycle.run_asgi(cast("Any", app)))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    def _leave_coming(self, coming: _Coming) -> None:
        if coming.timer is not None:
            coming.timer.cancel()
        self._coming = None

    def _stop_waiting_for_body(self) -> None:
        if coming := self._coming:
            self._leave_coming(coming)
            self._start_application(coming.cycle, coming.app)

    def _ask_handler(self, coming: _Coming) -> None:
        request = self._asked = DirectRequest(
            coming.cycle, partial(self._start_application, coming.cycle), self._write_now, self._head
        )
        self.when_lost.add(request.lose)
        request.when_done(partial(self.when_lost.discard, request.lose))
        try:
            is_taken = coming.handler(request)
        except Exception:
            self.logger.exception("Exception in the handler of a port")
            request.answer(500, PLAIN, b"Internal Server Error")
            return
        if not is_taken:
            request.hand_over(coming.app)

    def refuse(self) -> None:
        """Answer what a handler has not answered yet: the port is being closed."""
        if self._asked is not None:
            self._asked.answer(503, PLAIN, b"The server is being stopped")


@contextmanager
def told_when_gone(scope: Scope, receive: Receive, tell: Callable[[], object]) -> Iterator[None]:
    """Call a function if the client of a request goes while the block runs.

    Args:
        scope: Of the request, whose body has been read.
        receive: Asked for the end of the connection where the server is not one of our ports: that needs a task.
        tell: Must not wait.
    """
    connection: PortHttp | None = scope.get(_CONNECTION)
    if connection is None:
        watcher = asyncio.create_task(_watch(receive, tell))
        try:
            yield
        finally:
            watcher.cancel()
        return
    connection.when_lost.add(tell)
    try:
        if connection.transport.is_closing():
            tell()
        yield
    finally:
        connection.when_lost.discard(tell)


async def _watch(receive: Receive, tell: Callable[[], object]) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    tell()
