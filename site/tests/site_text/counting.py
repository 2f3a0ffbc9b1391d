"""How much the tests of the pages have looked at: said at the end of a run, by `pytest_terminal_summary`."""

from __future__ import annotations

from collections.abc import Callable

Count = Callable[[str, int], None]
"""`count("blocks parsed", 1)`."""
