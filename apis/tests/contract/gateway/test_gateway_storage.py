"""The database keeps what the operations promise, and writers do not lose each other's changes."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy.exc import IntegrityError, ProgrammingError

from apis.tests.contract.gateway.gateway import Gateway, run_gateway, settings_for
from apis.tests.contract.gateway.postgres import Cluster, database_of
from apis.tests.contract.gateway.providers import FakeProvider
from gateway_api.database import Database
from gateway_api.errors import SetupError
from gateway_api.migrations import migrate
from gateway_api.postgresql import WRITER_LOCK
from gateway_api.tables import metadata

WAIT_S = 30


def test_migrations_make_the_tables_that_queries_expect(gateway: Gateway) -> None:
    with gateway.database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO active_workspace VALUES (2, 1, {false}, 1)",
        "INSERT INTO active_workspace VALUES (1, 1, {false}, 1)",
        "DELETE FROM active_workspace",
        "UPDATE active_workspace SET workspace_id = 99999",
        "UPDATE active_workspace SET is_archived = {true}",
        "UPDATE workspaces SET is_archived = {true}, archived_at = 1 WHERE name = 'default'",
        "DELETE FROM workspaces WHERE name = 'default'",
    ],
)
def test_database_itself_holds_that_exactly_one_live_workspace_is_active(gateway: Gateway, statement: str) -> None:
    words = {"true": 1, "false": 0} if gateway.database.is_sqlite else {"true": "true", "false": "false"}
    with pytest.raises((IntegrityError, ProgrammingError, Exception), match=r"(?i)constraint|active"):  # noqa: SIM117 - one statement
        with gateway.database.writing() as connection:
            connection.exec_driver_sql(statement.format(**words))
    assert len(gateway.get("v1_list_active_workspaces")["workspaces"]) == 1


def test_database_of_a_newer_release_is_refused(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'gateway.sqlite'}")
    migrate(database)
    with database.writing() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(SetupError, match="step 9999, which a newer release has made"):
        migrate(database)
    database.close()


@pytest.mark.parametrize("url", ["nonsense", "mysql://localhost/x", "sqlite://", "sqlite:///:memory:"])
def test_other_databases_are_refused_with_a_reason(url: str) -> None:
    with pytest.raises(SetupError):
        Database(url)


def test_two_servers_start_on_one_empty_database(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    ready = threading.Barrier(2)

    def start() -> list[Any]:
        ready.wait(WAIT_S)
        database = Database(settings.database_url)
        migrate(database)
        with database.reading() as connection:
            found = connection.exec_driver_sql("SELECT name FROM workspaces").all()
        database.close()
        return list(found)

    with ThreadPoolExecutor(2) as pool:
        assert [tuple(row) for run in pool.map(lambda _: start(), range(2)) for row in run] == [("default",)] * 2


def test_state_survives_a_restart(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    with run_gateway(settings) as gateway:
        made = gateway.add_workspace("alpha", {"custom_instructions": "Be brief.", "muxing_rules": []})
        gateway.get("v1_activate_workspace", body={"name": "alpha"})
        before = gateway.get("v1_list_active_workspaces")
    with run_gateway(settings) as gateway:
        assert gateway.get("v1_get_workspace_by_name", workspace_name="alpha") == made
        assert gateway.get("v1_list_active_workspaces") == before


def at_once(gateway: Gateway, calls: list[Any]) -> list[httpx.Response]:
    """Make calls from as many threads, all at the same moment."""
    ready = threading.Barrier(len(calls))

    def make(call: Any) -> httpx.Response:
        ready.wait(WAIT_S)
        answer: httpx.Response = call()
        return answer

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(make, calls))


def test_one_of_many_gets_a_name(gateway: Gateway) -> None:
    answers = at_once(gateway, [lambda: gateway.call("v1_create_workspace", body={"name": "alpha"})] * 16)
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 15


def test_writers_at_once_never_fail_and_leave_one_active(gateway: Gateway) -> None:
    for number in range(16):
        gateway.add_workspace(f"w{number}")

    def activate(name: str) -> Any:
        return lambda: gateway.call("v1_activate_workspace", body={"name": name})

    answers = at_once(gateway, [activate(f"w{number}") for number in range(16)])
    assert {answer.status_code for answer in answers} == {204}
    active = [entry for entry in gateway.get("v1_list_workspaces")["workspaces"] if entry["is_active"]]
    assert len(active) == 1


def test_rule_lists_written_at_once_do_not_mix(gateway: Gateway, provider: FakeProvider) -> None:
    gateway.add_provider(provider.url("open"))
    gateway.add_workspace("alpha")

    def rules(number: int) -> list[dict[str, Any]]:
        rule = {"provider_name": "local", "provider_type": "vllm", "model": "model-a", "matcher_type": "catch_all"}
        return [rule | {"matcher": f"{number}"}] * (number + 1)

    def put(number: int) -> Any:
        return lambda: gateway.call("v1_set_workspace_muxes", workspace_name="alpha", body=rules(number))

    answers = at_once(gateway, [put(number) for number in range(12)])
    assert {answer.status_code for answer in answers} == {204}
    found = gateway.get("v1_get_workspace_muxes", workspace_name="alpha")
    assert found in [rules(number) for number in range(12)]


def test_archive_and_activation_of_one_workspace_exclude_each_other(gateway: Gateway) -> None:
    for number in range(8):
        name = f"w{number}"
        gateway.add_workspace(name)
        calls = [
            lambda name=name: gateway.call("v1_delete_workspace", workspace_name=name),
            lambda name=name: gateway.call("v1_activate_workspace", body={"name": name}),
        ]
        statuses = tuple(answer.status_code for answer in at_once(gateway, calls))
        assert statuses in [(204, 404), (400, 204)]


def test_postgresql_writer_that_waits_too_long_is_asked_to_try_again(tmp_path: Path, cluster: Cluster) -> None:
    url = cluster.fresh_database()
    with (
        run_gateway(settings_for(tmp_path, url, busy_timeout_s=0.2)) as gateway,
        cluster.connect(database_of(url)) as other,
    ):
        other.execute("SELECT pg_advisory_lock(%s)", (WRITER_LOCK,))
        answers = at_once(gateway, [lambda: gateway.call("v1_create_workspace", body={"name": "alpha"})] * 4)
        assert {(answer.status_code, answer.headers["retry-after"]) for answer in answers} == {(503, "1")}
        assert gateway.call("v1_list_workspaces").status_code == 200
        other.execute("SELECT pg_advisory_unlock(%s)", (WRITER_LOCK,))
        assert gateway.call("v1_create_workspace", body={"name": "alpha"}).status_code == 201


def test_postgresql_waits_and_pauses_are_limited(tmp_path: Path, cluster: Cluster) -> None:
    with run_gateway(settings_for(tmp_path, cluster.fresh_database(), busy_timeout_s=0.2)) as gateway:
        for opened in (gateway.database.reading, gateway.database.writing):
            with opened() as connection:
                names = ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout")
                found = [connection.exec_driver_sql(f"SHOW {name}").scalar_one() for name in names]
            assert found == ["200ms", "1min", "1min"]


def test_gateway_goes_on_after_postgresql_has_cut_its_connections(tmp_path: Path, cluster: Cluster) -> None:
    url = cluster.fresh_database()
    with run_gateway(settings_for(tmp_path, url)) as gateway, cluster.connect() as other:
        gateway.add_workspace("alpha")
        cut = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = %s"
        assert other.execute(cut, (database_of(url),)).fetchall()
        gateway.add_workspace("beta")


def test_writers_of_one_process_take_turns_no_longer_than_they_may(tmp_path: Path) -> None:
    with run_gateway(settings_for(tmp_path, busy_timeout_s=0.2)) as gateway, gateway.database.writing():
        answer = gateway.call("v1_create_workspace", body={"name": "alpha"})
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
        assert gateway.call("v1_list_workspaces").status_code == 200
