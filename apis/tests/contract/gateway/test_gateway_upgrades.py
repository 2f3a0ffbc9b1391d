"""Databases of earlier releases are brought to today's tables, and foreign ones are refused by name."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext

from apis.tests.contract.gateway.exchanges import make_alert, make_exchange
from apis.tests.contract.gateway.gateway import run_gateway, settings_for
from apis.tests.contract.gateway.postgres import Cluster
from gateway_api import migrations
from gateway_api.database import Database
from gateway_api.errors import SetupError
from gateway_api.migrations import migrate
from gateway_api.tables import metadata
from gateway_api.values.text import key_of


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "postgresql":
        cluster: Cluster = request.getfixturevalue("cluster")
        yield cluster.fresh_database()
        return
    yield f"sqlite:///{tmp_path}/gateway.sqlite"


def upgrade_to(database: Database, step: str) -> None:
    """Bring a database to the tables of an earlier release."""
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    with database.writing() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, step)


def write_first_release(url: str) -> None:
    """Write a database as the first release would: a workspace, an archived one, a persona, a conversation."""
    database = Database(url)
    upgrade_to(database, "0001")
    yes, no = ("1", "0") if database.is_sqlite else ("true", "false")
    empty = "X''" if database.is_sqlite else "''"
    statements = [
        f"INSERT INTO workspaces (name, name_key, is_archived) VALUES ('alpha', '{key_of('alpha')}', {no})",
        (
            "INSERT INTO workspaces (name, name_key, is_archived, archived_at) "
            f"VALUES ('gone', '{key_of('gone')}', {yes}, 1)"
        ),
        (
            "INSERT INTO personas (public_id, name, name_key, description, vector) "
            f"VALUES ('p', 'writer', '{key_of('writer')}', 'Writes.', {empty})"
        ),
    ]
    with database.writing() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    database.close()


def write_second_release(url: str) -> None:
    """Write a database as the second release would: with exchanges that have a price, no price, and need none."""
    write_first_release(url)
    database = Database(url)
    upgrade_to(database, "0002")
    used = [("a", "gpt-4o", "openai", 1.5), ("b", "unlisted", "openai", 0.0), ("c", "local", "ollama", 0.0)]
    with database.writing() as connection:
        for name, model, kind, cost in used:
            spent = f"'{model}', '{kind}', 10, 5, {cost}, {cost}"
            connection.exec_driver_sql(
                "INSERT INTO prompts (public_id, workspace_id, asked_at, kind, first_message, last_message, thread_key, "
                "model, model_provider, input_tokens, output_tokens, input_cost, output_cost) "
                f"VALUES ('{name}', 1, 1, 'fim', 'q', 'q', '{name}', {spent})"
            )
            connection.exec_driver_sql(
                "INSERT INTO usage_totals (workspace_id, model_key, model, provider_type, input_tokens, output_tokens, "
                f"input_cost, output_cost) VALUES (1, '{name}', {spent})"
            )
        connection.exec_driver_sql("UPDATE workspaces SET prompt_count = 3 WHERE id = 1")
    database.close()


def test_database_of_the_second_release_tells_which_costs_are_unknown(tmp_path: Path, url: str) -> None:
    write_second_release(url)
    with run_gateway(settings_for(tmp_path, url)) as gateway:
        assert gateway.get("v1_get_workspace_messages", workspace_name="default")["total"] == 3
        answer = gateway.call("v1_get_workspace_token_usage", workspace_name="default")
        assert answer.headers["x-unpriced-tokens"] == "15"
        with gateway.database.reading() as connection:
            assert compare_metadata(MigrationContext.configure(connection), metadata) == []
            query = "SELECT public_id FROM prompts WHERE unpriced_tokens > 0"
            assert connection.exec_driver_sql(query).scalars().all() == ["b"]


def test_database_of_the_first_release_is_served(tmp_path: Path, url: str) -> None:
    write_first_release(url)
    with run_gateway(settings_for(tmp_path, url)) as gateway:
        names = [entry["name"] for entry in gateway.get("v1_list_workspaces")["workspaces"]]
        assert names == ["default", "alpha"]
        assert gateway.get("v1_list_archived_workspaces")["workspaces"][0]["name"] == "gone"
        assert [persona["name"] for persona in gateway.get("v1_list_personas")] == ["writer"]
        gateway.record(make_exchange("alpha", alerts=[make_alert("codegate-pii")]))
        assert len(gateway.get("v1_get_workspace_alerts", workspace_name="alpha")) == 1
        gateway.get("v1_hard_delete_workspace", workspace_name="gone")
        with gateway.database.reading() as connection:
            assert compare_metadata(MigrationContext.configure(connection), metadata) == []


@pytest.mark.parametrize(
    ("former", "cut_at"), [("0001", "create_index"), ("0001", "execute"), ("0002", "execute"), ("0002", "create_table")]
)
def test_upgrade_that_is_cut_off_changes_nothing_and_can_be_repeated(
    url: str, monkeypatch: pytest.MonkeyPatch, former: str, cut_at: str
) -> None:
    """The steps run in one transaction: a crash between two statements leaves the tables of before."""
    (write_first_release if former == "0001" else write_second_release)(url)
    database = Database(url)

    class CutOffError(Exception):
        pass

    def cut_off(*_arguments: object, **_options: object) -> None:
        raise CutOffError

    with monkeypatch.context() as patched:
        patched.setattr(f"alembic.op.{cut_at}", cut_off)  # in the middle of a step
        with pytest.raises(CutOffError):
            migrate(database)
    with database.reading() as connection:
        context = MigrationContext.configure(connection)
        assert context.get_current_revision() == former
        assert connection.exec_driver_sql("SELECT count(*) FROM workspaces").scalar() == 3
    migrate(database)
    with database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    database.close()


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("0999", "step 0999, which a newer release has made; update this one"),
        ("02b710eda156", "belongs to another program, such as the released CodeGate"),
    ],
)
def test_databases_of_others_are_told_apart(url: str, step: str, said: str) -> None:
    database = Database(url)
    migrate(database)
    with database.writing() as connection:
        connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{step}'")
    with pytest.raises(SetupError, match=said):
        migrate(database)
    database.close()


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(["CREATE TABLE notes (text)"], id="database"),
        pytest.param(["CREATE TABLE alembic_version AS SELECT '02b710eda156' AS version_num"], id="codegate"),
        pytest.param([], id="text"),
    ],
)
def test_file_of_another_program_stays_as_it_was(tmp_path: Path, content: list[str]) -> None:
    """The path may be a mistake: neither content nor permissions change, and nothing is left beside the file."""
    file = tmp_path / "other"
    if content:
        with closing(sqlite3.connect(file)) as other:
            for statement in content:
                other.execute(statement)
            other.commit()
    else:
        file.write_text("root:x:0:0:root:/root:/bin/bash\n" * 100)
    file.chmod(0o644)
    before = file.read_bytes(), file.stat().st_mode, file.stat().st_mtime_ns
    database = Database(f"sqlite:///{file}")
    with pytest.raises(SetupError):
        migrate(database)
    database.close()
    assert (file.read_bytes(), file.stat().st_mode, file.stat().st_mtime_ns) == before
    assert list(tmp_path.iterdir()) == [file]
