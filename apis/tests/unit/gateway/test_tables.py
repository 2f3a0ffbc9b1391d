"""The declared tables are those that the migrations make: queries and limits of lengths are written with the former."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Column, Dialect, MetaData

from gateway_api.database import Database
from gateway_api.migrations import migrate
from gateway_api.tables import metadata


def _described(column: Column[object], dialect: Dialect) -> tuple[object, ...]:
    default = getattr(column.server_default, "arg", None)
    return (
        column.type.compile(dialect),
        column.nullable,
        column.primary_key,
        None if default is None else str(default).strip("'"),
    )


def _columns(tables: MetaData, dialect: Dialect) -> dict[str, tuple[object, ...]]:
    return {
        f"{table.name}.{column.name}": _described(column, dialect)
        for table in tables.tables.values()
        if table.name in metadata.tables
        for column in table.columns
    }


def test_columns_have_the_declared_lengths_defaults_and_keys(tmp_path: Path) -> None:
    """Alembic's own comparison leaves out the lengths of texts in SQLite, and all defaults."""
    database = Database(f"sqlite:///{tmp_path}/gateway.sqlite")
    migrate(database)
    made = MetaData()
    with database.reading() as connection:
        made.reflect(connection)
        dialect = connection.dialect
    database.close()

    assert _columns(made, dialect) == _columns(metadata, dialect)
