"""Requests that are answered without an ASGI application: whole, small and plain ones, as most calls are.

The application, the layers around it and the task that runs it take more time for such a call than everything else. So a
handler is asked first. What it does not take, and what turns out to be long, goes to an application after all.

A handler sees the head of a request first. Programs send the same head with each call, so what it finds out from that is
kept, see `heads`, and for the next call neither the parser nor the HTTP server's own state of a request is needed. That is
made only when something else happens to the request than one answer.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Protocol

from starlette.types import ASGIApp, Scope
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

MOST_BODY_BYTES = 64 * 1024
"""Longest body of a request that is asked a handler about."""

BODY_S = 0.05
"""Seconds that such a body may take; then the application reads the rest, with its own limits."""

BRIEFLY_S = 0.01
"""Seconds that a request waits for its answer before an application takes over, which can wait for longer."""

MOST_ANSWER_BYTES = 64 * 1024
"""Size up to which an answer waits for its end."""

_LAST_CHUNK = b"0\r\n\r\n"


def written_head(status: int, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Status line and headers as they are sent, without the length and the empty line behind them.

    Args:
        status: Of HTTP.
        headers: With names in lower case, and without any that gives the length of the body.
    """
    lines = [STATUS_LINE.get(status) or b"HTTP/1.1 %d \r\n" % status]
    for name, value in headers:
        lines += (name, b": ", value, b"\r\n")
    return b"".join(lines)


PLAIN = ((b"content-type", b"text/plain; charset=utf-8"),)


class ClientConnection(Protocol):
    """What a request needs of the connection that it came on, see `gathering.PortHttp`."""

    def send(self, data: bytes, /) -> None:
        """Send at once, behind all that was written before."""
        ...

    def is_congested(self) -> bool:
        """Whether the client reads more slowly than it is written to."""
        ...

    def make_cycle(self, scope: Scope, body: bytes, /) -> RequestResponseCycle:
        """Make uvicorn's state of a request."""
        ...

    def start_application(self, cycle: RequestResponseCycle, app: ASGIApp, /) -> asyncio.Task[None]:
        """Let an application answer."""
        ...

    def complete(self) -> None:
        """A request without such a state has been answered."""
        ...

    def leave(self, request: DirectRequest, /) -> None:
        """A request is no longer to be answered here."""
        ...


class DirectRequest:
    """One request, with the ways to answer it, of which one is used, and once.

    `answer`, `begin` and then `go_on`, or `hand_over` to an application, which may also continue what was begun.
    """

    __slots__ = (
        "_connection",
        "_cycle",
        "_endings",
        "_is_done",
        "_is_handed_over",
        "_make_scope",
        "body",
        "has_begun",
    )

    def __init__(
        self,
        connection: ClientConnection,
        body: bytes,
        make_scope: Callable[[], Scope],
        cycle: RequestResponseCycle | None = None,
    ) -> None:
        """Args: make_scope: Called at most once, and only if it is needed. cycle: uvicorn's state, if there is one."""
        self.body = body
        self.has_begun = False
        """Whether a part of the answer has been sent."""
        self._connection = connection
        self._cycle = cycle
        self._make_scope = make_scope
        self._endings: list[Callable[[], object]] = []
        self._is_done = self._is_handed_over = False

    @property
    def is_open(self) -> bool:
        """Whether it still is to be answered here."""
        return not self._is_done and not self._is_handed_over

    @property
    def is_congested(self) -> bool:
        """Whether its client reads more slowly than it is written to; then an application should go on, which waits."""
        return self._connection.is_congested()

    def when_done(self, tell: Callable[[], object]) -> None:
        """Call a function when the request is over: it is answered, its client has gone, or the application has ended."""
        if self._is_done:
            tell()
        else:
            self._endings.append(tell)

    def answer(self, status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes) -> None:
        """Answer with a whole body.

        Args:
            status: Of HTTP.
            headers: With names in lower case, and without any that gives the length.
            body: Empty for statuses that have none.
        """
        length = b"" if status in {204, 304} else b"content-length: %d\r\n" % len(body)
        self.answer_with(written_head(status, headers), length, body)

    def answer_with(self, head: bytes, length: bytes, body: bytes) -> None:
        """The same with lines that have been written before.

        Args:
            head: See `written_head`.
            length: A line, or nothing.
            body: Of this length.
        """
        if self.is_open and not self.has_begun:
            cycle = self._cycle
            self._connection.send(b"%b%b%b\r\n%b" % (head, length, _last_line(cycle), body))
            self._complete(cycle)
        self._finish()

    def begin(self, head: bytes, piece: bytes, *, is_last: bool) -> None:
        """Send the beginning of an answer whose length is not known.

        Args:
            head: See `written_head`.
            piece: Beginning of the body, may be empty.
            is_last: Whether that is all.
        """
        if not self.is_open or self.has_begun:
            return
        cycle = self._cycle
        self.has_begun = True
        encoding = b"transfer-encoding: chunked\r\n"
        self._connection.send(b"%b%b%b\r\n%b" % (head, encoding, _last_line(cycle), _chunk(piece, is_last=is_last)))
        if cycle is not None:
            _note_beginning(cycle)
        if is_last:
            self._complete(cycle)
            self._finish()

    def go_on(self, piece: bytes, *, is_last: bool) -> None:
        """Send more of an answer that was begun."""
        if not self.is_open or not self.has_begun:
            return
        if piece or is_last:
            self._connection.send(_chunk(piece, is_last=is_last))
        if is_last:
            self._complete(self._cycle)
            self._finish()

    def hand_over(self, app: ASGIApp) -> None:
        """Let an application answer, which must watch for the end of the connection.

        Where the answer has begun, the application sends pieces of the body only.
        """
        if not self.is_open:
            return
        cycle = self.make_cycle()
        self._is_handed_over = True
        self._connection.leave(self)
        self._connection.start_application(cycle, app).add_done_callback(lambda _: self._finish())

    def lose(self) -> None:
        """The connection has ended."""
        if not self._is_handed_over:
            self._finish()

    def make_cycle(self) -> RequestResponseCycle:
        """Make uvicorn's state of the request, which everything needs that is not done here."""
        if self._cycle is None:
            self._cycle = self._connection.make_cycle(self._make_scope(), self.body)
            if self.has_begun:
                _note_beginning(self._cycle)
        return self._cycle

    def _complete(self, cycle: RequestResponseCycle | None) -> None:
        if cycle is None:
            self._connection.complete()
            return
        cycle.response_started = cycle.response_complete = True
        cycle.message_event.set()
        if not cycle.keep_alive:
            cycle.transport.close()
        cycle.on_response()

    def _finish(self) -> None:
        if self._is_done:
            return
        self._is_done = True
        self._connection.leave(self)
        endings, self._endings = self._endings, []
        for tell in endings:
            tell()


def _last_line(cycle: RequestResponseCycle | None) -> bytes:
    return b"connection: close\r\n" if cycle is not None and not cycle.keep_alive else b""


def _note_beginning(cycle: RequestResponseCycle) -> None:
    cycle.response_started = cycle.chunked_encoding = True


def _chunk(piece: bytes, *, is_last: bool) -> bytes:
    end = _LAST_CHUNK if is_last else b""
    return b"%x\r\n%b\r\n%b" % (len(piece), piece, end) if piece else end


TakeRequest = Callable[[DirectRequest], bool]
"""Takes a request and returns True, or leaves it to the application and returns False; nothing may have been done for it then."""

Handler = Callable[[Scope], TakeRequest | None]
"""Looks at the head of a request, and returns what may take it and every other one with the same head. None for nothing."""


class Waiting:
    """Requests of which applications take those that are not answered soon.

    One timer for all of them: one for each would be made and cancelled with every call.
    """

    def __init__(self) -> None:
        self._requests: deque[tuple[float, DirectRequest, ASGIApp]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def add(self, request: DirectRequest, app: ASGIApp) -> None:
        """Let an application answer a request if that is still open after `BRIEFLY_S`."""
        loop = asyncio.get_running_loop()
        self._requests.append((loop.time() + BRIEFLY_S, request, app))
        if self._timer is None:
            self._timer = loop.call_later(BRIEFLY_S, self._look)

    def close(self) -> None:
        """Hand nothing over any more."""
        if self._timer is not None:
            self._timer.cancel()
        self._requests.clear()

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        # Those that have been answered are of no concern, whenever they would be due.
        while self._requests and (self._requests[0][0] <= now or not self._requests[0][1].is_open):
            _, request, app = self._requests.popleft()
            request.hand_over(app)
        rest = self._requests[0][0] - now if self._requests else None
        self._timer = None if rest is None else loop.call_later(rest, self._look)


def is_plain(cycle: RequestResponseCycle) -> bool:
    """Whether a handler may be asked: a small POST of a program, without anything that concerns the connection."""
    scope: Any = cycle.scope
    if scope["method"] != "POST" or scope["http_version"] != "1.1":
        return False
    if cycle.waiting_for_100_continue or cycle.flow.write_paused:
        return False
    length = -1
    for name, value in scope["headers"]:
        if name in _NOT_PLAIN:
            return False
        if name == b"content-length":
            with suppress(ValueError):
                length = int(value)
    return 0 <= length <= MOST_BODY_BYTES


_NOT_PLAIN = frozenset((b"origin", b"transfer-encoding", b"upgrade", b"expect"))
