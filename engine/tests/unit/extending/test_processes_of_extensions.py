"""The process of extensions, and those that they start, which end with it. None is started here."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from octavo.extension_host import host, processes


def test_processes_below_one_are_ended_until_none_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = iter([{2, 3}, {2, 3, 4}, {2, 3, 4}])
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(processes, "_below", lambda _: next(rounds))
    ended: list[tuple[int, int]] = []

    def kill(pid: int, number: int) -> None:
        ended.append((pid, int(number)))
        if pid == 3:
            raise ProcessLookupError

    monkeypatch.setattr(os, "kill", kill)
    processes.end_children(1)
    assert sorted(ended[:2]) == [(2, 9), (3, 9)]
    assert ended[2:] == [(4, 9)]
    monkeypatch.setattr(sys, "platform", "darwin")
    processes.end_children(1)


def test_processes_that_start_ever_more_are_not_followed_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = iter(range(99))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(processes, "_below", lambda _: {next(numbers)})
    ended: list[int] = []
    monkeypatch.setattr(os, "kill", lambda pid, _: ended.append(pid))
    processes.end_children(1)
    assert ended == [0, 1, 2, 3, 4]


def test_children_are_found_at_all_depths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for pid, task, children in ((1, 1, "2 3 "), (1, 7, "4"), (2, 2, "5"), (5, 5, "2")):
        (tmp_path / f"proc/{pid}/task/{task}").mkdir(parents=True)
        (tmp_path / f"proc/{pid}/task/{task}/children").write_text(children)
    (tmp_path / "proc/3/task/3").mkdir(parents=True)
    monkeypatch.setattr(processes, "Path", lambda path: tmp_path / path.lstrip("/"))
    assert processes._below(1) == {2, 3, 4, 5}
    assert processes._below(9) == set()


# The process of extensions itself


@pytest.mark.parametrize(("platform", "is_asked"), [("linux", True), ("darwin", False)])
def test_what_extensions_start_becomes_a_child_of_their_process(
    monkeypatch: pytest.MonkeyPatch, platform: str, is_asked: bool
) -> None:
    asked: list[tuple[int, ...]] = []
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr("ctypes.CDLL", lambda _: SimpleNamespace(prctl=lambda *given: asked.append(given)))
    host._adopt()
    assert asked == ([(36, 1, 0, 0, 0)] if is_asked else [])


def test_system_without_that_call_does_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("ctypes.CDLL", lambda _: SimpleNamespace())
    host._adopt()


@pytest.mark.parametrize(
    ("limit", "platform", "is_set"), [(9, "linux", True), (0, "linux", False), (9, "darwin", False)]
)
def test_memory_of_the_process_has_the_limit_of_the_settings(
    monkeypatch: pytest.MonkeyPatch, limit: int, platform: str, is_set: bool
) -> None:
    resource = pytest.importorskip("resource", reason="only Unix limits a process")
    found: list[object] = []
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(resource, "setrlimit", lambda *given: found.append(given))
    host._limit_memory(limit)
    assert found == ([(resource.RLIMIT_AS, (9, 9))] if is_set else [])
