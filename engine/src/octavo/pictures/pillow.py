"""Whether Pillow is there."""

from __future__ import annotations

import importlib.util
from functools import cache


@cache
def is_installed() -> bool:
    """Return whether pictures can be made."""
    return importlib.util.find_spec("PIL") is not None
