"""The log of SQLite is copied into the file without a writer who waits for it, and stays short."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from gateway_api.database import Database
from gateway_api.sqlite import checkpoints
from gateway_api.sqlite.checkpoints import KEPT_LOG_BYTES, LOG_BYTES, WRITES, Checkpoints
from gateway_api.sqlite.log import used_bytes

BIG = 1_048_576

LONG_MB = 16


def database_at(path: Path, *, is_bulk: bool = False) -> Database:
    database = Database(f"sqlite:///{path}", is_bulk=is_bulk)
    with database.writing() as connection:
        connection.execute(text("CREATE TABLE notes (words TEXT)"))
    return database


def add(database: Database, words: str = "x", *, is_durable: bool = True) -> int:
    """Add a row; returns how SQLite wrote it: 1 is NORMAL, 2 is FULL."""
    with database.writing(is_durable=is_durable) as connection:
        connection.execute(text("INSERT INTO notes VALUES (:words)"), {"words": words})
        found: int = connection.execute(text("PRAGMA synchronous")).scalar_one()
        return found


def rows_of_the_file_alone(path: Path, *, default: int | None = None) -> int:
    """Count the rows without those of the log; `default` where not even the table is in the file."""
    alone = path.with_name("alone.sqlite")
    shutil.copy(path, alone)
    with closing(sqlite3.connect(alone)) as connection:
        if default is not None and not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return default
        found: int = connection.execute("SELECT count(*) FROM notes").fetchone()[0]
        return found


def test_server_copies_the_log_after_some_writes(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    database = database_at(path)
    for _ in range(WRITES - 1):  # and the one that has made the table
        add(database)
    # Its thread is waited for without closing the database, which would copy the log, too.
    assert database._checkpoints
    database._checkpoints.close()
    assert rows_of_the_file_alone(path) == WRITES - 1
    database.close()


def test_server_copies_a_log_that_has_grown_before_that(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    database = database_at(path)
    for _ in range(LOG_BYTES // BIG + 1):
        add(database, "x" * BIG)
    assert database._checkpoints
    database._checkpoints.close()
    assert rows_of_the_file_alone(path) > 0
    database.close()


def make_long(database: Database) -> None:
    for _ in range(LONG_MB + 4):
        add(database, "x" * BIG, is_durable=False)


@pytest.fixture
def _short_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log of 16 MiB is long; no thread copies it before that."""
    monkeypatch.setattr(checkpoints, "LONG_LOG_BYTES", LONG_MB * BIG)
    for name in ("LONGEST_LOG_BYTES", "JOB_LOG_BYTES", "LOG_BYTES"):
        monkeypatch.setattr(checkpoints, name, 256 * BIG)


@pytest.mark.costly
@pytest.mark.usefixtures("_short_limits")
@pytest.mark.parametrize("is_bulk", [True, False], ids=["job", "server"])
def test_long_log_begins_anew_in_a_file_that_keeps_its_length(tmp_path: Path, is_bulk: bool) -> None:
    path = tmp_path / "x.sqlite"
    database = database_at(path, is_bulk=is_bulk)
    log = path.with_name("x.sqlite-wal")
    add(database, "x" * BIG)
    database.keep_log_short()
    assert rows_of_the_file_alone(path, default=0) == 0, "not long yet"
    make_long(database)
    length = log.stat().st_size
    assert used_bytes(log) == length > LONG_MB * BIG
    database.keep_log_short()
    assert rows_of_the_file_alone(path) == LONG_MB + 5
    add(database)
    assert log.stat().st_size == length, "cutting it would take long within the transaction"
    assert used_bytes(log) < BIG
    database.close()


@pytest.mark.costly
@pytest.mark.usefixtures("_short_limits")
def test_file_of_the_log_is_cut_to_the_kept_size_when_it_was_longer(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    database = database_at(path, is_bulk=True)
    log = path.with_name("x.sqlite-wal")
    for _ in range(KEPT_LOG_BYTES // BIG + 4):
        add(database, "x" * BIG, is_durable=False)
    database.keep_log_short()
    add(database)
    assert log.stat().st_size == KEPT_LOG_BYTES
    database.close()


@pytest.mark.costly
@pytest.mark.usefixtures("_short_limits")
def test_long_log_is_copied_while_somebody_writes(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    database, other = database_at(path, is_bulk=True), Database(f"sqlite:///{path}")
    make_long(database)
    with other.writing() as connection:
        connection.execute(text("INSERT INTO notes VALUES ('y')"))
        database.keep_log_short()
        assert rows_of_the_file_alone(path) == LONG_MB + 4
    other.close()
    database.close()


@pytest.mark.costly
@pytest.mark.usefixtures("_short_limits")
def test_log_that_is_read_begins_anew_after_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "RETRY_LOG_BYTES", 2 * BIG)
    path = tmp_path / "x.sqlite"
    database, other = database_at(path, is_bulk=True), Database(f"sqlite:///{path}")
    log = path.with_name("x.sqlite-wal")
    with other.reading() as connection:
        assert connection.scalar(text("SELECT count(*) FROM notes")) == 0
        make_long(database)
        database.keep_log_short()
        assert rows_of_the_file_alone(path, default=0) == 0
    add(database, "x" * BIG)
    database.keep_log_short()
    assert rows_of_the_file_alone(path, default=0) == 0, "it has not grown enough since the last attempt"
    for _ in range(2):
        add(database, "x" * BIG)
    database.keep_log_short()
    assert rows_of_the_file_alone(path) == LONG_MB + 7
    add(database)
    assert used_bytes(log) < BIG
    other.close()
    database.close()


def test_used_part_of_the_log_is_what_sqlite_counts(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    log = path.with_name("x.sqlite-wal")
    assert used_bytes(log) == 0, "there is none"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA page_size = 1024")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        assert used_bytes(log) == 0, "it is empty"
        connection.execute("CREATE TABLE notes (words TEXT)")
        for size in (200_000, 5_000, 1, 60_000, 400_000):
            connection.execute("INSERT INTO notes VALUES (?)", ("x" * size,))
            pages, copied = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()[1:]
            assert pages == copied > 0
            assert used_bytes(log) == 32 + pages * (24 + 1024), size
    assert not log.exists()
    log.write_bytes(b"short")
    assert used_bytes(log) == 0


@pytest.mark.costly
def test_job_copies_a_growing_log_beside_its_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "JOB_LOG_BYTES", 8 * BIG)
    path = tmp_path / "x.sqlite"
    database = database_at(path, is_bulk=True)
    for _ in range(10):
        add(database, "x" * BIG, is_durable=False)
    database.keep_log_short()
    assert database._checkpoints
    database._checkpoints.close()
    assert rows_of_the_file_alone(path) == 10
    for count in range(11, 16):  # less than the log may grow
        add(database, "x" * BIG, is_durable=False)
        database.keep_log_short()
        database._checkpoints.close()
        assert rows_of_the_file_alone(path) in (10, count)  # the log begins anew once all of it has been copied
    database.close()


def test_only_a_job_leaves_the_disk_to_a_later_transaction(tmp_path: Path) -> None:
    database = database_at(tmp_path / "x.sqlite")
    full, normal = 2, 1
    assert add(database) == full
    assert add(database, is_durable=False) == normal
    assert add(database) == full, "the same connection"
    database.close()


def test_file_that_is_gone_is_not_made_again(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    database_at(path).close()
    copying = Checkpoints(path, is_background=True)
    path.unlink()
    for _ in range(WRITES):
        copying.count_write()
    copying.close()
    assert not path.exists()
