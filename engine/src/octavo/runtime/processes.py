"""Spread work over the machine's cores.

Workers are forked, so they inherit what the parent has made (the whole `Site`) without copying it. Where
forking is not safe (macOS, Windows) the work is done in this process.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from octavo.errors import WorkerLostError
from octavo.runtime.memory import begin_child, shared_with_children

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

Job = TypeVar("Job")
Outcome = TypeVar("Outcome")

_AHEAD = 16
"""Chunks of each process that are done or under way before the caller has taken the outcomes."""


def count_cores() -> int:
    """Count the cores that this process may use, at most 8: more gain nothing here."""
    try:
        return min(8, len(os.sched_getaffinity(0)))
    except AttributeError:
        return min(8, os.cpu_count() or 1)


def map_chunks(
    work: Callable[[Sequence[Job]], list[Outcome]],
    jobs: Sequence[Job],
    *,
    chunk: int,
    parallel_from: int,
) -> Generator[tuple[Sequence[Job], list[Outcome]], None, None]:
    """Do jobs in chunks, on all cores when there are enough of them.

    Args:
        work: Chunk of jobs → as many outcomes; runs in another process.
        jobs: All jobs.
        chunk: Jobs handed out at a time.
        parallel_from: Number of jobs from which starting workers pays.

    Returns:
        (chunk, outcomes) in the order in which they are done.

    Raises:
        WorkerLostError: a process was ended from outside. What `work` raises is raised here.
    """
    chunks = [jobs[start : start + chunk] for start in range(0, len(jobs), chunk)]
    cores = min(count_cores(), len(chunks))
    if cores < 2 or len(jobs) < parallel_from or not sys.platform.startswith("linux"):
        for part in chunks:
            yield part, work(part)
        return
    # Not at the top: most builds draw a page or two, in this process.
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    # A pool of `multiprocessing` waits for ever for a process that has died, and where it ends one that holds a lock.
    context = multiprocessing.get_context("fork")
    with shared_with_children():
        pool = ProcessPoolExecutor(cores, context, initializer=_begin, initargs=(work, chunks))
        try:
            for index, outcomes in _results(pool, len(chunks), cores * _AHEAD):
                yield chunks[index], outcomes
        except BrokenProcessPool as error:
            raise WorkerLostError(
                "The system ended a process of the build, perhaps for lack of memory. Build again with more memory, "
                "or with fewer processes side by side: taskset -c 0 octavo build"
            ) from error
        finally:
            pool.shutdown(cancel_futures=True)


def _results(pool: ProcessPoolExecutor, count: int, ahead: int) -> Iterator[tuple[int, list[Any]]]:
    """Give the outcomes of so many chunks as they are done, and keep a bounded number of them in memory."""
    from concurrent.futures import FIRST_COMPLETED, wait

    numbers = iter(range(count))
    waiting = {pool.submit(_run, number) for number in islice(numbers, ahead)}
    while waiting:
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        waiting |= {pool.submit(_run, number) for number in islice(numbers, len(done))}
        while done:
            yield done.pop().result()


_task: tuple[Callable[[Any], list[Any]], Sequence[Any]] | None = None
"""Set in each worker, never in the process that forks it: (work, chunks). They are inherited and not sent: what work
needs, the whole site, is too large to send."""


def _begin(work: Callable[[Any], list[Any]], chunks: Sequence[Any]) -> None:
    global _task  # noqa: PLW0603 - the pool has no other way from here to `_run`
    _task = (work, chunks)
    begin_child()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when its parent has: else it would wait for work for ever where that was killed."""
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _run(index: int) -> tuple[int, list[Any]]:
    if _task is None:
        raise RuntimeError("A worker was asked for an outcome before it began.")
    work, chunks = _task
    return index, work(chunks[index])
