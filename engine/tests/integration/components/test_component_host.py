"""The program of the process that draws components: requests as calls of V8, and failures of V8 as answers. No V8 is started."""

from __future__ import annotations

import json
from typing import Any

import pytest
from py_mini_racer import JSEvalException, JSOOMException, JSParseException, JSTimeoutException

from octavo.component_host.host import Host


class V8:
    """Takes what is to be run, and gives or raises one answer after the other."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.ran: list[tuple[str, dict[str, Any]]] = []

    def eval(self, script: str, **limits: Any) -> Any:
        self.ran.append((script, limits))
        answer = self.answers.pop(0) if self.answers else None
        if isinstance(answer, Exception):
            raise answer
        return answer


LIMITS = {"timeout_sec": 2.5, "max_memory": 3 << 20}


def answered(v8: V8, **request: Any) -> dict[str, Any]:
    return Host(v8, 2.5, 3 << 20).answer(request)


def test_requests_are_calls_with_limits() -> None:
    v8 = V8("c", "d", "e")
    assert answered(v8, do="compile", code='"é"\n', path="a.tsx") == {"value": "c"}
    assert answered(v8, do="describe", id="i") == {"value": "d"}
    assert answered(v8, do="draw", uses="[]") == {"value": "e"}
    assert v8.ran == [
        ('compileComponent("\\"\\u00e9\\"\\n", "a.tsx")', LIMITS),
        ('OctavoComponents.describe("i")', LIMITS),
        ('OctavoComponents.draw("[]")', LIMITS),
    ]


@pytest.mark.parametrize(("call", "ran"), [("go()", ["script", "go()"]), ("", ["script"])])
def test_script_is_loaded_and_called(call: str, ran: list[str]) -> None:
    v8 = V8()
    assert answered(v8, do="load", script="script", call=call) == {"value": None}
    assert [script for script, _ in v8.ran] == ran


@pytest.mark.parametrize(
    ("error", "failure", "message", "is_spent"),
    [
        (JSOOMException(), "memory", "it takes more than 3 MB", True),
        (JSTimeoutException(), "time", "it takes longer than 2.5 s", False),
        (JSEvalException("a.js:1: Error: bad\n  at x"), "script", "Error: bad", False),
        (JSEvalException("x" * 2000), "script", "x" * 1000, False),
    ],
)
def test_request_that_fails_says_how(error: Exception, failure: str, message: str, is_spent: bool) -> None:
    host = Host(V8(error), 2.5, 3 << 20)
    assert host.answer({"do": "describe", "id": "i"}) == {"failure": failure, "message": message}
    assert host.is_spent is is_spent


@pytest.mark.parametrize(("waits", "calls"), [(0, 1), (2, 3), (9, 5)])
def test_component_that_loads_others_is_drawn_again_a_few_times(waits: int, calls: int) -> None:
    v8 = V8(*['{"isWaiting":true}'] * waits, '{"html":""}')
    answered(v8, do="draw", uses="[]")
    assert len(v8.ran) == calls
    odd = V8(None)
    answered(odd, do="draw", uses="[]")
    assert len(odd.ran) == 1


DEFINE = {"do": "define", "id": "i", "path": "a.tsx", "needs": "{}", "mappings": "AAAA", "code": "x;"}


def test_module_is_defined_one_line_below_the_beginning() -> None:
    v8 = V8()
    assert answered(v8, **DEFINE) == {"value": "{}"}
    [(script, limits)] = v8.ran
    assert script == (
        'OctavoComponents.define("i", "a.tsx", "{}", "AAAA", function (exports, require, module) {\nx;\n})\n'
        "//# sourceURL=a.tsx"
    )
    assert limits == {"timeout_sec": 2.5}


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        ("a.tsx:3: SyntaxError: bad\n  x y\n    ^\n", {"error": "bad", "line": 2, "column": 5}),
        ("a.tsx:1: SyntaxError: bad", {"error": "bad", "line": 1, "column": 1}),
        (" odd ", {"error": "odd", "line": 1, "column": 1}),
    ],
)
def test_module_that_cannot_be_read_is_an_error_at_its_place(report: str, expected: dict[str, Any]) -> None:
    assert json.loads(answered(V8(JSParseException(report)), **DEFINE)["value"]) == expected
