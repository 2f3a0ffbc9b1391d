"""What tells the process of a worker from a later one with the same number."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tool_api.workers import processes
from tool_api.workers.processes import ProcessId, identify

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are processes of Linux")


def write(folder: Path, state: str = "S", name: str = "python") -> None:
    """Write /proc of a process, the fields of which are their numbers, but for the first three."""
    numbered = " ".join(map(str, range(4, 53)))
    place = folder / "7"
    place.mkdir()
    (place / "stat").write_text(f"7 ({name}) {state} {numbered}\n")
    boot = folder / "sys/kernel/random"
    boot.mkdir(parents=True)
    (boot / "boot_id").write_text("b0\n")


@pytest.fixture
def proc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(processes, "_PROC", tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", ["python", "a b", "a) Z 1 2 (b", ""])
def test_process_is_known_by_its_start_time(proc: Path, name: str) -> None:
    write(proc, name=name)
    # Field 22 is the start time (proc_pid_stat(5)).
    assert identify(7) == ProcessId(7, "22@b0")


@pytest.mark.parametrize("state", ["Z", "X"])
def test_process_that_has_ended_is_none(proc: Path, state: str) -> None:
    write(proc, state)
    assert identify(7) is None
    assert not ProcessId(7, "22@b0").is_running


def test_number_that_nobody_has_is_no_process(proc: Path) -> None:
    write(proc)
    assert identify(8) is None
    ProcessId(2**22 + 1, "22@b0").kill()


def test_own_process_runs() -> None:
    found = identify(os.getpid())
    assert found is not None
    assert found.is_running
    assert not ProcessId(found.pid, "1" + found.started).is_running
