"""Requests that are answered without an ASGI application: whole, small and plain ones, as most calls are.

The application, the layers around it and the task that runs it take more time for such a call than everything else. So a
handler is asked first. What it does not take, and what turns out to be long, goes to an application after all.
"""

from __future__ import annotations

import asyncio
import re
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
"""Seconds that the beginning of an answer waits for its end. Each write wakes the client, which costs more than writing."""

MOST_ANSWER_BYTES = 64 * 1024
"""Size up to which an answer waits for its end."""

PLAIN = ((b"content-type", b"text/plain; charset=utf-8"),)


class DirectRequest:
    """One request, with the ways to answer it: `answer`, or `hand_over` to an application. One of them, and once."""

    def __init__(
        self,
        cycle: RequestResponseCycle,
        start: Callable[[ASGIApp], asyncio.Task[None]],
        write: Callable[[bytes], None],
        head: RepeatedHead | None,
    ) -> None:
        """Args: cycle: uvicorn's state of the request. start: Lets an application answer it. write: Sends at once.

        head: If the next request can be known by it.
        """
        self._cycle = cycle
        self._write = write
        self.known: dict[str, Any] = {} if head is None else head.known
        """What handlers know from the head alone, the length of the body aside: they keep it for the next request of
        the same head."""

        self._start = start
        self._endings: list[Callable[[], object]] = []
        self._is_done = self._is_handed_over = False
        self._timer: asyncio.TimerHandle | None = None

    @property
    def scope(self) -> Scope:
        return self._cycle.scope  # type: ignore[return-value]

    @property
    def body(self) -> bytes:
        return bytes(self._cycle.body)

    @property
    def is_open(self) -> bool:
        """Whether it still is to be answered here."""
        return not self._is_done and not self._is_handed_over

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
            headers: With names in lower case; the length is added where there is none.
            body: Empty for statuses that have none.
        """
        cycle = self._cycle
        if self.is_open and not cycle.disconnected and not cycle.response_started:
            parts = [STATUS_LINE.get(status) or b"HTTP/1.1 %d \r\n" % status]
            has_length = status in {204, 304}
            for name, value in headers:
                has_length = has_length or name == b"content-length"
                parts += (name, b": ", value, b"\r\n")
            if not has_length:
                parts.append(b"content-length: %d\r\n" % len(body))
            if not cycle.keep_alive:
                parts.append(b"connection: close\r\n")
            parts += (b"\r\n", body)
            # At once: what is left to do here is done while the client reads.
            self._write(b"".join(parts))
            cycle.response_started = cycle.response_complete = True
            cycle.message_event.set()
            if not cycle.keep_alive:
                cycle.transport.close()
            cycle.on_response()
        self._finish()

    def hand_over_later(self, app: ASGIApp) -> None:
        """Let an application answer if there is no answer soon; a second call changes nothing."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(BRIEFLY_S, self.hand_over, app)

    def hand_over(self, app: ASGIApp) -> None:
        """Let an application answer, which must watch for the end of the connection."""
        if not self.is_open:
            return
        self._is_handed_over = True
        self._stop_waiting()
        self._start(app).add_done_callback(lambda _: self._finish())

    def lose(self) -> None:
        """The connection has ended."""
        if not self._is_handed_over:
            self._finish()

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _finish(self) -> None:
        self._stop_waiting()
        self._is_done = True
        endings, self._endings = self._endings, []
        for tell in endings:
            tell()


class Handler(Protocol):
    """Takes requests that it can answer without an application."""

    def __call__(self, request: DirectRequest, /) -> bool:
        """Take a request, or tell that it is the application's; nothing may have been done for it then."""
        ...


class RepeatedHead:
    """The head of a request, to know the next request of the same client by, and its parts, as the parser has read them.

    Programs send the same head each time, but for the length of the body. To read it again took a third of the time
    that a port takes for a call.
    """

    def __init__(self, scope: Scope, before: bytes, after: bytes, place: int) -> None:
        """Args: before, after: All bytes around the length. place: Of the length among the headers of the scope."""
        self._scope = {**scope}
        self._headers = list(scope["headers"])
        self._before, self._after = before, after
        self._place = place
        self.known: dict[str, Any] = {}
        """See `DirectRequest.known`."""

    def find(self, data: bytes) -> tuple[dict[str, Any], bytes] | None:
        """Scope and body of the request that data is; None where it is any other one, or not exactly one."""
        before, after = self._before, self._after
        if not data.startswith(before):
            return None
        end = data.find(b"\r\n", len(before), len(before) + _MOST_DIGITS + 2)
        digits = data[len(before) : end]
        if end < 0 or not digits.isdigit() or not data.startswith(after, end):
            return None
        body = data[end + len(after) :]
        if len(body) != int(digits) or len(body) > MOST_BODY_BYTES:
            return None
        headers = self._headers.copy()
        headers[self._place] = (b"content-length", digits)
        return {**self._scope, "headers": headers}, body


def repeated_head(data: bytes, scope: Scope) -> RepeatedHead | None:
    """The head of a plain request, if it can be known by its bytes.

    Args:
        data: A whole request, and nothing else.
        scope: The same as the parser has read it; nobody else has seen it yet.
    """
    head, end, body = data.partition(b"\r\n\r\n")
    lengths = _LENGTH.findall(head + end)
    places = [place for place, (name, _) in enumerate(scope["headers"]) if name == b"content-length"]
    if len(lengths) != 1 or len(places) != 1:
        return None
    before, length, after = lengths[0]
    # Else the head ends elsewhere than the parser has found.
    return RepeatedHead(scope, before, after, places[0]) if int(length) == len(body) else None


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


_LENGTH = re.compile(rb"(?is)\A(.*\r\ncontent-length:[ \t]*)([0-9]+)(\r\n.*)\Z")
_MOST_DIGITS = 5
_NOT_PLAIN = frozenset((b"origin", b"transfer-encoding", b"upgrade", b"expect"))
