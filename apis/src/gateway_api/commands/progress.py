"""Texts of commands: numbers with their nouns, progress, and the note that a database is new."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import Self

import click

_SQLITE = "sqlite:///"


def counted(number: int, noun: str) -> str:
    """Write a number with its noun: "1 conversation", "1,200 conversations"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def say_if_new(database_url: str) -> None:
    """Say that a database file is created: a mistyped name would otherwise go unnoticed."""
    name = database_url.removeprefix(_SQLITE).partition("?")[0]
    if database_url.startswith(_SQLITE) and name not in ("", ":memory:") and not os.path.lexists(name):
        click.echo(f"{name} is a new database.", err=True)


class Counter:
    """Shows how far a command is, on a line of a terminal that is empty again at the end of a `with` block.

    Args:
        noun: One of what is counted.
        verb: What is done to it: "copied".
    """

    def __init__(self, noun: str, verb: str) -> None:
        self._noun, self._verb = noun, verb
        self._is_shown = sys.stderr.isatty()
        self._width = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()  # after an error, too: its sentence begins a line

    def show(self, count: int, total: int | None = None, *, verb: str | None = None) -> None:
        """Show a number, and where it ends if that is known; with the verb of this step where there are several."""
        if not self._is_shown:
            return
        number = counted(count, self._noun) if total is None else f"{count:,} of {counted(total, self._noun)}"
        text = f"{number} {verb or self._verb}"
        click.echo(f"\r{text:<{self._width}}", nl=False, err=True)
        self._width = len(text)

    def clear(self) -> None:
        """Leave an empty line for what is said next."""
        if self._width:
            click.echo(f"\r{'':<{self._width}}\r", nl=False, err=True)
            self._width = 0
