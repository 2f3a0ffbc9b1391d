"""The archive shows the order of events, whatever the clock does."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import update

from gateway_api.database import Database
from gateway_api.migrations import migrate
from gateway_api.store import workspaces as store
from gateway_api.tables import workspaces
from gateway_api.values.moments import now_us

DAY_US = 86_400_000_000


def test_workspace_that_is_archived_after_the_clock_was_set_back_comes_first(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/gateway.sqlite")
    migrate(database)
    with database.writing() as connection:
        for name in ("first", "second", "third"):
            store.create(connection, name)
        store.archive(connection, "third")
        connection.execute(update(workspaces).where(workspaces.c.name == "third").values(archived_at=now_us() + DAY_US))
        store.archive(connection, "first")
        store.archive(connection, "second")
        assert [one.name for one in store.list_archived(connection)] == ["second", "first", "third"]
    database.close()
