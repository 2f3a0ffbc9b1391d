"""Connections and transactions.

Writers go one at a time: on SQLite by `BEGIN IMMEDIATE`, on PostgreSQL by an advisory lock that the transaction holds.
So no update is lost, no two writers wait for each other in a circle, and rows become visible in the order of their
numbers, which the event stream relies on. Readers see one state of the database from begin to end.

No wait is without end: whoever does not get a connection, the lock or an answer in time gives up, and is answered 503.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.pool import ConnectionPoolEntry

from gateway_api.errors import BusyError, SetupError

_WRITER_LOCK = 0x6761_7465
"""Number of the advisory lock, the same in every process that writes to one database."""

_STATEMENT_S = 60
"""Longest statement on PostgreSQL, and longest pause inside a transaction: its process may be frozen or cut off."""

_REACH_POSTGRESQL = {
    "connect_timeout": 5,
    # A machine that has vanished sends nothing; without these a connection would wait for it for hours.
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""libpq's parameters in seconds, the last one in milliseconds; the URL's own win."""


class Database:
    """A database of the gateway, on SQLite or PostgreSQL.

    Raises:
        SetupError: The URL names another kind of database, or one that cannot be made.
    """

    def __init__(self, url: str, *, pool_size: int = 8, busy_timeout_s: float = 15.0) -> None:
        try:
            self.url = make_url(url)
        except ArgumentError as error:
            raise SetupError("The database URL cannot be read; expected sqlite:///FILE or postgresql://…") from error
        backend = self.url.get_backend_name()
        if backend not in ("sqlite", "postgresql"):
            raise SetupError(f"The database URL names {backend}; expected sqlite or postgresql.")
        self.is_sqlite = backend == "sqlite"
        self._writers = threading.Lock()
        self._busy_timeout_s = busy_timeout_s
        if self.is_sqlite:
            self._make_folder()
        else:
            self.url = self.url.set(drivername="postgresql+psycopg")
        try:
            self._engine = create_engine(
                self.url,
                hide_parameters=True,
                pool_size=pool_size,
                max_overflow=2,
                pool_timeout=busy_timeout_s,
                pool_pre_ping=not self.is_sqlite,
                connect_args={} if self.is_sqlite else _missing_from(self.url.query),
            )
        except (NoSuchModuleError, ModuleNotFoundError) as error:
            raise SetupError("PostgreSQL needs its driver: pip install 'octavo-sandbox[postgres]'.") from error
        if self.is_sqlite:
            event.listen(self._engine, "connect", partial(_prepare_sqlite, busy_timeout_s))
            event.listen(self._engine, "begin", _begin_sqlite)
        else:
            event.listen(self._engine, "connect", partial(_prepare_postgresql, busy_timeout_s))

    def _make_folder(self) -> None:
        name = self.url.database
        if not name or name == ":memory:":
            raise SetupError("The database needs a file: sqlite:///FILE.")
        try:
            Path(name).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise SetupError(f"The database's folder cannot be made: {error.strerror}.") from error

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a transaction that sees one state and changes nothing."""
        options: dict[str, Any] = (
            {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        )
        with self._engine.connect().execution_options(**options) as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open the one transaction that may write; it is kept when the block ends, undone when it raises.

        Raises:
            BusyError: Other writers of this process take too long.
            OperationalError: Another process does, or the database is away.
        """
        with (
            self._turn(),
            self._engine.connect().execution_options(is_writer=True) as connection,
            connection.begin(),
        ):
            if not self.is_sqlite:
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _WRITER_LOCK})
            yield connection

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait for the other writers of this process here, where it costs no connection."""
        if not self._writers.acquire(timeout=self._busy_timeout_s):
            raise BusyError
        try:
            yield
        finally:
            self._writers.release()

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()


@contextmanager
def telling_setup_errors() -> Iterator[None]:
    """Turn what a database says against its use into one sentence for whoever has named it.

    Raises:
        SetupError: In place of the database's own error.
    """
    try:
        yield
    except BusyError as error:
        raise SetupError(f"{error}.") from error
    except DBAPIError as error:
        reason = str(error.orig).strip().partition("\n")[0]
        raise SetupError(f"The database cannot be used: {reason}.") from error


def _missing_from(query: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in _REACH_POSTGRESQL.items() if name not in query}


def _prepare_postgresql(busy_timeout_s: float, connection: Any, _: ConnectionPoolEntry) -> None:
    limits_s = {
        "lock_timeout": busy_timeout_s,
        "statement_timeout": _STATEMENT_S,
        "idle_in_transaction_session_timeout": _STATEMENT_S,
    }
    for name, seconds in limits_s.items():
        connection.execute("SELECT set_config(%s, %s, false)", (name, str(round(seconds * 1000))))
    connection.commit()  # the first rollback would take the settings back


def _prepare_sqlite(busy_timeout_s: float, connection: Any, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # transactions are begun by `_begin_sqlite` only
    for pragma in (
        f"busy_timeout = {round(busy_timeout_s * 1000)}",
        "synchronous = FULL",
        "foreign_keys = ON",
        "cache_size = -8000",
    ):
        connection.execute(f"PRAGMA {pragma}")
    _use_write_ahead_log(connection, busy_timeout_s)


def _use_write_ahead_log(connection: sqlite3.Connection, limit_s: float) -> None:
    """Change the journal of a new file; SQLite does not wait for others here, whatever the busy timeout."""
    end = time.monotonic() + limit_s
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > end:
                raise
            time.sleep(0.005)
        else:
            return


def _begin_sqlite(connection: Connection) -> None:
    is_writer = connection.get_execution_options().get("is_writer", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writer else "BEGIN")
