"""Numbered steps from an empty database to today's tables; they go forward only."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from gateway_api.database import Database, telling_setup_errors
from gateway_api.errors import SetupError


def migrate(database: Database) -> None:
    """Bring a database to today's tables, in one transaction.

    Raises:
        SetupError: The database cannot be used, or a newer release has been here before.
    """
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)
    with telling_setup_errors(), database.writing() as connection:
        if not database.is_sqlite:  # a step over a large table takes as long as it takes
            connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
        found = MigrationContext.configure(connection).get_current_revision()
        if found is not None and found not in {script.revision for script in scripts.walk_revisions()}:
            raise SetupError(f"The database is at step {found}, which a newer release has made; update this one.")
        if found != scripts.get_current_head():
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
