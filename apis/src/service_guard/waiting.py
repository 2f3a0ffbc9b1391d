"""Time limits for what a client sends, which count what has come while this process was stopped.

A process stops with its machine (sleep, a paused or moved virtual machine), or when it gets no processor for a while. Its
timers are then due before it reads what came meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

LAST_LOOK_S = 1.0
"""Seconds that are added to a limit, so that at its end the loop reads what is there, and a client that was stopped
together with this process goes on."""


@asynccontextmanager
async def until(deadline: float) -> AsyncIterator[None]:
    """Limit a wait for a client.

    Args:
        deadline: On the loop's clock.

    Raises:
        TimeoutError: The block was not left in time.
    """
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(None) as limit:
        clock = loop.call_at(deadline, lambda: limit.reschedule(loop.time() + LAST_LOOK_S))
        try:
            yield
        finally:
            clock.cancel()
