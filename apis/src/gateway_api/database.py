"""Connections and transactions.

Writers go one at a time: on SQLite by `BEGIN IMMEDIATE`, on PostgreSQL by an advisory lock that the transaction holds.
So no update is lost, no two writers deadlock, and rows become visible in the order of their ids, which the event
stream relies on. Readers see one snapshot of the database from begin to end.

On SQLite a turnstile keeps a writer who waits from being overtaken by a job that writes one transaction after the other.

Inside one server, writers queue on the event loop, in order of arrival, before they take a thread or a connection:
readers have threads and connections of their own and never wait for a writer.

No wait is unlimited: a request that gets no turn, connection or lock within the busy timeout is answered with 503.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from sqlalchemy import URL, Connection, RootTransaction, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.pool import ConnectionPoolEntry

from gateway_api import postgresql
from gateway_api.errors import SetupError
from gateway_api.sqlite import KEPT_LOG_BYTES, LONGEST_LOG, Checkpoints, Turnstile, prepare_file, take_from_others
from gateway_api.storage_errors import StorageError, Trouble, explain, wrapped

T = TypeVar("T")

_POLL_S = 0.002
"""Pause between two attempts to begin writing on SQLite.

SQLite's own busy handler waits up to 100 ms between attempts, so a job that writes in many short transactions would
keep everybody else out by luck alone.
"""

_PAUSE_S = 0.006
"""Pause of a job between two transactions where there is no turnstile: three attempts of another writer."""

_WRITER_CONNECTIONS = 2
"""The writer whose turn it is, and one more for background work."""

_CHECKPOINT_WAIT_MS = 50
"""Longest wait for readers before a checkpoint gives up."""


class Database:
    """A database of the gateway, on SQLite or PostgreSQL.

    Args:
        url: `sqlite:///FILE` or `postgresql://…`.
        readers: Reading transactions at once.
        busy_timeout_s: Longest wait for a turn, a connection or the database's lock.
        is_bulk: Use more memory and a longer log, for a command that writes much.
        must_exist: Make no new file, for a command that is of use with what was recorded only.

    Raises:
        SetupError: The URL names another kind of database, or a file that does not exist or cannot be made.
    """

    def __init__(
        self,
        url: str,
        *,
        readers: int = 8,
        busy_timeout_s: float = 15.0,
        is_bulk: bool = False,
        must_exist: bool = False,
    ) -> None:
        self.url = read_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.trouble: StorageError | None = None
        """Why the last write failed, where that was the storage's fault; None after a write that succeeded."""
        self._turns = asyncio.Lock()
        self._writer_thread: anyio.CapacityLimiter | None = None
        self._writers = threading.Lock()
        self._busy_timeout_s = busy_timeout_s
        self._file: Path | None = None
        self._identity: tuple[int, int] | None = None
        self._turnstile: Turnstile | None = None
        self._checkpoints: Checkpoints | None = None
        if self.is_sqlite:
            self._file = prepare_file(self.url.database, must_exist=must_exist)
            self._turnstile = Turnstile(self._file.with_name(f"{self._file.name}-turn"))
            self._checkpoints = Checkpoints(self._file, is_background=not is_bulk)
        else:
            self.url = self.url.set(drivername="postgresql+psycopg")
        try:
            self._engine = create_engine(
                self.url,
                hide_parameters=True,
                pool_size=readers + _WRITER_CONNECTIONS,
                max_overflow=0,
                pool_timeout=busy_timeout_s,
                pool_pre_ping=not self.is_sqlite,
                connect_args={} if self.is_sqlite else postgresql.connect_arguments(self.url.query),
            )
        except (NoSuchModuleError, ModuleNotFoundError) as error:
            raise SetupError(
                "PostgreSQL needs its driver; install this package with the extra `postgres`, or `psycopg[binary]`."
            ) from error
        if self.is_sqlite:
            event.listen(self._engine, "connect", partial(_prepare_sqlite, busy_timeout_s, is_bulk))
            event.listen(self._engine, "begin", _begin_sqlite)
        else:
            event.listen(self._engine, "connect", partial(postgresql.prepare, busy_timeout_s))

    @property
    def place(self) -> str:
        """The database as an operator knows it: a path, or host and name without user and password."""
        if self._file:
            return f"the database {self._file}"
        return f"the database {self.url.database} on {self.url.host}"

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run a function in a thread, with a reading transaction."""
        return await anyio.to_thread.run_sync(self._read_now, work)

    async def write(self, work: Callable[[Connection], T], *, is_durable: bool = True) -> T:
        """Run a function in a thread, with the one writing transaction; waits for its turn without a thread.

        Args:
            work: What to do.
            is_durable: See `writing`.

        Raises:
            StorageError: The turn did not come in time, or the storage refuses to write.
        """
        deadline = time.monotonic() + self._busy_timeout_s
        try:
            async with asyncio.timeout(self._busy_timeout_s):
                await self._turns.acquire()
        except TimeoutError:
            raise StorageError(Trouble.BUSY, self.place) from None
        try:
            if self._writer_thread is None:
                self._writer_thread = anyio.CapacityLimiter(_WRITER_CONNECTIONS)
            return await anyio.to_thread.run_sync(
                self._write_now, work, deadline, is_durable, limiter=self._writer_thread
            )
        finally:
            self._turns.release()

    def _read_now(self, work: Callable[[Connection], T]) -> T:
        with self.reading() as connection:
            return work(connection)

    def _write_now(self, work: Callable[[Connection], T], deadline: float, is_durable: bool) -> T:
        with self.writing(deadline=deadline, is_durable=is_durable) as connection:
            return work(connection)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a transaction that sees one snapshot and changes nothing.

        Raises:
            StorageError: The storage does not answer.
        """
        options: dict[str, Any] = (
            {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        )
        with (
            self._explaining(),
            self._engine.connect().execution_options(**options) as connection,
            connection.begin(),
        ):
            yield connection

    @contextmanager
    def writing(self, *, deadline: float | None = None, is_durable: bool = True) -> Iterator[Connection]:
        """Open the one transaction that may write; it is committed when the block ends, rolled back when it raises.

        Args:
            deadline: Value of `time.monotonic` until which to wait for other writers; None is the busy timeout.
            is_durable: Wait for the disk. Without, a power cut may take the transaction back, unless a durable one of
                any process has followed it.

        Raises:
            StorageError: Other writers take too long, or the storage refuses to write.
        """
        deadline = time.monotonic() + self._busy_timeout_s if deadline is None else deadline
        try:
            with (
                self._explaining(),
                self._turn(deadline),
                self._engine.connect().execution_options(
                    is_writer=True, deadline=deadline, is_durable=is_durable
                ) as connection,
                self._begin(connection, deadline),
            ):
                self._check_identity()
                if not self.is_sqlite:
                    postgresql.lock(connection, deadline - time.monotonic(), self._busy_timeout_s)
                    if not is_durable:
                        connection.exec_driver_sql("SET LOCAL synchronous_commit = off")
                yield connection
        except StorageError as error:
            self.trouble = error
            raise
        self.trouble = None
        if self._checkpoints:
            self._checkpoints.count_write()

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        """Replace failures of the storage by `StorageError`; all other errors pass."""
        try:
            yield
        except (DBAPIError, PoolTimeoutError) as error:
            found = explain(error, place=self.place, folder=self._file.parent if self._file else None)
            if found is None:
                # A new connection to a file that was put in the place of ours finds no tables in it.
                self._check_identity()
                raise
            raise found from error

    @contextmanager
    def _turn(self, deadline: float) -> Iterator[None]:
        """Wait for the other writing threads of this process here, where it costs no connection."""
        if not self._writers.acquire(timeout=max(0.0, deadline - time.monotonic())):
            raise StorageError(Trouble.BUSY, self.place)
        try:
            yield
        finally:
            self._writers.release()

    def _begin(self, connection: Connection, deadline: float) -> RootTransaction:
        """Begin in turn with the writers of other processes; PostgreSQL's lock keeps their order by itself."""
        if self._turnstile is None:
            return connection.begin()
        with self._turnstile.passing(deadline):
            return connection.begin()

    def _check_identity(self) -> None:
        """Refuse to write into a file that nobody can find any more.

        Raises:
            StorageError: The path names no file, or another one than was opened first.
        """
        if self._file is None:
            return
        try:
            found = self._file.stat()
        except OSError:
            raise StorageError(Trouble.MISSING, self.place) from None
        identity = (found.st_dev, found.st_ino)
        self._identity = self._identity or identity
        if identity != self._identity:
            raise StorageError(Trouble.MISSING, self.place)

    def check(self) -> None:
        """See whether the database can be read, and written if the last write failed.

        Raises:
            StorageError: It cannot.
        """
        with self.reading() as connection:
            connection.execute(text("SELECT 1 FROM active_workspace"))
            self._check_identity()
        if self.trouble and not self.trouble.is_passing:
            with self.writing() as connection:
                connection.execute(text("UPDATE active_workspace SET slot = slot"))

    def let_others_write(self) -> None:
        """Pause between two transactions of a job, where nothing else gives others their turn."""
        if self.is_sqlite and not (self._turnstile and self._turnstile.works):
            time.sleep(_PAUSE_S)

    def is_wanted(self, connection: Connection) -> bool:
        """Tell a job whether other processes wait to write; True where nobody knows.

        Args:
            connection: The job's writing transaction.
        """
        if self._turnstile:
            return self._turnstile.has_waiting()
        return postgresql.has_waiting(connection)

    def keep_log_short(self) -> None:
        """Copy the log of SQLite into the file when it has grown long; for jobs, between two transactions."""
        if self._checkpoints:
            self._checkpoints.run_if_long()

    def clean_up(self, *tables: str) -> bool:
        """Remove what deleted rows have left behind: SQLite's log is emptied, PostgreSQL's tables are vacuumed.

        Returns:
            Whether it is done; False where somebody still uses the log.

        Raises:
            StorageError: The storage does not answer, or refuses to write.
        """
        dialect = self._engine.dialect
        with (
            self._explaining(),
            wrapped(dialect.dbapi, dialect, "cleaning up"),
            closing(self._engine.raw_connection()) as connection,
        ):
            driver: Any = connection.driver_connection
            return _empty_log(driver) if self.is_sqlite else postgresql.vacuum(driver, tables)

    def keep_private(self) -> None:
        """Take the permissions of others from a database that is known to be this program's."""
        if self._file:
            take_from_others(self._file)

    def close(self) -> None:
        """Close all connections."""
        if self._checkpoints:
            self._checkpoints.close()
        self._engine.dispose()
        if self._turnstile:
            self._turnstile.close()


def read_url(text: str) -> URL:
    """Read the URL of a database.

    Raises:
        SetupError: It is none, or names another kind of database than these two.
    """
    try:
        url = make_url(text)
    except ArgumentError as error:
        raise SetupError("The database URL cannot be read; expected sqlite:///FILE or postgresql://…") from error
    backend = url.get_backend_name()
    if backend not in ("sqlite", "postgresql"):
        raise SetupError(f"The database URL names {backend}; expected sqlite or postgresql.")
    return url


@contextmanager
def telling_setup_errors() -> Iterator[None]:
    """Turn the error of an unusable database into one sentence for the person who named it.

    Raises:
        SetupError: In place of the database's own error.
    """
    try:
        yield
    except StorageError as error:
        reason = str(error.__cause__.orig) if isinstance(error.__cause__, DBAPIError) else ""
        detail = f" ({reason.strip().partition(chr(10))[0]})" if reason.strip() else ""
        raise SetupError(f"The database cannot be used: {error}{detail}.") from error
    except DBAPIError as error:
        reason = str(error.orig).strip().partition("\n")[0]
        raise SetupError(f"The database cannot be used: {reason}.") from error


def _empty_log(connection: sqlite3.Connection) -> bool:
    """Copy the log into the file and cut it to no bytes.

    Writers wait meanwhile, so most of the log is copied before that, and the wait for readers is short; the caller tries
    again later.
    """
    connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
    (busy_timeout_ms,) = connection.execute("PRAGMA busy_timeout").fetchone()
    connection.execute(f"PRAGMA busy_timeout = {_CHECKPOINT_WAIT_MS}")
    try:
        (is_busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        connection.execute(f"PRAGMA busy_timeout = {busy_timeout_ms}")
    return not is_busy


def _prepare_sqlite(busy_timeout_s: float, is_bulk: bool, connection: Any, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # transactions are begun by `_begin_sqlite` only
    for pragma in (
        f"busy_timeout = {round(busy_timeout_s * 1000)}",
        "synchronous = FULL",
        "foreign_keys = ON",
        f"cache_size = {-256_000 if is_bulk else -8_000}",  # KiB
        f"wal_autocheckpoint = {LONGEST_LOG}",  # only if `Checkpoints` could not do it earlier
        f"journal_size_limit = {KEPT_LOG_BYTES}",
        "secure_delete = ON",  # deleted text is overwritten with zeros, not only unlinked
    ):
        connection.execute(f"PRAGMA {pragma}")
    _use_write_ahead_log(connection, busy_timeout_s)


def _use_write_ahead_log(connection: sqlite3.Connection, limit_s: float) -> None:
    """Change the journal of a new file; SQLite does not wait for others here, whatever the busy timeout."""
    end = time.monotonic() + limit_s
    while True:
        try:
            if _is_foreign(connection):
                return
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if time.monotonic() > end or not _is_busy(error):
                raise
            time.sleep(_POLL_S)
        else:
            return


def _is_foreign(connection: sqlite3.Connection) -> bool:
    """Return whether a database has tables of another program only: its journal, which the file remembers, is not ours."""
    query = "SELECT count(*), count(*) FILTER (WHERE name = 'active_workspace') FROM sqlite_master WHERE type = 'table'"
    tables, own = connection.execute(query).fetchone()
    return bool(tables and not own)


def _is_busy(error: sqlite3.OperationalError) -> bool:
    return error.sqlite_errorname.startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def _begin_sqlite(connection: Connection) -> None:
    options = connection.get_execution_options()
    if not options.get("is_writer", False):
        connection.exec_driver_sql("BEGIN")
        return
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)  # noqa: S101 - registered for SQLite's engine only
    (busy_timeout_ms,) = driver.execute("PRAGMA busy_timeout").fetchone()
    driver.execute("PRAGMA busy_timeout = 0")
    driver.execute(f"PRAGMA synchronous = {'FULL' if options['is_durable'] else 'NORMAL'}")
    try:
        _begin_writing(connection, options["deadline"])
    finally:
        driver.execute(f"PRAGMA busy_timeout = {busy_timeout_ms}")


def _begin_writing(connection: Connection, deadline: float) -> None:
    """Try to begin again and again until the other writers let go.

    Raises:
        DBAPIError: They did not in time, or the file cannot be written.
    """
    while True:
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        except DBAPIError as error:
            is_busy = isinstance(error.orig, sqlite3.OperationalError) and _is_busy(error.orig)
            if not is_busy or time.monotonic() > deadline:
                raise
            time.sleep(_POLL_S)
        else:
            return
