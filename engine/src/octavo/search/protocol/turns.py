"""Whose search is next, where more are wanted than run at once: the one that is expected to cost least.

An address is expected to cost what it has used too much of late, and what its requests that wait will cost, by the number of their
searches and by what its last searches have cost. So a reader overtakes batches and those whose searches are costly, from one address or
from many. Among the requests of one address, which may be that of many readers, the order is the same.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Protocol

WAITING_SHARE = 0.05
"""Seconds of processor time that a second of waiting makes up for, so that nobody waits without end."""


class Costs(Protocol):
    """What the searches of an address cost, in seconds of processor time."""

    def used_by(self, address: str) -> float:
        """Give what an address has used of late."""

    def expected_of(self, address: str) -> float:
        """Give what its next search will cost."""


class Work:
    """What one request has cost so far, in seconds of processor time, and how many of its searches are still to come."""

    spent_s = 0.0
    searches = 0


class Turns:
    """Lets so many searches run at once. For one event loop."""

    def __init__(self, most_at_once: int, costs: Costs, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with nobody waiting.

        Args:
            most_at_once: Searches that may run at once.
            costs: What addresses cost.
            clock: Seconds, always growing.
        """
        self._free = most_at_once
        self._costs = costs
        self._clock = clock
        self._waiting: dict[str, list[_Waiter]] = {}
        """Address → its requests that wait, in the order in which they came."""

    @asynccontextmanager
    async def turn(self, address: str, work: Work) -> AsyncIterator[None]:
        """Wait until a search may run; at the end of the block the next one may."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(address, work)
        try:
            yield
        finally:
            self._release()

    async def _wait(self, address: str, work: Work) -> None:
        waiter = _Waiter(work, self._clock())
        self._waiting.setdefault(address, []).append(waiter)
        try:
            await waiter.called
        except asyncio.CancelledError:
            if not waiter.called.cancelled():  # it has been called, and gives its place to the next
                self._release()
            elif waiter in self._waiting.get(address, ()):
                self._leave(address, waiter)
            raise

    def _release(self) -> None:
        while self._waiting:
            waiter = self._take_next()
            if not waiter.called.cancelled():
                waiter.called.set_result(None)
                return
        self._free += 1

    def _take_next(self) -> _Waiter:
        now_s = self._clock()

        def of_request(waiter: _Waiter, each_s: float) -> float:
            waited_s = now_s - waiter.since_s
            return waiter.work.spent_s + waiter.work.searches * each_s - waited_s * WAITING_SHARE

        def of_address(address: str) -> float:
            waiters, each_s = self._waiting[address], self._costs.expected_of(address)
            searches = sum(waiter.work.searches for waiter in waiters)
            waited_s = now_s - waiters[0].since_s
            return self._costs.used_by(address) + searches * each_s - waited_s * WAITING_SHARE

        address = min(self._waiting, key=of_address)
        each_s = self._costs.expected_of(address)
        waiter = min(self._waiting[address], key=lambda one: of_request(one, each_s))
        self._leave(address, waiter)
        return waiter

    def _leave(self, address: str, waiter: _Waiter) -> None:
        waiters = self._waiting[address]
        waiters.remove(waiter)
        if not waiters:
            del self._waiting[address]


class _Waiter:
    """A request that waits."""

    def __init__(self, work: Work, since_s: float) -> None:
        self.work = work
        self.since_s = since_s
        self.called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
