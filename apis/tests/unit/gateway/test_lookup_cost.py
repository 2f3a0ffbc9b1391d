"""What recording reads does not grow with how often the same question was asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert

from apis.tests.contract.gateway.exchanges import make_alert, make_exchange
from gateway_api.database import Database
from gateway_api.migrations import migrate
from gateway_api.store.recording import Recorder, all_ids, known_ids
from gateway_api.tables import workspaces
from gateway_api.values.text import key_of

QUESTION, FOLLOW_UP = "Where is the log?", "And the older ones?"
Work = Callable[[Connection, int], object]


def count_steps(folder: Path, asked: int, work: Work) -> int:
    """Count the instructions that SQLite runs for some work after a question was asked so often."""
    database = Database(f"sqlite:///{folder}/{asked}.sqlite")
    migrate(database)
    with database.writing() as connection:
        values = {"name": "alpha", "name_key": key_of("alpha"), "is_archived": False}
        place = connection.execute(insert(workspaces).values(values)).inserted_primary_key[0]
        recorder = Recorder(connection)
        for minute in range(asked):
            recorder.record(place, make_exchange(minute=minute, messages=[QUESTION]))
        recorder.finish()
    steps = 0

    def count() -> None:
        nonlocal steps
        steps += 1

    with database.writing() as connection:
        connection.connection.driver_connection.set_progress_handler(count, 1)
        work(connection, place)
        connection.connection.driver_connection.set_progress_handler(None, 1)
    database.close()
    return steps


def follow_up(connection: Connection, place: int) -> None:
    recorder = Recorder(connection)
    recorder.record(place, make_exchange(minute=10_000, messages=[QUESTION, FOLLOW_UP]))
    recorder.finish()


def look_up(connection: Connection, _: int) -> None:
    ids = [str(make_exchange().id) for _ in range(20)]
    assert known_ids(connection, ids) == set()


@pytest.mark.parametrize("work", [follow_up, look_up])
def test_cost_does_not_grow_with_equal_questions(work: Work, tmp_path: Path) -> None:
    few, many = (count_steps(tmp_path, asked, work) for asked in (20, 400))
    assert many < few * 1.5


def test_ids_of_a_small_database_are_those_that_are_looked_up(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/x.sqlite")
    migrate(database)
    with database.writing() as connection:
        assert all_ids(connection, 0) == set()
        values = {"name": "alpha", "name_key": key_of("alpha"), "is_archived": False}
        place = connection.execute(insert(workspaces).values(values)).inserted_primary_key[0]
        recorder = Recorder(connection)
        for minute in range(3):
            recorder.record(place, make_exchange(minute=minute, alerts=[make_alert("codegate-pii")]))
        recorder.finish()
        found = all_ids(connection, 3)
        assert found is not None
        assert len(found) == 3 + 3 + 3
        assert known_ids(connection, {*found, "0b0b0b0b-0000-4000-8000-000000000000"}) == found
        assert all_ids(connection, 2) is None
    database.close()
