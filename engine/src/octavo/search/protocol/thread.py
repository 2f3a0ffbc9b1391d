"""Searching beside the event loop, within what one address may ask."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar
from weakref import WeakValueDictionary

import anyio
import anyio.to_thread
from starlette.requests import Request

from octavo.search.engines.interface import SearchEngine
from octavo.search.errors import ProtocolError
from octavo.search.index.settings import IndexSettings
from octavo.search.protocol.limit import CostLimit, RateLimit, address_of

T = TypeVar("T")


class SearchThread:
    """The threads that search."""

    def __init__(self) -> None:
        self._limit = RateLimit()
        self._cost = CostLimit()
        self._places: dict[int, anyio.CapacityLimiter] = {}
        """Searches that an engine runs at once → their places."""
        self._turns: WeakValueDictionary[str, anyio.Lock] = WeakValueDictionary()

    def admit(self, request: Request, count: int, settings: IndexSettings) -> None:
        """Count requests of an address.

        Raises:
            TooManyRequestsError: it has sent too many.
        """
        self._limit.take(address_of(request), count, per_second=settings.most_per_second)

    async def run(self, request: Request, search: Callable[[], T], settings: IndexSettings, engine: SearchEngine) -> T:
        """Search beside the event loop, which continues to serve pages.

        The searches of one address wait for each other, so that they take one place of the queue together.

        Raises:
            TooManyRequestsError: the address has used up its processor time.
        """
        count = engine.most_at_once
        place = self._places.get(count) or self._places.setdefault(count, anyio.CapacityLimiter(count))
        address = address_of(request)
        turn = self._turns.get(address) or self._turns.setdefault(address, anyio.Lock())
        async with turn:
            if settings.most_per_second:
                self._cost.check(address)
            answer, cost_s = await anyio.to_thread.run_sync(_timed, search, limiter=place)
            self._cost.charge(address, cost_s)
        if isinstance(answer, ProtocolError):
            raise answer
        return answer


def _timed(search: Callable[[], T]) -> tuple[T | ProtocolError, float]:
    """Search, and measure the processor time; an error costs as well."""
    started = time.thread_time()
    try:
        answer: T | ProtocolError = search()
    except ProtocolError as error:
        answer = error
    return answer, time.thread_time() - started
