"""Real processes are measured: each allocates or computes something of a known size."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from bench.errors import BenchError
from bench.processes import MIB, Run, _pss_bytes, memory_bytes, process_tree, run_measured

WAIT_FOR_SAMPLES = "import time; time.sleep(0.2)"
"""The harness samples every 20 ms; the child has to live through some of them."""


def run_python(code: str, log: Path, **options: object) -> Run:
    return run_measured([sys.executable, "-c", code], cwd=log.parent, log=log, **options)  # type: ignore[arg-type]


def test_peak_holds_what_the_process_allocated(tmp_path: Path) -> None:
    run = run_python(f"x = b'1' * (64 * {MIB}); {WAIT_FOR_SAMPLES}", tmp_path / "log")
    assert 64 <= run.peak_mib < 64 + 40


def test_peak_sums_the_processes_of_the_tree(tmp_path: Path) -> None:
    child = f"x = b'1' * (40 * {MIB}); {WAIT_FOR_SAMPLES}"
    code = f"import subprocess, sys\nfor p in [subprocess.Popen([sys.executable, '-c', {child!r}]) for _ in '12']: p.wait()"
    run = run_python(code, tmp_path / "log")
    assert run.processes == 3
    assert run.peak_mib >= 80
    assert run.largest_mib < 80


def test_pss_counts_a_page_that_forked_processes_share_once(tmp_path: Path) -> None:
    code = f"import os, time\nx = b'1' * (64 * {MIB})\nif os.fork():\n    os.wait()\nelse:\n    time.sleep(0.4)"
    rss = run_python(code, tmp_path / "rss", memory="rss")
    pss = run_python(code, tmp_path / "pss", memory="pss")
    assert rss.peak_mib >= 128
    assert 64 <= pss.peak_mib < 128


def test_processor_time_of_children_is_counted(tmp_path: Path) -> None:
    busy = "import time; t = time.process_time()\nwhile time.process_time() - t < 0.2: pass"
    run = run_python(f"import subprocess, sys; subprocess.run([sys.executable, '-c', {busy!r}])", tmp_path / "log")
    assert run.cpu_s >= 0.2
    assert run.wall_s >= 0.2


def test_failing_command_shows_the_end_of_its_output(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match=r"ended with 3\.\n    no such folder"):
        run_python("print('no such folder'); raise SystemExit(3)", tmp_path / "log")


def test_command_that_takes_too_long_is_killed(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="took more than 0 s"):
        run_python("import time; time.sleep(60)", tmp_path / "log", timeout_s=0.2)


def test_variables_are_added_to_those_of_the_harness(tmp_path: Path) -> None:
    log = tmp_path / "log"
    run_python("import os; print(os.environ['BENCH_WORD'], 'PATH' in os.environ)", log, env={"BENCH_WORD": "hello"})
    assert log.read_text() == "hello True\n"


def test_measured_programs_keep_their_compiled_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    run_python("import sys; print(sys.dont_write_bytecode)", log := tmp_path / "log")
    assert log.read_text() == "False\n"


def test_tree_of_a_process_without_children_is_itself() -> None:
    assert os.getpid() in process_tree(os.getpid())


def test_process_that_has_ended_weighs_nothing() -> None:
    pid = os.posix_spawn(sys.executable, [sys.executable, "-c", ""], os.environ)
    os.waitpid(pid, 0)
    assert memory_bytes(pid, "rss") == 0
    assert memory_bytes(pid, "pss") == 0


def test_pss_is_read_in_kibibytes() -> None:
    assert _pss_bytes("00400000-7ffe [rollup]\nRss:  900 kB\nPss:  512 kB\nPss_Dirty: 1 kB\n") == 512 * 1024
