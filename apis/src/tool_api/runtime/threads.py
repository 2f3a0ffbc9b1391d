"""Work that may block for long, in threads of its own."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")

MOST = 256
"""Threads at the same time. The engine answers, or is given up, within minutes, so that each work gets its turn."""


class _Threads:
    """At most `MOST` threads, which end when there is nothing to do."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[Callable[[], None]] = deque()
        self._count = 0

    def begin(self, run: Callable[[], None]) -> None:
        """Do work in a thread, now or when it is its turn."""
        with self._lock:
            if self._count >= MOST:
                self._waiting.append(run)
                return
            self._count += 1
        try:
            threading.Thread(target=self._work_off, args=(run,), name="long work", daemon=True).start()
        except RuntimeError:  # the system gives no more threads
            with self._lock:
                self._count -= 1
            raise

    def _work_off(self, run: Callable[[], None] | None) -> None:
        while run is not None:
            run()
            with self._lock:
                run = self._waiting.popleft() if self._waiting else None
                if run is None:
                    self._count -= 1


_threads = _Threads()


async def in_own_thread(work: Callable[[], T]) -> T:
    """Do blocking work that may take long, or may never end.

    `asyncio.to_thread` has few threads for everything: some servers that do not stop would hold up each question to the
    engine. And the end of the program waits for them, which it does not for these. Work that has begun goes on when its
    caller is cancelled. Beyond `MOST` works, the next waits until one of them ends.
    """
    loop = asyncio.get_running_loop()
    result: asyncio.Future[T] = loop.create_future()
    context = contextvars.copy_context()

    def settle(set_it: Callable[[Any], None], value: object) -> None:
        if not result.done():
            set_it(value)

    def run() -> None:
        if result.cancelled():
            return
        set_it: Callable[[Any], None]
        value: object
        try:
            set_it, value = result.set_result, context.run(work)
        except Exception as error:  # noqa: BLE001 - it is the caller's
            set_it, value = result.set_exception, error
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(settle, set_it, value)

    _threads.begin(run)
    return await result
