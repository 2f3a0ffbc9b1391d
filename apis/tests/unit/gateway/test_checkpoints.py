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

BIG = 1_048_576


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


def rows_of_the_file_alone(path: Path) -> int:
    alone = path.with_name("alone.sqlite")
    shutil.copy(path, alone)
    with closing(sqlite3.connect(alone)) as connection:
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


def test_background_work_of_a_server_waits_for_a_long_log_and_cuts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "LONGEST_SERVER_LOG_BYTES", 4 * BIG)
    monkeypatch.setattr(checkpoints, "LOG_BYTES", 64 * BIG)
    path = tmp_path / "x.sqlite"
    database = database_at(path)
    log = path.with_name("x.sqlite-wal")
    for _ in range(12):
        add(database, "x" * BIG)
    assert log.stat().st_size > 12 * BIG
    database.keep_log_short()
    assert rows_of_the_file_alone(path) == 12
    add(database)
    assert log.stat().st_size <= KEPT_LOG_BYTES
    database.close()


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


def test_job_waits_for_a_very_long_log_and_cuts_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "LONGEST_JOB_LOG_BYTES", 16 * BIG)
    path = tmp_path / "x.sqlite"
    database, other = database_at(path, is_bulk=True), Database(f"sqlite:///{path}")
    log = path.with_name("x.sqlite-wal")
    for _ in range(20):
        add(database, "x" * BIG, is_durable=False)
    assert log.stat().st_size > checkpoints.LONGEST_JOB_LOG_BYTES
    database.keep_log_short()
    add(database)
    assert log.stat().st_size <= KEPT_LOG_BYTES
    assert rows_of_the_file_alone(path) == 20
    other.close()
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
