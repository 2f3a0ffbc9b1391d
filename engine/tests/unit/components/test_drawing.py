"""How uses are drawn together, alone, late or not at all, and what the process of components answers. No process is started."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from octavo.components.conversation import (
    ComponentError,
    DamagedError,
    LateAnswer,
    LateAnswers,
    SlowError,
    TurnError,
    read_answer,
)
from octavo.components.drawing import BoundedDrawing, ComponentAnswer
from octavo.components.process import are_drawn, is_description
from octavo.diagnostics import Span
from octavo.rendering import Use

Answers = Callable[[list[str]], list[dict[str, Any]]]


def html(names: Sequence[str]) -> list[dict[str, Any]]:
    return [{"html": f"<b>{name}</b>"} for name in names]


class Process:
    """Returns prepared answers in their order; the last one is repeated."""

    def __init__(self, *answers: Answers | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[list[str]] = []
        self.patience: list[float | None] = []

    def draw(self, requests: list[dict[str, Any]], patience: float | None = None) -> list[dict[str, Any]]:
        names = [one["name"] for one in requests]
        self.asked.append(names)
        self.patience.append(patience)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer(names)


class Late:
    """Takes what is waited for."""

    def __init__(self) -> None:
        self.takes: list[Callable[[Any], None]] = []

    def add(self, late: object, take: Callable[[Any], None]) -> None:
        del late
        self.takes.append(take)


class Drawing:
    """A drawing, with what it asks for."""

    def __init__(self, *answers: Answers | Exception, patience: float | None = None) -> None:
        self.process, self.late = Process(*answers), Late()
        process: Any = self.process
        late: Any = self.late
        self.drawing = BoundedDrawing(process, late, lambda use: {"name": use.props["name"]})
        self.drawing.patience = patience

    def ask(self, *names: str) -> list[ComponentAnswer]:
        uses = [Use("Kiln", {"name": name}, False, False, Span("a.md")) for name in names]
        return self.drawing.ask("Kiln", uses, [name.encode() for name in names])


def texts(answers: Sequence[ComponentAnswer]) -> list[str]:
    return [one.html or one.error for one in answers]


STOPPED = "it was stopped 2 times, so its other uses are not drawn"
HANG = ComponentError("it hangs")


def hang_with(*bad: str) -> Answers:
    def answer(names: list[str]) -> list[dict[str, Any]]:
        if set(names) & set(bad):
            raise HANG
        return html(names)

    return answer


def test_uses_of_a_component_are_drawn_together() -> None:
    one = Drawing(html)
    assert texts(one.ask("a", "b")) == ["<b>a</b>", "<b>b</b>"]
    assert one.process.asked == [["a", "b"]]


def test_answer_is_read_whole() -> None:
    full = {
        "html": "<b/>",
        "place": {"line": 1},
        "isChanging": True,
        "isWaiting": True,
        "misplaced": "<a> within <a>",
        "printed": {"text": "x"},
        "hidden": {"error": "e"},
    }
    assert Drawing(lambda _: [full]).ask("a") == [
        ComponentAnswer(
            "<b/>",
            place={"line": 1},
            is_changing=True,
            is_unfinished=True,
            misplaced="<a> within <a>",
            printed={"text": "x"},
            hidden={"error": "e"},
        )
    ]
    assert Drawing(lambda _: [{"error": "e", "isChanging": 1}]).ask("a") == [ComponentAnswer(error="e")]


@pytest.mark.parametrize("patience", [None, 0.5])
def test_use_that_hangs_stops_no_other(patience: float | None) -> None:
    one = Drawing(hang_with("b"), patience=patience)
    answers = one.ask("a", "b", "c")
    assert texts(answers) == ["<b>a</b>", "it hangs", "<b>c</b>"]
    assert [answer.is_passing for answer in answers] == [False, True, False]
    assert one.process.asked == [["a", "b", "c"], ["a"], ["b"], ["c"]]


@pytest.mark.parametrize("patience", [None, 0.5])
def test_component_that_was_stopped_twice_is_not_drawn_again(patience: float | None) -> None:
    one = Drawing(hang_with("a", "b"), patience=patience)
    assert texts(one.ask("a", "b", "c")) == ["it hangs", "it hangs", STOPPED]
    asked = len(one.process.asked)
    [answer] = one.ask("d")
    assert (answer.error, answer.is_passing, len(one.process.asked)) == (STOPPED, True, asked)
    one.drawing.forget_stops()
    assert texts(one.ask("d", "e")) == ["<b>d</b>", "<b>e</b>"]
    # Nothing makes it draw them one by one any more.
    assert one.process.asked[asked:] == [["d", "e"]]


@pytest.mark.parametrize("patience", [None, 0.5])
def test_damaged_process_is_tried_once_more_before_anybody_is_stopped(patience: float | None) -> None:
    one = Drawing(DamagedError("damaged"), html, patience=patience)
    assert texts(one.ask("a", "b")) == ["<b>a</b>", "<b>b</b>"]
    assert one.process.asked == [["a", "b"], ["a", "b"]]
    other = Drawing(DamagedError("damaged"), patience=patience)
    assert texts(other.ask("a")) == ["damaged"]
    assert len(other.process.asked) == 2


def test_process_that_others_have_ended_is_asked_again() -> None:
    one = Drawing(TurnError("gone"), TurnError("gone"), TurnError("gone"), html)
    assert texts(one.ask("a", "b")) == ["<b>a</b>", "<b>b</b>"]


SLOW: Any = SlowError(SimpleNamespace())  # type: ignore[arg-type]  # a stand-in: what waits for it is never called


def test_use_that_takes_long_is_waited_for_elsewhere() -> None:
    one = Drawing(SLOW, html, patience=0.5)
    answers = one.ask("a", "b")
    assert [(answer.is_waiting, answer.is_passing) for answer in answers] == [(True, True)] * 2
    assert one.process.patience == [0.5]
    # While this answer is awaited, no other use of the component is drawn.
    assert one.ask("c")[0].is_waiting
    assert len(one.process.asked) == 1
    one.late.takes[0](html("ab"))
    assert texts(one.ask("a", "b", "c")) == ["<b>a</b>", "<b>b</b>", "<b>c</b>"]
    assert one.process.asked == [["a", "b"], ["c"]]


@pytest.mark.parametrize("answer", [HANG, ["odd"], []])
def test_late_answer_that_is_none_lets_the_uses_be_drawn_one_by_one(answer: Any) -> None:
    one = Drawing(SLOW, hang_with("b"), patience=0.5)
    one.ask("a", "b")
    one.late.takes[0](answer)
    assert texts(one.ask("a", "b")) == ["<b>a</b>", "it hangs"]
    assert one.process.asked == [["a", "b"], ["a"], ["b"]]


@pytest.mark.parametrize(("answer", "error"), [(HANG, "it hangs"), (["odd"], "its answer cannot be read")])
def test_late_answer_of_one_use_counts_as_a_stop(answer: Any, error: str) -> None:
    one = Drawing(SLOW, patience=0.5)
    for _ in range(2):
        one.ask("a")
        one.late.takes[-1](answer)
        [found] = one.ask("a")
        assert (found.error, found.is_passing) == (error, True)
        one.drawing._came.clear()
    assert texts(one.ask("b")) == [STOPPED]


@pytest.mark.parametrize(
    ("drawn", "number", "is_right"),
    [
        ([{"html": ""}], 1, True),
        ([{"error": "e"}, {"html": "h"}], 2, True),
        ([{"html": ""}], 2, False),
        ([{"html": 1}], 1, False),
        ([{}], 1, False),
        (["x"], 1, False),
        ({}, 0, False),
        ([], 0, True),
    ],
)
def test_only_answers_of_the_right_form_are_drawings(drawn: object, number: int, is_right: bool) -> None:
    assert are_drawn(drawn, number) is is_right


@pytest.mark.parametrize(
    ("found", "is_right"),
    [
        ({"error": "e"}, True),
        ({"isComponent": 1, "client": 1, "contract": 1}, True),
        ({"client": 1}, False),
        ([], False),
    ],
)
def test_only_answers_of_the_right_form_are_descriptions(found: object, is_right: bool) -> None:
    assert is_description(found) is is_right


# What a process answers


def conversation(line: bytes | None = None, *, is_alive: bool = True) -> Any:
    ended: list[str] = []
    return SimpleNamespace(
        is_alive=is_alive,
        receive=lambda _: line,
        end=lambda: ended.append("end"),
        kill=lambda: ended.append("kill"),
        ended=ended,
    )


@pytest.mark.parametrize(
    ("answer", "value"), [({"value": '{"a": 1}'}, {"a": 1}), ({"value": None}, None), ({"value": "[]"}, [])]
)
def test_answer_of_a_process_is_a_value(answer: Any, value: Any) -> None:
    assert read_answer(conversation(), json.dumps(answer).encode(), 5) == value


@pytest.mark.parametrize(
    ("line", "is_alive", "kind", "message"),
    [
        (None, True, ComponentError, "it takes longer than 2.5 s"),
        (None, False, ComponentError, "it takes too much memory"),
        (b'{"failure": "time", "message": "m"}', True, ComponentError, "m"),
        (b'{"failure": "script", "message": "m"}', True, DamagedError, "m"),
        (b'{"value": "{"}', True, DamagedError, "its answer cannot be read: it changes what all components share"),
        (b'{"value": 1}', True, DamagedError, "its answer cannot be read: it changes what all components share"),
    ],
)
def test_answer_that_is_none_is_an_error(
    line: bytes | None, is_alive: bool, kind: type[ComponentError], message: str
) -> None:
    with pytest.raises(ComponentError) as caught:
        read_answer(conversation(is_alive=is_alive), line, 2.5)
    assert (type(caught.value), str(caught.value)) == (kind, message)


def test_process_that_was_waited_for_is_ended() -> None:
    for line in (b'{"value": "1"}', None):
        one = conversation(line)
        late = LateAnswer(one, 0, 1)
        if line is None:
            with pytest.raises(ComponentError):
                late.wait()
        else:
            assert late.wait() == 1
        assert one.ended == ["end"]
        late.cancel()
        assert one.ended == ["end", "kill"]


def test_late_answers_are_handed_over_when_they_are_settled() -> None:
    taken: list[Any] = []
    told: list[str] = []
    answers = LateAnswers()
    answers.tell = lambda: told.append("x")
    late, failing = LateAnswer(conversation(b'{"value": "1"}'), 0, 1), LateAnswer(conversation(), 0, 1)
    answers._waiting = {late: taken.append, failing: taken.append}
    assert not answers.settle()
    answers._wait(late)
    answers._wait(failing)
    assert (taken, told) == ([], ["x", "x"])
    assert answers.settle()
    assert taken[0] == 1
    assert isinstance(taken[1], ComponentError)
    assert not answers.settle()


def test_closing_cancels_what_is_waited_for_and_tells_nobody() -> None:
    told: list[str] = []
    one = conversation(b'{"value": "1"}')
    answers = LateAnswers()
    answers.tell = lambda: told.append("x")
    late = LateAnswer(one, 0, 1)
    answers._waiting = {late: print}
    answers.close()
    assert one.ended == ["kill"]
    answers._wait(late)
    assert told == []
