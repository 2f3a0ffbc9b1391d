"""Numbered steps from an empty database to today's tables; they go forward only."""

from __future__ import annotations

import re
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from gateway_api.database import Database, telling_setup_errors
from gateway_api.errors import SetupError

_OWN_STEP = re.compile(r"\d{4}")
"""Steps of this program are numbered; alembic by itself, and so CodeGate, names them by 12 hex digits."""


def migrate(database: Database) -> None:
    """Bring a database to today's tables, in one transaction.

    Raises:
        SetupError: The database cannot be used, or a newer release or another program has written it.
    """
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)
    with telling_setup_errors(), database.writing() as connection:
        if not database.is_sqlite:  # a step over a large table takes as long as it takes
            connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
        found = MigrationContext.configure(connection).get_current_revision()
        if found is not None and found not in {script.revision for script in scripts.walk_revisions()}:
            raise SetupError(_foreign(found))
        if found != scripts.get_current_head():
            config.attributes["connection"] = connection
            command.upgrade(config, "head")


def _foreign(step: str) -> str:
    if _OWN_STEP.fullmatch(step):
        return f"The database is at step {step}, which a newer release has made; update this one."
    return (
        f"The database is at step {step}, which is none of this program's: it belongs to another program, such as the "
        "released CodeGate. Name a file that does not exist yet, or an empty database."
    )
