"""Answers that come late: threads wait for them, and whoever asked takes them when it has time."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from octavo.components.conversation import ComponentError, LateAnswer

Take = Callable[[Any], None]
"""Takes an answer, or the error in its place."""


class LateAnswers:
    """Used by one thread; the threads that it starts only wait."""

    def __init__(self) -> None:
        self.tell: Callable[[], object] = lambda: None
        """Called by another thread when an answer has come."""
        self._waiting: dict[LateAnswer, Take] = {}
        self._come: deque[tuple[LateAnswer, Any]] = deque()
        self._is_closed = False

    def add(self, late: LateAnswer, take: Take) -> None:
        """Wait for an answer."""
        self._waiting[late] = take
        threading.Thread(target=self._wait, args=(late,), name="octavo-late-answer", daemon=True).start()

    def settle(self) -> bool:
        """Hand over what has come; returns whether anything has."""
        has_come = False
        while self._come:
            late, answer = self._come.popleft()
            self._waiting.pop(late)(answer)
            has_come = True
        return has_come

    def close(self) -> None:
        """Wait for nothing any more."""
        self._is_closed = True
        for late in self._waiting:
            late.cancel()

    def _wait(self, late: LateAnswer) -> None:
        try:
            answer = late.wait()
        except ComponentError as error:
            answer = error
        self._come.append((late, answer))
        if not self._is_closed:
            self.tell()
