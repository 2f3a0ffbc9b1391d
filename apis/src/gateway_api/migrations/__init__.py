"""Numbered steps from an empty database to today's tables; they go forward only."""

from __future__ import annotations

import re
from pathlib import Path

from sqlalchemy import Connection, inspect

from gateway_api.database import Database, telling_setup_errors
from gateway_api.errors import SetupError
from gateway_api.sqlite import HOW_TO_NAME

_OWN_STEP = re.compile(r"\d{4}")
"""Steps of this program are numbered; alembic by itself, and so CodeGate, names them by 12 hex digits."""


def migrate(database: Database, *, must_exist: bool = False) -> None:
    """Bring a database to today's tables, in one transaction.

    Args:
        database: An empty one, or one of this program.
        must_exist: Refuse an empty one.

    Raises:
        SetupError: The database cannot be used, or a newer release or another program has written it, or it is empty
            and must not be.
    """
    head = _head()
    with telling_setup_errors(), database.reading() as connection:
        found = _step(connection)
        if found == head:  # by far the most frequent case, which costs no lock and no import of alembic
            database.keep_private()
            return
        if found is None:
            _check_unmarked(database, connection, must_exist=must_exist)
        _check_step(found)
    with telling_setup_errors(), database.writing() as connection:
        if not database.is_sqlite:  # a step over a large table takes as long as it takes
            connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
        found = _step(connection)
        _check_step(found)
        if found != head:
            _upgrade(connection)
    database.keep_private()


def _check_unmarked(database: Database, connection: Connection, *, must_exist: bool) -> None:
    """Refuse a database without a step that is not for this program to fill.

    A schema of PostgreSQL may be shared with other programs; a file of SQLite belongs to one.
    """
    if database.is_sqlite and inspect(connection).get_table_names():
        raise SetupError(f"{_capital(database.place)} belongs to another program; {HOW_TO_NAME}.")
    if must_exist:
        raise SetupError(f"{_capital(database.place)} is empty; {HOW_TO_NAME}.")


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _steps() -> list[str]:
    """List the numbers of this program's steps; a step's file begins with its number."""
    return sorted(path.name[:4] for path in (Path(__file__).parent / "versions").glob("[0-9]*.py"))


def _head() -> str:
    return _steps()[-1]


def _step(connection: Connection) -> str | None:
    """Read at which step a database is; None before the first one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return found


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _check_step(step: str | None) -> None:
    """Refuse a database at a step that is none of this release's; nothing is written to it before."""
    if step is not None and step not in _steps():
        raise SetupError(_foreign(step))


def _foreign(step: str) -> str:
    if _OWN_STEP.fullmatch(step):
        return f"The database is at step {step}, which a newer release has made; update this one."
    return (
        f"The database is at step {step}, which is none of this program's: it belongs to another program, such as the "
        "released CodeGate. Name a file that does not exist yet, or an empty database."
    )
