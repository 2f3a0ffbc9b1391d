"""Events that were sent to clients lately, so that a client whose connection broke can be sent them again.

Only answers and notifications are kept. A call is never made again.
"""

from __future__ import annotations

import base64
import itertools
import sys
import time
import zlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mcp.server.streamable_http import GET_STREAM_KEY, EventCallback, EventMessage, EventStore
from mcp.types import JSONRPCError, JSONRPCMessage, JSONRPCResponse, RequestId

from tool_api.runtime.reading import WrittenCall, WrittenResponse

KEPT_S = 300
"""Seconds for which an event is kept."""

MAX_BYTES = 64 * 1024 * 1024
"""Memory of all kept events of one server, estimated; the oldest are discarded first."""

BEGINNING = "0"
"""Id before the first event of the stream without a request."""


_EVENT_BYTES = 320
"""Memory of an event beside its message: it, its places in two collections, its age."""

_ANSWER_BYTES, _PART_BYTES = 700, 400
"""Memory of an answer as the server has written it, and of any other part of a message, beside what it contains: most
messages are smaller than that."""

_WRITTEN_BYTES = 150
"""Memory of an answer that is kept as its id and its result, beside the result."""

_MOST_DIGITS = 18
"""Of a number in an id; more are not a number of ours."""

_TOLD = ".told"
"""End of the id of an event that ends a stream: an answer, or that there is none."""

_MOST_NAMED = 96
"""Characters of the id of a request that is a part of the ids of its events; longer ones are not."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event as it was sent, or would have been."""

    number: int
    stream: str
    message: JSONRPCMessage | None
    """None for one that only gives the client an id to come back with."""

    run: str = ""
    """Of the log that keeps it."""

    def id_for(self, request_id: RequestId | None) -> str:
        """What it is called by, if it is of the stream of a request; see `event_id`."""
        return event_id(self.number, self.stream, request_id, self.run, is_answer=_is_answer(self.message))


def event_id(
    number: int, stream: str, request_id: RequestId | None = None, run: str = "", *, is_answer: bool = False
) -> str:
    """What the client comes back with: it names the stream also when the event itself is no longer kept.

    Args:
        number: Of the event.
        stream: That it belongs to.
        request_id: Of the call that the stream belongs to; `request_of` finds it also in another process.
        run: Of the log that keeps it.
        is_answer: It ends the stream. Who comes back with its id to another process, or after it has made room for others, has
            been answered, and must not be told that the answer is lost.
    """
    name = _named(request_id)
    return f"{_numbered(number, run)}-{_mark(stream)}{name}{_TOLD if is_answer and name else ''}"


def _is_answer(message: JSONRPCMessage | None) -> bool:
    return isinstance(message, JSONRPCResponse | JSONRPCError)


def _numbered(number: int, run: str) -> str:
    return f"{number}.{run}" if run else str(number)


def _named(request_id: RequestId | None) -> str:
    match request_id:
        case int() if len(text := str(request_id)) <= _MOST_DIGITS:
            return f"-i{text}"
        case str() if len(text := base64.urlsafe_b64encode(request_id.encode()).decode()) <= _MOST_NAMED:
            return f"-s{text}"
    return ""


def request_of(event_id: str) -> RequestId | None:
    """The request whose stream an event belongs to, by its id; None if that does not tell, or its end has been told."""
    return None if event_id.endswith(_TOLD) else _find_request(event_id)


def stream_named_by(event_id: str) -> str | None:
    """The stream of a request that the id of an event names, whether or not anything is kept of it."""
    request_id = _find_request(event_id.removesuffix(_TOLD))
    return None if request_id is None else str(request_id)


def told_id(event_id: str) -> str:
    """Id of an event that ends a stream of which nothing is kept; who comes back with it has been told."""
    return event_id + _TOLD


def _find_request(event_id: str) -> RequestId | None:
    _, _, rest = event_id.partition("-")
    mark, _, name = rest.partition("-")
    request_id: RequestId | None = None
    try:
        if name.startswith("i") and len(name) <= _MOST_DIGITS + 1:
            request_id = int(name[1:])
        elif name.startswith("s") and len(name) <= _MOST_NAMED + 1:
            request_id = base64.b64decode(name[1:], b"-_", validate=True).decode()
    except ValueError:
        return None
    # Only what was written here.
    is_ours = request_id is not None and (mark, f"-{name}") == (_mark(str(request_id)), _named(request_id))
    return request_id if is_ours else None


_Kept = tuple[int, str, JSONRPCMessage | tuple[RequestId, bytes] | None]
"""An event as it is kept; an answer as the server has written it by its id and result. The garbage collector goes through
objects of classes again and again, and through such tuples once."""


class EventLog:
    """Events of all sessions of one server."""

    def __init__(
        self,
        *,
        max_bytes: int = MAX_BYTES,
        kept_s: float = KEPT_S,
        clock: Callable[[], float] = time.monotonic,
        run: str = "",
    ) -> None:
        """Args: run: Tells the ids of this log from those of an earlier process, which may have had any number."""
        self._max_bytes = max_bytes
        self._kept_s = kept_s
        self._clock = clock
        self.run = run
        self._numbers = itertools.count(1)
        self._sessions: dict[str, dict[int, _Kept]] = {}
        self._ages: deque[tuple[str, int, int, float]] = deque()
        """Session, number, size and time of each event, oldest first; those of ended sessions included."""
        self._size = 0

    def add(
        self, session: str, stream: str, message: JSONRPCMessage | None, request_id: RequestId | None = None
    ) -> str:
        """Keep an event; returns its id, see `event_id`."""
        number = next(self._numbers)
        self._keep(session, (number, stream, message), weigh(message) + _EVENT_BYTES)
        return event_id(number, stream, request_id, self.run, is_answer=_is_answer(message))

    def add_answered(self, session: str, stream: str, request_id: RequestId, data: bytes) -> tuple[str, str]:
        """Keep the answer to a call that no event was sent for before.

        The first event, which only gives the client an id, needs no place: the answer is what follows it.

        Args:
            session: Of the call.
            stream: Of the call.
            request_id: Of the call, as the client has chosen it.
            data: See `WrittenResponse`.

        Returns:
            Ids of an event to come back to, and of the answer.
        """
        first, number = next(self._numbers), next(self._numbers)
        self._keep(session, (number, stream, (request_id, data)), len(data) + _WRITTEN_BYTES + _EVENT_BYTES)
        name = _named(request_id)  # once for both: this is most of the work for most calls
        rest = f"{_mark(stream)}{name}"
        return f"{_numbered(first, self.run)}-{rest}", f"{_numbered(number, self.run)}-{rest}{_TOLD if name else ''}"

    def _keep(self, session: str, kept: _Kept, size: int) -> None:
        now = self._clock()
        events = self._sessions.get(session)
        if events is None:
            events = self._sessions[session] = {}
        events[kept[0]] = kept
        self._ages.append((session, kept[0], size, now))
        self._size += size
        while self._ages and (self._size > self._max_bytes or now - self._ages[0][3] > self._kept_s):
            self._discard_oldest()

    def events(self, session: str) -> list[Event]:
        """Kept events of a session, oldest first."""
        return [
            Event(number, stream, WrittenResponse(*message) if isinstance(message, tuple) else message, self.run)
            for number, stream, message in self._sessions.get(session, {}).values()
        ]

    def forget(self, session: str) -> None:
        """Discard the events of a session that has ended."""
        self._sessions.pop(session, None)

    def _discard_oldest(self) -> None:
        session, number, size, _ = self._ages.popleft()
        self._size -= size
        events = self._sessions.get(session)
        if events is not None:
            events.pop(number, None)
            if not events:
                del self._sessions[session]


class SessionEvents(EventStore):
    """The events of one session, in the form that the SDK's transport asks for."""

    def __init__(self, log: EventLog, session: str) -> None:
        self._log = log
        self._session = session

    async def store_event(self, stream_id: str, message: JSONRPCMessage | None) -> str:
        return self._log.add(self._session, stream_id, message)

    async def replay_events_after(self, last_event_id: str, send_callback: EventCallback) -> str | None:
        """Send the kept events of a stream that followed one of its events.

        Returns:
            The stream, if it continues; None if it has been answered or the event is unknown.
        """
        stream = self.stream_of(last_event_id)
        if stream is None:
            return None
        for event in self.after(last_event_id):
            if event.message is not None:
                await send_callback(EventMessage(event.message, event.id_for(None)))
        return None if self.is_answered(stream) else stream

    def after(self, event_id: str) -> list[Event]:
        """Kept events of the stream of an event that came after it, oldest first; none if the stream is unknown.

        All that is kept here came after an event of an earlier process.
        """
        stream = self.stream_of(event_id)
        number, _, run = event_id.partition("-")[0].partition(".")
        last = int(number) if stream is not None and run == self._log.run else 0
        return [one for one in self._log.events(self._session) if one.stream == stream and one.number > last]

    def is_answered(self, stream: str) -> bool:
        """Whether the answer that ends a stream is kept."""
        return stream != GET_STREAM_KEY and any(
            event.stream == stream and _is_answer(event.message) for event in self._log.events(self._session)
        )

    def stream_of(self, event_id: str) -> str | None:
        """The stream that an event belongs to; None for one of which nothing is kept.

        The event itself may have made room: a client that missed much still gets the answer.
        """
        if event_id == BEGINNING:
            return GET_STREAM_KEY
        numbered, _, rest = event_id.partition("-")
        number, mark = numbered.partition(".")[0], rest.partition("-")[0]
        if not (number.isascii() and number.isdecimal() and len(number) <= _MOST_DIGITS):
            return None
        found = (event.stream for event in self._log.events(self._session) if _mark(event.stream) == mark)
        return next(found, None)

    def holds(self, stream: str) -> bool:
        """Whether an event of a stream is kept, so that its client can come back to it."""
        return any(event.stream == stream for event in self._log.events(self._session))


def _mark(stream: str) -> str:
    """A short name of a stream, whose own may be of any length and alphabet: it goes into a header."""
    return f"{zlib.crc32(stream.encode()):08x}"


def weigh(value: Any) -> int:
    """Estimate the memory that a message takes, in bytes, without writing it."""
    match value:
        case None | bool():
            return 8
        case WrittenResponse() | WrittenCall():
            return value.size + _ANSWER_BYTES
        case dict():
            return sys.getsizeof(value) + sum(sys.getsizeof(key) + weigh(item) for key, item in value.items())
        case list():
            return sys.getsizeof(value) + sum(map(weigh, value))
        case str() | int() | float():
            return sys.getsizeof(value)
        case _:
            return _PART_BYTES + sum(map(weigh, vars(value).values()))
