"""Counting what is in progress, so that an end can wait for it without asking again and again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class InProgress:
    """A number of things in progress."""

    def __init__(self) -> None:
        self._count = 0
        self._is_none = asyncio.Event()
        self._is_none.set()

    def __bool__(self) -> bool:
        return self._count > 0

    def set(self, count: int) -> None:
        """Say how many there are."""
        self._count = count
        if count:
            self._is_none.clear()
        else:
            self._is_none.set()

    @contextmanager
    def one_more(self) -> Iterator[None]:
        """Count one for the length of a block."""
        self.set(self._count + 1)
        try:
            yield
        finally:
            self.set(self._count - 1)

    def begin(self) -> Callable[[], None]:
        """Count one; returns what to call, once, when it has ended."""
        self.set(self._count + 1)
        return lambda: self.set(self._count - 1)

    async def until_none(self) -> None:
        """Wait until there is none; others may have begun when this returns."""
        await self._is_none.wait()


async def until_all_end(*kinds: InProgress) -> None:
    """Wait until nothing of several kinds is in progress."""
    while any(kinds):
        for kind in kinds:
            await kind.until_none()
