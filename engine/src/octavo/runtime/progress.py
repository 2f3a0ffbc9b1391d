"""How a build tells what it is doing."""

from __future__ import annotations

from collections.abc import Callable

Report = Callable[[str, int, int], None]
"""(stage, done, total): `compile`, `draw`, `compress`, `publish`; called while the work runs."""


def say_nothing(stage: str, done: int, total: int) -> None:
    """Report nothing."""
    del stage, done, total
