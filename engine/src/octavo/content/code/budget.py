"""The time that a block of code may take to be highlighted, held whatever its lexer does.

A look at the clock between tokens is not enough: one match of one regular expression can take minutes. What can end it is
a signal of the system's timer, whose handler Python calls in the midst of a match, but in the main thread alone. Elsewhere,
blocks of some length are highlighted by another process; see `highlighter_process`.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from types import FrameType
from typing import TypeVar

Value = TypeVar("Value")

BUDGET_S = 1.0
"""CPU seconds that a block may take. Real blocks take milliseconds; some lexers are quadratic on text made for it."""
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
    alarm = _Alarm()
    try:
        try:
            alarm.set()
            return work()
        finally:
            alarm.clear()
    finally:
        # Once more, for the signal may come as the work ends, and keep `clear` from being called.
        alarm.clear()


def looking(tokens: Iterable[Value]) -> Iterable[Value]:
    """Pass tokens on until the time of their block is over, where nothing can interrupt the lexer that gives them.

    Raises:
        SlowCodeError: it is over.
    """
    return tokens if can_interrupt() else _look(tokens)


class _Alarm:
    """Raises `SlowCodeError` in the midst of whatever runs when the budget is used up."""

    def __init__(self) -> None:
        self._is_set = False

    def set(self) -> None:
        # It stays: without a handler, a signal that comes late would end the process.
        signal.signal(signal.SIGVTALRM, self._raise)
        self._is_set = True
        # Again and again, for a lexer may catch what is raised in it.
        signal.setitimer(signal.ITIMER_VIRTUAL, BUDGET_S, BUDGET_S / 4)

    def clear(self) -> None:
        self._is_set = False
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def _raise(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        if self._is_set:
            raise SlowCodeError


def _look(tokens: Iterable[Value]) -> Iterator[Value]:
    limit = time.thread_time() + BUDGET_S
    for number, token in enumerate(tokens, 1):
        if not number % _TOKENS_PER_LOOK and time.thread_time() > limit:
            raise SlowCodeError
        yield token
