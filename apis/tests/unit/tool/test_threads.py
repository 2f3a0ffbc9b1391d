"""Work in threads of its own."""

from __future__ import annotations

import asyncio
import threading
from contextvars import ContextVar

import pytest

from tool_api.runtime.threads import in_own_thread

MANY = 100
NAME: ContextVar[str] = ContextVar("NAME")


def test_result_error_and_context_are_those_of_the_work() -> None:
    def fail() -> None:
        raise KeyError(NAME.get())

    async def test() -> None:
        NAME.set("lamp")
        assert await in_own_thread(NAME.get) == "lamp"
        with pytest.raises(KeyError, match="lamp"):
            await in_own_thread(fail)

    asyncio.run(test())


def test_work_does_not_wait_for_other_work() -> None:
    everybody = threading.Barrier(MANY)

    async def test() -> None:
        # Each of them ends when all have begun.
        await asyncio.gather(*(in_own_thread(lambda: everybody.wait(60)) for _ in range(MANY)))

    asyncio.run(test())


def test_loop_ends_while_work_goes_on() -> None:
    has_begun, may_end, has_ended = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        has_begun.set()
        may_end.wait()
        has_ended.set()

    async def test() -> None:
        task = asyncio.create_task(in_own_thread(work))
        await asyncio.to_thread(has_begun.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(test())
    assert not has_ended.is_set()
    may_end.set()
    assert has_ended.wait(60)
