"""When the collector of reference cycles runs. It is switched here and nowhere else.

Reading a site makes hundreds of thousands of objects and hardly any cycles; each run of the collector looks through all
of them. So it rests while a site is read, and what stays for the rest of the process is taken out of its sight.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_COLLECT_EVERY = 10_000
"""Objects made and not freed between two runs of the collector, in a process that serves."""

_COLLECT_EVERY_IN_WORKERS = 100_000
"""The same, in a process that works for a build."""


@contextmanager
def paused_collector() -> Iterator[None]:
    """Let the collector rest during a piece of work."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def shared_with_children() -> Iterator[None]:
    """Keep the collectors of processes that are forked meanwhile from touching, and so copying, what is there now."""
    frozen_before = gc.get_freeze_count()
    gc.freeze()
    try:
        yield
    finally:
        # Objects that a caller froze before stay frozen: a process has only one set of them.
        if not frozen_before:
            gc.unfreeze()


def begin_child() -> None:
    """Run the collector in a process that was forked while it rested, seldom: a page makes thousands of objects and no cycles.

    At its usual pace the collector took a third of the time in which pages are made ready for search.
    """
    gc.enable()
    gc.set_threshold(_COLLECT_EVERY_IN_WORKERS, 20, 20)


def begin_start() -> None:
    """Let the collector rest while a program that runs for long is imported and reads its first data."""
    gc.disable()


def end_start() -> None:
    """Run the collector from now on, and never look at what the start has made: it stays."""
    gc.enable()
    gc.freeze()


def settle_memory() -> None:
    """Take what is in memory now out of the collector's sight, and let it look less often.

    The words of a large index are hundreds of thousands of objects that stay; looked through again and again, they
    would cost each search a tenth of its time. What is of no use any more goes at the next call.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    gc.set_threshold(_COLLECT_EVERY, 20, 20)


def before_exit() -> None:
    """Leave what there is to the end of the process instead of looking through it for cycles."""
    gc.freeze()
