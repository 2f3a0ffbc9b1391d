"""Work spread over cores."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Sequence

import pytest

from octavo.errors import WorkerLostError
from octavo.runtime.processes import count_cores, map_chunks

needs_processes = pytest.mark.skipif(
    not sys.platform.startswith("linux") or count_cores() < 2,
    reason="work is spread over processes on Linux, from two cores on",
)


def square(jobs: Sequence[int]) -> list[tuple[int, int]]:
    return [(job * job, os.getpid()) for job in jobs]


def test_few_jobs_are_done_in_this_process_and_in_order() -> None:
    outcomes = list(map_chunks(square, range(5), chunk=2, parallel_from=10))
    assert [[value for value, _ in done] for _, done in outcomes] == [[0, 1], [4, 9], [16]]
    assert {pid for _, done in outcomes for _, pid in done} == {os.getpid()}


def test_many_jobs_are_all_done_once() -> None:
    outcomes = list(map_chunks(square, range(100), chunk=7, parallel_from=10))
    done = {job: value for jobs, results in outcomes for job, (value, _) in zip(jobs, results, strict=True)}
    assert done == {job: job * job for job in range(100)}


def test_two_series_of_jobs_that_run_in_turns_keep_their_work() -> None:
    def negate(jobs: Sequence[int]) -> list[tuple[int, int]]:
        return [(-job, os.getpid()) for job in jobs]

    series = [map_chunks(work, range(40), chunk=10, parallel_from=10) for work in (square, negate)]
    done: list[dict[int, int]] = [{}, {}]
    for _ in range(4):
        for values, outcomes in zip(done, series, strict=True):
            jobs, results = next(outcomes)
            values.update(zip(jobs, (value for value, _ in results), strict=True))
    for outcomes in series:
        assert list(outcomes) == []
    assert done == [{job: job * job for job in range(40)}, {job: -job for job in range(40)}]


def test_no_jobs_are_no_work() -> None:
    assert list(map_chunks(square, [], chunk=7, parallel_from=0)) == []


def test_failure_in_a_worker_reaches_the_caller() -> None:
    def fail(jobs: Sequence[int]) -> list[int]:
        raise ValueError(f"job {jobs[0]}")

    with pytest.raises(ValueError, match="job "):
        list(map_chunks(fail, range(100), chunk=50, parallel_from=10))


@needs_processes
def test_process_that_is_ended_from_outside_is_an_error() -> None:
    def work(jobs: Sequence[int]) -> list[int]:
        if jobs[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return list(jobs)

    with pytest.raises(WorkerLostError, match="for lack of memory"):
        list(map_chunks(work, range(200), chunk=5, parallel_from=10))


@needs_processes
def test_caller_that_takes_no_more_outcomes_ends_the_processes() -> None:
    outcomes = map_chunks(square, range(2_000), chunk=1, parallel_from=10)
    (_, pid) = next(outcomes)[1][0]
    assert pid != os.getpid()
    outcomes.close()
    assert multiprocessing.active_children() == []


@needs_processes
def test_processes_end_with_the_one_that_started_them() -> None:
    program = """
import os, sys, time
from octavo.runtime.processes import map_chunks

def work(jobs):
    print(os.getpid(), flush=True)
    return list(jobs)

for _ in map_chunks(work, range(100), chunk=50, parallel_from=2):
    sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
        # It ends with the last process that can write to it.
        process.stdout.read()


def test_core_count_is_bounded() -> None:
    assert 1 <= count_cores() <= 8
