"""A counter that overwrites itself on standard error, where that is a terminal."""

from __future__ import annotations

import sys

import click


class Counter:
    """Shows how far a command is.

    Args:
        what: What is counted.
        total: Where it ends, if that is known.
    """

    def __init__(self, what: str, total: int | None = None) -> None:
        self._what = what
        self._total = total
        self._is_shown = sys.stderr.isatty()
        self._width = 0

    def show(self, count: int) -> None:
        """Show a number."""
        if not self._is_shown:
            return
        of = f" of {self._total:,}" if self._total is not None else ""
        text = f"{count:,}{of} {self._what}"
        click.echo(f"\r{text:<{self._width}}", nl=False, err=True)
        self._width = len(text)

    def clear(self) -> None:
        """Leave an empty line for what is said next."""
        if self._width:
            click.echo(f"\r{'':<{self._width}}\r", nl=False, err=True)
            self._width = 0
