"""Space that removed records have left is given back."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from gateway_api.database import Database, telling_setup_errors
from gateway_api.errors import SetupError
from gateway_api.migrations import migrate
from gateway_api.settings import Settings
from gateway_api.tables import metadata

_WAIT_S = 15


@dataclass(frozen=True)
class Sizes:
    """Bytes of the database before and after."""

    before: int
    after: int


def vacuum(settings: Settings) -> Sizes:
    """Rewrite a SQLite file without its gaps; let PostgreSQL reuse the space of removed rows.

    SQLite: writes wait meanwhile, reads go on, and the folder needs room for a second copy.

    Raises:
        SetupError: The database cannot be used, there is no room, or somebody writes all the time.
    """
    database = Database(settings.database_url, readers=1, must_exist=True)
    try:
        migrate(database, must_exist=True)
        with telling_setup_errors():
            if database.is_sqlite:
                return _vacuum_sqlite(Path(str(database.url.database)))
            before = _postgresql_size(database)
            database.clean_up(*(table.name for table in metadata.sorted_tables))
            return Sizes(before, _postgresql_size(database))
    finally:
        database.close()


def _vacuum_sqlite(file: Path) -> Sizes:
    before = file.stat().st_size
    free = shutil.disk_usage(file.parent).free
    if free < before:
        raise SetupError(f"{file.parent} has {free:,} bytes free; the vacuum needs {before:,} for a second copy.")
    try:
        with closing(sqlite3.connect(file, isolation_level=None, timeout=_WAIT_S)) as connection:
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.OperationalError as error:
        raise SetupError(f"The vacuum of {file} did not succeed: {error}. The database is as before.") from error
    return Sizes(before, file.stat().st_size)


def _postgresql_size(database: Database) -> int:
    with database.reading() as connection:
        size: int = connection.exec_driver_sql("SELECT pg_database_size(current_database())").scalar_one()
        return size
