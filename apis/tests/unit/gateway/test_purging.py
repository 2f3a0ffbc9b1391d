"""What was recorded in a deleted workspace is removed step by step, and only that."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from apis.tests.contract.gateway.exchanges import gpt_usage, make_alert, make_exchange
from apis.tests.unit.gateway.databases import make_database
from gateway_api import purging
from gateway_api.database import Database
from gateway_api.purging import Purge, Removal, find_deleted
from gateway_api.sqlite import checkpoints
from gateway_api.sqlite.log import used_bytes
from gateway_api.store.recording import Recorder
from gateway_api.store.workspaces import archive, create, delete_for_good
from gateway_api.tables import alerts, awaited_messages, prompts, usage_totals, workspaces

WAIT_S = 60
TEXT = "glaze " * 2_000


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(make_database(tmp_path).database_url)
    yield database
    database.close()


def add_deleted(database: Database, name: str = "old", count: int = 3, text: str = "q") -> int:
    """Record something in a new workspace, and delete it for good."""
    with database.writing() as connection:
        row_id = create(connection, name)
        recorder = Recorder(connection)
        for number in range(count):
            recorder.record(
                row_id,
                make_exchange(
                    name,
                    minute=-number,
                    messages=[f"{name}{number}", "a", text],
                    alerts=[make_alert("codegate-pii")],
                    usage=gpt_usage(),
                ),
            )
        recorder.finish()
        archive(connection, name)
        delete_for_good(connection, name)
    return row_id


def counts(database: Database) -> dict[str, int]:
    tables = (workspaces, prompts, alerts, awaited_messages, usage_totals)
    with database.reading() as connection:
        return {table.name: len(connection.execute(select(table)).all()) for table in tables}


class Reports:
    """What a purge has said."""

    def __init__(self) -> None:
        self.all: list[tuple[str, dict[str, Any]]] = []
        self._new: asyncio.Queue[str] = asyncio.Queue()

    def __call__(self, event: str, **values: Any) -> None:
        self.all.append((event, values))
        self._new.put_nowait(event)

    async def until(self, wanted: str) -> None:
        async with asyncio.timeout(WAIT_S):
            while await self._new.get() != wanted:
                pass


def test_step_removes_so_many_rows_oldest_first(database: Database) -> None:
    row_id = add_deleted(database)
    removal = Removal(row_id)

    def step(rows: int) -> bool:
        with database.writing() as connection:
            return removal.step(connection, rows)

    with database.reading() as connection:
        assert find_deleted(connection) == row_id
        waiting = len(connection.execute(select(awaited_messages)).all())
    assert waiting == 6
    assert step(2) is False
    with database.reading() as connection:
        assert list(connection.scalars(select(prompts.c.first_message))) == ["old0"], "the newest is left"
    assert step(2) is False
    assert counts(database) == {"workspaces": 2, "prompts": 0, "alerts": 0, "awaited_messages": 6, "usage_totals": 1}
    assert step(2) is False, "nothing is left, and what came before this place meanwhile is looked for"
    assert step(4) is False, "the same"
    assert step(4) is False
    assert counts(database)["awaited_messages"] == 2
    steps = 0
    while not step(4):
        steps += 1
    assert steps <= 3
    assert counts(database) == {"workspaces": 2, "prompts": 0, "alerts": 0, "awaited_messages": 0, "usage_totals": 1}


def test_what_is_recorded_meanwhile_before_the_last_place_is_removed(database: Database) -> None:
    """An import that began before the deletion may record older exchanges."""
    row_id = add_deleted(database, count=2)
    removal = Removal(row_id)
    with database.writing() as connection:
        removal.step(connection, 2)
        recorder = Recorder(connection)
        recorder.record(row_id, make_exchange("old", minute=-500))
        recorder.finish()
    for _ in range(3):
        with database.writing() as connection:
            removal.step(connection, 2)
    assert counts(database)["prompts"] == 0


def test_deleted_workspaces_go_and_all_others_stay(database: Database) -> None:
    with database.writing() as connection:
        recorder = Recorder(connection)
        recorder.record(1, make_exchange("default", messages=["mine", "a", "b"], alerts=[make_alert("codegate-pii")]))
        recorder.finish()
        create(connection, "away")
        archive(connection, "away")
    before = counts(database)
    add_deleted(database, "old")
    add_deleted(database, "older")

    async def work() -> Reports:
        reports = Reports()
        purge = Purge(database, reports)
        purge.start()
        await reports.until("purged")
        add_deleted(database, "newer")
        purge.wake()
        await reports.until("purged")
        await purge.stop()
        return reports

    reports = asyncio.run(work())
    assert counts(database) == before
    (first, said), (second, said_again) = reports.all
    assert (first, second) == ("purged", "purged")
    assert (said["workspaces"], said_again["workspaces"]) == (2, 1)
    assert 0 < said["seconds"] < WAIT_S
    assert set(said) == {"workspaces", "seconds"}


def test_text_is_in_no_file_afterwards(database: Database, tmp_path: Path) -> None:
    add_deleted(database, text="corner-lantern-41")

    async def work() -> None:
        reports = Reports()
        purge = Purge(database, reports)
        purge.start()
        await reports.until("purged")
        await purge.stop()

    asyncio.run(work())
    assert [file.name for file in tmp_path.iterdir() if b"corner-lantern-41" in file.read_bytes()] == []


def test_log_that_a_killed_server_has_left_is_emptied_once(database: Database, tmp_path: Path) -> None:
    add_deleted(database, text="corner-lantern-41")
    with database.writing() as connection:
        connection.execute(workspaces.delete().where(workspaces.c.name == ""))
    log = tmp_path / "gateway.sqlite-wal"
    assert b"corner-lantern-41" in log.read_bytes()

    async def work() -> Reports:
        reports = Reports()
        purge = Purge(database, reports)
        purge.start()
        async with asyncio.timeout(WAIT_S):
            while purge._needs_clean_up:  # noqa: ASYNC110 - nothing is reported where no workspace was removed
                await asyncio.sleep(0)
        await purge.stop()
        return reports

    assert asyncio.run(work()).all == []
    assert log.stat().st_size == 0


@pytest.mark.costly
def test_log_stays_short_while_much_is_removed(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "LONG_LOG_BYTES", 600_000)
    monkeypatch.setattr(checkpoints, "RETRY_LOG_BYTES", 100_000)
    monkeypatch.setattr(purging, "_MOST_ROWS", 20)
    add_deleted(database, count=400, text=TEXT)
    database.clean_up()
    log = tmp_path / "gateway.sqlite-wal"
    lengths: list[int] = []

    async def work() -> None:
        reports = Reports()
        purge = Purge(database, reports)
        purge.start()
        async with asyncio.timeout(WAIT_S):
            while not reports.all:
                lengths.append(used_bytes(log))
                await asyncio.sleep(0)
        await purge.stop()

    asyncio.run(work())
    assert 600_000 < max(lengths) < 3_000_000  # the texts of 400 rows alone have 4,800,000


def test_end_waits_for_the_transaction_that_is_under_way(database: Database) -> None:
    """Whoever stops the purge closes the database next, which nothing may use any more."""
    add_deleted(database)
    other = Database(str(database.url))

    async def work() -> None:
        purge = Purge(database, Reports())
        with other.writing() as connection:
            purge.start()
            async with asyncio.timeout(WAIT_S):
                while not other.is_wanted(connection):  # noqa: ASYNC110 - the lock of a file sends no event
                    await asyncio.sleep(0)
            stopping = asyncio.create_task(purge.stop())
            for _ in range(100):
                await asyncio.sleep(0)
            assert not stopping.done()
        await asyncio.wait_for(stopping, WAIT_S)
        assert database._engine.pool.checkedout() == 0  # type: ignore[attr-defined]

    asyncio.run(work())
    other.close()
    assert counts(database)["prompts"] == 0
