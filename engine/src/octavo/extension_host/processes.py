"""What extensions have started: found by its parents, and ended."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path

_ROUNDS = 5
"""How often new children are looked for: what is being ended may start more."""


def end_children(pid: int) -> None:
    """End all processes below one, where the system lists them; a session of their own does not keep them from it."""
    if sys.platform != "linux":
        return
    ended: set[int] = set()
    for _ in range(_ROUNDS):
        found = _below(pid) - ended
        if not found:
            return
        for one in found:
            with contextlib.suppress(OSError):
                os.kill(one, signal.SIGKILL)
        ended |= found


def _below(pid: int) -> set[int]:
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{waiting.pop()}/task").iterdir():
                with contextlib.suppress(OSError):
                    new = {int(one) for one in (task / "children").read_text(encoding="ascii").split()} - found
                    found |= new
                    waiting += new
    return found
