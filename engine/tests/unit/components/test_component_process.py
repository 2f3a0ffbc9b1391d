"""Requests to the process of components, and what follows when it fails. No process is started."""

from __future__ import annotations

import json
import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from octavo.components import process
from octavo.components.conversation import ComponentError, DamagedError, SlowError, TurnError
from octavo.components.process import ComponentProcess, Spare

DESCRIBED = {"isComponent": True, "client": "none", "contract": 1}


class Conversation:
    """Answers what a test says, or nothing in particular."""

    started: list[Conversation]
    answers: list[Any]

    def __init__(self) -> None:
        self.owner = os.getpid()
        self.pid = 4321
        self.is_alive = True
        self.asked: list[dict[str, Any]] = []
        self.untils: list[float] = []
        self.ends = 0
        self.started.append(self)

    def send(self, request: dict[str, Any]) -> None:
        self.asked.append(request)

    def receive(self, until: float) -> bytes | None:
        self.untils.append(until)
        if self.asked[-1]["do"] == "load":
            return b'{"value": null}'
        answer = self.answers.pop(0) if self.answers else {}
        if answer is None:
            return None
        return json.dumps(answer if "failure" in answer else {"value": json.dumps(answer)}).encode()

    def end(self) -> None:
        self.ends += 1
        self.is_alive = False


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> ComponentProcess:
    monkeypatch.setattr(Conversation, "started", [], raising=False)
    monkeypatch.setattr(Conversation, "answers", [], raising=False)
    monkeypatch.setattr(process, "Conversation", Conversation)
    monkeypatch.setattr(process, "read_theme_file", lambda path: Path(path).name.encode())
    monkeypatch.setattr("time.monotonic", lambda: 100.0)
    return ComponentProcess("/docs/", seconds=5.0, memory=7)


def loaded(number: int = -1) -> list[tuple[str, str]]:
    return [(one["script"], one["call"]) for one in Conversation.started[number].asked if one["do"] == "load"]


def runs(made: ComponentProcess) -> bool:
    return made.is_running


def define(made: ComponentProcess, key: str = "k", code: str = "x") -> dict[str, Any]:
    return made.define(key, "components/A.tsx", {"./b": "kb"}, "AAAA", code)


def test_scripts_are_loaded_once_and_when_they_are_needed(made: ComponentProcess) -> None:
    assert not runs(made)
    Conversation.answers += [{"code": "c", "mappings": "m"}, {"code": "d", "mappings": "m"}]
    assert made.compile("text", "a.tsx") == {"code": "c", "mappings": "m"}
    assert made.compile("text", "b.tsx") == {"code": "d", "mappings": "m"}
    assert runs(made)
    assert loaded() == [("compile-script.js", "")]
    asked = Conversation.started[0].asked[1]
    assert asked == {"do": "compile", "code": "text", "path": "a.tsx", "seconds": 5.0, "memory": 7}
    define(made)
    assert loaded()[1:] == [("component-server.js", 'OctavoComponents.start("/docs/")')]
    define(made, code="new URLSearchParams()")
    define(made, code="URLs")
    assert loaded()[2:] == [("web-apis.js", "OctavoComponents.extend()")]
    assert len(Conversation.started) == 1


def test_module_is_given_with_what_it_needs(made: ComponentProcess) -> None:
    Conversation.answers += [{"error": "no", "line": 1, "column": 2}]
    assert define(made) == {"error": "no", "line": 1, "column": 2}
    asked = Conversation.started[0].asked[-1]
    assert (asked["id"], asked["path"], json.loads(asked["needs"]), asked["mappings"], asked["code"]) == (
        "k", "components/A.tsx", {"./b": "kb"}, "AAAA", "x",
    )  # fmt: skip
    assert made.defined == {"k"}


def test_prepared_process_has_all_scripts(made: ComponentProcess) -> None:
    made.prepare()
    assert [name for name, _ in loaded()] == ["compile-script.js", "component-server.js"]


def test_answers_are_descriptions_and_drawings(made: ComponentProcess) -> None:
    define(made)
    Conversation.answers += [DESCRIBED, [{"html": "a"}, {"error": "b"}]]
    assert made.describe("k") == DESCRIBED
    uses: list[dict[str, Any]] = [{"props": {}}, {"props": {"a": 1}}]
    assert made.draw(uses) == [{"html": "a"}, {"error": "b"}]
    assert json.loads(Conversation.started[0].asked[-1]["uses"]) == uses
    assert set(Conversation.started[0].untils) == {110.0}


@pytest.mark.parametrize("answer", [{}, [], {"isComponent": True}])
def test_answer_of_another_form_gives_the_process_up(made: ComponentProcess, answer: Any) -> None:
    define(made)
    Conversation.answers += [answer, [{"html": "a"}]]
    with pytest.raises(DamagedError, match="its answer cannot be read"):
        made.describe("k")
    assert (Conversation.started[0].ends, runs(made), made.defined) == (1, False, set())
    define(made)
    with pytest.raises(DamagedError, match="its answer cannot be read"):
        made.draw([{}, {}])
    assert len(Conversation.started) == 2
    assert Conversation.started[1].ends == 1


def test_request_that_fails_ends_the_process_and_the_next_starts_another(made: ComponentProcess) -> None:
    define(made)
    Conversation.answers += [{"failure": "memory", "message": "it takes too much memory"}]
    with pytest.raises(ComponentError, match=r"^it takes too much memory$"):
        made.draw([{}])
    assert Conversation.started[0].ends == 1
    with pytest.raises(ComponentError, match=r"^its process has ended$"):
        made.draw([{}])
    define(made)
    assert loaded() == [("component-server.js", 'OctavoComponents.start("/docs/")')]
    assert len(Conversation.started) == 2


def test_answer_that_takes_longer_than_others_wait_is_waited_for_elsewhere(made: ComponentProcess) -> None:
    define(made)
    Conversation.answers += [None]
    with pytest.raises(SlowError) as slow:
        made.draw([{}], 0.5)
    first = Conversation.started[0]
    assert first.untils[-1] == 100.5
    assert (first.ends, runs(made)) == (0, False)
    Conversation.answers += [[{"html": "late"}]]
    assert slow.value.late.wait() == [{"html": "late"}]
    assert first.untils[-1] == 110.0
    assert first.ends == 1
    # Nobody waits longer than the request may take.
    define(made)
    made_until = Conversation.started[1].untils
    Conversation.answers += [[{"html": "a"}]]
    made.draw([{}], 99.0)
    assert made_until[-1] == 110.0


def test_process_that_has_ended_is_not_waited_for(made: ComponentProcess) -> None:
    define(made)
    Conversation.started[0].is_alive = False
    Conversation.answers += [None]
    with pytest.raises(ComponentError, match="it takes too much memory") as found:
        made.draw([{}], 0.5)
    assert not isinstance(found.value, SlowError)
    assert Conversation.started[0].ends == 1


def test_process_of_another_is_used_where_it_is_shared(made: ComponentProcess) -> None:
    made.share()
    first = Conversation.started[0]
    assert [name for name, _ in loaded()] == ["component-server.js"]
    first.owner = -1
    first.is_alive = False
    assert runs(made)
    Conversation.answers += [[{"html": "a"}], [{"html": "b"}]]
    assert made.draw([{}], 0.5) == [{"html": "a"}]
    # What takes turns is waited for.
    assert first.untils[-1] == 110.0
    assert made.draw([{}]) == [{"html": "b"}]
    made.close()
    assert not runs(made)
    unshared = ComponentProcess("/", seconds=5.0, memory=7)
    define(unshared)
    Conversation.started[-1].owner = -1
    assert not runs(unshared)


def test_failure_of_a_shared_process_ends_it_for_all(made: ComponentProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    killed: list[tuple[int, int]] = []

    def kill(pid: int, number: int) -> None:
        killed.append((pid, int(number)))
        Conversation.started[0].is_alive = False

    monkeypatch.setattr(os, "kill", kill)
    made.share()
    Conversation.answers += [{"failure": "time", "message": "it takes longer than 5 s"}, {}, [{"html": "a"}]]
    with pytest.raises(TurnError, match=r"^it takes longer than 5 s$"):
        made.draw([{}])
    assert killed == [(4321, int(signal.SIGKILL))]
    # The next has its own, and waits for nobody.
    define(made)
    assert made.draw([{}]) == [{"html": "a"}]
    assert len(Conversation.started) == 2


def test_turn_that_does_not_come_is_an_error(made: ComponentProcess) -> None:
    made.share()

    class Taken:
        def acquire(self, timeout: float) -> bool:
            assert timeout == 10.0
            return False

    made._turn = Taken()  # type: ignore[assignment]  # what it uses of a lock
    with pytest.raises(TurnError, match=r"^its process has no time$"):
        made.draw([{}])
    assert Conversation.started[0].ends == 1
    assert not runs(made)


def test_spare_process_is_ready_when_it_is_taken(made: ComponentProcess) -> None:
    spare = Spare(made)
    assert spare.take() is made
    assert [name for name, _ in loaded()] == ["compile-script.js", "component-server.js"]
    assert not any(one.name == "octavo-spare-process" for one in threading.enumerate())
    spare.close()
    assert Conversation.started[0].ends == 1


def test_spare_process_that_cannot_be_prepared_starts_with_its_first_request(
    made: ComponentProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise ComponentError("no")

    monkeypatch.setattr(ComponentProcess, "prepare", fail)
    assert Spare(made).take() is made
    assert Conversation.started == []
