"""Running a command and measuring the whole tree of its processes, through `/proc` and `wait4`."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from bench.errors import BenchError

SAMPLE_INTERVAL_S = 0.02
PAGE_BYTES = resource.getpagesize()
MIB = 1024 * 1024

Memory = Literal["rss", "pss"]
"""What is summed over the tree.

`rss` costs 0.04 ms a process and counts pages that processes share once for each. `pss` shares them out, and
costs about 30 ms for a process of 360 MiB during which that process cannot map memory: never in a timed run.
"""


class Run(msgspec.Struct, frozen=True):
    """One run of a command."""

    wall_s: float
    cpu_s: float
    """User and system time of all processes of the tree that were waited for."""
    peak_mib: float
    """Largest sum over the tree at one moment, of what `memory` names."""
    memory: Memory
    largest_mib: float
    """Largest single process at one moment; `ru_maxrss` would hold what this process weighed when it forked."""
    processes: int
    """Most processes alive at one moment."""
    log: Path


def run_measured(
    command: Sequence[str | Path],
    *,
    cwd: Path,
    log: Path,
    env: Mapping[str, str] | None = None,
    memory: Memory = "rss",
    timeout_s: float = 1800,
) -> Run:
    """Run a command to its end and measure it.

    Args:
        command: Program and arguments.
        cwd: Folder it runs in.
        log: File for both of its output streams.
        env: Variables beside those of this process.
        memory: What to sum.
        timeout_s: After this time the tree is killed.

    Raises:
        BenchError: the command failed or took too long; holds the end of its output.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    words = [str(word) for word in command]
    with log.open("wb") as stream:
        started = time.perf_counter()
        process = subprocess.Popen(
            words,
            cwd=cwd,
            env={**_environment(), **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        with _killed_after(process.pid, timeout_s) as timed_out, _sampled(process.pid, memory) as peak:
            _, status, usage = os.wait4(process.pid, 0)
            wall_s = time.perf_counter() - started
    # `wait4` took the exit status away from `Popen`, which would wait for it for ever.
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        why = f"took more than {timeout_s:.0f} s" if timed_out.is_set() else f"ended with {process.returncode}"
        raise BenchError(f"`{' '.join(words)}` {why}.\n{tail(log)}")
    return Run(
        wall_s=wall_s,
        cpu_s=usage.ru_utime + usage.ru_stime,
        peak_mib=peak.bytes / MIB,
        memory=memory,
        largest_mib=peak.largest / MIB,
        processes=peak.processes,
        log=log,
    )


def _environment() -> dict[str, str]:
    """Give the variables of this process, but for one of developers: who runs a program of Python keeps its compiled modules."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def tail(log: Path, lines: int = 15) -> str:
    """Read the last lines of a log, indented."""
    text = log.read_text(encoding="utf-8", errors="replace")
    return "\n".join(f"    {line}" for line in text.splitlines()[-lines:])


def process_tree(pid: int) -> list[int]:
    """List a process and its descendants; those that end meanwhile are left out."""
    found, waiting = [], [pid]
    while waiting:
        current = waiting.pop()
        found.append(current)
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{current}/task"):  # noqa: PTH208 - 50 times a second
                waiting += map(int, _read(f"/proc/{current}/task/{thread}/children").split())
    return found


def memory_bytes(pid: int, memory: Memory) -> int:
    """Measure one process; 0 for one that has ended."""
    try:
        if memory == "rss":
            return int(_read(f"/proc/{pid}/statm").split()[1]) * PAGE_BYTES
        return _pss_bytes(_read(f"/proc/{pid}/smaps_rollup"))
    except (OSError, IndexError):
        return 0


def _pss_bytes(rollup: str) -> int:
    """Take `Pss:` out of `smaps_rollup`; 0 where it is missing, as in a process that is ending."""
    for line in rollup.splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0


def _read(path: str) -> str:
    with open(path, encoding="ascii") as file:  # noqa: PTH123 - twice as fast as Path, 50 times a second
        return file.read()


class _Peak:
    bytes = 0
    largest = 0
    processes = 0


@contextlib.contextmanager
def _sampled(pid: int, memory: Memory) -> Iterator[_Peak]:
    """Sample a tree in a thread until the block ends."""
    peak, is_over = _Peak(), threading.Event()

    def sample() -> None:
        while not is_over.wait(SAMPLE_INTERVAL_S):
            tree = process_tree(pid)
            sizes = [memory_bytes(member, memory) for member in tree]
            peak.bytes = max(peak.bytes, sum(sizes))
            peak.largest = max(peak.largest, *sizes)
            peak.processes = max(peak.processes, len(tree))

    thread = threading.Thread(target=sample, daemon=True)
    thread.start()
    try:
        yield peak
    finally:
        is_over.set()
        thread.join()


@contextlib.contextmanager
def _killed_after(pid: int, timeout_s: float) -> Iterator[threading.Event]:
    """Kill the process group when the time is up, which sets the event, or when the block is left by an error."""
    timed_out = threading.Event()

    def kill() -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)

    def time_out() -> None:
        timed_out.set()
        kill()

    timer = threading.Timer(timeout_s, time_out)
    timer.daemon = True
    timer.start()
    try:
        yield timed_out
    except BaseException:
        kill()
        raise
    finally:
        timer.cancel()


def stop(process: subprocess.Popen[bytes], within_s: float) -> None:
    """End a process; one that takes longer than it may is killed."""
    process.terminate()
    try:
        process.wait(within_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
