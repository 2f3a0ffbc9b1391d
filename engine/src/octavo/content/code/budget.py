"""The time that a block of code may take to be highlighted, held whatever its lexer does.

A look at the clock between tokens is not enough: one match of one regular expression can take minutes. What can end it is
a signal of the system's timer, whose handler Python calls in the midst of a match, but in the main thread alone. Elsewhere,
blocks of some length are highlighted by another process; see `highlighter_process`.
"""

from __future__ import annotations

import atexit
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from types import FrameType
from typing import TypeVar

Value = TypeVar("Value")

BUDGET_S = 1.0
"""CPU seconds that a block may take. Real blocks take milliseconds; some lexers are quadratic on text made for it."""
_TICKS = 4
"""Ticks of the timer within the budget: a block may take as much again as lies between two of them."""
_TOKENS_PER_LOOK = 64
"""Tokens between two looks at the clock."""


class SlowCodeError(Exception):
    """A block takes more time to highlight than its budget allows."""


def can_interrupt() -> bool:
    """Return whether a match can be interrupted here: in the main thread, where the system has a timer for it."""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


def within_budget(work: Callable[[], Value]) -> Value:
    """Do some work, which is interrupted when the budget is used up, if `can_interrupt`.

    Raises:
        SlowCodeError: it was.
    """
    if not can_interrupt():
        return work()
    try:
        try:
            _clock.set()
            return work()
        finally:
            _clock.clear()
    finally:
        # Once more, for the signal may come as the work ends, and keep `clear` from being called.
        _clock.clear()


def looking(tokens: Iterable[Value]) -> Iterable[Value]:
    """Pass tokens on until the time of their block is over, where nothing can interrupt the lexer that gives them.

    Raises:
        SlowCodeError: it is over.
    """
    return tokens if can_interrupt() else _look(tokens)


class _Clock:
    """Raises `SlowCodeError` in the midst of whatever runs when the budget is used up.

    One timer ticks for all blocks that follow each other, and stops by itself when none does: two calls of the system for
    each block were a thirtieth of a build.
    """

    def __init__(self) -> None:
        self._every = 0.0
        """CPU seconds between two ticks; 0 while the timer is not set."""
        self._left = 0
        """Ticks until the block that is being highlighted has used up its budget; 0 when there is none."""

    def set(self) -> None:
        self._left = _TICKS + 1  # the first one may come at once
        every = BUDGET_S / _TICKS
        if self._every != every:
            # It stays: without a handler, a signal that comes late would end the process.
            signal.signal(signal.SIGVTALRM, self._tick)
            self._every = every
            signal.setitimer(signal.ITIMER_VIRTUAL, every, every)

    def clear(self) -> None:
        self._left = 0

    def stop(self) -> None:
        """Stop the timer: its handler is removed before the process ends, and a signal would then end the process as a failure."""
        if self._every:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            self._every = 0.0

    def forget_timer(self) -> None:
        """Set the timer again for the next block: a process that was forked has none."""
        self._every = 0.0

    def _tick(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        if not self._left:
            self.stop()
        elif self._left > 1:
            self._left -= 1
        else:  # it stays at 1, and is raised again at the next tick, for a lexer may catch what is raised in it
            raise SlowCodeError


_clock = _Clock()
atexit.register(_clock.stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_clock.forget_timer)


def _look(tokens: Iterable[Value]) -> Iterator[Value]:
    limit = time.thread_time() + BUDGET_S
    for number, token in enumerate(tokens, 1):
        if not number % _TOKENS_PER_LOOK and time.thread_time() > limit:
            raise SlowCodeError
        yield token
