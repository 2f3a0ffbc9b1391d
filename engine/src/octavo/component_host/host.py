"""The program of that process: a line of JSON in, a line of JSON out, until the other side hangs up."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable
from typing import Any

from octavo.lazy import regex as re

_MEGABYTE = 1 << 20
_OUTSIDE_HEAP = 4
"""What a process may hold beside the objects of the components, in times of their limit: V8 itself, and buffers."""
_LONGEST_MESSAGE = 1_000
_MOST_WAITS = 4
"""Drawings after the first one of components that load others, which may load others again."""
_IS_WAITING = '"isWaiting":true'
_PLACE = re.compile(r"^[^ \n]*:\d+: ")
_WHERE = re.compile(r":(?P<line>\d+): SyntaxError: (?P<message>.+)(?:\n.*\n(?P<before>[ \t]*)\^)?")


def main() -> None:
    """Answer requests; see `Host` for what they are."""
    from py_mini_racer import MiniRacer

    # What V8 or a component prints would be taken for an answer.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    host: Host | None = None
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if host is None:
            host = Host(MiniRacer(), request["seconds"], request["memory"])
            _limit_memory(request["memory"])
        answer = host.answer(request)
        with contextlib.suppress(OSError):
            answers.write(json.dumps(answer).encode() + b"\n")
            answers.flush()
        if host.is_spent:
            break
    # V8 may still hold memory that it gives back slowly.
    os._exit(0)


class Host:
    """Answers `{"do": …}` with `{"value": …}`, or with `{"failure": kind, "message": …}`.

    | do         | with                              | gives                                        |
    |------------|-----------------------------------|----------------------------------------------|
    | `load`     | script, and a call to make of it  | nothing                                      |
    | `compile`  | code, path                        | JSON: code and mappings, or error with place |
    | `define`   | id, path, needs, mappings, code   | JSON: nothing, or error with place           |
    | `describe` | id                                | JSON                                         |
    | `draw`     | uses, as JSON                     | JSON: for each use HTML, or error with place |

    Kinds of failure are `time`, `memory` and `script`.
    """

    def __init__(self, v8: Any, seconds: float, memory: int) -> None:
        """Initialize; `seconds` and `memory`, in bytes, are what one request may take."""
        self._v8 = v8
        self._seconds = seconds
        self._memory = memory
        self._do: dict[str, Callable[[dict[str, Any]], Any]] = {
            "load": self._load,
            "compile": self._compile,
            "define": self._define,
            "describe": self._describe,
            "draw": self._draw,
        }
        self.is_spent = False
        """It has run out of memory and must be replaced."""

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Answer one request."""
        from py_mini_racer import JSEvalException, JSOOMException, JSTimeoutException

        try:
            return {"value": self._do[request["do"]](request)}
        except JSOOMException:
            self.is_spent = True
            return {"failure": "memory", "message": f"it takes more than {self._memory // _MEGABYTE} MB"}
        except JSTimeoutException:
            return {"failure": "time", "message": f"it takes longer than {self._seconds:g} s"}
        except JSEvalException as error:
            return {"failure": "script", "message": _first_line(str(error))}

    def _load(self, request: dict[str, Any]) -> None:
        self._v8.eval(request["script"])
        if call := request.get("call"):
            self._v8.eval(call)

    def _compile(self, request: dict[str, Any]) -> Any:
        return self._call("compileComponent", request["code"], request["path"])

    def _define(self, request: dict[str, Any]) -> Any:
        from py_mini_racer import JSParseException

        head = ", ".join(json.dumps(request[name]) for name in ("id", "path", "needs", "mappings"))
        # One line before the code, as in the file for browsers: places in it are off by one line on both sides.
        script = f"OctavoComponents.define({head}, function (exports, require, module) {{\n{request['code']}\n}})"
        try:
            self._v8.eval(f"{script}\n//# sourceURL={request['path']}", timeout_sec=self._seconds)
        except JSParseException as error:
            found = _WHERE.search(str(error))
            if found is None:
                return json.dumps({"error": str(error).strip(), "line": 1, "column": 1})
            line, column = max(int(found["line"]) - 1, 1), len(found["before"] or "") + 1
            return json.dumps({"error": found["message"], "line": line, "column": column})
        return "{}"

    def _describe(self, request: dict[str, Any]) -> Any:
        return self._call("OctavoComponents.describe", request["id"])

    def _draw(self, request: dict[str, Any]) -> Any:
        drawn = self._call("OctavoComponents.draw", request["uses"])
        # Between two calls V8 keeps promises: what a component has begun to load is there then.
        for _ in range(_MOST_WAITS):
            if not isinstance(drawn, str) or _IS_WAITING not in drawn:
                break
            drawn = self._call("OctavoComponents.draw", request["uses"])
        return drawn

    def _call(self, function: str, *arguments: str) -> Any:
        call = f"{function}({', '.join(map(_literal, arguments))})"
        return self._v8.eval(call, timeout_sec=self._seconds, max_memory=self._memory)


def _first_line(text: str) -> str:
    """Take what is wrong from V8's report, which goes on with the source line: that is all of React, when React fails."""
    first = text.strip().partition("\n")[0]
    return _PLACE.sub("", first)[:_LONGEST_MESSAGE]


def _literal(text: str) -> str:
    """Write a text as a string of JavaScript; JSON with only ASCII characters is one."""
    return json.dumps(text)


def _limit_memory(memory: int) -> None:
    """Bound what the process may hold; memory outside of the objects of V8 has no other limit."""
    try:
        import resource

        # V8 has reserved much more for itself than it uses: what counts is how it grows from here.
        with open("/proc/self/status", encoding="ascii") as status:  # noqa: PTH123 - no file of anybody's
            now = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmData:"))
        limit = now + memory * _OUTSIDE_HEAP
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, OSError, ValueError, StopIteration):
        # Another system than Linux: there V8's own limit remains, and that of time.
        return
