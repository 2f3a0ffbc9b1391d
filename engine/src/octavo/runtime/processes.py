"""Spread work over the machine's cores.

Workers are forked, so they inherit what the parent has made (the whole `Site`) without copying it. Where
forking is not safe (macOS, Windows) the work is done in this process.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from octavo.runtime.memory import begin_child, shared_with_children

Job = TypeVar("Job")
Outcome = TypeVar("Outcome")


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
) -> Iterator[tuple[Sequence[Job], list[Outcome]]]:
    """Do jobs in chunks, on all cores when there are enough of them.

    Args:
        work: Chunk of jobs → as many outcomes; runs in another process.
        jobs: All jobs.
        chunk: Jobs handed out at a time.
        parallel_from: Number of jobs from which starting workers pays.

    Returns:
        (chunk, outcomes) in the order in which they are done.
    """
    chunks = [jobs[start : start + chunk] for start in range(0, len(jobs), chunk)]
    cores = min(count_cores(), len(chunks))
    if cores < 2 or len(jobs) < parallel_from or not sys.platform.startswith("linux"):
        for part in chunks:
            yield part, work(part)
        return
    import multiprocessing  # not at the top: most builds draw a page or two, in this process

    context = multiprocessing.get_context("fork")
    with shared_with_children(), context.Pool(cores, initializer=_begin, initargs=(work, chunks)) as pool:
        for index, outcomes in pool.imap_unordered(_run, range(len(chunks))):
            yield chunks[index], outcomes
        pool.close()
        pool.join()


_task: tuple[Callable[[Any], list[Any]], Sequence[Any]] | None = None
"""Set in each worker, never in the process that forks it: (work, chunks). They are inherited and not sent: what work
needs, the whole site, is too large to send."""


def _begin(work: Callable[[Any], list[Any]], chunks: Sequence[Any]) -> None:
    global _task  # noqa: PLW0603 - the pool has no other way from here to `_run`
    _task = (work, chunks)
    begin_child()


def _run(index: int) -> tuple[int, list[Any]]:
    if _task is None:
        raise RuntimeError("A worker was asked for an outcome before it began.")
    work, chunks = _task
    return index, work(chunks[index])
