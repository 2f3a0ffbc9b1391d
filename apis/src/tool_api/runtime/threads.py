"""Work that may block for long, in threads of its own."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


async def in_own_thread(work: Callable[[], T]) -> T:
    """Do blocking work that may take long, or may never end.

    `asyncio.to_thread` has few threads for everything: some servers that do not stop would hold up each question to the
    engine. And the end of the program waits for them, which it does not for these. The work goes on when its caller is
    cancelled.
    """
    loop = asyncio.get_running_loop()
    result: asyncio.Future[T] = loop.create_future()
    context = contextvars.copy_context()

    def settle(set_it: Callable[[Any], None], value: object) -> None:
        if not result.done():
            set_it(value)

    def run() -> None:
        set_it: Callable[[Any], None]
        value: object
        try:
            set_it, value = result.set_result, context.run(work)
        except Exception as error:  # noqa: BLE001 - it is the caller's
            set_it, value = result.set_exception, error
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(settle, set_it, value)

    threading.Thread(target=run, name="long work", daemon=True).start()
    return await result
