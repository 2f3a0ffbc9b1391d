"""A file of records is checked whole, each wrong line is named, and then it is stored once, whatever interrupts it."""

from __future__ import annotations

import gc
import io
import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select

from apis.tests.contract.gateway.exchanges import gpt_usage, make_alert, make_exchange
from apis.tests.unit.gateway.databases import make_database
from gateway_api.database import Database
from gateway_api.errors import SetupError
from gateway_api.importing import checking, examining, import_file, import_lines, lines, read_lines
from gateway_api.settings import Settings, load_settings
from gateway_api.storage_errors import StorageError, Trouble
from gateway_api.store.workspaces import activate, archive, create, delete_for_good
from gateway_api.tables import alerts, imports, prompts, workspaces

HEAD = "Nothing was imported; these lines are wrong:"
REPEATED = "has an id that is recorded already"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return make_database(tmp_path)


@pytest.fixture
def database(settings: Settings) -> Iterator[Database]:
    database = Database(settings.database_url)
    yield database
    database.close()


def line(**changes: Any) -> bytes:
    values = make_exchange("default", alerts=[make_alert("codegate-pii")], usage=gpt_usage()).model_dump(mode="json")
    return json.dumps(values | changes).encode() + b"\n"


def anonymous(**changes: Any) -> bytes:
    """A line without ids, which may come any number of times."""
    values = {"type": "chat", "provider": None, "timestamp": "2025-05-01T10:00:00Z", "messages": ["Hello."]}
    return json.dumps(values | changes).encode() + b"\n"


def refusal(given: list[bytes], settings: Settings) -> list[str]:
    with pytest.raises(SetupError) as refused:
        import_lines(given, settings)
    return refused.value.message.splitlines()


def stored(database: Database) -> list[tuple[str, str]]:
    """Workspace and first message of all exchanges, in the order in which they were stored."""
    query = select(workspaces.c.name, prompts.c.first_message).join(prompts, prompts.c.workspace_id == workspaces.c.id)
    with database.reading() as connection:
        return [tuple(row) for row in connection.execute(query.order_by(prompts.c.id))]


def unfinished(database: Database) -> list[int]:
    with database.reading() as connection:
        return list(connection.scalars(select(imports.c.recorded)))


def test_lines_are_stored_in_their_order_in_the_workspace_that_they_name(
    settings: Settings, database: Database
) -> None:
    with database.writing() as connection:
        for name in ("alpha", "beta"):
            create(connection, name)
        activate(connection, "beta")
    given = [
        b"\xef\xbb\xbf" + line(messages=["one"], workspace="alpha"),
        b"\r\n",
        line(messages=["two"], workspace=None).replace(b"\n", b"\r\n"),
        b"  \n",
        line(messages=["three"]).strip(),
    ]
    told: list[tuple[str, int]] = []
    done = import_lines(given, settings, lambda event, count: told.append((event, count)))
    assert (done.count, done.repeated) == (3, 0)
    assert told == [("checked", 3), ("stored", 3)]
    assert stored(database) == [("alpha", "one"), ("beta", "two"), ("default", "three")]
    assert unfinished(database) == []


def test_new_database_is_made_and_closed_at_the_end(tmp_path: Path) -> None:
    settings = load_settings(data_dir=tmp_path / "new", environment={})
    assert import_lines([anonymous()], settings).count == 1
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["gateway.sqlite", "gateway.sqlite-turn"]
    database = Database(settings.database_url)
    assert stored(database) == [("default", "Hello.")]
    database.close()
    with pytest.raises(SetupError):
        import_lines([b"{"], settings)
    assert not (tmp_path / "new" / "gateway.sqlite-wal").exists()


def test_file_without_records_stores_nothing(settings: Settings, database: Database, tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_bytes(b"\n\n")
    assert import_file(file, settings) == 0
    file.write_bytes(b"")
    assert import_file(file, settings) == 0
    assert stored(database) == []


@pytest.mark.parametrize(
    ("start", "said"),
    [
        (b"\xff\xfe{\0", "UTF-16 text; write it in UTF-8 (in PowerShell: -Encoding utf8)"),
        (b"{\0", "UTF-16 text; write it in UTF-8 (in PowerShell: -Encoding utf8)"),
        (b"\x1f\x8b\x08", "compressed; unpack it to lines of text in UTF-8 first"),
        (b"SQLite format 3\0", "a database of SQLite; lines of text in UTF-8 are read here"),
    ],
)
def test_file_of_another_format_is_named_by_its_first_bytes(settings: Settings, start: bytes, said: str) -> None:
    assert refusal([start, line()], settings) == [f"The file is {said}."]
    later = refusal([line(), start + b"\n"], settings)
    assert later[0] == HEAD
    assert later[1].startswith("line 2: Invalid JSON")


def test_all_that_is_wrong_is_named_in_the_order_of_the_lines(settings: Settings, database: Database) -> None:
    twice = line()
    with database.writing() as connection:
        create(connection, "put-away")
        archive(connection, "put-away")
    given = [
        line(workspace="nobody"),
        b"{\n",
        twice,
        line(colour="red"),
        b"[]\n",
        twice,
        line(workspace="put-away"),
        line(messages=[]),
        line(workspace="nobody"),
    ]
    assert refusal(given, settings) == [
        HEAD,
        'line 1: workspace "nobody" does not exist',
        "line 2: Invalid JSON: EOF while parsing an object at line 1 column 1",
        "line 4: colour: Extra inputs are not permitted",
        "line 5: Input should be an object",
        f"line 6: {REPEATED}",
        'line 7: workspace "put-away" does not exist',
        "line 8: messages: List should have at least 1 item after validation, not 0",
        'line 9: workspace "nobody" does not exist',
    ]
    assert stored(database) == []


@pytest.mark.parametrize(
    ("count", "more"), [(19, None), (20, None), (21, 1), (39, 19), (40, 20), (41, 21), (2_500, 2_480)]
)
def test_long_lists_of_wrong_lines_are_counted(settings: Settings, count: int, more: int | None) -> None:
    said = refusal([line(), *[b"{\n"] * count], settings)
    listed = [
        f"line {number + 2}: Invalid JSON: EOF while parsing an object at line 1 column 1" for number in range(count)
    ]
    assert said == [HEAD, *listed[:20], *([f"… and {more} more."] if more else [])]


def test_line_that_is_too_long_is_named_and_not_read_whole(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examining, "MOST_LINE_BYTES", 600)
    monkeypatch.setattr(lines, "MOST_LINE_BYTES", 600)
    monkeypatch.setattr(lines, "_PIECE_BYTES", 100)
    short = anonymous()
    right = anonymous(messages=["x" * (600 - len(short) + len("Hello."))])  # with its line break, so a byte is left
    longest = right.replace(b"x", b"xx", 1)
    too_long = longest.replace(b"x", b"xx", 1)
    endless = b"y" * 5_000
    file = io.BytesIO(right + longest + too_long + endless + b"\n" + short + endless)
    given = list(read_lines(file))
    assert [len(one) for one in given] == [600, 601, 602, 602, len(short), 602]
    assert refusal(given, settings) == [
        HEAD,
        *(f"line {number}: is longer than 600 bytes" for number in (3, 4, 6)),
    ]


@pytest.mark.parametrize("few", [0, 50_000])
@pytest.mark.parametrize("part", ["exchange", "answer", "alert"])
def test_each_id_is_recorded_once(
    settings: Settings, database: Database, monkeypatch: pytest.MonkeyPatch, few: int, part: str
) -> None:
    """Whether all recorded ids are read at once, or each is looked up."""
    monkeypatch.setattr(checking, "FEW", few)
    id_ = str(uuid.uuid4())
    at = {"message": "m", "timestamp": "2025-05-01T10:00:00Z", "id": id_}
    changes: dict[str, Any] = {
        "exchange": {"id": id_},
        "answer": {"answer": at},
        "alert": {"alerts": [make_alert("codegate-pii", id=id_)]},
    }[part]
    first = line(**changes)
    assert import_lines([line(), first, line()], settings).count == 3
    other = {"id": id_} if part != "exchange" else {"answer": at}
    assert refusal([line(), first, line(), line(**other)], settings) == [
        HEAD,
        f"line 2: {REPEATED}",
        f"line 4: {REPEATED}",
    ]
    assert len(stored(database)) == 3


def test_ids_of_one_file_are_compared_across_blocks(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "BLOCK_LINES", 3)
    monkeypatch.setattr(examining, "BLOCK_LINES", 3)
    one, two = line(), line()
    given = [one, line(), line(), line(), one, two, line(), two, one, line()]
    assert refusal(given, settings) == [HEAD, *(f"line {number}: {REPEATED}" for number in (5, 8, 9))]


class KilledError(Exception):
    """The process ends here."""


def interrupted(given: list[bytes], settings: Settings, after: int = 1) -> None:
    def stop(event: str, _count: int) -> None:
        nonlocal after
        after -= event == "stored"
        if not after:
            raise KilledError

    with pytest.raises(KilledError):
        import_lines(given, settings, stop)


@pytest.mark.costly
def test_interrupted_import_goes_on_where_it_stopped(settings: Settings, database: Database) -> None:
    given = [
        line(messages=[f"{number}"]) if number % 2 else anonymous(messages=[f"{number}"]) for number in range(3_000)
    ]
    interrupted(given, settings)
    (recorded,) = unfinished(database)
    assert recorded == len(stored(database))
    assert 0 < recorded < 3_000
    other = refusal([*given, line()], settings)  # another file is not a continuation
    assert other[:2] == [HEAD, f"line 2: {REPEATED}"]
    told: list[tuple[str, int]] = []
    done = import_lines(given, settings, lambda event, count: told.append((event, count)))
    assert (done.count, done.repeated) == (3_000, 0)
    assert [message for _, message in stored(database)] == [f"{number}" for number in range(3_000)]
    assert unfinished(database) == []
    assert [count for event, count in told if event == "checked"] == [1_000, 2_000, 3_000]
    progress = [count for event, count in told if event == "stored"]
    assert progress == sorted(progress)
    assert (progress[0] > recorded, progress[-1]) == (True, 3_000)


def test_interrupted_import_begins_anew_in_a_workspace_that_was_made_anew(
    settings: Settings, database: Database
) -> None:
    with database.writing() as connection:
        create(connection, "alpha")
    given = [anonymous(workspace="alpha") for _ in range(600)]
    interrupted(given, settings)
    with database.writing() as connection:
        archive(connection, "alpha")
        delete_for_good(connection, "alpha")
        create(connection, "alpha")
    import_lines(given, settings)
    assert stored(database).count(("alpha", "Hello.")) == 600


@pytest.mark.costly
def test_records_that_somebody_else_stores_meanwhile_are_stored_once(settings: Settings, database: Database) -> None:
    given = [line(messages=[f"{number}"]) for number in range(1_200)]
    ids = [json.loads(one)["id"] for one in given]

    def record_some(event: str, count: int) -> None:
        if (event, count) == ("checked", len(given)):
            with database.writing() as connection:
                for number in (0, 700, 1_199):
                    values = {"public_id": ids[number], "workspace_id": 1, "asked_at": 1, "kind": "chat"}
                    texts = {"first_message": "theirs", "last_message": "theirs", "thread_key": f"{number}"}
                    connection.execute(insert(prompts).values(values | texts))

    done = import_lines(given, settings, record_some)
    assert (done.count, done.repeated) == (1_200, 3)
    assert len(stored(database)) == 1_200
    assert [message for _, message in stored(database)].count("theirs") == 3


def test_workspace_that_is_deleted_meanwhile_ends_the_import(settings: Settings, database: Database) -> None:
    with database.writing() as connection:
        row_id = create(connection, "alpha")

    def remove(event: str, _: int) -> None:
        if event == "checked":
            with database.writing() as connection:
                connection.execute(workspaces.delete().where(workspaces.c.id == row_id))

    with pytest.raises(SetupError) as refused:
        import_lines([line(workspace="alpha")], settings, remove)
    assert refused.value.message == "A workspace of the file was deleted meanwhile; the rest was not imported."
    assert stored(database) == []


@pytest.mark.costly
def test_failure_of_the_storage_says_how_far_the_import_has_come(settings: Settings, database: Database) -> None:
    given = [anonymous() for _ in range(3_000)]

    def lose_the_database(event: str, _: int) -> None:
        if event == "stored":
            (settings.data_dir / "gateway.sqlite").rename(settings.data_dir / "gone.sqlite")

    with pytest.raises(SetupError) as refused:
        import_lines(given, settings, lose_the_database)
    (settings.data_dir / "gone.sqlite").rename(settings.data_dir / "gateway.sqlite")
    (recorded,) = unfinished(database)
    cause = StorageError(Trouble.MISSING, database.place).cause
    assert refused.value.message == (
        f"The import stopped after {recorded:,} of 3,000 conversations: {cause[0].lower()}{cause[1:]}. "
        "The same command with the same file continues there."
    )


def test_search_for_cycles_is_off_during_an_import_only(settings: Settings) -> None:
    seen: list[bool] = []
    assert gc.isenabled()
    import_lines([anonymous()], settings, lambda *_: seen.append(gc.isenabled()))
    assert gc.isenabled()
    gc.disable()
    try:
        import_lines([anonymous()], settings)
        assert not gc.isenabled()
    finally:
        gc.enable()
    assert seen == [False, False]


def test_alerts_are_stored_with_their_exchange(settings: Settings, database: Database) -> None:
    import_lines([anonymous(), line(alerts=[make_alert("codegate-pii"), make_alert("codegate-secrets")])], settings)
    with database.reading() as connection:
        rows = connection.execute(select(alerts.c.prompt_id, alerts.c.trigger_type).order_by(alerts.c.id)).all()
    assert [tuple(row) for row in rows] == [(2, "codegate-pii"), (2, "codegate-secrets")]
