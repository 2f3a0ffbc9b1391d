"""Limits for the heads of requests, at the protocol itself; no server is started."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from service_guard.heads import LimitedHttp
from service_guard.waiting import LAST_LOOK_S


class Small(LimitedHttp):
    max_head_bytes = 20
    head_timeout_s = 2.5


class Timer:
    """A call that is waited for."""

    def __init__(self, seconds: float, call: Callable[[], None]) -> None:
        self.seconds, self.call = seconds, call
        self.is_cancelled = False

    def cancel(self) -> None:
        self.is_cancelled = True


class Connection:
    """A protocol, with what it has written and what it waits for."""

    def __init__(self) -> None:
        self.written = b""
        self.is_closed = False
        self.timers: list[Timer] = []
        self.received: list[bytes] = []
        protocol: Any = object.__new__(Small)
        protocol.transport = protocol.loop = self
        self.protocol: Small = protocol

    def write(self, data: bytes) -> None:
        self.written += data

    def close(self) -> None:
        self.is_closed = True

    def is_closing(self) -> bool:
        return self.is_closed

    def call_later(self, seconds: float, call: Callable[[], None]) -> Timer:
        self.timers.append(Timer(seconds, call))
        return self.timers[-1]

    def receive(self, *pieces: bytes) -> None:
        for piece in pieces:
            self.protocol.data_received(piece)


@pytest.fixture
def connection(monkeypatch: pytest.MonkeyPatch) -> Connection:
    made = Connection()
    monkeypatch.setattr(HttpToolsProtocol, "data_received", lambda _, data: made.received.append(data))
    monkeypatch.setattr(HttpToolsProtocol, "connection_lost", lambda *_: None)
    return made


@pytest.mark.parametrize(
    ("pieces", "is_refused"),
    [
        ([b"x" * 20], False),
        ([b"x" * 21], True),
        ([b"x" * 10, b"x" * 10], False),
        ([b"x" * 10, b"x" * 11], True),
        # What follows the head is its body.
        ([b"x" * 16 + b"\r\n\r\n" + b"y" * 9], False),
        ([b"x" * 17 + b"\r\n\r\n" + b"y" * 9], True),
        ([b"x" * 16 + b"\r\n\r", b"\n" + b"y" * 9], False),
        ([b"x" * 17 + b"\r\n", b"\r\n" + b"y" * 9], True),
        ([b"x" * 14 + b"\r\n", b"\r\n" + b"y" * 9], False),
    ],
)
def test_head_that_is_too_large_is_refused(connection: Connection, pieces: list[bytes], is_refused: bool) -> None:
    connection.receive(*pieces)
    assert connection.is_closed is is_refused
    assert len(connection.received) == len(pieces) - is_refused
    if is_refused:
        body = b"The head is larger than 20 bytes\n"
        assert connection.written == (
            b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: text/plain; charset=utf-8\r\n"
            b"content-length: 33\r\nconnection: close\r\n\r\n" + body
        )
        connection.receive(b"more")
        assert len(connection.received) == len(pieces) - 1


def test_head_that_is_not_complete_in_time_is_refused_after_a_last_look(connection: Connection) -> None:
    connection.receive(b"a", b"b")
    [timer] = connection.timers
    assert timer.seconds == 2.5
    timer.call()
    assert not connection.is_closed
    [_, last] = connection.timers
    assert last.seconds == LAST_LOOK_S
    last.call()
    assert connection.is_closed
    assert connection.written.startswith(b"HTTP/1.1 408 Request Timeout\r\n")
    assert connection.written.endswith(b"\r\n\r\nThe head was not complete after 2.5 seconds\n")
    assert len(connection.timers) == 2


def test_clock_stops_with_the_head_and_with_the_connection(connection: Connection) -> None:
    connection.receive(b"a")
    connection.protocol.connection_lost(None)
    assert connection.timers[0].is_cancelled
    connection.receive(b"b")
    assert len(connection.timers) == 2
    # The head has become complete, or the connection has been closed, just before the clock runs out.
    connection.protocol._is_in_head = False
    connection.timers[1].call()
    assert len(connection.timers) == 2
    connection.protocol._is_in_head = True
    connection.protocol._start_clock()
    connection.is_closed = True
    connection.timers[2].call()
    assert (len(connection.timers), connection.written) == (3, b"")


def test_each_wait_has_a_last_look_of_its_own(connection: Connection) -> None:
    connection.receive(b"a")
    connection.timers[0].call()
    connection.protocol._stop_clock()
    connection.protocol._start_clock()
    connection.timers[2].call()
    assert not connection.is_closed


def test_body_is_passed_on_whatever_its_size(connection: Connection) -> None:
    connection.protocol._is_in_head = False
    connection.receive(b"x" * 100)
    assert (connection.received, connection.timers) == ([b"x" * 100], [])


def test_connection_is_between_requests_until_a_byte_comes(connection: Connection) -> None:
    assert connection.protocol.is_between_requests
    connection.receive(b"a")
    assert not connection.protocol.is_between_requests
    connection.protocol._head_bytes = 0
    connection.protocol._is_in_head = False
    assert not connection.protocol.is_between_requests


@pytest.mark.parametrize("limits", [{"max_head_bytes": 0}, {"head_timeout_s": 0}, {"head_timeout_s": -1.0}])
def test_limits_are_positive(limits: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="limits must be positive"):
        type("Other", (LimitedHttp,), limits)
    type("Least", (LimitedHttp,), {"max_head_bytes": 1, "head_timeout_s": 0.1})


def test_head_that_is_complete_is_waited_for_no_longer(connection: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HttpToolsProtocol, "on_headers_complete", lambda _: None)
    protocol: Any = connection.protocol
    protocol.scope = {"http_version": "1.1"}
    connection.receive(b"a")
    protocol.on_headers_complete()
    assert connection.timers[0].is_cancelled
    connection.receive(b"x" * 100)
    assert (connection.is_closed, len(connection.timers)) == (False, 1)


def test_refusal_is_logged(connection: Connection, caplog: pytest.LogCaptureFixture) -> None:
    connection.receive(b"x" * 21)
    assert [record.getMessage() for record in caplog.records] == ["The head is larger than 20 bytes"]
