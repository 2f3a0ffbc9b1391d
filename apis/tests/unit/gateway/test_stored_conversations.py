"""Recorded conversations in the database: listed, counted and removed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Row, func, select, update

from gateway_api.database import Database
from gateway_api.demo.generate import generate
from gateway_api.maintenance import prune, retention
from gateway_api.migrations import migrate
from gateway_api.models.records import AlertTriggerType
from gateway_api.settings import Settings, load_settings
from gateway_api.store.recording import Recorder
from gateway_api.store.records import list_messages
from gateway_api.store.workspaces import get_live
from gateway_api.tables import prompts

COUNT = 12
NOW = datetime.now(UTC)
EXCHANGES = [
    one.model_copy(update={"messages": [f"Question {number}"]})  # so that none continues another
    for number, one in enumerate(generate(NOW))
    if one.workspace == "default"
]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(data_dir=tmp_path)


@pytest.fixture
def database(settings: Settings) -> Iterator[Database]:
    database = Database(settings.database_url)
    migrate(database)
    with database.writing() as connection:
        recorder = Recorder(connection)
        workspace = get_live(connection, "default").id
        for exchange in EXCHANGES:
            recorder.record(workspace, exchange)
        recorder.finish()
    yield database
    database.close()


def listed(connection: Connection, page: int = 1, page_size: int = 5, **filters: Any) -> tuple[int, list[str]]:
    found = list_messages(
        connection,
        get_live(connection, "default"),
        page=page,
        page_size=page_size,
        **{"ids": None, "trigger_types": None} | filters,
    )
    return found["total"], [one["chat_id"] for one in found["data"]]


def test_pages_and_totals_of_a_list_obey_its_filters(database: Database) -> None:
    newest_first = [str(one.id) for one in reversed(EXCHANGES)]
    assert len(newest_first) == COUNT
    with database.reading() as connection:
        assert listed(connection) == (COUNT, newest_first[:5])
        assert listed(connection, page=3) == (COUNT, newest_first[10:])
        assert listed(connection, page=4) == (COUNT, [])
        some = [newest_first[7], newest_first[2], "no id", newest_first[2]]
        assert listed(connection, ids=some) == (2, [newest_first[2], newest_first[7]])
        kind = AlertTriggerType(EXCHANGES[0].alerts[0].trigger_type)
        having = [
            str(one.id) for one in reversed(EXCHANGES) if any(kind.value == alert.trigger_type for alert in one.alerts)
        ]
        assert 0 < len(having) < COUNT
        assert listed(connection, trigger_types=[kind], page_size=COUNT) == (len(having), having)
        assert listed(connection, trigger_types=[kind], ids=having[:1]) == (1, having[:1])


def counted(connection: Connection) -> Row[Any]:
    return get_live(connection, "default")


@pytest.mark.parametrize("is_trial", [True, False])
def test_old_conversations_are_counted_and_removed(database: Database, settings: Settings, *, is_trial: bool) -> None:
    told: list[tuple[int, int]] = []
    pruned = prune(settings, keep_last=4, is_trial=is_trial, tell=lambda *done: told.append(done))
    assert (pruned.chats, pruned.exchanges) == (COUNT - 4, COUNT - 4)
    with database.reading() as connection:
        left = COUNT if is_trial else 4
        assert listed(connection, page_size=COUNT) == (left, [str(one.id) for one in reversed(EXCHANGES)][:left])
        assert counted(connection).prompt_count == left
        assert counted(connection).total_alerts == sum(len(one.alerts) for one in EXCHANGES[-left:])
    assert told == ([] if is_trial else [(COUNT - 4, COUNT - 4)])
    assert prune(settings, keep_last=COUNT, is_trial=is_trial).chats == 0


def test_conversation_that_goes_on_while_others_are_removed_stays(database: Database) -> None:
    """Which conversations are old is found out first; one may have a further exchange by the time that it would go."""
    with database.reading() as connection:
        wanted = retention.find_old(connection, older_than=None, keep_last=0, workspace=None)
    assert len(wanted) == COUNT
    oldest, *others = wanted
    with database.writing() as connection:
        row = connection.execute(select(prompts.c.id).where(prompts.c.asked_at == oldest.newest_us)).scalar_one()
        connection.execute(
            update(prompts).where(prompts.c.id == row).values(asked_at=int(NOW.timestamp() * 1_000_000) + 1)
        )
    done = retention._remove_all(database, wanted, lambda *_: None)
    assert (done.chats, done.exchanges) == (len(others), len(others))
    with database.reading() as connection:
        assert connection.scalar(select(func.count()).select_from(prompts)) == 1
        assert counted(connection).prompt_count == 1
    nothing = retention._remove_all(database, [oldest], lambda *_: None)
    assert (nothing.chats, nothing.exchanges) == (0, 0)


def test_age_is_that_of_the_newest_exchange(database: Database, settings: Settings) -> None:
    ages = [NOW - one.timestamp for one in EXCHANGES]
    # In the middle of the longest pause, for time goes on while the test runs.
    older, newer = max(pairwise(ages), key=lambda pair: pair[0] - pair[1])
    expected = sum(age >= older for age in ages)
    assert 0 < expected < COUNT
    assert prune(settings, older_than=(older + newer) / 2, is_trial=True).chats == expected
