"""Which engine draws the pages of a build, and what the one in another process answers. No engine is started."""

from __future__ import annotations

import signal
from typing import Any

import msgspec
import pytest

from octavo.errors import RenderError
from octavo.rendering import engine
from octavo.rendering.engine import AheadEngine, Engines

THEME: Any = "theme"


class Ahead:
    """Stands in for the engine that was started ahead."""

    started: list[Ahead]

    def __init__(self, theme: object) -> None:
        assert theme == THEME
        self.is_alive = True
        self.closes = 0
        self.started.append(self)

    @staticmethod
    def is_possible() -> bool:
        return True

    def close(self) -> None:
        self.closes += 1


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Ahead]:
    monkeypatch.setattr(Ahead, "started", [], raising=False)
    monkeypatch.setattr(engine, "AheadEngine", Ahead)
    monkeypatch.setattr(engine, "LocalEngine", lambda theme: ("local", theme))
    return Ahead.started


def test_engine_that_was_started_ahead_is_taken(started: list[Ahead]) -> None:
    engines = Engines(THEME)
    engines.start_ahead()
    engines.start_ahead()
    assert len(started) == 1
    taken: Any = engines.take()
    assert taken is started[0]
    engines.close()
    engines.close()
    assert started[0].closes == 1
    assert engines.take() == ("local", THEME)  # type: ignore[comparison-overlap]  # the stand-in
    assert engines.take() is engines.take()


def test_engine_that_has_died_is_given_up(started: list[Ahead]) -> None:
    engines = Engines(THEME)
    assert not engines.revive()
    engines.start_ahead()
    assert not engines.revive()
    started[0].is_alive = False
    assert engines.revive()
    assert started[0].closes == 1
    assert not engines.revive()
    engines.start_ahead()
    assert len(started) == 2


def test_nothing_is_started_ahead_where_that_is_not_possible(
    started: list[Ahead], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Ahead, "is_possible", lambda: False)
    engines = Engines(THEME)
    engines.start_ahead()
    assert started == []


@pytest.mark.parametrize(
    ("platform", "cores", "is_possible"), [("linux", 2, True), ("linux", 1, False), ("darwin", 8, False)]
)
def test_second_core_is_needed(monkeypatch: pytest.MonkeyPatch, platform: str, cores: int, is_possible: bool) -> None:
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setattr(engine, "count_cores", lambda: cores)
    assert AheadEngine.is_possible() is is_possible


class Connection:
    """Gives messages, and takes them."""

    def __init__(self, *messages: Any) -> None:
        self.messages = list(messages)
        self.sent: list[Any] = []
        self.closes = 0

    def send_bytes(self, data: bytes) -> None:
        self.sent.append(msgspec.msgpack.decode(data))

    def recv_bytes(self) -> bytes:
        message = self.messages.pop(0) if self.messages else EOFError()
        if isinstance(message, Exception):
            raise message
        return msgspec.msgpack.encode(message)

    def close(self) -> None:
        self.closes += 1


class Process:
    """Notes how it ends."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def kill(self) -> None:
        self.done.append("kill")

    def join(self) -> None:
        self.done.append("join")

    def is_alive(self) -> bool:
        return not self.done


def ahead(*messages: Any) -> tuple[AheadEngine, Connection, Process]:
    made = object.__new__(AheadEngine)
    connection, process = Connection(*messages), Process()
    made.__dict__ |= {"_connection": connection, "_process": process}
    return made, connection, process


def test_calls_are_answered_by_the_other_process() -> None:
    made, connection, process = ahead([False, "<p>"], [True, "it fails"], EOFError())
    assert made.call("page", "a", None) == "<p>"
    assert connection.sent == [["page", "a", None]]
    with pytest.raises(RenderError, match=r"^it fails$"):
        made.call("page")
    with pytest.raises(RenderError, match=r"^The process that draws pages has ended in page\.$"):
        made.call("page")
    assert made.is_alive
    made.close()
    assert (connection.closes, process.done, made.is_alive) == (1, ["kill", "join"], False)


class Local:
    """Draws the given uses."""

    is_broken = False

    def __init__(self, theme: object) -> None:
        assert theme == THEME

    @property
    def functions(self) -> dict[str, Any]:
        if self.is_broken:
            raise RenderError("broken")
        return {}

    def call(self, function: str, *arguments: str | None) -> str:
        if function == "bad":
            raise RenderError("it fails")
        return f"{function}{arguments}"


@pytest.mark.parametrize("is_broken", [False, True])
def test_process_answers_until_the_other_side_hangs_up(monkeypatch: pytest.MonkeyPatch, is_broken: bool) -> None:
    ended: list[int] = []
    handled: list[object] = []
    monkeypatch.setattr(engine, "LocalEngine", Local)
    monkeypatch.setattr(Local, "is_broken", is_broken)
    monkeypatch.setattr("os._exit", ended.append)
    monkeypatch.setattr(signal, "signal", lambda *given: handled.append(given))
    ours, parents = Connection(["page", "a"], ["bad"], ["page", None]), Connection()
    engine._serve(ours, parents, THEME)  # type: ignore[arg-type]  # what it uses of connections
    assert ours.sent == [[False, "page('a',)"], [True, "it fails"], [False, "page(None,)"]]
    assert (parents.closes, ended, handled) == (1, [0], [(signal.SIGINT, signal.SIG_IGN)])
