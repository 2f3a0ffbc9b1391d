"""Work in threads of its own."""

from __future__ import annotations

import asyncio
import threading
from contextvars import ContextVar

import pytest

from tool_api.runtime.threads import MOST, in_own_thread

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


def test_work_beyond_the_most_threads_waits_for_its_turn() -> None:
    has_begun, may_end, names = threading.Semaphore(0), threading.Event(), set[str]()

    def work() -> None:
        names.add(threading.current_thread().name)
        has_begun.release()
        may_end.wait()

    async def test() -> None:
        before = threading.active_count()
        tasks = [asyncio.create_task(in_own_thread(work)) for _ in range(MOST)]
        for _ in tasks:
            await asyncio.to_thread(has_begun.acquire)
        busy = threading.active_count()
        done: list[int] = []
        later = [asyncio.create_task(in_own_thread(lambda number=number: done.append(number))) for number in range(50)]
        await asyncio.sleep(0)
        assert threading.active_count() == busy
        assert busy - before >= MOST
        later[7].cancel()
        await asyncio.gather(later[7], return_exceptions=True)
        may_end.set()
        await asyncio.gather(*tasks, *later, return_exceptions=True)
        assert sorted(done) == [number for number in range(50) if number != 7], "what nobody waits for does not begin"

    asyncio.run(test())


@pytest.mark.costly
def test_threads_end_when_there_is_nothing_to_do() -> None:
    async def test() -> list[threading.Thread]:
        return await asyncio.gather(*(in_own_thread(threading.current_thread) for _ in range(MOST * 2)))

    for thread in asyncio.run(test()):
        thread.join(60)
        assert not thread.is_alive()
