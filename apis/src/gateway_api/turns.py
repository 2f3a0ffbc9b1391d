"""Order among requests that change the same provider."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from gateway_api.errors import ConflictError

RENAME_GRACE_S = 5.0
"""How long credentials may still be sent under a provider's former name."""


class Turns:
    """Lets requests about one row go one after the other, in order of arrival; others are not held up."""

    def __init__(self, wait_s: float) -> None:
        self._wait_s = wait_s
        self._locks: dict[int, asyncio.Lock] = {}
        self._users: dict[int, int] = {}

    @asynccontextmanager
    async def of(self, row_id: int) -> AsyncIterator[None]:
        """Wait until all earlier requests about a row have ended.

        Raises:
            ConflictError: They take too long.
        """
        lock = self._locks.setdefault(row_id, asyncio.Lock())
        self._users[row_id] = self._users.get(row_id, 0) + 1
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
            self._users[row_id] -= 1
            if not self._users[row_id]:
                del self._users[row_id], self._locks[row_id]


class FormerNames:
    """Names that providers had until a few seconds ago.

    The dashboard saves a provider's new name and its API key with two requests at once, both under the old name. The
    second one means the same provider, whichever comes first.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._renamed: dict[str, tuple[int, float]] = {}

    def note(self, name: str, row_id: int) -> None:
        """Remember which row had a name until now."""
        self._forget_old()
        self._renamed[name] = (row_id, self._clock())

    def find(self, name: str) -> int | None:
        """Find the row that had a name until a few seconds ago."""
        self._forget_old()
        found = self._renamed.get(name)
        return found[0] if found else None

    def _forget_old(self) -> None:
        oldest = self._clock() - RENAME_GRACE_S
        self._renamed = {name: (row, at) for name, (row, at) in self._renamed.items() if at >= oldest}
