"""What went wrong in the database, recognised by the driver's own code and not by the class of the exception.

SQLite names its result codes (https://www.sqlite.org/rescode.html), PostgreSQL has SQLSTATE
(https://www.postgresql.org/docs/current/errcodes-appendix.html).
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any

from sqlalchemy import Dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

_LITTLE_SPACE_BYTES = 262_144
"""With less than this free, a write error that names no reason is counted as a full disk."""


class Trouble(StrEnum):
    """Kinds of failure that a client or an operator handles differently."""

    BUSY = "busy"
    AWAY = "away"
    FULL = "full"
    READ_ONLY = "read_only"
    UNOPENED = "unopened"
    UNREADABLE = "unreadable"
    DAMAGED = "damaged"
    MISSING = "missing"


_PASSING = frozenset({Trouble.BUSY, Trouble.AWAY})
"""Failures after which the same request may succeed a second later."""

_SQLITE = {
    "SQLITE_BUSY": Trouble.BUSY,
    "SQLITE_LOCKED": Trouble.BUSY,
    "SQLITE_FULL": Trouble.FULL,
    "SQLITE_READONLY": Trouble.READ_ONLY,
    "SQLITE_PERM": Trouble.READ_ONLY,
    "SQLITE_CANTOPEN": Trouble.UNOPENED,
    "SQLITE_IOERR": Trouble.UNREADABLE,
    "SQLITE_CORRUPT": Trouble.DAMAGED,
    "SQLITE_NOTADB": Trouble.DAMAGED,
}
"""Primary result code → trouble; extended codes begin with the name of their primary code."""

_SQLSTATE = {
    "53100": Trouble.FULL,  # disk_full
    "53300": Trouble.BUSY,  # too_many_connections
    "55P03": Trouble.BUSY,  # lock_not_available
    "57014": Trouble.BUSY,  # query_canceled: the statement's time limit
    "40001": Trouble.BUSY,  # serialization_failure
    "40P01": Trouble.BUSY,  # deadlock_detected
    "25006": Trouble.READ_ONLY,  # read_only_sql_transaction: a standby, or default_transaction_read_only
    "25P03": Trouble.AWAY,  # idle_in_transaction_session_timeout
    "42501": Trouble.READ_ONLY,  # insufficient_privilege
    "58030": Trouble.UNREADABLE,  # io_error
    "XX001": Trouble.DAMAGED,  # data_corrupted
    "XX002": Trouble.DAMAGED,  # index_corrupted
}
_SQLSTATE_CLASS = {"08": Trouble.AWAY, "57": Trouble.AWAY, "53": Trouble.BUSY}
"""First two characters → trouble: lost connections, operator interventions, insufficient resources."""

_SENTENCES = {
    Trouble.BUSY: "The database is busy; try again",
    Trouble.AWAY: "The database cannot be reached; try again",
    Trouble.FULL: "The storage of {place} is full; nothing was changed. Make room there and send the request again",
    Trouble.READ_ONLY: "The gateway may not write to {place}; check its permissions",
    Trouble.UNOPENED: "{place} cannot be opened; check the permissions of the file and of its folder",
    Trouble.UNREADABLE: "The storage of {place} reports an input/output error; check the disk",
    Trouble.DAMAGED: "{place} is damaged; restore it from a backup",
    Trouble.MISSING: "{place} was removed or replaced while the gateway ran; restart the gateway",
}


class StorageError(Exception):
    """The storage cannot do what was asked.

    Args:
        trouble: What is wrong.
        place: The database, as an operator knows it: a path, or host and name without user and password.
        code: The driver's code, for the log.
    """

    def __init__(self, trouble: Trouble, place: str, code: str = "") -> None:
        sentence = _SENTENCES[trouble].format(place=place)
        super().__init__(sentence[0].upper() + sentence[1:])
        self.cause = str(self).partition(";")[0]
        """What is wrong, without what a client of the API may do."""
        self.trouble = trouble
        self.code = code

    @property
    def is_passing(self) -> bool:
        """Whether the same request may succeed a second later."""
        return self.trouble in _PASSING


@contextmanager
def wrapped(driver: Any, dialect: Dialect, doing: str) -> Iterator[None]:
    """Let a driver's errors look as those that come through SQLAlchemy, which wraps what goes through it only.

    Args:
        driver: Connection or module of the driver.
        dialect: SQLAlchemy's, of the same database.
        doing: What is done, in place of the statement.
    """
    try:
        yield
    except driver.Error as error:
        raise DBAPIError.instance(doing, None, error, driver.Error, dialect=dialect) from error


def explain(error: Exception, *, place: str, folder: Path | None = None) -> StorageError | None:
    """Recognize a failure of the storage; None for errors of any other kind, which are mistakes in this program.

    Args:
        error: What SQLAlchemy has raised.
        place: The database, for the sentence.
        folder: Folder of the database file, to see whether the disk is full.
    """
    if isinstance(error, PoolTimeoutError):
        return StorageError(Trouble.BUSY, place, type(error).__name__)
    if not isinstance(error, DBAPIError):
        return None
    original = error.orig
    if isinstance(original, sqlite3.Error):
        return _explain_sqlite(original, place, folder)
    code = getattr(original, "sqlstate", None)
    if code is None:
        is_cut = error.connection_invalidated or type(error).__name__ == "OperationalError"
        return StorageError(Trouble.AWAY, place, type(original).__name__) if is_cut else None
    trouble = _SQLSTATE.get(code) or _SQLSTATE_CLASS.get(code[:2])
    return StorageError(trouble, place, code) if trouble else None


def _explain_sqlite(error: sqlite3.Error, place: str, folder: Path | None) -> StorageError | None:
    code = getattr(error, "sqlite_errorname", "")
    primary = "_".join(code.split("_")[:2])
    trouble = _SQLITE.get(primary)
    if trouble in (Trouble.UNOPENED, Trouble.UNREADABLE) and folder and _is_full(folder):
        trouble = Trouble.FULL
    return StorageError(trouble, place, code) if trouble else None


def _is_full(folder: Path) -> bool:
    try:
        found = os.statvfs(folder)
    except (OSError, AttributeError):  # Windows has no such call
        return False
    # File systems of the kernel have no blocks at all.
    return found.f_blocks > 0 and found.f_bavail * found.f_frsize < _LITTLE_SPACE_BYTES
