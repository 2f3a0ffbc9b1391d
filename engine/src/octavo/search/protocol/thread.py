"""Searching beside the event loop, within what one address may ask."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TypeVar

import anyio
import anyio.to_thread
from starlette.requests import Request

from octavo.search.engines.interface import IndexEngine
from octavo.search.errors import ProtocolError
from octavo.search.index.settings import IndexSettings
from octavo.search.protocol.limit import CostLimit, RateLimit, address_of
from octavo.search.protocol.turns import Turns, Work

T = TypeVar("T")

_WORK = "octavo.search.work"
"""Key of a request's scope under which its work is counted."""

_SWITCH_S = 0.001
"""Seconds after which a search lets the event loop in. With Python's 5 ms a page waits for several times as much, for it is sent in
several steps."""


class SearchThread:
    """The threads that search."""

    def __init__(self) -> None:
        sys.setswitchinterval(min(_SWITCH_S, sys.getswitchinterval()))
        self._limit = RateLimit()
        self._cost = CostLimit()
        self._turns: dict[int, tuple[Turns, anyio.CapacityLimiter]] = {}
        """Searches that an engine runs at once → whose is next, and their threads."""

    def admit(self, request: Request, count: int, settings: IndexSettings) -> None:
        """Count requests of an address.

        Raises:
            TooManyRequestsError: it has sent too many.
        """
        self._limit.take(address_of(request), count, per_second=settings.most_per_second)
        _work_of(request).searches += count

    async def run(self, request: Request, search: Callable[[], T], settings: IndexSettings, engine: IndexEngine) -> T:
        """Search beside the event loop, which continues to serve pages.

        Raises:
            TooManyRequestsError: the address has used up its processor time.
        """
        return await self.run_for(address_of(request), _work_of(request), search, settings, engine)

    async def run_for(
        self,
        address: str,
        work: Work,
        search: Callable[[], T],
        settings: IndexSettings,
        engine: IndexEngine,
        *,
        may_refuse: bool = True,
    ) -> T:
        """Search for who comes by another protocol, in turn with all others.

        Args:
            address: The network that asks, as `network_of` gives it.
            work: What the request has cost so far, and its searches.
            search: Answers one of them.
            settings: Of the index.
            engine: Answers for the index.
            may_refuse: Refuse an address that has used up its processor time; if not, it waits longer than others.

        Raises:
            TooManyRequestsError: the address has used up its processor time.
        """
        turns, threads = self._turns_of(engine.most_at_once)
        async with turns.turn(address, work):
            if settings.most_per_second and may_refuse:
                self._cost.check(address)
            answer, cost_s = await anyio.to_thread.run_sync(_timed, search, limiter=threads)
            work.spent_s += cost_s
            work.searches = max(1, work.searches - 1)
            self._cost.charge(address, cost_s)
        if isinstance(answer, ProtocolError):
            raise answer
        return answer

    def _turns_of(self, count: int) -> tuple[Turns, anyio.CapacityLimiter]:
        if count not in self._turns:
            self._turns[count] = Turns(count, self._cost), anyio.CapacityLimiter(count)
        return self._turns[count]


def _work_of(request: Request) -> Work:
    work: Work = request.scope.setdefault(_WORK, Work())
    return work


def _timed(search: Callable[[], T]) -> tuple[T | ProtocolError, float]:
    """Search, and measure the processor time; an error costs as well."""
    started = time.thread_time()
    try:
        answer: T | ProtocolError = search()
    except ProtocolError as error:
        answer = error
    return answer, time.thread_time() - started
