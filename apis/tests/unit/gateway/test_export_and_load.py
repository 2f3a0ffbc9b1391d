"""An export has everything and says so at both of its ends; loading it is all or nothing."""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, update

from apis.tests.contract.gateway.exchanges import make_exchange
from apis.tests.unit.gateway.databases import make_database
from gateway_api.database import Database
from gateway_api.demo.load import load_demo
from gateway_api.errors import SetupError
from gateway_api.maintenance import export, loading
from gateway_api.maintenance.export import TABLES, Exported, export_all, private_file
from gateway_api.maintenance.loading import Loaded, has_keys, is_export, load_export
from gateway_api.sealing import load_seal
from gateway_api.settings import Settings, load_settings
from gateway_api.store.recording import Recorder
from gateway_api.store.workspaces import archive, create, delete_for_good, get_live, set_instructions
from gateway_api.tables import active_workspace, metadata, providers, workspaces

PASSPHRASE = "corner-lantern-41"
KEY = "sk-kiln-glaze"
GONE = "text of a workspace that was deleted"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The demo, two API keys, instructions in the first workspace, and a workspace that is on its way out."""
    settings = make_database(tmp_path_factory.mktemp("filled"))
    database = Database(settings.database_url)
    load_demo(database, now=datetime.now(UTC) - timedelta(days=1))
    seal = load_seal(settings.key_file, database)
    with database.writing() as connection:
        rows = connection.execute(select(providers.c.id, providers.c.public_id).order_by(providers.c.id)).all()
        for number, row in enumerate(rows[:2]):
            sealed = seal.close(f"{KEY}-{number}", owner=row.public_id)
            connection.execute(update(providers).where(providers.c.id == row.id).values(sealed_key=sealed))
        set_instructions(connection, get_live(connection, "default").id, "Use the words of the house.")
        set_instructions(connection, create(connection, "leaving"), GONE)
        recorder = Recorder(connection)  # the second message alone would continue this
        recorder.record(get_live(connection, "default").id, make_exchange("default", messages=["one", "two", "three"]))
        recorder.record(get_live(connection, "leaving").id, make_exchange("leaving", messages=[GONE, "two", "three"]))
        recorder.finish()
        archive(connection, "leaving")
        delete_for_good(connection, "leaving")
    database.close()
    return settings


@pytest.fixture(scope="module")
def keyed(filled: Settings) -> tuple[list[bytes], Exported]:
    """An export with keys; a passphrase takes a good part of a second to become a key."""
    return exported(filled, PASSPHRASE)


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A database that nothing is ever stored in."""
    return load_settings(data_dir=tmp_path_factory.mktemp("untouched"), environment={})


@pytest.fixture
def empty(tmp_path: Path) -> Settings:
    return load_settings(data_dir=tmp_path / "empty", environment={})


def exported(settings: Settings, passphrase: str | None = None) -> tuple[list[bytes], Exported]:
    file = io.BytesIO()
    done = export_all(settings, file, passphrase)
    return file.getvalue().splitlines(keepends=True), done


def rows_of(settings: Settings) -> dict[str, list[tuple[Any, ...]]]:
    """Read all exported tables; keys are encrypted anew, and a workspace that was deleted stays behind with its records."""
    database = Database(settings.database_url)
    with database.reading() as connection:
        gone = set(connection.scalars(select(workspaces.c.id).where(workspaces.c.deleted_at.is_not(None))))
        found = {
            table.name: [
                tuple(value for name, value in row._mapping.items() if name != "sealed_key")
                for row in connection.execute(select(table).order_by(*table.primary_key.columns))
                if row._mapping.get("workspace_id") not in gone and not row._mapping.get("deleted_at")
            ]
            for table in TABLES
        }
    database.close()
    return found


def keys_of(settings: Settings) -> dict[str, str]:
    database = Database(settings.database_url)
    seal = load_seal(settings.key_file, database)
    with database.reading() as connection:
        rows = connection.execute(select(providers).where(providers.c.sealed_key.is_not(None))).all()
    database.close()
    return {row.name: seal.open(row.sealed_key, owner=row.public_id) for row in rows}


def test_every_table_is_exported_or_belongs_to_one_machine_or_moment() -> None:
    left_out = {"former_names", "imports", "followed_files", "gateway_facts"}
    assert {table.name for table in TABLES} == set(metadata.tables) - left_out


@pytest.mark.costly
def test_everything_comes_back(filled: Settings, keyed: tuple[list[bytes], Exported], empty: Settings) -> None:
    lines, done = keyed
    before = rows_of(filled)
    count = sum(map(len, before.values()))
    assert all(before.values()), "each table has a row to lose"
    assert done == Exported(rows=count, keys=2, left_out=0)
    assert load_export(lines, empty, PASSPHRASE) == Loaded(rows=count, keys=2)
    assert rows_of(empty) == before
    assert keys_of(empty) == keys_of(filled)
    assert sorted(keys_of(empty).values()) == [f"{KEY}-0", f"{KEY}-1"]
    text = b"".join(lines).decode()
    assert KEY not in text
    assert GONE not in text


def test_connections_are_closed_at_the_end(filled: Settings, empty: Settings) -> None:
    """The last connection that is closed takes SQLite's log with it."""
    lines, _ = exported(filled)
    load_export(lines, empty)
    with pytest.raises(SetupError):
        load_export(lines, empty)
    for settings in (filled, empty):
        assert not (settings.data_dir / "gateway.sqlite-wal").exists()


def test_new_rows_follow_those_that_were_loaded(filled: Settings, empty: Settings) -> None:
    lines, _ = exported(filled)
    load_export(lines, empty)
    database = Database(empty.database_url)
    with database.writing() as connection:
        highest = connection.scalar(select(func.max(workspaces.c.id)))
        assert create(connection, "next") > (highest or 0)
        assert connection.execute(select(active_workspace)).one().slot == 1
    database.close()


def test_keys_stay_behind_without_a_passphrase(filled: Settings, empty: Settings) -> None:
    lines, done = exported(filled)
    assert (done.keys, done.left_out) == (0, 2)
    assert not has_keys(lines[0])
    assert load_export(lines, empty).keys == 0
    assert keys_of(empty) == {}


def test_head_and_end_say_what_is_between(filled: Settings) -> None:
    lines, done = exported(filled)
    head, end = json.loads(lines[0]), json.loads(lines[-1])
    created = datetime.fromisoformat(head.pop("created"))
    assert created.utcoffset() == timedelta(0)
    assert created.microsecond == 0
    assert head == {
        "format": "octavo-gateway-export",
        "version": 1,
        "keys": None,
        "columns": {table.name: list(table.columns.keys()) for table in TABLES},
    }
    assert list(end["rows"]) == [table.name for table in TABLES]
    assert sum(end["rows"].values()) == done.rows == len(lines) - 2
    assert end["sha256"] == hashlib.sha256(b"".join(lines[:-1])).hexdigest()
    assert [json.loads(line)[0] for line in lines[1:-1]] == [
        name for name, count in end["rows"].items() for _ in range(count)
    ]


def test_export_is_told_from_records_by_its_first_line(keyed: tuple[list[bytes], Exported]) -> None:
    lines, _ = keyed
    assert is_export(lines[0])
    assert is_export(b"\xef\xbb\xbf" + lines[0])
    assert not is_export(lines[1])
    assert not is_export(b'{"workspace":"default"}\n')
    assert has_keys(lines[0])
    for damaged in (b"", b"[]", b"{", b"\xff", b"[" * 100_000):
        assert not has_keys(damaged)


def test_progress_is_told_by_the_thousand_and_by_the_500(
    filled: Settings, empty: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "_TOLD_ROWS", 100)
    monkeypatch.setattr(loading, "_AT_ONCE", 50)
    written: list[int] = []
    file = io.BytesIO()
    done = export_all(filled, file, tell=written.append)
    assert written == list(range(100, done.rows + 1, 100))
    stored: list[int] = []
    load_export(file.getvalue().splitlines(keepends=True), empty, tell=stored.append)
    assert stored == sorted(set(stored))
    assert len(stored) > 3
    assert 50 <= stored[0] < stored[-1] <= done.rows
    assert rows_of(empty) == rows_of(filled)


def test_database_that_has_been_used_is_left_alone(filled: Settings, empty: Settings) -> None:
    lines, _ = exported(filled)
    load_export(lines, empty)
    before = rows_of(empty)
    with pytest.raises(SetupError, match="has been used; an export is loaded into a new one only"):
        load_export(lines, empty)
    assert rows_of(empty) == before


def changed_head(lines: list[bytes], **fields: Any) -> list[bytes]:
    head = json.loads(lines[0]) | fields
    return [json.dumps(head, separators=(",", ":")).encode() + b"\n", *lines[1:]]


def with_endpoint(lines: list[bytes], endpoint: str) -> list[bytes]:
    """Send the first key to somebody else."""
    columns = json.loads(lines[0])["columns"]["providers"]
    found = list(lines)
    for number, line in enumerate(lines[1:-1], 1):
        name, values = json.loads(line)
        if name == "providers" and values[columns.index("sealed_key")]:
            values[columns.index("endpoint")] = endpoint
            found[number] = json.dumps([name, values]).encode() + b"\n"
            return found
    raise AssertionError("no key is exported")


DAMAGES: dict[str, tuple[Callable[[list[bytes]], list[bytes]], str]] = {
    "no end": (lambda lines: lines[:-1], "The export is cut off: its last line is missing."),
    "nothing": (lambda _: [], "The export is cut off: its last line is missing."),
    "after the end": (lambda lines: [*lines, lines[1]], "The export is damaged: something comes after its end."),
    "two ends": (lambda lines: [*lines, lines[-1]], "The export is damaged: something comes after its end."),
    "a row less": (
        lambda lines: [*lines[:-2], lines[-1]],
        "The export is damaged: it has changed since it was written.",
    ),
    "other sum": (
        lambda lines: [*lines[:-1], lines[-1].replace(b'"sha256":"', b'"sha256":"0')],
        "The export is damaged: it has changed since it was written.",
    ),
    "other counts": (
        lambda lines: [*lines[:-1], re.sub(rb'"workspaces":\d+', b'"workspaces":1', lines[-1])],
        "The export is damaged: it has changed since it was written.",
    ),
    "newer version": (
        lambda lines: changed_head(lines, version=2),
        "The export has version 2; this release reads version 1.",
    ),
    "newer table": (
        lambda lines: changed_head(lines, columns=json.loads(lines[0])["columns"] | {"spells": ["id"]}),
        "A newer release has written the export (spells); update this.",
    ),
    "newer columns": (
        lambda lines: changed_head(
            lines,
            columns=json.loads(lines[0])["columns"] | {"personas": ["id", "wand", "cape"]},
        ),
        "A newer release has written the export (cape, wand); update this.",
    ),
    "another endpoint": (
        lambda lines: with_endpoint(lines, "http://attacker.example"),
        'The key of the provider "openai-main" was not written for its endpoint.',
    ),
    "keys without a head": (
        lambda lines: changed_head(lines, keys=None),
        "The export is damaged: it has a key, and its header says that it has none.",
    ),
    "unknown table": (
        lambda lines: [lines[0], b'["spells",[1]]\n', *lines[1:]],
        "The export is damaged; nothing was stored (KeyError).",
    ),
    "short row": (
        lambda lines: [lines[0], b'["prompts",[1]]\n', *lines[1:]],
        "The export is damaged; nothing was stored (ValueError).",
    ),
}


@pytest.mark.costly
@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_export_is_refused_and_nothing_is_stored(
    filled: Settings, keyed: tuple[list[bytes], Exported], untouched: Settings, damage: str
) -> None:
    change, said, has_secret = (*DAMAGES[damage], "key" in DAMAGES[damage][1])
    lines, _ = keyed if has_secret else exported(filled)
    with pytest.raises(SetupError) as refused:
        load_export(change(lines), untouched, PASSPHRASE if has_secret else None)
    assert refused.value.message == said
    stored = {name: len(rows) for name, rows in rows_of(untouched).items() if rows}
    assert stored == {"workspaces": 1, "active_workspace": 1}


def test_older_export_leaves_new_columns_to_their_defaults(filled: Settings, empty: Settings) -> None:
    """A release that did not count tokens without a price has written no column for them."""
    lines, _ = exported(filled)
    head = json.loads(lines[0])
    place = head["columns"]["usage_totals"].index("unpriced_tokens")
    del head["columns"]["usage_totals"][place]
    older = [json.dumps(head).encode() + b"\n"]
    for line in lines[1:-1]:
        name, values = json.loads(line)
        if name == "usage_totals":
            del values[place]
        older.append(json.dumps([name, values]).encode() + b"\n")
    end = json.loads(lines[-1]) | {"sha256": hashlib.sha256(b"".join(older)).hexdigest()}
    load_export([*older, json.dumps(end).encode()], empty)
    totals, before = rows_of(empty)["usage_totals"], rows_of(filled)["usage_totals"]
    assert [row[:place] for row in totals] == [row[:place] for row in before]
    assert {row[place] for row in totals} == {0}


@pytest.mark.costly
def test_keys_need_the_passphrase(keyed: tuple[list[bytes], Exported], untouched: Settings) -> None:
    lines, _ = keyed
    with pytest.raises(SetupError, match="has API keys; give the passphrase that it was written with"):
        load_export(lines, untouched)
    with pytest.raises(SetupError, match="not the one that the export was written with"):
        load_export(lines, untouched, "another-passphrase")


def test_file_of_an_export_is_its_owners_and_replaces_none(tmp_path: Path) -> None:
    target = tmp_path / "all.jsonl"
    with private_file(target) as file:
        file.write(b"x")
    assert target.stat().st_mode & 0o777 == 0o600
    with pytest.raises(SetupError) as refused:
        private_file(target)
    assert refused.value.message == f"{target} exists already; name another file."
    assert target.read_bytes() == b"x"
    with pytest.raises(SetupError) as refused:
        private_file(tmp_path / "missing" / "all.jsonl")
    assert refused.value.message == f"{tmp_path}/missing/all.jsonl cannot be written: No such file or directory."
