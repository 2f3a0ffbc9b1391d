"""Another program is writing to the database: nothing but the changes waits for it."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tool_api import logs, store
from tool_api.app import create_app
from tool_api.settings import Settings
from tool_api.store import Negotiated, Store, StoredSessions

URL = "/api/v1beta/servers"
BODY = {"name": "demo", "image": "mcp/time"}
AGREED = Negotiated("2025-11-25")


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Write to the database for the length of a block, as a backup or a person at a prompt may."""
    other = sqlite3.connect(folder / "tool.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


@pytest.fixture
def api(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Settings(tmp_path, runtime="simulated", allowed_hosts=("testserver",)))) as client:
        yield client


def names(api: TestClient) -> list[str]:
    return [server["name"] for server in api.get(URL).json()["servers"]]


def test_reading_does_not_wait_and_changes_do(api: TestClient, tmp_path: Path) -> None:
    api.post(URL, json=BODY)
    with ThreadPoolExecutor() as pool:
        with locked(tmp_path):
            changes = [
                pool.submit(api.post, f"{URL}/demo/restart"),
                pool.submit(api.post, URL, json={**BODY, "name": "other"}),
            ]
            for _ in range(3):
                assert api.get("/health").status_code == 204
                assert api.get("/api/v1beta/discovery/clients").status_code == 200
                assert names(api) == ["demo"], "it is not stopped before that is written"
            assert not any(change.done() for change in changes)
        assert [change.result().status_code for change in changes] == [204, 201]
    assert names(api) == ["demo", "other"]


@pytest.mark.costly
def test_change_that_has_waited_for_too_long_is_refused_and_not_made(
    api: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.post(URL, json=BODY)
    monkeypatch.setattr(store, "BUSY_TIMEOUT_S", 0.05)
    with locked(tmp_path):
        for method, path in (
            ("POST", "/demo/stop"),
            ("POST", "/demo/restart"),
            ("DELETE", "/demo"),
            ("DELETE", "/demo?force=true"),
            ("POST", ""),
        ):
            answer = api.request(method, URL + path, json={**BODY, "name": "other"})
            assert answer.status_code == 503, path
            assert answer.headers["retry-after"] == "5"
            assert answer.text == "Another program is writing to the state folder; try again later"
            (server,) = api.get(URL).json()["servers"]
            assert (server["name"], server["state"]) == ("demo", "running")
            assert "not open" not in server["status"], path
    assert api.post(URL, json={**BODY, "name": "other"}).status_code == 201
    assert api.delete(f"{URL}/demo").status_code == 204
    assert names(api) == ["other"]


def test_database_that_cannot_be_read_either_is_answered_in_the_same_way(api: TestClient, tmp_path: Path) -> None:
    # Such a program has the database for itself; it can begin only when nobody else has it open.
    app: Any = api.app
    kept = app.state.tool.store
    connection: sqlite3.Connection = kept._servers
    error = sqlite3.OperationalError("database is locked")
    error.sqlite_errorcode = sqlite3.SQLITE_BUSY

    class Refusing:
        def execute(self, *_: object) -> None:
            raise error

        def close(self) -> None:
            connection.close()

    kept._servers = Refusing()
    answer = api.get(URL)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")


def ids_in(database: Path) -> list[str]:
    other = sqlite3.connect(database)
    try:
        return [name for (name,) in other.execute("SELECT id FROM sessions ORDER BY id")]
    finally:
        other.close()


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[StoredSessions]:
    kept = Store(tmp_path)
    kept._db.execute("INSERT INTO servers VALUES ('demo', '1', 1, 'kept', 'running', '', '', '{}')")
    yield kept.sessions_of("demo")
    kept.close()


class Watched:
    """A connection that says when it was refused, and when so many statements were carried out."""

    def __init__(self, connection: sqlite3.Connection, *, refusals: int, statements: int) -> None:
        self._connection = connection
        self._refusals, self._statements = refusals, statements
        self.is_refused, self.is_written = asyncio.Event(), asyncio.Event()

    def execute(self, *given: Any) -> sqlite3.Cursor:
        try:
            cursor = self._connection.execute(*given)
        except sqlite3.OperationalError:
            self._refusals -= 1
            if self._refusals <= 0:
                self.is_refused.set()
            raise
        self._statements -= 1
        if self._statements <= 0:
            self.is_written.set()
        return cursor


def test_sessions_are_written_later_in_their_order(
    sessions: StoredSessions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "SESSIONS_PAUSE_S", 0.01)

    async def work() -> None:
        sessions.save("a", AGREED)
        database: Any = Watched(sessions.database, refusals=3, statements=4)
        sessions.database = database
        with locked(tmp_path):
            sessions.save("b", AGREED)
            sessions.forget("a")
            sessions.save("c", AGREED)
            async with asyncio.timeout(30):
                await database.is_refused.wait()
            sessions.forget("c")
            assert ids_in(tmp_path / "tool.db") == ["a"]
        async with asyncio.timeout(30):
            await database.is_written.wait()
        assert ids_in(tmp_path / "tool.db") == ["b"]
        assert sessions.find("b") == AGREED

    asyncio.run(work())


def test_no_more_changes_wait_than_there_is_room_for(
    sessions: StoredSessions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MOST_WAITING", 2)
    lines: list[dict[str, Any]] = []
    logs.send_to(lambda line: lines.append(json.loads(line)))

    async def work() -> None:
        with locked(tmp_path):
            for name in "abc":
                sessions.save(name, AGREED)

    try:
        asyncio.run(work())
    finally:
        logs.send_to(logs.write_line)
    assert [line["event"] for line in lines] == ["sessions_not_kept"]
