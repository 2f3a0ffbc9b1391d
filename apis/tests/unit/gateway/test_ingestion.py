"""Exchanges that programs send are stored once each, and what is wrong is named by its number."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select

from apis.tests.contract.gateway.exchanges import make_alert, make_exchange
from apis.tests.unit.gateway.databases import make_database
from gateway_api.errors import SetupError
from gateway_api.ingestion import Ingestion, RecordError, record_exchanges
from gateway_api.ingestion.storing import MOST_AT_ONCE, Recorded, missing_workspace, read_exchange
from gateway_api.settings import Settings
from gateway_api.store.workspaces import activate, archive, create
from gateway_api.tables import imports, prompts, workspaces


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return make_database(tmp_path)


@pytest.fixture
def ingestion(settings: Settings) -> Iterator[Ingestion]:
    with Ingestion(settings) as ingestion:
        yield ingestion


def stored(ingestion: Ingestion) -> list[tuple[str, str]]:
    query = select(workspaces.c.name, prompts.c.first_message).join(prompts, prompts.c.workspace_id == workspaces.c.id)
    with ingestion.database.reading() as connection:
        return [tuple(row) for row in connection.execute(query.order_by(prompts.c.id))]


def add_workspaces(ingestion: Ingestion) -> None:
    """Make two workspaces; the second one is active."""
    with ingestion.database.writing() as connection:
        for name in ("alpha", "beta"):
            create(connection, name)
        activate(connection, "beta")


def test_exchanges_are_stored_in_the_workspace_that_they_name(ingestion: Ingestion) -> None:
    add_workspaces(ingestion)
    given: list[Any] = [
        make_exchange("alpha", messages=["one"]),
        make_exchange(None, messages=["two"]).model_dump(mode="json"),
        make_exchange("default", messages=["three"]),
    ]
    assert ingestion.record(given) == Recorded(count=3)
    assert stored(ingestion) == [("alpha", "one"), ("beta", "two"), ("default", "three")]
    assert ingestion.record([]) == Recorded()


def test_exchange_with_a_known_id_of_any_part_is_repeated(ingestion: Ingestion) -> None:
    first, other, third = (make_exchange("default", alerts=[make_alert("codegate-pii")]) for _ in range(3))
    values = first.model_dump(mode="json")
    assert ingestion.record([values, values, other]) == Recorded(count=2, repeated=1)
    answer = third.model_dump(mode="json") | {"answer": values["answer"]}
    alert = third.model_dump(mode="json") | {"alerts": values["alerts"]}
    assert ingestion.record([other, answer, alert, third, third]) == Recorded(count=1, repeated=4)
    assert len(stored(ingestion)) == 3


def test_exchanges_without_ids_are_never_repeated(ingestion: Ingestion) -> None:
    values = {"type": "fim", "provider": None, "timestamp": "2025-05-01T10:00:00Z", "messages": ["Hello."]}
    assert ingestion.record([values, values]) == Recorded(count=2)


def test_exchanges_of_an_unknown_workspace_are_left_out_by_number(ingestion: Ingestion) -> None:
    add_workspaces(ingestion)
    with ingestion.database.writing() as connection:
        archive(connection, "alpha")
    known = make_exchange("default")
    given = [make_exchange("nobody"), known, make_exchange("alpha"), known, make_exchange("nobody")]
    assert ingestion.store(given) == Recorded(count=1, repeated=1, homeless=(0, 2, 4))
    assert missing_workspace(given[2]) == 'workspace "alpha" does not exist'


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"messages": []}, "messages: List should have at least 1 item after validation, not 0"),
        ({"answer": {"message": "m"}}, "answer.timestamp: Field required"),
        ({"workspace": "nobody"}, 'workspace "nobody" does not exist'),
    ],
)
@pytest.mark.parametrize("before", [0, 2, MOST_AT_ONCE - 1])
def test_wrong_exchange_is_named_by_its_number_and_nothing_is_stored(
    ingestion: Ingestion, change: dict[str, Any], reason: str, before: int
) -> None:
    good = [make_exchange("default") for _ in range(before)]
    bad = make_exchange("default").model_dump(mode="json") | change
    with pytest.raises(RecordError) as refused:
        ingestion.record([*good, bad, make_exchange("default")])
    assert (refused.value.place, refused.value.reason) == (before, reason)
    assert str(refused.value) == f"exchange {before}: {reason}"
    assert stored(ingestion) == []


@pytest.mark.costly
def test_many_exchanges_are_stored_in_parts(ingestion: Ingestion) -> None:
    """Whole parts before a wrong workspace are stored; they are known when all are sent again."""
    good = [make_exchange("default") for _ in range(2 * MOST_AT_ONCE + 1)]
    with pytest.raises(RecordError) as refused:
        ingestion.record([*good[: MOST_AT_ONCE + 3], make_exchange("nobody"), *good[MOST_AT_ONCE + 3 :]])
    assert refused.value.place == MOST_AT_ONCE + 3
    assert len(stored(ingestion)) == MOST_AT_ONCE
    assert ingestion.record(good) == Recorded(count=MOST_AT_ONCE + 1, repeated=MOST_AT_ONCE)
    assert len(stored(ingestion)) == len(good)


def test_note_is_written_in_the_same_transaction(ingestion: Ingestion) -> None:
    def fail(_: object) -> None:
        raise SetupError("no")

    with pytest.raises(SetupError):
        ingestion.store([make_exchange("default")], note=fail)
    assert stored(ingestion) == []
    ingestion.store(
        [make_exchange("default")],
        note=lambda connection: connection.execute(insert(imports).values(digest="d", recorded=3)),
    )
    with ingestion.database.reading() as connection:
        assert connection.scalar(select(imports.c.recorded)) == 3
    assert len(stored(ingestion)) == 1


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"[]", "Input should be an object"),
        (b"{", "Invalid JSON: EOF while parsing an object at line 1 column 1"),
        (b'{"type":"chat"}', "provider: Field required"),
    ],
)
def test_line_that_is_no_exchange_says_why(line: bytes, reason: str) -> None:
    with pytest.raises(RecordError) as refused:
        read_exchange(line)
    assert (refused.value.place, refused.value.reason) == (0, reason)


def test_function_reads_the_environment_as_the_server_does(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATEWAY_DATA_DIR", str(settings.data_dir))
    monkeypatch.delenv("GATEWAY_DATABASE_URL", raising=False)
    assert record_exchanges([make_exchange("default")]) == Recorded(count=1)
    with Ingestion(settings) as ingestion:
        assert len(stored(ingestion)) == 1


def test_connections_are_closed_at_the_end(settings: Settings) -> None:
    """The last connection that is closed takes SQLite's log with it."""
    log = settings.data_dir / "gateway.sqlite-wal"
    with Ingestion(settings) as ingestion:
        ingestion.record([make_exchange("default")])
        assert log.exists()
    assert not log.exists()
    (settings.data_dir / "gateway.sqlite").write_bytes(b"x" * 5_000)
    with pytest.raises(SetupError, match="The database cannot be used"):
        Ingestion(settings)
