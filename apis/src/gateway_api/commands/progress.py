"""Texts of commands: numbers with their nouns, progress, and the note that a database is new."""

from __future__ import annotations

import os
import sys

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
