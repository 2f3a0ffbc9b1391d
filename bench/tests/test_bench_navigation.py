"""What is read out of a browser's trace."""

from __future__ import annotations

import pytest

from bench.commands.navigation import main_thread_tasks
from bench.errors import BenchError


def thread(pid: int, tid: int, name: str) -> dict[str, object]:
    return {"ph": "M", "name": "thread_name", "pid": pid, "tid": tid, "args": {"name": name}}


def task(pid: int, tid: int, duration_us: int) -> dict[str, object]:
    return {"ph": "X", "name": "RunTask", "pid": pid, "tid": tid, "ts": 0, "dur": duration_us}


def test_only_tasks_of_main_threads_count() -> None:
    events = [
        task(1, 1, 51_500),
        thread(1, 1, "CrRendererMain"),
        thread(1, 2, "Compositor"),
        task(1, 2, 90_000),
        task(2, 1, 90_000),
        task(1, 1, 400),
    ]
    assert main_thread_tasks(events) == [51.5, 0.4]


def test_trace_without_tasks_is_an_error() -> None:
    with pytest.raises(BenchError):
        main_thread_tasks([thread(1, 1, "CrRendererMain")])
