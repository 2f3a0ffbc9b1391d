"""PostgreSQL finds what recording looks for by its indexes, whatever it knows of the tables."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import insert

from apis.tests.contract.gateway.exchanges import make_exchange
from apis.tests.contract.gateway.postgres import Cluster
from gateway_api.database import Database
from gateway_api.migrations import migrate
from gateway_api.store.recording import KNOWN, Recorder
from gateway_api.store.threads import LATEST
from gateway_api.tables import workspaces
from gateway_api.values.text import key_of

ASKED = 1_500
KEYS = [key_of(str(number)) for number in range(500)]


@pytest.fixture(scope="module")
def filled(cluster: Cluster) -> Iterator[Database]:
    """A database in which the same question was asked many times."""
    database = Database(cluster.fresh_database())
    migrate(database)
    with database.writing() as connection:
        values = {"name": "alpha", "name_key": key_of("alpha"), "is_archived": False}
        place = connection.execute(insert(workspaces).values(values)).inserted_primary_key[0]
        recorder = Recorder(connection)
        for minute in range(ASKED):
            recorder.record(place, make_exchange(minute=minute, alerts=[]))
        recorder.finish()
    yield database
    database.close()


@pytest.mark.parametrize("is_analyzed", [False, True])
@pytest.mark.parametrize(("query", "values"), [(LATEST, (KEYS, 1)), (KNOWN, (KEYS,))], ids=["latest", "known"])
def test_no_table_is_read_as_a_whole(
    filled: Database, query: str, values: tuple[object, ...], *, is_analyzed: bool
) -> None:
    with filled.writing() as connection:
        if is_analyzed:
            connection.exec_driver_sql("ANALYZE prompts, alerts")
        plan = "\n".join(connection.exec_driver_sql(f"EXPLAIN {query}", values).scalars())
    assert "Index" in plan
    assert "Seq Scan on prompts" not in plan
    assert "Backward using prompts_pkey" not in plan  # would read all rows that were recorded later
