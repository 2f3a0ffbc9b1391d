"""Calls of event streams that broke: who comes back is told of them, also by another process."""

from __future__ import annotations

from pathlib import Path

import pytest

from tool_api import logs
from tool_api.endpoint.sse import unanswered as module
from tool_api.endpoint.sse.unanswered import KEPT_S, MOST_LOST, UnansweredCalls


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_calls_without_an_answer_are_lost_with_their_stream(tmp_path: Path) -> None:
    calls = UnansweredCalls(tmp_path / "calls" / "a")
    calls.open("s", "node")
    for request_id in (1, 2, "three"):
        calls.begin("s", request_id)
    calls.end("s", 2)
    assert calls.lost("node") == []
    calls.close("s")
    assert calls.lost("node") == [1, "three"]
    assert calls.lost("python") == []
    calls.close("s")
    calls.begin("s", 4)
    calls.end("s", 1)
    assert calls.lost("node") == [1, "three"], "a stream that has ended changes nothing"


def test_another_process_knows_what_a_killed_one_has_left(tmp_path: Path) -> None:
    path = tmp_path / "calls" / "a"
    for expected in ([], [1, "ü\n"]):
        calls = UnansweredCalls(path)
        assert calls.lost("node") == expected
        calls.open("s", "node")
        calls.open("t", "python")
        for stream, request_id in (("s", 1), ("s", "ü\n"), ("s", 3), ("t", 1)):
            calls.begin(stream, request_id)
        calls.end("s", 3)
    with path.open("ab") as file:
        file.write(b'["s", "node", 5')
    assert UnansweredCalls(path).lost("node") == [1, "ü\n"]
    assert UnansweredCalls(path).lost("python") == [1]


def test_file_does_not_grow_with_calls_that_are_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    calls = UnansweredCalls(path)
    calls.open("s", "node")
    for number in range(100):
        calls.begin("s", number)
        calls.end("s", number)
    assert path.read_bytes() == b""
    monkeypatch.setattr(module, "MOST_FILE_BYTES", 1000)
    calls.begin("s", "long")
    for number in range(1000):
        calls.begin("s", number)
        calls.end("s", number)
        assert path.stat().st_size < 1200
    assert UnansweredCalls(path).lost("node") == ["long"]
    calls.close_file()


def test_calls_are_forgotten_after_a_while_and_when_there_are_many(tmp_path: Path) -> None:
    clock = Clock()
    calls = UnansweredCalls(tmp_path / "a", clock)
    calls.open("s", "node")
    for number in range(MOST_LOST + 1):
        calls.begin("s", number)
    calls.close("s")
    assert calls.lost("node") == list(range(1, MOST_LOST + 1))
    clock.now = KEPT_S + 1
    assert calls.lost("node") == []


def test_disk_that_takes_nothing_is_logged_and_nothing_else_fails(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    calls = UnansweredCalls(tmp_path / "file" / "a")
    lines: list[str] = []
    logs.send_to(lines.append)
    try:
        calls.open("s", "node")
        calls.begin("s", 1)
        calls.begin("s", 2)
    finally:
        logs.send_to(logs.write_line)
    calls.close("s")
    assert calls.lost("node") == [1, 2]
    assert len([line for line in lines if "calls_not_kept" in line]) == 1
