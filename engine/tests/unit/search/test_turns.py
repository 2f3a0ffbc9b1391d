"""Who searches next: readers before those whose searches cost much, and nobody waits without end."""

from __future__ import annotations

import asyncio
from functools import partial
from threading import Event

import msgspec
import pytest

from engine.tests.unit.search.conftest import SETTINGS, MakeIndex
from octavo.search.errors import TooManyRequestsError
from octavo.search.protocol.limit import CostLimit
from octavo.search.protocol.thread import SearchThread
from octavo.search.protocol.turns import Turns, Work


class Readers:
    """Addresses that want to search, each request a task; `order` says who was let in."""

    def __init__(self, most_at_once: int = 1) -> None:
        self.now_s = 0.0
        self.costs = CostLimit(lambda: self.now_s)
        self.turns = Turns(most_at_once, self.costs, lambda: self.now_s)
        self.order: list[str] = []
        self.done = asyncio.Event()
        self.tasks: list[asyncio.Task[None]] = []

    async def start(self, name: str, address: str, *, searches: int = 1, cost_s: float = 0.0) -> None:
        """Send a request of some searches, and let it come as far as it can."""
        self.tasks.append(asyncio.create_task(self._search(name, address, searches, cost_s)))
        await asyncio.sleep(0)

    async def until(self, count: int) -> None:
        """Let requests go on until so many searches have begun."""
        for _ in range(1000):
            if len(self.order) >= count:
                return
            await asyncio.sleep(0)
        raise AssertionError(f"{self.order} is all")

    async def finish(self) -> list[str]:
        self.done.set()
        await asyncio.gather(*self.tasks)
        return self.order

    async def _search(self, name: str, address: str, searches: int, cost_s: float) -> None:
        work = Work()
        work.searches = searches
        for _ in range(searches):
            async with self.turns.turn(address, work):
                self.order.append(name)
                await self.done.wait()
                await asyncio.sleep(0)  # others come while it runs
                self.now_s += cost_s
                work.spent_s += cost_s
                work.searches -= 1
                self.costs.charge(address, cost_s)


def test_reader_overtakes_batches_of_other_addresses() -> None:
    async def scene() -> list[str]:
        readers = Readers()
        for number in range(11):
            await readers.start("storm", f"storm {number}", searches=50, cost_s=0.03)
        readers.now_s += 0.3  # they have waited, and none of them has cost anything yet
        await readers.start("reader", "reader", cost_s=0.004)
        return await readers.finish()

    assert asyncio.run(scene())[:3] == ["storm", "reader", "storm"]


def test_reader_overtakes_addresses_whose_searches_cost_much() -> None:
    async def scene() -> list[str]:
        readers = Readers()
        for number in range(11):
            for _ in range(3):
                readers.costs.charge(f"storm {number}", 0.03)
        for _ in range(3):
            readers.costs.charge("reader", 0.004)
        readers.now_s += 60.0
        for number in range(11):
            await readers.start("storm", f"storm {number}", cost_s=0.03)
        readers.now_s += 0.2
        await readers.start("reader", "reader", cost_s=0.004)
        return await readers.finish()

    assert asyncio.run(scene())[:3] == ["storm", "reader", "storm"]


def test_short_request_overtakes_batches_of_its_own_address() -> None:
    async def scene() -> list[str]:
        readers = Readers()
        for _ in range(3):
            await readers.start("batch", "office", searches=5, cost_s=0.03)
        readers.done.set()
        await readers.until(5)
        readers.done.clear()
        await readers.start("reader", "office")
        return await readers.finish()

    order = asyncio.run(scene())
    assert order.index("reader") <= 6, "after the search that runs, and one more at most"


def test_batches_of_equal_addresses_take_turns() -> None:
    async def scene() -> list[str]:
        readers = Readers()
        for name in ("a", "b", "c"):
            await readers.start(name, name, searches=4, cost_s=0.02)
        return await readers.finish()

    order = asyncio.run(scene())
    assert all(set(order[start : start + 3]) == {"a", "b", "c"} for start in range(0, 12, 3))


def test_nobody_waits_without_end() -> None:
    async def scene() -> list[str]:
        readers = Readers()
        readers.costs.charge("busy", 2.0)
        await readers.start("first", "first")
        await readers.start("busy", "busy")
        readers.now_s = 60.0
        await readers.start("new", "new")
        return await readers.finish()

    assert asyncio.run(scene()) == ["first", "busy", "new"]


def test_as_many_run_at_once_as_the_engine_allows() -> None:
    async def scene() -> tuple[int, list[str]]:
        readers = Readers(most_at_once=2)
        for name in ("a", "b", "c"):
            await readers.start(name, name)
        return len(readers.order), await readers.finish()

    assert asyncio.run(scene()) == (2, ["a", "b", "c"])


def test_request_that_is_given_up_leaves_its_place() -> None:
    async def scene() -> list[str]:
        readers = Readers()
        await readers.start("first", "first")
        await readers.start("gone", "gone")
        await readers.start("last", "last")
        gone = readers.tasks.pop(1)
        gone.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone
        await readers.finish()
        readers.done.clear()
        await readers.start("later", "later")
        return await readers.finish()

    assert asyncio.run(scene()) == ["first", "last", "later"]


@pytest.mark.parametrize("is_called_first", [True, False])
def test_place_is_passed_on_when_a_request_is_given_up_as_it_is_called(is_called_first: bool) -> None:
    async def scene() -> list[str]:
        readers = Readers()
        waiting: list[asyncio.Task[None]] = []

        async def give_up() -> None:
            async with readers.turns.turn("first", Work()):
                waiting.append(asyncio.create_task(readers.turns.turn("given up", Work()).__aenter__()))
                await asyncio.sleep(0)
                if not is_called_first:
                    waiting[0].cancel()
            waiting[0].cancel()

        await give_up()
        with pytest.raises(asyncio.CancelledError):
            await waiting[0]
        await readers.start("next", "next")
        return await readers.finish()

    assert asyncio.run(scene()) == ["next"]


def test_searches_of_all_protocols_wait_for_each_other(make_index: MakeIndex) -> None:
    engine, thread = make_index({"Kiln": "Fires clay."}).engine, SearchThread()
    order: list[str] = []
    begun, may_end = Event(), Event()

    def hold() -> None:
        begun.set()
        may_end.wait(60)
        order.append("reader")

    async def run() -> None:
        reader = asyncio.create_task(thread.run_for("10.0.0.1", Work(), hold, SETTINGS, engine))
        await asyncio.to_thread(begun.wait, 60)
        search = partial(order.append, "program")
        program = asyncio.create_task(thread.run_for("", Work(), search, SETTINGS, engine, may_refuse=False))
        await asyncio.sleep(0)  # lets it ask for its turn
        assert not order
        may_end.set()
        await asyncio.gather(reader, program)

    asyncio.run(run())
    assert order == ["reader", "program"]


def test_program_that_has_used_its_time_waits_and_is_not_refused(make_index: MakeIndex) -> None:
    engine, thread = make_index({"Kiln": "Fires clay."}).engine, SearchThread()
    settings = msgspec.structs.replace(SETTINGS, most_per_second=1)
    thread._cost.charge("10.0.0.1", 1_000)

    async def run(*, may_refuse: bool) -> str:
        return await thread.run_for("10.0.0.1", Work(), lambda: "found", settings, engine, may_refuse=may_refuse)

    assert asyncio.run(run(may_refuse=False)) == "found"
    with pytest.raises(TooManyRequestsError):
        asyncio.run(run(may_refuse=True))
