"""Which events are kept for clients that come back, and what they are sent."""

from __future__ import annotations

import sys
import tracemalloc

import anyio
import pytest
from mcp.server.streamable_http import GET_STREAM_KEY, EventMessage
from mcp.types import JSONRPCMessage, JSONRPCNotification, JSONRPCResponse

from tests.support.each import each
from tool_api.endpoint.events import BEGINNING, EventLog, SessionEvents, event_id, request_of, stream_named_by, told_id
from tool_api.runtime.reading import parse


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def said(text: str = "") -> JSONRPCNotification:
    return JSONRPCNotification(jsonrpc="2.0", method="notifications/message", params={"data": text})


def answer(number: int = 1) -> JSONRPCResponse:
    return JSONRPCResponse(jsonrpc="2.0", id=number, result={})


def replay(events: SessionEvents, event_id: str) -> tuple[list[JSONRPCMessage], str | None]:
    sent: list[JSONRPCMessage] = []

    async def send(message: EventMessage) -> None:
        assert message.event_id is not None
        sent.append(message.message)

    async def run() -> str | None:
        return await events.replay_events_after(event_id, send)

    return sent, anyio.run(run)


def store(events: SessionEvents, stream: str, message: JSONRPCMessage | None) -> str:
    return anyio.run(events.store_event, stream, message)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def log(clock: Clock) -> EventLog:
    return EventLog(max_bytes=7000, kept_s=60, clock=clock)


def test_what_followed_on_the_same_stream_is_sent_again(log: EventLog) -> None:
    events = SessionEvents(log, "a")
    first = store(events, "1", None)
    store(events, "2", said("other stream"))
    second = store(events, "1", said("one"))
    store(events, "1", said("two"))
    assert replay(events, first) == ([said("one"), said("two")], "1")
    assert replay(events, second) == ([said("two")], "1")


def test_stream_that_was_answered_ends_with_the_answer(log: EventLog) -> None:
    events = SessionEvents(log, "a")
    first = store(events, "1", None)
    last = store(events, "1", answer())
    assert replay(events, first) == ([answer()], None)
    assert replay(events, last) == ([], None)


def test_stream_of_no_request_goes_on_and_can_be_read_from_its_beginning(log: EventLog) -> None:
    events = SessionEvents(log, "a")
    store(events, GET_STREAM_KEY, said("one"))
    store(events, GET_STREAM_KEY, said("two"))
    assert replay(events, BEGINNING) == ([said("one"), said("two")], GET_STREAM_KEY)


def test_client_that_missed_much_still_gets_the_answer(log: EventLog) -> None:
    """The event that it comes back with has made room for later ones."""
    events = SessionEvents(log, "a")
    first = store(events, "\u2603 1", None)
    for _ in range(5):
        store(events, "\u2603 1", said("x" * 2000))
    store(events, "\u2603 1", answer())
    sent, stream = replay(events, first)
    assert (sent[-1], stream) == (answer(), None)
    assert len(sent) < 6, "the first were discarded"


def test_number_of_an_event_of_another_stream_is_not_taken_for_it(log: EventLog) -> None:
    """Numbers begin anew with the process; a client may come back with one of before."""
    before = store(SessionEvents(EventLog(), "a"), "1", None)
    events = SessionEvents(log, "a")
    store(events, "2", said("other"))
    store(events, "2", answer())
    assert replay(events, before) == ([], None)


def test_client_of_an_earlier_process_is_sent_all_whatever_the_numbers_are(clock: Clock) -> None:
    """A call goes on while another process takes up its session; no clock tells which number is the later one."""
    earlier, later = EventLog(clock=clock, run="5eed"), EventLog(clock=clock, run="c1a7")
    ids = [store(SessionEvents(earlier, "a"), "1", said(str(number))) for number in range(5)]
    events = SessionEvents(later, "a")
    first = store(events, "1", said("one"))
    store(events, "1", answer())
    for given in [*ids, "9" * 18 + "-83dcefb7"]:
        assert replay(events, given) == ([said("one"), answer()], None)
    assert replay(events, first) == ([answer()], None)


@pytest.mark.parametrize("request_id", [7, "lamp"])
def test_run_of_an_event_is_a_part_of_its_id_only(request_id: int | str) -> None:
    log = EventLog(run="5eed")
    events = SessionEvents(log, "a")
    ids = [
        log.add("a", str(request_id), said(), request_id),
        *log.add_answered("a", str(request_id), request_id, b"{}"),
    ]
    assert len(set(ids)) == 3
    assert {request_of(one) for one in ids[:-1]} == {request_id}
    assert {stream_named_by(one) for one in ids} == {str(request_id)}
    kept = events.after(ids[0])
    assert [one.id_for(request_id) for one in kept] == [ids[2]]


@pytest.mark.parametrize(
    "event_id",
    ["99", "x", "", "-1", "１", "1", "1-", "1-x", "x-83dcefb7", "-83dcefb7", "1" * 99 + "-83dcefb7", ".5eed-83dcefb7"],
)
def test_of_an_unknown_event_nothing_follows(log: EventLog, event_id: str) -> None:
    events = SessionEvents(log, "a")
    store(events, "1", said())
    assert replay(events, event_id) == ([], None)


@pytest.mark.parametrize("request_id", [0, 1, -1, 10**17, "", "1", "a-b", "lamp \u2603", "x" * 60])
def test_request_is_found_by_the_id_of_an_event_in_another_process(request_id: int | str) -> None:
    name = EventLog().add("a", str(request_id), said(), request_id)
    assert name.isascii()
    found = request_of(name)
    assert (found, type(found)) == (request_id, type(request_id))


@pytest.mark.parametrize("request_id", [10**18, "x" * 100, None])
def test_request_of_a_long_id_or_none_is_not_found(request_id: int | str | None) -> None:
    assert request_of(EventLog().add("a", str(request_id), said(), request_id)) is None


@pytest.mark.parametrize("request_id", [0, 7, "0", "a-b"])
def test_end_that_has_been_told_names_its_stream_and_no_request(request_id: int | str) -> None:
    name = event_id(3, str(request_id), request_id)
    assert (request_of(name), stream_named_by(name)) == (request_id, str(request_id))
    assert (request_of(told_id(name)), stream_named_by(told_id(name))) == (None, str(request_id))
    assert stream_named_by(told_id(event_id(3, "x"))) is None


@pytest.mark.parametrize("request_id", [0, 7, "0", "a-b", "x" * 100, None])
def test_id_of_an_answer_names_no_request_that_could_be_lost(request_id: int | str | None, log: EventLog) -> None:
    stream = str(request_id)
    answer = JSONRPCResponse(jsonrpc="2.0", id=request_id or 0, result={})
    first = log.add("a", stream, said(), request_id)
    last = log.add("a", stream, answer, request_id)
    assert request_of(last) is None
    if request_id is not None:
        assert request_of(log.add_answered("a", stream, request_id, b"{}")[1]) is None
    events = SessionEvents(log, "a")
    assert events.stream_of(last) == events.stream_of(first) == stream
    assert next(iter(events.after(first))).id_for(request_id) == last


@each("name", ["", "1", "1-83dcefb7", "-", "1-x-i1", "1-83dcefb7-i01", "1-83dcefb7-i+1", "1-83dcefb7-i2"])
@each("end", ["", "-", "=", "\u0663"])
def test_what_was_not_written_here_names_no_request(name: str, end: str) -> None:
    assert request_of(name + end) is None
    assert request_of(f"1-{'x' * 8}-s{name}{end}") is None


def test_events_of_one_session_are_not_sent_to_another(log: EventLog) -> None:
    mine, other = SessionEvents(log, "a"), SessionEvents(log, "b")
    first = store(mine, "1", None)
    store(mine, "1", said("mine"))
    assert replay(other, first) == ([], None)
    assert other.stream_of(first) is None
    assert (mine.holds("1"), other.holds("1")) == (True, False)


def test_events_are_kept_for_their_time(log: EventLog, clock: Clock) -> None:
    events = SessionEvents(log, "a")
    store(events, "1", said("old"))
    clock.now += 60
    store(events, "2", said("new"))
    assert (events.holds("1"), events.holds("2")) == (True, True)
    clock.now += 1
    store(events, "2", said("newer"))
    assert (events.holds("1"), events.holds("2")) == (False, True)


def test_oldest_events_make_room_in_whichever_session_they_are(log: EventLog) -> None:
    old, new = SessionEvents(log, "a"), SessionEvents(log, "b")
    store(old, "1", said("x" * 2000))
    store(new, "1", said("x" * 2000))
    assert (old.holds("1"), new.holds("1")) == (True, True)
    store(new, "2", said("x" * 2000))
    assert (old.holds("1"), new.holds("1"), new.holds("2")) == (False, True, True)
    store(new, "3", said("x" * 6000))
    assert not new.holds("3"), "larger than all that is kept"


def test_events_of_an_ended_session_are_forgotten(log: EventLog) -> None:
    events = SessionEvents(log, "a")
    store(events, "1", said("x" * 2000))
    log.forget("a")
    assert not events.holds("1")
    for _ in range(5):
        store(SessionEvents(log, "b"), "1", said("x" * 2000))
    log.forget("a")
    assert SessionEvents(log, "b").holds("1")


@pytest.mark.costly
@pytest.mark.parametrize(
    "line",
    [
        b"",
        b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"done"}]}}',
        b'{"jsonrpc":"2.0","id":%d,"error":{"code":-32602,"message":"Unknown tool"}}',
        b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":{"n":%d,"of":[1,2]}}}',
    ],
    ids=["no message", "result", "error", "notification"],
)
@pytest.mark.skipif(sys.implementation.name != "cpython", reason="objects have other sizes")
def test_limit_is_one_of_memory(line: bytes) -> None:
    """A call has two small events: a limit of their texts alone would be five times as much memory."""
    most = 400_000
    log = EventLog(max_bytes=most)
    log.add("session", "0", None)  # what is made once
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for number in range(3_000):
            (message,) = parse(line % number) if line else (None,)
            assert not isinstance(message, Exception)
            log.add("session", str(number), message)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most / 3 < after - before < most * 1.5
