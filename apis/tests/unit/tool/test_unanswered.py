"""Unanswered calls of event streams that broke: the next stream of the client gets them, also from another process."""

from __future__ import annotations

from pathlib import Path

import pytest

from tool_api import logs
from tool_api.endpoint.sse import unanswered as module
from tool_api.endpoint.sse.unanswered import KEPT_S, UnansweredCalls


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_calls_without_an_answer_are_those_of_the_next_stream(tmp_path: Path) -> None:
    calls = UnansweredCalls(tmp_path / "calls" / "a")
    assert calls.open("s") == []
    for request_id in (1, 2, "three"):
        calls.begin("s", request_id)
    calls.end("s", 2)
    assert calls.open("t", "s") == [], "it has not ended"
    calls.close("s")
    calls.begin("s", 4)
    calls.end("s", 1)
    assert calls.open("u") == []
    assert calls.open("v", "s") == [1, "three"]
    assert calls.open("w", "s") == [], "they belong to the other one"
    calls.end("v", 1)
    calls.close("v")
    assert calls.open("x", "v") == ["three"]


def test_another_process_knows_what_a_killed_one_has_left(tmp_path: Path) -> None:
    path = tmp_path / "calls" / "a"
    calls = UnansweredCalls(path)
    calls.open("s")
    calls.open("t")
    for stream, request_id in (("s", 1), ("s", "ü\n"), ("s", 3), ("t", 1), ("t", "x" * 300)):
        calls.begin(stream, request_id)
    calls.end("s", 3)
    with path.open("ab") as file:
        file.write(b'["s", 5')
    second = UnansweredCalls(path)
    assert second.open("u", "s") == [1, "ü\n"]
    third = UnansweredCalls(path)
    assert third.open("v", "u") == [1, "ü\n"], "what was taken over is noted at once"
    assert third.open("w", "t") == [1]
    assert third.open("z", "s") == []


def test_file_does_not_grow_with_calls_that_are_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    calls = UnansweredCalls(path)
    calls.open("s")
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
    calls.close_file()
    calls.begin("s", "later")
    assert UnansweredCalls(path).open("t", "s") == ["long"]


def test_streams_are_forgotten_after_a_while_and_when_there_are_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_STREAMS", 3)
    clock = Clock()
    calls = UnansweredCalls(tmp_path / "a", clock)
    for name in "abcd":
        calls.open(name)
        calls.begin(name, 1)
        calls.close(name)
    assert [calls.open("", name) for name in "abc"] == [[], [1], [1]]
    clock.now = KEPT_S + 1
    assert calls.open("", "d") == []


def test_disk_that_takes_nothing_is_logged_and_nothing_else_fails(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    calls = UnansweredCalls(tmp_path / "file" / "a")
    lines: list[str] = []
    logs.send_to(lines.append)
    try:
        calls.open("s")
        calls.begin("s", 1)
        calls.begin("s", 2)
    finally:
        logs.send_to(logs.write_line)
    calls.close("s")
    assert calls.open("t", "s") == [1, 2]
    assert len([line for line in lines if "calls_not_kept" in line]) == 1


@pytest.mark.parametrize(
    "damage",
    [b"null", b"7", b'"abc"', b"[1]", b'["s", [1], true]', b"[{}, 1, true]", b'["s", null, true]', b"\xff\xfe", b"{"],
)
def test_damaged_lines_are_passed_over(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "a"
    path.write_bytes(b'["s", 1, true]\n' + damage + b'\n["s", 2, true]\n')
    assert UnansweredCalls(path).open("t", "s") == [1, 2]
