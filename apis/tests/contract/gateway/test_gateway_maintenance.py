"""Export and import of everything, backup while servers write, retention, vacuum."""

from __future__ import annotations

import io
import json
import sqlite3
import subprocess
import threading
import unicodedata
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import select

from apis.tests.contract.gateway.exchanges import START, gpt_usage, make_alert, make_exchange
from apis.tests.contract.gateway.gateway import Gateway, run_gateway, settings_for
from apis.tests.contract.gateway.providers import KEY, FakeProvider
from apis.tests.contract.gateway.serving import COMMAND
from gateway_api.cli import gateway as command
from gateway_api.demo.load import load_demo
from gateway_api.errors import SetupError
from gateway_api.maintenance import back_up, is_export, load_export, passphrase, prune, retention, vacuum
from gateway_api.maintenance.export import TABLES, export_all
from gateway_api.maintenance.passphrase import checked
from gateway_api.settings import Settings
from gateway_api.tables import awaited_messages, prompts, providers

PASSPHRASE = "corner-lantern-41"


@pytest.fixture(scope="module", autouse=True)
def _cheap_guesses() -> Iterator[None]:
    """Let a passphrase cost an eighth of its half second, the least that a file may say; `test_passphrase` pays it all."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passphrase, "_COST", 2**14)
        yield


@pytest.fixture(scope="module")
def filled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    """A gateway with the demo data, a provider with a key, and records that are hard to write."""
    with run_gateway(settings_for(tmp_path_factory.mktemp("filled"))) as running:
        load_demo(running.database)
        shared: FakeProvider = request.getfixturevalue("shared_provider")
        running.add_provider(shared.url("openai"), auth_type="api_key", api_key=KEY)
        running.record(make_exchange("default", messages=["a\0b\uffff"], alerts=[make_alert("codegate-pii")]))
        yield running


def rows_of(gateway: Gateway) -> dict[str, list[Any]]:
    """Read all tables but the keys, whose ciphertext is never the same."""
    with gateway.database.reading() as connection:
        return {
            table.name: sorted(
                json.dumps([value for name, value in row._mapping.items() if name != "sealed_key"], default=str)
                for row in connection.execute(select(table))
            )
            for table in TABLES
        }


def exported(settings: Settings, passphrase: str | None = None) -> list[bytes]:
    file = io.BytesIO()
    export_all(settings, file, passphrase)
    return file.getvalue().splitlines(keepends=True)


@pytest.fixture
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    url = request.getfixturevalue("cluster").fresh_database() if request.param == "postgresql" else None
    return settings_for(tmp_path, url)


@pytest.mark.parametrize("empty", ["sqlite", "postgresql"], indirect=True)
def test_everything_comes_back_in_either_database(filled: Gateway, empty: Settings) -> None:
    lines = exported(filled.settings, PASSPHRASE)
    assert is_export(lines[0])
    assert KEY not in b"".join(lines).decode()
    with pytest.raises(SetupError, match="give the passphrase"):
        load_export(lines, empty)
    with pytest.raises(SetupError, match="passphrase is not the one"):
        load_export(lines, empty, "another-passphrase")
    done = load_export(lines, empty, PASSPHRASE)
    assert (done.keys, done.rows) == (1, len(lines) - 2)
    with run_gateway(empty) as copy:
        assert rows_of(copy) == rows_of(filled)
        with copy.database.reading() as connection:
            row = connection.execute(select(providers).where(providers.c.sealed_key.is_not(None))).one()
        assert copy.app.state.parts.seal.open(row.sealed_key, owner=row.public_id) == KEY
        copy.record(make_exchange("default"))  # new rows are numbered after the loaded ones
        copy.add_workspace("new")
    with pytest.raises(SetupError, match="has been used"):
        load_export(lines, empty, PASSPHRASE)


def swapped_endpoint(line: bytes) -> bytes:
    value = json.loads(line)
    if value[0:1] == ["providers"] and value[1][-1]:
        value[1][6] = "http://attacker.example"
    return json.dumps(value).encode() + b"\n"


def test_damaged_files_are_refused_and_nothing_is_stored(filled: Gateway, tmp_path: Path) -> None:
    lines = exported(filled.settings, PASSPHRASE)
    header = json.loads(lines[0])
    cases = {
        "cut off": lines[:-1],
        "has changed since": [*lines[:-2], lines[-1]],
        "something comes after": [*lines, lines[5]],
        "has version 2": [json.dumps(header | {"version": 2}).encode(), *lines[1:]],
        "newer release": [
            json.dumps(header | {"columns": header["columns"] | {"spells": ["id"]}}).encode(),
            *lines[1:],
        ],
        "was not written for its endpoint": [lines[0], *map(swapped_endpoint, lines[1:-1]), lines[-1]],
        "is damaged": [lines[0], b'["prompts", [1]]\n', *lines[1:]],
        "cannot be read": [json.dumps(header | {"keys": {"kdf": "scrypt"}}).encode(), *lines[1:]],
    }
    empty = settings_for(tmp_path)
    for said, damaged in cases.items():
        with pytest.raises(SetupError, match=said):
            load_export(damaged, empty, PASSPHRASE)
    assert load_export(lines, empty, PASSPHRASE).keys == 1


def test_keys_are_left_out_without_a_passphrase(filled: Gateway, tmp_path: Path) -> None:
    lines = exported(filled.settings)
    assert json.loads(lines[0])["keys"] is None
    assert load_export(lines, settings_for(tmp_path)).keys == 0


def test_commands_export_and_import(filled: Gateway, tmp_path: Path) -> None:
    file, secret = tmp_path / "all.jsonl", tmp_path / "passphrase"
    secret.write_text(f"{PASSPHRASE}\n")

    def run(url: str, folder: Path, *arguments: str) -> str:
        environment = {"GATEWAY_DATA_DIR": str(folder)}
        done = CliRunner().invoke(command, ["--database-url", url, *arguments], env=environment)
        assert done.exit_code == 0, done.output
        return done.output

    keyed = ("--passphrase-file", str(secret))
    said = run(filled.settings.database_url, filled.settings.data_dir, "export", str(file), "--with-keys", *keyed)
    assert "1 API key." in said
    assert file.stat().st_mode & 0o077 == 0
    assert "and 1 API key." in run(f"sqlite:///{tmp_path}/new.sqlite", tmp_path, "import", str(file), *keyed)


def test_accents_of_a_passphrase_may_be_composed_or_not(filled: Gateway, tmp_path: Path) -> None:
    """One person types them on two systems; and former releases encrypted with what was typed."""
    composed = checked("p\u00e4ssw\u00f6rd-of-an-export")
    decomposed = unicodedata.normalize("NFD", composed)
    assert checked(decomposed) == composed
    former = exported(filled.settings, decomposed)
    assert load_export(former, settings_for(tmp_path), composed).keys == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("export", "{folder}/out.jsonl", "--with-keys"),
            "name a file with --passphrase-file, or set GATEWAY_PASSPHRASE",
        ),
        (
            ("export", "{folder}/out.jsonl", "--passphrase-file", "{folder}/words"),
            "--passphrase-file needs --with-keys",
        ),
        (("import", "{folder}/all.jsonl"), "name a file with --passphrase-file, or set GATEWAY_PASSPHRASE"),
        (("import", "{folder}/records.jsonl", "--passphrase-file", "{folder}/words"), "is for files of `export`"),
    ],
)
def test_passphrase_that_is_missing_or_of_no_use_is_an_error(
    filled: Gateway, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    (tmp_path / "words").write_text(PASSPHRASE)
    (tmp_path / "all.jsonl").write_bytes(b"".join(exported(filled.settings, PASSPHRASE)))
    (tmp_path / "records.jsonl").write_text(make_exchange("default").model_dump_json())
    new = tmp_path / "new.sqlite"
    url = f"sqlite:///{new}" if arguments[0] == "import" else filled.settings.database_url
    given = [argument.format(folder=tmp_path) for argument in arguments]
    environment = {"GATEWAY_DATA_DIR": str(tmp_path)}
    done = CliRunner().invoke(command, ["--database-url", url, *given], env=environment)
    assert (done.exit_code, said in done.output) == (2, True), done.output
    assert not new.exists()
    assert not (tmp_path / "out.jsonl").exists()


def test_backup_is_of_one_moment_while_a_server_writes(filled: Gateway, tmp_path: Path) -> None:
    stop, written = threading.Event(), 0

    def write() -> None:
        nonlocal written
        while not stop.is_set():
            filled.record(make_exchange("default", alerts=[make_alert("codegate-pii")]))
            written += 1

    thread = threading.Thread(target=write)
    thread.start()
    try:
        copies = [tmp_path / f"{number}.sqlite" for number in range(3)]
        for copy in copies:
            back_up(filled.settings.database_url, copy)
    finally:
        stop.set()
        thread.join()
    assert written
    for copy in copies:
        assert copy.stat().st_mode & 0o077 == 0
        with sqlite3.connect(copy) as connection:
            counted, stored = connection.execute(
                "SELECT (SELECT sum(prompt_count) FROM workspaces), (SELECT count(*) FROM prompts)"
            ).fetchone()
        connection.close()
        assert counted == stored
    assert sorted(tmp_path.iterdir()) == sorted(copies)
    with pytest.raises(SetupError, match="exists already"):
        back_up(filled.settings.database_url, copies[0])


def test_backup_of_postgresql_names_its_own_program(tmp_path: Path) -> None:
    with pytest.raises(SetupError) as caught:
        back_up("postgresql://reader:kiln-glaze@db.example/gateway", tmp_path / "copy.dump")
    assert f"pg_dump --format=custom --file={tmp_path}/copy.dump 'postgresql://reader:***@db" in str(caught.value)


def chat(day: int, *messages: str, **fields: Any) -> Any:
    return make_exchange("default", minute=day * 1440, messages=list(messages), usage=gpt_usage(), **fields)


class TestPrune:
    def remove(self, gateway: Gateway, days: int | None = None, **options: Any) -> tuple[int, int]:
        age = None if days is None else datetime.now(UTC) - (START + timedelta(days=days))
        done = prune(gateway.settings, older_than=age, **options)
        assert done.is_clean
        return done.chats, done.exchanges

    def asked(self, gateway: Gateway) -> list[str]:
        found = gateway.get("v1_get_workspace_messages", workspace_name="default")
        assert found["total"] == len(found["data"])
        return [one["prompt"]["message"] for one in reversed(found["data"])]

    def test_whole_conversations_go_by_age(self, gateway: Gateway) -> None:
        one, two, three = ([make_alert("codegate-pii", trigger_string=f"{number}")] for number in range(3))
        gateway.record(chat(1, "a", alerts=one), chat(9, "a", "b", alerts=two), chat(2, "c", alerts=three))
        before = gateway.get("v1_get_workspace_token_usage", workspace_name="default")
        assert self.remove(gateway, 5, is_trial=True) == (1, 1)
        assert self.remove(gateway, 5) == (1, 1)
        assert self.asked(gateway) == ["a", "a"]
        assert gateway.get("v1_get_workspace_alerts_summary", workspace_name="default")["pii"] == 2
        assert len(gateway.get("v1_get_workspace_alerts", workspace_name="default")) == 2
        assert gateway.get("v1_get_workspace_token_usage", workspace_name="default") == before
        assert self.remove(gateway, 20) == (1, 2)
        assert self.asked(gateway) == []
        gateway.record(chat(30, "a", "b", "c"))
        assert self.asked(gateway) == ["a"]

    def test_newest_of_each_workspace_are_kept(self, gateway: Gateway) -> None:
        gateway.add_workspace("alpha")
        gateway.record(*(chat(day, f"m{day}") for day in range(5)), *(make_exchange(minute=day) for day in range(3)))
        assert self.remove(gateway, keep_last=2) == (4, 4)
        assert self.asked(gateway) == ["m3", "m4"]
        assert self.remove(gateway, keep_last=0, workspace="alpha") == (2, 2)
        assert self.asked(gateway) == ["m3", "m4"]

    def test_what_removed_conversations_waited_for_goes(
        self, gateway: Gateway, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(retention, "_MOST_AWAITED", 2)  # more than one transaction
        gateway.record(*(chat(0, "a", "b", f"c{number}", "d") for number in range(3)), chat(9, "a", "b", "e"))
        assert self.remove(gateway, 5) == (3, 3)
        with gateway.database.reading() as connection:
            left = connection.execute(
                select(awaited_messages.c.thread_id, prompts.c.id).outerjoin_from(
                    awaited_messages, prompts, prompts.c.id == awaited_messages.c.thread_id
                )
            ).all()
        assert len(left) == 2
        assert all(thread == prompt for thread, prompt in left)
        gateway.record(chat(8, "a", "b"))
        assert self.remove(gateway, 20) == (1, 2)  # it has joined the one that waited for it

    def test_conversation_that_goes_on_meanwhile_stays(self, gateway: Gateway) -> None:
        gateway.record(*(chat(0, f"m{number}") for number in range(30)))
        age = datetime.now(UTC) - (START + timedelta(days=5))

        def go_on(done: int, _total: int) -> None:
            if done < 30:
                gateway.record(chat(6, "m29", "more"))

        assert prune(gateway.settings, older_than=age, tell=go_on).exchanges == 29
        assert self.asked(gateway) == ["m29", "m29"]

    def test_text_is_in_no_file_afterwards(self, sqlite_gateway: Gateway) -> None:
        sqlite_gateway.record(chat(0, "corner-lantern-41"))
        self.remove(sqlite_gateway, keep_last=0)
        folder = sqlite_gateway.settings.data_dir
        assert [file.name for file in folder.iterdir() if b"corner-lantern-41" in file.read_bytes()] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["prune"], "Give --older-than, --keep-last or both"),
        (["prune", "--older-than", "3 days"], "is not an age such as 12h, 90d, 8w or 1y"),
        (["prune", "--keep-last", "1", "--workspace", "nobody"], "Workspace does not exist: nobody"),
        (["backup", "{folder}/here/copy"], "cannot be written: No such file"),
    ],
)
def test_commands_tell_what_is_wrong(tmp_path: Path, arguments: list[str], said: str) -> None:
    with run_gateway(replace(settings_for(tmp_path), database_url=f"sqlite:///{tmp_path}/gateway.sqlite")):
        pass
    given = [argument.format(folder=tmp_path) for argument in arguments]
    done = CliRunner().invoke(command, given, env={"GATEWAY_DATA_DIR": str(tmp_path)})
    assert done.exit_code == 2
    assert said in done.output


EVERY_COMMAND = (
    ["prune", "--keep-last", "1"],
    ["prune", "--keep-last", "1", "--dry-run"],
    ["vacuum"],
    ["export", "{folder}/all.jsonl"],
    ["export", "-"],
    ["backup", "{folder}/copy.sqlite"],
)


@pytest.mark.parametrize("arguments", EVERY_COMMAND, ids=" ".join)
def test_commands_make_no_database(tmp_path: Path, arguments: list[str]) -> None:
    given = [argument.format(folder=tmp_path) for argument in arguments]
    missing = tmp_path / "typo" / "gateway.sqlite"
    done = CliRunner().invoke(command, ["--database-url", f"sqlite:///{missing}", *given])
    assert (done.exit_code, list(tmp_path.iterdir())) == (2, [])
    assert f"There is no database {missing}; name the one that your server uses with --database-url" in done.output


@pytest.mark.parametrize("arguments", EVERY_COMMAND[:-1], ids=" ".join)
def test_commands_leave_databases_of_others_alone(tmp_path: Path, arguments: list[str]) -> None:
    given = [argument.format(folder=tmp_path) for argument in arguments]
    empty, foreign = tmp_path / "empty.sqlite", tmp_path / "foreign.sqlite"
    empty.touch()
    with closing(sqlite3.connect(foreign)) as connection:
        connection.execute("CREATE TABLE pots (glaze TEXT)")
    for file, said in ((empty, "is empty"), (foreign, "belongs to another program")):
        before = file.read_bytes()
        done = CliRunner().invoke(command, ["--database-url", f"sqlite:///{file}", *given])
        assert done.exit_code == 2
        assert f"The database {file} {said}; name the one" in done.output
        with closing(sqlite3.connect(file)) as connection:
            names = connection.execute("SELECT name FROM sqlite_master").fetchall()
        assert names == ([("pots",)] if before else [])


@pytest.mark.parametrize("arguments", [["follow", "-"], ["import", "-"]], ids=" ".join)
def test_recording_says_that_it_makes_a_database(tmp_path: Path, arguments: list[str]) -> None:
    file, lines = tmp_path / "new.sqlite", tmp_path / "none.jsonl"
    lines.touch()
    for said in (f"{file} is a new database.", ""):
        shell = [*COMMAND, "--database-url", f"sqlite:///{file}", *arguments]
        with lines.open("rb") as given:
            done = subprocess.run(shell, stdin=given, capture_output=True, text=True, check=True)
        assert ("is a new database" in done.stderr) == bool(said)
        assert said in done.stderr


@pytest.mark.parametrize("command_name", ["vacuum", "backup"])
def test_commands_refuse_other_databases(tmp_path: Path, command_name: str) -> None:
    given = [command_name, *([str(tmp_path / "copy")] if command_name == "backup" else [])]
    for url, said in (
        ("nonsense", "cannot be read"),
        ("mysql://db/pots", "names mysql; expected sqlite or postgresql"),
    ):
        done = CliRunner().invoke(command, ["--database-url", url, *given])
        assert (done.exit_code, said in done.output) == (2, True), done.output


def test_vacuum_gives_space_back_while_a_server_reads(own_gateway: Gateway) -> None:
    own_gateway.record(*(make_exchange("default", messages=["x" * 20_000]) for _ in range(200)))
    prune(own_gateway.settings, keep_last=0)
    sizes = vacuum(own_gateway.settings)
    if own_gateway.database.is_sqlite:
        assert sizes.after < sizes.before / 3
    with own_gateway.database.reading() as connection:
        assert connection.execute(select(prompts.c.id)).all() == []
    assert own_gateway.get("v1_list_workspaces")["workspaces"][0]["name"] == "default"


@pytest.mark.parametrize(
    "damage",
    [
        [b"[" * 100_000 + b"]" * 100_000],
        [json.dumps(["personas", [10**30, "p", "k", "d", "", 0]]).encode()],
        [b'"personas"'],
        [b"5"],
    ],
    ids=["deep", "huge number", "text", "number"],
)
def test_export_with_rows_of_another_form_is_damaged(tmp_path: Path, damage: list[bytes]) -> None:
    head = {"format": "octavo-gateway-export", "version": 1, "keys": None, "columns": {}}
    head["columns"] = {table.name: table.columns.keys() for table in TABLES}
    values: list[Any] = [10**30] * len(head["columns"]["mux_rules"])
    lines = [json.dumps(head).encode(), *damage, *[json.dumps(["mux_rules", values]).encode()] * 500]
    with pytest.raises(SetupError, match="The export is damaged; nothing was stored"):
        load_export(lines, settings_for(tmp_path))


@pytest.mark.parametrize("columns", [[], 5, "x"])
def test_export_with_a_head_of_another_form_is_damaged(tmp_path: Path, columns: Any) -> None:
    head = {"format": "octavo-gateway-export", "version": 1, "keys": None, "columns": columns}
    with pytest.raises(SetupError, match="The export is damaged"):
        load_export([json.dumps(head).encode()], settings_for(tmp_path))


def test_retention_by_more_than_there_is_removes_nothing(filled: Gateway) -> None:
    url = ["--database-url", filled.settings.database_url]
    for options in (["--older-than", "999999y"], ["--keep-last", str(2**62)]):
        done = CliRunner().invoke(command, [*url, "prune", *options])
        assert (done.exit_code, done.output) == (0, "Removed 0 conversations with 0 exchanges.\n"), done
    assert CliRunner().invoke(command, [*url, "prune", "--keep-last", str(2**64)]).exit_code == 2


def test_export_to_a_full_disk_says_so_and_leaves_nothing(filled: Gateway, tmp_path: Path) -> None:
    command_line = [*COMMAND, "--database-url", filled.settings.database_url, "export", str(tmp_path / "all.jsonl")]
    limited = ["sh", "-c", 'ulimit -f 2; exec "$@"', "sh", *command_line]
    done = subprocess.run(limited, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2, done.stderr
    assert f"{tmp_path / 'all.jsonl'} cannot be written: File too large" in done.stderr
    assert list(tmp_path.iterdir()) == []
