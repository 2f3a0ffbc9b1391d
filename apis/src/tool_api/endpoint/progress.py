"""Counting what is in progress, so that an end can wait for it without asking again and again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class InProgress:
    """A number of things in progress."""

    def __init__(self) -> None:
        self._count = 0
        self._is_none: asyncio.Event | None = None
        """Made when somebody waits: it is counted with every call, and waited for at the end only."""

    def __bool__(self) -> bool:
        return self._count > 0

    def set(self, count: int) -> None:
        """Say how many there are."""
        self._count = count
        if self._is_none is None:
            return
        if count:
            self._is_none.clear()
        else:
            self._is_none.set()

    def add(self, count: int) -> None:
        """Count some more."""
        self.set(self._count + count)

    def remove_one(self) -> None:
        """Count one less: it has ended."""
        self.set(self._count - 1)

    @contextmanager
    def one_more(self) -> Iterator[None]:
        """Count one for the length of a block."""
        self.add(1)
        try:
            yield
        finally:
            self.remove_one()

    async def until_none(self) -> None:
        """Wait until there is none; others may have begun when this returns."""
        if self._count == 0:
            return
        if self._is_none is None:
            self._is_none = asyncio.Event()
        await self._is_none.wait()


async def until_all_end(*kinds: InProgress) -> None:
    """Wait until nothing of several kinds is in progress."""
    while any(kinds):
        for kind in kinds:
            await kind.until_none()
