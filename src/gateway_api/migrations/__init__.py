"""Numbered steps from an empty database to today's tables; they go forward only."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from gateway_api.database import Database
from gateway_api.errors import SetupError


def migrate(database: Database) -> None:
    """Bring a database to today's tables, in one transaction.

    Raises:
        SetupError: A newer release has been here before.
    """
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)
    with database.writing() as connection:
        found = MigrationContext.configure(connection).get_current_revision()
        if found is not None and found not in {script.revision for script in scripts.walk_revisions()}:
            raise SetupError(f"The database is at step {found}, which a newer release has made; update this one.")
        if found != scripts.get_current_head():
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
