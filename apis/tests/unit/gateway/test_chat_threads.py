"""Chats put together from requests: what continues what, in whatever order the requests come, and within which bounds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from apis.tests.contract.gateway.exchanges import make_exchange
from apis.tests.unit.gateway.databases import make_database
from gateway_api.database import Database
from gateway_api.prices import load_prices
from gateway_api.store.recording import Recorder, prepare
from gateway_api.store.threads import MOST_AWAITED
from gateway_api.store.workspaces import create, get_live
from gateway_api.tables import awaited_messages, prompts

SECOND = 1 / 60


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(make_database(tmp_path).database_url)
    yield database
    database.close()


def record(database: Database, *chats: tuple[str, float], workspace: str = "default") -> None:
    """Record requests in one transaction, each of messages of one letter, asked so many minutes after 10 o'clock."""
    with database.writing() as connection:
        recorder = Recorder(connection)
        live = get_live(connection, workspace)
        for messages, minute in chats:
            recorder.record(live.id, make_exchange(workspace, messages=list(messages), minute=minute))
        recorder.finish()


def threads(database: Database) -> list[list[int]]:
    """List the exchanges of each chat by their numbers, in the order of the recording."""
    with database.reading() as connection:
        rows = connection.execute(select(prompts.c.id, prompts.c.thread_id).order_by(prompts.c.id)).all()
    first = rows[0].id
    found: dict[int, list[int]] = {}
    for row in rows:
        found.setdefault(row.thread_id or row.id, []).append(row.id - first + 1)
    return sorted(found.values())


def count_awaited(database: Database) -> int:
    with database.reading() as connection:
        return connection.scalar(select(func.count()).select_from(awaited_messages)) or 0


@pytest.mark.parametrize("at_once", [True, False], ids=["one transaction", "one for each"])
@pytest.mark.parametrize(
    ("chats", "found"),
    [
        (["a", "ab", "abc"], [[1, 2, 3]]),
        (["abc", "ab", "a"], [[1, 2, 3]]),
        (["abc", "a", "ab"], [[1, 2, 3]]),
        (["a", "b", "ab", "bc"], [[1, 3], [2, 4]]),
        (["abc", "abd", "ab"], [[1, 2, 3]]),
        (["abc", "abd", "x", "xy", "a"], [[1, 2, 5], [3, 4]]),
        (["abc", "abd", "abde", "x", "xy", "ab", "a"], [[1, 2, 3, 6, 7], [4, 5]]),
        (["abc", "abcd", "axy", "axyz", "x", "xy", "a"], [[1, 2, 3, 4, 7], [5, 6]]),
        (["a", "a", "ab"], [[1], [2, 3]]),
        (["ab", "cb"], [[1], [2]]),
    ],
    ids=lambda value: "+".join(value) if isinstance(value[0], str) else "",
)
def test_request_continues_what_its_first_messages_are(
    database: Database, chats: list[str], found: list[list[int]], at_once: bool
) -> None:
    if at_once:
        record(database, *((chat, 0) for chat in chats))
    else:
        for chat in chats:
            record(database, (chat, 0))
    assert threads(database) == found


def test_chats_of_two_workspaces_are_apart(database: Database) -> None:
    with database.writing() as connection:
        create(connection, "other")
    record(database, ("a", 0))
    record(database, ("abc", 0), workspace="other")
    record(database, ("ab", 0))
    record(database, ("ab", 0), workspace="other")
    assert threads(database) == [[1, 3], [2, 4]]


@pytest.mark.parametrize(("late_us", "is_one"), [(0, True), (2_000_000, True), (2_000_001, False)])
def test_request_continues_none_that_was_asked_after_it(database: Database, late_us: int, is_one: bool) -> None:
    """Clocks of two programs may differ by two seconds."""
    minute = 5 + late_us / 1_000_000 * SECOND
    record(database, ("a", minute), ("ab", 5))
    record(database, ("xy", 5), ("x", minute))
    assert threads(database) == ([[1, 2], [3, 4]] if is_one else [[1], [2], [3], [4]])


def test_request_that_has_come_is_awaited_no_longer(database: Database) -> None:
    record(database, ("abc", 0), ("ab", 0))
    assert count_awaited(database) == 1
    record(database, ("abx", 0), ("a", 0))
    assert count_awaited(database) == 0
    record(database, ("a", 0))
    assert threads(database) == [[1, 2, 3, 4], [5]]


def test_longest_beginnings_of_a_request_are_awaited(database: Database) -> None:
    letters = "".join(chr(0x4E00 + number) for number in range(MOST_AWAITED + 2))
    record(database, (letters, 0))
    assert count_awaited(database) == MOST_AWAITED
    record(database, (letters[:1], 0))
    record(database, (letters[:2], 0))
    assert threads(database) == [[1, 2, 3]]
    record(database, (letters[::-1], 1))
    record(database, (letters[::-1][:1], 1))
    assert threads(database) == [[1, 2, 3], [4], [5]]


@pytest.mark.parametrize(
    ("provider", "type_", "question", "is_chat"),
    [
        ("openai", "chat", "b", True),
        ("copilot", "chat", "a\nb", True),
        ("copilot", "fim", "b", False),
        ("openai", "fim", "b", False),
    ],
)
def test_question_is_the_last_message_or_all_of_an_editor_extension(
    provider: str, type_: str, question: str, is_chat: bool
) -> None:
    made = prepare(make_exchange(provider=provider, type=type_, messages=["a", "b"]), load_prices())
    assert made.prompt[2:6] == (provider, type_, "a", question)
    assert bool(made.keys) is is_chat
    assert made.prompt[6] == (made.keys[-1] if is_chat else "")
