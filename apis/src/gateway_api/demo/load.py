"""The demo data into an empty database."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Connection

from gateway_api.database import Database
from gateway_api.demo.generate import generate
from gateway_api.demo.setting import ACTIVE, ARCHIVED, PERSONAS, PROVIDERS, WORKSPACES
from gateway_api.store import muxes, personas, providers, workspaces
from gateway_api.store.recording import Recorder
from gateway_api.values.names import DEFAULT_WORKSPACE


def load_demo(database: Database, *, now: datetime | None = None, times: int = 1) -> int:
    """Fill a database that nobody has used yet, in one transaction; leave any other as it is.

    Returns:
        How many conversations were stored.
    """
    with database.writing() as connection:
        if not workspaces.is_unused(connection):
            return 0
        for endpoint, models in PROVIDERS:
            added = providers.add_provider(connection, endpoint, public_id=providers.make_public_id(), sealed_key=None)
            providers.set_models(connection, added.row_id, models)
        for name, description in PERSONAS:
            personas.create(connection, name, description)
        return _load_workspaces(connection, now or datetime.now(UTC), times)


def _load_workspaces(connection: Connection, now: datetime, times: int) -> int:
    rows: dict[str, int] = {}
    for workspace in WORKSPACES:
        if workspace.name == DEFAULT_WORKSPACE:
            rows[workspace.name] = workspaces.get_live(connection, workspace.name).id
        else:
            rows[workspace.name] = workspaces.create(connection, workspace.name)
        workspaces.set_instructions(connection, rows[workspace.name], workspace.instructions)
        muxes.replace_rules(connection, rows[workspace.name], workspace.rules)
    recorder = Recorder(connection)
    count = 0
    for exchange in generate(now, times=times):
        recorder.record(rows[exchange.workspace or DEFAULT_WORKSPACE], exchange)
        count += 1
    recorder.finish()
    workspaces.activate(connection, ACTIVE)
    workspaces.archive(connection, ARCHIVED)
    return count
