"""Every line that is logged is JSON."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator

import pytest

from service_guard import write_json_logs
from service_guard.logs import JsonLines


@pytest.fixture(autouse=True)
def _root_logger() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    yield
    root.handlers, root.level = handlers, level
    logging.captureWarnings(capture=False)


def test_lines_of_libraries_are_json_too(capsys: pytest.CaptureFixture[str]) -> None:
    write_json_logs("guard-test")
    logging.getLogger("uvicorn.error").warning("Invalid HTTP request received.")
    logging.getLogger("asyncio").error("line one\nline two")
    logging.getLogger("guard-test").info('{"event": "request"}')
    logging.getLogger("elsewhere").info("not a warning")
    written = capsys.readouterr().err
    lines = [json.loads(line) for line in written.splitlines()]
    assert [line.get("message", line["event"]) for line in lines[:3]] == [
        "Invalid HTTP request received.",
        "line one\nline two",
        "request",
    ]
    assert lines[0] | {"time": ""} == {
        "time": "",
        "event": "log",
        "level": "warning",
        "logger": "uvicorn.error",
        "message": "Invalid HTTP request received.",
    }
    assert "not a warning" not in written


def test_errors_are_named_without_their_text() -> None:
    try:
        raise ValueError("a secret")  # noqa: TRY301 - the place is what is tested
    except ValueError:
        record = logging.getLogger("x").makeRecord("x", logging.ERROR, __file__, 1, "failed", (), sys.exc_info())
    line = json.loads(JsonLines().format(record))
    assert (line["error"], line["message"]) == ("ValueError", "failed")
    assert "test_errors_are_named_without_their_text" in line["frames"][-1]
    assert "secret" not in json.dumps(line)
