"""A copy of a SQLite database while servers use it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from gateway_api.database import read_url
from gateway_api.errors import SetupError
from gateway_api.maintenance.export import private_file
from gateway_api.sqlite import HOW_TO_NAME
from service_guard import move_to_new

_PAGES = 2_000
"""Pages that are copied between two signs of progress."""


def back_up(url: str, target: Path, tell: Callable[[int, int], None] | None = None) -> int:
    """Copy a database as of one moment into a new file.

    Args:
        url: Of a SQLite database.
        target: The file to make; it appears when it is complete and was checked.
        tell: Told from time to time how many pages of how many are copied.

    Returns:
        The size of the copy in bytes.

    Raises:
        SetupError: It is not a SQLite database, or the copy cannot be made.
    """
    found = read_url(url)
    if found.get_backend_name() != "sqlite" or not found.database:
        shown = found.render_as_string(hide_password=True).replace("+psycopg", "")
        raise SetupError(
            "This database is on PostgreSQL, which has a backup program of its own: "
            f"pg_dump --format=custom --file={target} '{shown}' (with the password in PGPASSWORD or ~/.pgpass)."
        )
    source = Path(found.database)
    if not source.is_file():
        raise SetupError(f"There is no database {source.absolute()}; {HOW_TO_NAME}.")
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    if target.exists():
        raise SetupError(f"{target} exists already; name another file.")
    private_file(draft, wanted=target).close()
    try:
        _copy(source, draft, tell or (lambda _done, _total: None))
        move_to_new(draft, target)
    except (OSError, sqlite3.Error) as error:
        raise SetupError(f"The backup {target} cannot be made: {error}.") from error
    finally:
        for suffix in ("", "-wal", "-shm", "-journal"):
            with suppress(FileNotFoundError):
                draft.with_name(draft.name + suffix).unlink()
    return target.stat().st_size


def _copy(source: Path, draft: Path, tell: Callable[[int, int], None]) -> None:
    with (
        closing(sqlite3.connect(source, isolation_level=None, timeout=15)) as origin,
        closing(sqlite3.connect(draft, isolation_level=None)) as copy,
    ):
        # The open transaction holds one snapshot; without it, each write of a server would start the copy anew.
        origin.execute("BEGIN")
        origin.execute("SELECT count(*) FROM sqlite_master").fetchone()
        origin.backup(copy, pages=_PAGES, sleep=0, progress=lambda _, left, total: tell(total - left, total))
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
        (result,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
        if result != "ok":
            # The first line may be a heading that names the database.
            raise sqlite3.DatabaseError(f"the database is damaged: {result.splitlines()[-1].removesuffix('.')}")
    descriptor = os.open(draft, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
