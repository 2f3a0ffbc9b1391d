"""Messages about storage, and the length of transactions of background jobs."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from gateway_api import purging
from gateway_api.database import Database
from gateway_api.errors import KeyFileError, SetupError
from gateway_api.importing import storing
from gateway_api.migrations import migrate
from gateway_api.sealing import Seal, fingerprint_of
from gateway_api.storage_errors import StorageError, Trouble, explain
from gateway_api.store.workspaces import archive, create, delete_for_good
from gateway_api.tables import metadata, workspaces


def sqlite_error(name: str) -> DBAPIError:
    original = sqlite3.OperationalError("text of the driver")
    original.sqlite_errorname = name
    return OperationalError("SELECT", {}, original)


class PostgresError(Exception):
    """An error as psycopg raises it."""

    def __init__(self, sqlstate: str | None) -> None:
        super().__init__("text of the driver")
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    ("name", "trouble"),
    [
        ("SQLITE_BUSY", Trouble.BUSY),
        ("SQLITE_BUSY_SNAPSHOT", Trouble.BUSY),
        ("SQLITE_LOCKED_SHAREDCACHE", Trouble.BUSY),
        ("SQLITE_FULL", Trouble.FULL),
        ("SQLITE_READONLY_DBMOVED", Trouble.READ_ONLY),
        ("SQLITE_CANTOPEN", Trouble.UNOPENED),
        ("SQLITE_CANTOPEN_ISDIR", Trouble.UNOPENED),
        ("SQLITE_IOERR_WRITE", Trouble.UNREADABLE),
        ("SQLITE_CORRUPT_INDEX", Trouble.DAMAGED),
        ("SQLITE_NOTADB", Trouble.DAMAGED),
        ("SQLITE_ERROR", None),
        ("SQLITE_CONSTRAINT_UNIQUE", None),
    ],
)
def test_sqlite_errors_are_told_apart_by_their_code(name: str, trouble: Trouble | None) -> None:
    found = explain(sqlite_error(name), place="the database /x")
    assert (found.trouble if found else None) == trouble
    assert found is None or found.code == name


@pytest.mark.parametrize(
    ("sqlstate", "trouble"),
    [
        ("53100", Trouble.FULL),
        ("53300", Trouble.BUSY),
        ("53200", Trouble.BUSY),
        ("55P03", Trouble.BUSY),
        ("57014", Trouble.BUSY),
        ("57P01", Trouble.AWAY),
        ("08006", Trouble.AWAY),
        ("25006", Trouble.READ_ONLY),
        ("XX001", Trouble.DAMAGED),
        ("22021", None),
        ("42P01", None),
        ("23505", None),
    ],
)
def test_postgresql_errors_are_told_apart_by_their_code(sqlstate: str, trouble: Trouble | None) -> None:
    found = explain(DBAPIError("SELECT", {}, PostgresError(sqlstate)), place="the database x on y")
    assert (found.trouble if found else None) == trouble


def test_lost_connections_have_no_code() -> None:
    found = explain(OperationalError("SELECT", {}, PostgresError(None)), place="x")
    assert found
    assert found.trouble is Trouble.AWAY
    assert explain(IntegrityError("SELECT", {}, PostgresError(None)), place="x") is None
    cut = DBAPIError("SELECT", {}, PostgresError(None), connection_invalidated=True)
    assert explain(cut, place="x")


def test_other_errors_are_mistakes_of_the_program() -> None:
    assert explain(ValueError("x"), place="x") is None
    pool = explain(PoolTimeoutError(), place="x")
    assert pool
    assert pool.trouble is Trouble.BUSY


def test_sentences_name_the_place_and_nothing_of_the_driver() -> None:
    for trouble in Trouble:
        error = StorageError(trouble, "the database /data/gateway.sqlite")
        assert str(error)[0].isupper()
        assert error.is_passing == (trouble in (Trouble.BUSY, Trouble.AWAY))
        assert ("/data/gateway.sqlite" in str(error)) != error.is_passing
    full = explain(sqlite_error("SQLITE_FULL"), place="the database /x")
    assert "driver" not in str(full)


def test_folder_and_file_of_the_database_are_made_for_their_owner(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "gateway.sqlite"
    database = Database(f"sqlite:///{path}")
    with database.writing() as connection:
        connection.exec_driver_sql("CREATE TABLE t (x)")
    database.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) & 0o077 == 0


def test_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SetupError, match=r"folder .*/file/sub cannot be made"):
        Database(f"sqlite:///{tmp_path}/file/sub/gateway.sqlite")


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (Path.mkdir, "is a folder"),
        (os.mkfifo, "is not a regular file"),
        (lambda path: path.symlink_to(path), "cannot be opened: Too many levels of symbolic links"),
    ],
    ids=["folder", "pipe", "loop"],
)
def test_what_is_no_file_is_named(tmp_path: Path, make: Callable[[Path], object], reason: str) -> None:
    make(tmp_path / "gateway.sqlite")
    with pytest.raises(SetupError, match=f"database {tmp_path}/gateway.sqlite {reason}"):
        Database(f"sqlite:///{tmp_path}/gateway.sqlite")


def test_file_system_without_blocks_is_not_full() -> None:
    """Those of the kernel have no blocks, and none that are free."""
    found = explain(sqlite_error("SQLITE_CANTOPEN"), place="the database /proc/x", folder=Path("/proc"))
    assert found
    assert found.trouble is Trouble.UNOPENED


def test_failed_write_is_remembered_until_one_succeeds(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/gateway.sqlite", busy_timeout_s=0.01)
    other = sqlite3.connect(tmp_path / "gateway.sqlite", isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError, match="busy"), database.writing():
            pass
        assert database.trouble
        other.execute("ROLLBACK")
        with database.writing():
            pass
        assert database.trouble is None
    finally:
        other.close()
        database.close()


def test_other_errors_of_a_block_pass(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/gateway.sqlite")

    def fail() -> None:
        with database.writing() as connection:
            connection.exec_driver_sql("CREATE TABLE t (x)")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    with database.reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar() == 0
    database.close()


def test_log_is_emptied_unless_somebody_reads_it(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/gateway.sqlite")
    with database.writing() as connection:
        connection.exec_driver_sql("CREATE TABLE t (x)")
    with database.reading() as connection:
        connection.exec_driver_sql("SELECT * FROM t").all()
        with database.writing() as writer:
            writer.exec_driver_sql("INSERT INTO t VALUES (1)")
        assert not database.clean_up()
    assert database.clean_up()
    assert (tmp_path / "gateway.sqlite-wal").stat().st_size == 0
    database.close()


def test_failure_while_the_log_is_emptied_is_one_of_the_storage(tmp_path: Path) -> None:
    """It goes past SQLAlchemy, which wraps only what goes through it."""
    database = Database(f"sqlite:///{tmp_path}/gateway.sqlite")
    (tmp_path / "gateway.sqlite").unlink()
    (tmp_path / "gateway.sqlite").mkdir()
    with pytest.raises(StorageError) as raised:
        database.clean_up()
    assert raised.value.trouble in {Trouble.UNOPENED, Trouble.UNREADABLE}
    database.close()


def test_removal_of_deleted_workspaces_goes_on_after_any_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(purging, "_RETRY_S", 0.01)
    database = Database(f"sqlite:///{tmp_path}/gateway.sqlite")

    async def work() -> None:
        reports: asyncio.Queue[str] = asyncio.Queue()
        purge = purging.Purge(database, lambda event, **_: reports.put_nowait(event))
        purge.start()
        try:
            assert await reports.get() == "purge_failed", "there is no table yet"
            migrate(database)
            with database.writing() as connection:
                create(connection, "old")
                archive(connection, "old")
                delete_for_good(connection, "old")
            while await reports.get() != "purged":
                pass
        finally:
            await purge.stop()

    asyncio.run(asyncio.wait_for(work(), 60))
    with database.reading() as connection:
        assert connection.scalars(select(workspaces.c.name)).all() == ["default"]
    database.close()


@pytest.mark.parametrize(
    ("choose", "wanted_s", "fewest", "most"),
    [
        (purging.next_rows, purging.CHUNK_S, 20, 5_000),
        (storing.next_step, storing.STEP_S, storing.FEWEST, storing.STEP),
    ],
    ids=["purge", "import"],
)
def test_transactions_follow_the_time_of_the_last_one(choose: Any, wanted_s: float, fewest: int, most: int) -> None:
    assert choose(400, wanted_s) == 400
    assert choose(400, wanted_s * 2) == 200
    assert choose(400, wanted_s / 10) == 800  # at most doubled
    assert choose(400, 100.0) == fewest
    assert choose(most, 0.0) == most


def test_transactions_of_an_import_grow_as_long_as_their_commits_are_short() -> None:
    longest, short, long = storing.LONGEST_S, storing.COMMIT_S / 2, storing.COMMIT_S * 2
    assert storing.next_length(longest / 4, longest / 4, short) == longest / 2
    assert storing.next_length(longest, longest, short) == longest
    assert storing.next_length(longest, longest, long) == pytest.approx(longest / 2)
    assert storing.next_length(longest, longest / 4, long) == pytest.approx(longest / 8), (
        "somebody waited, and it ended early"
    )
    assert storing.next_length(longest, longest, 100.0) == storing.TRANSACTION_S


class TestSeal:
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        path = tmp_path / "key"
        path.write_bytes(os.urandom(32))
        return path

    def test_what_is_closed_can_be_opened_for_the_same_owner_only(self, path: Path) -> None:
        seal = Seal(path.read_bytes(), path)
        sealed = seal.close("sk-live", owner="a")
        assert b"sk-live" not in sealed
        assert seal.close("sk-live", owner="a") != sealed
        assert seal.open(sealed, owner="a") == "sk-live"
        assert not seal.opens(sealed, owner="b")
        with pytest.raises(KeyFileError, match=str(path)):
            seal.open(sealed, owner="b")
        with pytest.raises(KeyFileError):
            seal.open(sealed[:-1] + bytes([sealed[-1] ^ 1]), owner="a")

    @pytest.mark.parametrize("change", ["missing", "replaced"])
    def test_file_is_looked_at_before_every_use(self, path: Path, change: str) -> None:
        seal = Seal(path.read_bytes(), path)
        sealed = seal.close("sk-live", owner="a")
        if change == "missing":
            path.unlink()
        else:
            path.write_bytes(os.urandom(32))
        for use in (lambda: seal.close("x", owner="a"), lambda: seal.open(sealed, owner="a")):
            with pytest.raises(KeyFileError, match=change):
                use()

    def test_fingerprints_tell_keys_apart_and_nothing_else(self) -> None:
        assert fingerprint_of(b"a" * 32) != fingerprint_of(b"b" * 32)
        assert fingerprint_of(b"a" * 32) == fingerprint_of(b"a" * 32)
        assert len(fingerprint_of(b"a" * 32)) == 16


def test_steps_make_the_indexes_of_the_tables(tmp_path: Path) -> None:
    """Which rows an index has is compared too: the comparison of the migration tool passes over that."""
    database = Database(f"sqlite:///{tmp_path / 'ours.db'}")
    migrate(database)
    database.close()
    ours = create_engine(f"sqlite:///{tmp_path / 'ours.db'}")
    fresh = create_engine(f"sqlite:///{tmp_path / 'fresh.db'}")
    metadata.create_all(fresh)
    assert indexes_of(ours) == indexes_of(fresh)
    assert any(" WHERE " in statement for statement in indexes_of(ours))


def indexes_of(engine: Engine) -> list[str]:
    """List the statements of a database's indexes, with single spaces."""
    with engine.connect() as connection:
        found = connection.execute(text("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"))
        return sorted(" ".join(str(sql).split()) for (sql,) in found)
