"""Databases that a server refuses when it starts, and what it logs when it fails."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from apis.tests.unit.gateway.databases import make_database
from gateway_api.database import Database
from gateway_api.errors import SetupError
from gateway_api.migrations import migrate
from gateway_api.observing import log_crash
from gateway_api.postgresql import connect_arguments


def at_step(folder: Path, step: str) -> Database:
    database = Database(make_database(folder).database_url)
    with database.writing() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = ?", (step,))
    return database


@pytest.mark.parametrize(
    ("step", "said"), [("9999", "which a newer release has made; update"), ("0c3539f66339", "released CodeGate")]
)
def test_database_at_a_foreign_step_is_refused(tmp_path: Path, step: str, said: str) -> None:
    database = at_step(tmp_path, step)
    with pytest.raises(SetupError, match=said) as caught:
        migrate(database)
    assert f"at step {step}" in str(caught.value)
    database.close()


def test_file_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/other.sqlite")
    with database.writing() as connection:
        connection.exec_driver_sql("CREATE TABLE kilns (name TEXT)")
    with pytest.raises(SetupError, match=r"^The .*belongs to another program"):
        migrate(database)
    with database.reading() as connection:
        tables = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'").scalars().all()
    assert tables == ["kilns"]
    database.close()


def test_empty_database_is_refused_where_there_must_be_one(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/new.sqlite")
    with pytest.raises(SetupError, match="is empty"):
        migrate(database, must_exist=True)
    database.close()


def fail(text: str) -> None:
    raise ValueError(text)


def test_crash_is_logged_with_its_place_and_without_its_text(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(ValueError, match="sk-secret") as caught:
        fail("sk-secret")
    with caplog.at_level(logging.ERROR, "gateway_api"):
        log_crash(caught.value, request_id="r1")
    (record,) = caplog.records
    line = json.loads(record.getMessage())
    assert (record.levelname, line["event"], line["error"], line["request_id"]) == (
        "ERROR",
        "crash",
        "ValueError",
        "r1",
    )
    assert line["frames"][-1].startswith(f"fail in {__file__}")
    assert "sk-secret" not in record.getMessage()


def test_limits_of_a_connection_give_way_to_those_of_its_address() -> None:
    limits = connect_arguments({})
    assert limits["connect_timeout"] > 0
    assert connect_arguments({"connect_timeout": "1"}) == {
        name: value for name, value in limits.items() if name != "connect_timeout"
    }
