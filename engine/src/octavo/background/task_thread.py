"""`TaskThread`: what belongs to it no other thread changes, so nothing needs a lock."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")

_log = logging.getLogger(__name__)


class TaskThread:
    """Runs requested tasks first, and background steps while there are none."""

    def __init__(self) -> None:
        self._asked: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._later: Iterator[None] | None = None
        self._due = 0.0
        self._condition = threading.Condition()
        self._is_closed = False
        self._thread = threading.Thread(target=self._work, name="octavo-tasks", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def run(self, task: Callable[[], T]) -> Future[T]:
        """Run a task before all background steps. May be called from any thread."""
        done: Future[T] = Future()
        with self._condition:
            if self._is_closed:
                done.cancel()
            else:
                self._asked.append((done, task))
                self._condition.notify()
        return done

    def run_later(self, steps: Iterator[None], after_s: float = 0) -> None:
        """Run background steps while no task is waiting; they replace the steps given before.

        Args:
            steps: Runs one step each time its next item is taken.
            after_s: Seconds until the first one.
        """
        with self._condition:
            self._later, self._due = steps, time.monotonic() + after_s
            self._condition.notify()

    def close(self, last: Callable[[], None], timeout_s: float) -> None:
        """Cancel waiting tasks, run a last one, and end the thread."""
        with self._condition:
            for done, _ in self._asked:
                done.cancel()
            self._asked.clear()
            self._asked.append((Future(), last))
            self._is_closed = True
            self._condition.notify()
        self._thread.join(timeout_s)

    def _work(self) -> None:
        while True:
            with self._condition:
                while not self._asked and not self._is_closed and (wait_s := self._wait_s()) != 0:
                    self._condition.wait(wait_s)
                asked = self._asked.popleft() if self._asked else None
                if asked is None and self._is_closed:
                    return
                steps = self._later
            if asked is not None:
                _settle(*asked)
            elif steps is not None and not _take_step(steps):
                with self._condition:
                    if self._later is steps:
                        self._later = None

    def _wait_s(self) -> float | None:
        """Seconds until background steps are due; None if there are none."""
        return max(0, self._due - time.monotonic()) if self._later is not None else None


def _take_step(steps: Iterator[None]) -> bool:
    """Run one step; returns False after the last one."""
    try:
        next(steps)
    except StopIteration:
        return False
    except Exception:  # noqa: BLE001 - pages are still served, and the next edit starts these steps again
        _log.exception("A background step failed.")
        return False
    return True


def _settle(done: Future[Any], task: Callable[[], Any]) -> None:
    if not done.set_running_or_notify_cancel():
        return
    try:
        done.set_result(task())
    except BaseException as error:  # noqa: BLE001 - passed on to the caller
        done.set_exception(error)
