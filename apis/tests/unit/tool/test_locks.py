"""Operations on one server come one after the other, also while it is being deleted and created again."""

from __future__ import annotations

import anyio
import pytest

from tool_api.servers import Locks


def test_one_at_a_time_even_when_the_holder_changes() -> None:
    locks = Locks()
    inside = most = 0

    async def work(name: str) -> None:
        nonlocal inside, most
        for _ in range(20):
            async with locks.hold(name):
                inside += 1
                most = max(most, inside)
                await anyio.lowlevel.checkpoint()
                inside -= 1

    async def work_all() -> None:
        async with anyio.create_task_group() as tasks:
            for _ in range(8):
                tasks.start_soon(work, "same")

    anyio.run(work_all)
    assert most == 1
    assert len(locks) == 0, "locks that nobody holds are forgotten"


def test_names_do_not_wait_for_each_other() -> None:
    async def work() -> None:
        locks = Locks()
        with anyio.fail_after(5):
            async with locks.hold("one"), locks.hold("two"):
                assert len(locks) == 2

    anyio.run(work)


def test_lock_is_free_after_an_error_and_after_cancellation() -> None:
    async def fail(locks: Locks) -> None:
        async with locks.hold("name"):
            raise KeyError("x")

    async def work() -> None:
        locks = Locks()
        with pytest.raises(KeyError):
            await fail(locks)
        async with locks.hold("name"):
            with anyio.move_on_after(0):
                async with locks.hold("name"):
                    raise AssertionError("two holders")
            assert len(locks) == 1
        assert len(locks) == 0

    anyio.run(work)
