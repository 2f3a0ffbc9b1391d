"""What the process of components does with a request, with a stand-in for V8."""

from __future__ import annotations

import importlib
import json
from typing import Any

import pytest

from octavo.component_host.host import Host
from tests.support.each import each

# For its errors: no engine is started here.
ERRORS = importlib.import_module("py_mini_racer")


class V8:
    """Notes what is evaluated, and gives what a test says."""

    def __init__(self, *answers: Any) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self._answers = list(answers)

    def eval(self, script: str, **limits: Any) -> Any:
        self.asked.append((script, limits))
        answer = self._answers.pop(0) if self._answers else None
        if isinstance(answer, Exception):
            raise answer
        return answer


LIMITS = {"timeout_sec": 1.5, "max_memory": 3 << 20}


def ask(v8: V8, do: str, **given: Any) -> tuple[dict[str, Any], Host]:
    host = Host(v8, 1.5, 3 << 20)
    return host.answer({"do": do, **given}), host


def test_script_is_loaded_and_called_without_limits() -> None:
    v8 = V8()
    assert ask(v8, "load", script="s", call="c()")[0] == {"value": None}
    ask(v8, "load", script="t", call="")
    assert v8.asked == [("s", {}), ("c()", {}), ("t", {})]


def test_texts_are_given_as_literals() -> None:
    v8 = V8('{"code": ""}', "{}")
    assert ask(v8, "compile", code='a "b"\n\u2028', path="ä.tsx")[0] == {"value": '{"code": ""}'}
    ask(v8, "describe", id="k'")
    assert v8.asked == [
        ('compileComponent("a \\"b\\"\\n\\u2028", "\\u00e4.tsx")', LIMITS),
        ('OctavoComponents.describe("k\'")', LIMITS),
    ]


def test_module_is_defined_one_line_below_its_head() -> None:
    v8 = V8()
    given = {"id": "k", "path": "a.tsx", "needs": '{"b": 1}', "mappings": "AA"}
    assert ask(v8, "define", code="one\ntwo", **given)[0] == {"value": "{}"}
    assert v8.asked == [
        (
            (
                'OctavoComponents.define("k", "a.tsx", "{\\"b\\": 1}", "AA", function (exports, require, module) {\n'
                "one\ntwo\n})\n//# sourceURL=a.tsx"
            ),
            {"timeout_sec": 1.5},
        )
    ]


@each(
    "error, found",
    [
        ("a.tsx:3: SyntaxError: Bad token\n  x = @\n      ^\nmore", {"error": "Bad token", "line": 2, "column": 7}),
        ("a.tsx:1: SyntaxError: Bad token\n^", {"error": "Bad token", "line": 1, "column": 1}),
        ("a.tsx:2: SyntaxError: Bad token", {"error": "Bad token", "line": 1, "column": 1}),
        (" something else ", {"error": "something else", "line": 1, "column": 1}),
    ],
)
def test_syntax_that_v8_refuses_has_its_place(error: str, found: dict[str, Any]) -> None:
    given = {"id": "k", "path": "a.tsx", "needs": "{}", "mappings": ""}
    answer, _ = ask(V8(ERRORS.JSParseException(error)), "define", code="x", **given)
    assert json.loads(answer["value"]) == found


@each(
    "answers, count, value",
    [
        (['[{"html":"a"}]'], 1, '[{"html":"a"}]'),
        (['[{"isWaiting":true}]', '[{"html":"b"}]'], 2, '[{"html":"b"}]'),
        (['[{"isWaiting":true}]'] * 9, 5, '[{"isWaiting":true}]'),
        ([None], 1, None),
    ],
)
def test_components_that_wait_are_drawn_a_few_times_more(answers: list[Any], count: int, value: Any) -> None:
    v8 = V8(*answers)
    assert ask(v8, "draw", uses="[1]")[0] == {"value": value}
    assert v8.asked == [('OctavoComponents.draw("[1]")', LIMITS)] * count


@each(
    "error, answer, is_spent",
    [
        (ERRORS.JSOOMException("x"), {"failure": "memory", "message": "it takes more than 3 MB"}, True),
        (ERRORS.JSTimeoutException(), {"failure": "time", "message": "it takes longer than 1.5 s"}, False),
        (
            ERRORS.JSEvalException("\na/b.tsx:12: TypeError: no\nsource\n"),
            {"failure": "script", "message": "TypeError: no"},
            False,
        ),
        (ERRORS.JSEvalException("E" * 1001), {"failure": "script", "message": "E" * 1000}, False),
    ],
)
def test_request_that_fails_says_how(error: Exception, answer: dict[str, Any], is_spent: bool) -> None:
    given, host = ask(V8(error), "describe", id="k")
    assert given == answer
    assert host.is_spent is is_spent


def test_memory_beyond_the_objects_has_a_limit_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource", reason="only Unix limits a process")
    from octavo.component_host import host

    set_: dict[int, tuple[int, int]] = {}
    monkeypatch.setattr(resource, "setrlimit", set_.__setitem__)
    monkeypatch.setattr("builtins.open", lambda *_, **__: _Status("Name:\tx\nVmData:\t 2000 kB\nVmStk:\t 9 kB\n"))
    host._limit_memory(1 << 20)
    limit = 2000 * 1024 + (4 << 20)
    assert set_ == {resource.RLIMIT_DATA: (limit, limit), resource.RLIMIT_CORE: (0, 0)}
    set_.clear()
    monkeypatch.setattr("builtins.open", lambda *_, **__: _Status("Name:\tx\n"))
    host._limit_memory(1 << 20)
    assert set_ == {}


class _Status:
    def __init__(self, text: str) -> None:
        self._lines = text.splitlines(keepends=True)

    def __enter__(self) -> list[str]:
        return self._lines

    def __exit__(self, *_: object) -> None:
        """Nothing is open."""
