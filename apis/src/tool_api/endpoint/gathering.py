"""The HTTP protocol of servers' ports: limited heads, gathered writes, and word of connections that are lost.

The HTTP server writes the head of an answer and its body apart. Each write is a call of the system, and wakes the client.
So the writes of one turn of the loop are sent together.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from starlette.types import ASGIApp, Receive, Scope
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from service_guard import LimitedHttp
from tool_api.endpoint.direct import BODY_S, PLAIN, DirectRequest, Handler, TakeRequest, is_plain
from tool_api.endpoint.heads import RepeatedHead, repeated_head
from tool_api.runtime.writing import AtOnce

MOST_GATHERED_BYTES = 64 * 1024
"""Above this size the parts are sent at once, so that flow control can pause the writer."""

_CONNECTION = "tool_api.connection"
_CLOSE = (b"connection", b"close")
_FAILED, _ERROR = "Exception in the handler of a port", b"Internal Server Error"


def _is_failure(record: logging.LogRecord) -> bool:
    """Whether an exception is one: a port that is closed cancels what is in progress, and uvicorn reports each request."""
    return record.exc_info is None or not isinstance(record.exc_info[1], asyncio.CancelledError)


_logger = logging.getLogger("tool_api.port")
_logger.addFilter(_is_failure)


class Gathering:
    """A transport whose writes are sent at the end of the turn; in all else the one that it is around."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._at_once = AtOnce(transport)
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
        """Send data now, and before it what has been written."""
        self.flush()
        self._at_once.write(data)

    def is_closing(self) -> bool:
        return self._transport.is_closing()

    def flush(self) -> None:
        """Send what has been written."""
        if self._parts:
            parts, self._parts, self._size = self._parts, [], 0
            self._at_once.write(b"".join(parts))

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
        self.logger = _logger
        self.when_lost: set[Callable[[], object]] = set()
        self._handler = handler
        self._coming: _Coming | None = None
        self._direct: DirectRequest | None = None
        """The request that is being answered without an application."""
        self._head: RepeatedHead | None = None
        """Of the last request that the handler could say something about."""
        self._seen = b""
        """What has come of a request whose head came in one piece."""
        self._held = b""
        """A known head with less than its body."""
        self._held_since = 0.0
        self._held_timer: asyncio.TimerHandle | None = None
        self._used = 0.0
        """When a request was answered last whose end uvicorn does not know of."""
        self._is_finishing = False

    # asyncio's callbacks

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        gathering = Gathering(cast("asyncio.Transport", transport))
        self.send = gathering.write_now
        super().connection_made(cast("asyncio.Transport", gathering))

    def connection_lost(self, exc: Exception | None) -> None:
        if self._coming is not None:
            self._leave_coming(self._coming)
        super().connection_lost(exc)
        self._unset_keepalive_if_required()
        if self._held_timer is not None:
            self._held_timer.cancel()
        self._head, self._held = None, b""
        if self._direct is not None:
            self._direct.lose()
        for tell in list(self.when_lost):
            tell()

    def data_received(self, data: bytes) -> None:
        head = self._head
        if head is None:
            self._receive(data)
            return
        held = self._held
        if held:
            data, self._held = held + data, b""
        if (body := head.find(data)) is not None and self._is_idle():
            self._ask(DirectRequest(self, body, partial(head.make_scope, data)), head.take)
        elif head.is_begun(data) and self._is_idle():
            self._hold(data, self._held_since if held else self.loop.time())
        else:
            self._receive(data)

    def _receive(self, data: bytes) -> None:
        """Have the parser read."""
        if self._direct is not None:
            self._direct.make_cycle()  # what comes now waits for its end
        seen = data if self._is_idle() else self._seen and self._seen + data
        self._seen = b""
        super().data_received(data)
        # Not among the parser's callbacks: it would take an error of the handler for one of the request.
        coming = self._coming
        if coming is None:
            return
        if coming.cycle.more_body:
            self._seen = seen
            if coming.timer is None:
                coming.timer = self.loop.call_later(BODY_S, self._stop_waiting_for_body)
            return
        self._leave_coming(coming)
        if not self.transport.is_closing():  # it closes where something that is not HTTP has followed the request
            self._begin(coming, seen)

    def _hold(self, data: bytes, since: float) -> None:
        """Wait for the rest of a request with a known head."""
        self._held, self._held_since = data, since
        if self._held_timer is None:
            self._held_timer = self.loop.call_later(BODY_S, self._look_at_held)

    def _look_at_held(self) -> None:
        self._held_timer = None
        rest = self._held_since + BODY_S - self.loop.time()
        if self._held and rest > 0:
            self._held_timer = self.loop.call_later(rest, self._look_at_held)
        else:
            self._release_held()

    def _release_held(self) -> None:
        """Have the parser read what is held: the rest does not come, or not soon."""
        if self._held:
            data, self._held = self._held, b""
            self._receive(data)

    def _is_idle(self) -> bool:
        """Whether what comes is a new request, with none before it that is still to be answered."""
        return (
            self._direct is None
            and self.is_between_requests
            and (self.cycle is None or self.cycle.response_complete)
            and not self.pipeline
            and not self.transport.is_closing()
            and not self.flow.write_paused
        )

    # What uvicorn does otherwise

    def on_headers_complete(self) -> None:
        """Begin to answer (httptools' callback)."""
        cast("dict[str, object]", self.scope)[_CONNECTION] = self
        super().on_headers_complete()
        if self._is_finishing:
            self._make_last(self.cycle)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGIApp) -> None:  # type: ignore[override]
        """Begin to answer a request; its body may be on its way."""
        # A request that is whole already has waited for the one before it.
        if self._handler is None or not cycle.more_body or not is_plain(cycle):
            self.start_application(cycle, app)
            return
        self._coming = _Coming(cycle, app, self._handler)

    def finish(self) -> None:
        """End the connection after the next answer that can say so: clients send on one of which they have no word.

        Closed at once, it would break off a request that is on its way, and the client could not tell whether that counts.
        """
        self._is_finishing, self._head = True, None
        self._release_held()
        if self._direct is not None:
            self._direct.make_cycle()
        cycle = self.cycle
        if cycle is not None and not cycle.response_started:
            self._make_last(cycle)

    def _make_last(self, cycle: RequestResponseCycle) -> None:
        cycle.keep_alive = False
        cycle.default_headers = [*cycle.default_headers, _CLOSE]

    def shutdown(self) -> None:
        """End the connection after the request that is in progress."""
        self._release_held()
        if self._direct is not None:
            self._direct.make_cycle()
        super().shutdown()

    def timeout_keep_alive_handler(self) -> None:
        """Close the connection, unless it was used for requests that have not touched the timer."""
        self.timeout_keep_alive_task = None
        rest = self._used + self.timeout_keep_alive - self.loop.time()
        is_used = self._direct is not None or self._held
        if is_used or rest > 0:
            pause = self.timeout_keep_alive if is_used else rest
            self.timeout_keep_alive_task = self.loop.call_later(pause, self.timeout_keep_alive_handler)
        else:
            super().timeout_keep_alive_handler()

    # What a `DirectRequest` needs

    def is_congested(self) -> bool:
        return self.flow.write_paused

    def make_cycle(self, scope: Scope, body: bytes) -> RequestResponseCycle:
        """Make what the parser and uvicorn have for a request."""
        self._unset_keepalive_if_required()
        self.scope = cast("Any", {**scope, "state": self.app_state.copy()})
        self.headers = list(scope["headers"])
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
        return cycle

    def start_application(self, cycle: RequestResponseCycle, app: ASGIApp) -> asyncio.Task[None]:
        task = self.loop.create_task(cycle.run_asgi(cast("Any", app)))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    def complete(self) -> None:
        self.server_state.total_requests += 1
        # The timer that the answer before it has started goes on, see `timeout_keep_alive_handler`: to cancel and to make
        # it took as long as writing the answer.
        self._used = self.loop.time()

    def leave(self, request: DirectRequest) -> None:
        if self._direct is request:
            self._direct = None

    def refuse(self) -> None:
        """Answer what a handler has not answered yet: the port is being closed."""
        if self._direct is not None:
            self._direct.answer(503, PLAIN, b"The server is being stopped")

    # Asking the handler

    def _leave_coming(self, coming: _Coming) -> None:
        if coming.timer is not None:
            coming.timer.cancel()
        self._coming = None

    def _stop_waiting_for_body(self) -> None:
        if coming := self._coming:
            self._leave_coming(coming)
            self.start_application(coming.cycle, coming.app)

    def _begin(self, coming: _Coming, data: bytes) -> None:
        """Ask the handler about a request that the parser has read.

        Args:
            coming: The request.
            data: All of it; nothing if its head came in pieces.
        """
        cycle, self._head = coming.cycle, None
        scope = cast("Scope", cycle.scope)
        request = DirectRequest(self, bytes(cycle.body), lambda: scope, cycle)
        try:
            take = coming.handler(scope)
        except Exception:
            self.logger.exception(_FAILED)
            request.answer(500, PLAIN, _ERROR)
            return
        if take is None:
            request.hand_over(coming.app)
            return
        self._head = repeated_head(data, scope, take) if data else None
        self._ask(request, take)

    def _ask(self, request: DirectRequest, take: TakeRequest) -> None:
        self._direct = request
        try:
            is_taken = take(request)
        except Exception:
            self.logger.exception(_FAILED)
            request.answer(500, PLAIN, _ERROR)
            return
        if not is_taken:
            request.hand_over(cast("ASGIApp", self.app))


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
