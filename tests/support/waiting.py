"""Waiting for a condition in another thread or process, with a limit."""

from __future__ import annotations

import time
from collections.abc import Callable

POLL_S = 0.01


def wait_for(condition: Callable[[], object], timeout_s: float = 60) -> None:
    """Wait until a condition holds, asking again every 10 ms.

    Raises:
        TimeoutError: It did not hold in time.
    """
    end = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("the condition did not come true")
        time.sleep(POLL_S)
