"""A provider is found by its former name for a few seconds, whatever happens to the clock."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from gateway_api.database import Database
from gateway_api.migrations import migrate
from gateway_api.models.providers import ProviderEndpoint, ProviderType
from gateway_api.store import providers as store
from gateway_api.store.providers import RENAME_GRACE_US
from gateway_api.tables import former_names
from gateway_api.values.moments import now_us

MINUTE_US, DAY_US = 60_000_000, 86_400_000_000


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = Database(f"sqlite:///{tmp_path}/gateway.sqlite")
    migrate(made)
    yield made
    made.close()


def add(database: Database, name: str) -> int:
    endpoint = ProviderEndpoint(name=name, provider_type=ProviderType.OPENAI, endpoint="http://localhost:1")
    with database.writing() as connection:
        return store.add_provider(connection, endpoint, public_id=store.make_public_id(), sealed_key=None).row_id


@pytest.mark.parametrize(
    ("ago_us", "is_found"),
    [(0, True), (RENAME_GRACE_US + MINUTE_US, False), (-RENAME_GRACE_US - MINUTE_US, False), (-DAY_US, False)],
    ids=["now", "long ago", "clock set back by a minute", "clock set back by a day"],
)
def test_former_name_leads_to_the_provider_for_a_few_seconds(
    database: Database, ago_us: int, *, is_found: bool
) -> None:
    row_id = add(database, "new")
    with database.writing() as connection:
        store.note_former_name(connection, "old", row_id)
        connection.execute(update(former_names).values(renamed_at=former_names.c.renamed_at - ago_us))
    with database.reading() as connection:
        assert store.find_renamed(connection, "old") == (row_id if is_found else None)
        assert store.find_renamed(connection, "other") is None


def test_names_that_lead_nowhere_any_more_are_forgotten(database: Database) -> None:
    row_id = add(database, "new")
    with database.writing() as connection:
        for name, moved_us in (("long ago", -DAY_US), ("clock set back", DAY_US), ("again", 0)):
            store.note_former_name(connection, name, row_id)
            of_name = former_names.c.renamed_at > now_us() - MINUTE_US
            connection.execute(
                update(former_names).where(of_name).values(renamed_at=former_names.c.renamed_at + moved_us)
            )
        store.note_former_name(connection, "again", row_id)
        assert connection.scalar(select(func.count()).select_from(former_names)) == 1
