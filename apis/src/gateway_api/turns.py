"""Order among requests that change the same provider."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from gateway_api.errors import ConflictError


class Turns:
    """Lets requests about one row go one after the other, in order of arrival; others are not held up."""

    def __init__(self, wait_s: float) -> None:
        self._wait_s = wait_s
        self._locks: dict[int, asyncio.Lock] = {}
        self.waiting: dict[int, int] = {}
        """Row → requests that are about it now, the one whose turn it is included."""

    @asynccontextmanager
    async def of(self, row_id: int) -> AsyncIterator[None]:
        """Wait until all earlier requests about a row have ended.

        Raises:
            ConflictError: They take too long.
        """
        lock = self._locks.setdefault(row_id, asyncio.Lock())
        self.waiting[row_id] = self.waiting.get(row_id, 0) + 1
        try:
            try:
                async with asyncio.timeout(self._wait_s):
                    await lock.acquire()
            except TimeoutError:
                raise ConflictError("Another request is changing this provider; try again") from None
            try:
                yield
            finally:
                lock.release()
        finally:
            self.waiting[row_id] -= 1
            if not self.waiting[row_id]:
                del self.waiting[row_id], self._locks[row_id]
