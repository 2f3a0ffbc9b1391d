"""Opens the small SQLite databases in which a server keeps what readers and programs send."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_WAIT_S = 5
"""Seconds to wait for another server that writes."""


@contextmanager
def open_database(path: Path, table: str) -> Iterator[sqlite3.Connection]:
    """Open a database for one transaction, which is committed at the end, and undone after an error.

    Args:
        path: Its file, which is made if it is missing; its folder must exist.
        table: `CREATE TABLE IF NOT EXISTS …`.

    Raises:
        sqlite3.Error: the database cannot be opened, read or written.
    """
    database = sqlite3.connect(path, timeout=_WAIT_S)
    try:
        with database:
            database.execute(table)
            yield database
    finally:
        database.close()
