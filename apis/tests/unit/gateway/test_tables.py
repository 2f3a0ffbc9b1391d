"""The declared tables are those that the migrations make: queries and limits of lengths are written with the former."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Column, Dialect, Engine, MetaData, create_engine, inspect, text
from sqlalchemy.exc import DBAPIError

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


def _relations(engine: Engine) -> dict[str, object]:
    """Give the keys between tables, what is unique, and whose numbers are never given again."""
    found = inspect(engine)
    with engine.connect() as connection:
        made = connection.execute(text("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
        counted = {name: "AUTOINCREMENT" in sql for name, sql in made}
    return {
        name: (
            sorted(map(str, found.get_foreign_keys(name))),
            sorted(str(one["column_names"]) for one in found.get_unique_constraints(name)),
            counted[name],
        )
        for name in metadata.tables
    }


def test_tables_have_the_declared_keys_and_numbers(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'ours.db'}")
    migrate(database)
    database.close()
    fresh = create_engine(f"sqlite:///{tmp_path / 'fresh.db'}")
    metadata.create_all(fresh)
    ours = _relations(create_engine(f"sqlite:///{tmp_path / 'ours.db'}"))
    assert ours == _relations(fresh)
    assert len({str(one) for one in ours.values()}) > 3


def test_errors_of_statements_have_no_values(tmp_path: Path) -> None:
    """They are logged, and the values are what people have written."""
    database = Database(f"sqlite:///{tmp_path}/gateway.sqlite")
    with pytest.raises(DBAPIError) as found, database.reading() as connection:
        connection.execute(text("SELECT 1 FROM gone WHERE x = :said"), {"said": "secret words"})
    database.close()
    assert "gone" in str(found.value)
    assert "secret words" not in str(found.value)
