"""A counter that overwrites itself on standard error, where that is a terminal."""

from __future__ import annotations

import sys

import click


class Counter:
    """Shows how far a command is.

    Args:
        what: What is counted.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._is_shown = sys.stderr.isatty()
        self._width = 0

    def show(self, count: int, total: int | None = None) -> None:
        """Show a number, and where it ends if that is known."""
        if not self._is_shown:
            return
        of = f" of {total:,}" if total is not None else ""
        text = f"{count:,}{of} {self._what}"
        click.echo(f"\r{text:<{self._width}}", nl=False, err=True)
        self._width = len(text)

    def clear(self) -> None:
        """Leave an empty line for what is said next."""
        if self._width:
            click.echo(f"\r{'':<{self._width}}\r", nl=False, err=True)
            self._width = 0
