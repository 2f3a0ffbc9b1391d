"""A state folder that cannot be written: calls are answered with the reason, and pending work is tried again."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from apis.tests.contract.tool.serving import tool_server, wait_for

URL = "/api/v1beta/servers"
REFUSE = "CREATE TRIGGER full BEFORE DELETE ON servers BEGIN SELECT RAISE(FAIL, 'no room'); END"


def rows(folder: Path) -> list[str]:
    with closing(sqlite3.connect(folder / "tool.db", timeout=20)) as database:
        return [name for (name,) in database.execute("SELECT name FROM servers")]


def change(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / "tool.db", timeout=20, isolation_level=None)) as database:
        database.execute(statement)


def test_deletion_that_cannot_be_written_says_so_and_is_finished_once_it_can(tmp_path: Path) -> None:
    with tool_server(tmp_path) as server:
        for name in ("one", "two"):
            assert server.client.post(URL, json={"name": name, "image": "mcp/time:latest"}).status_code == 201
        change(tmp_path, REFUSE)
        answer = server.client.delete(f"{URL}/one")
        assert (answer.status_code, answer.text) == (500, "The state folder cannot be used: no room")
        assert [one["name"] for one in server.client.get(URL).json()["servers"]] == ["two"]
        wait_for(lambda: server.events("server_not_retried"), 60)
        assert rows(tmp_path) == ["one", "two"]
        change(tmp_path, "DROP TRIGGER full")
        wait_for(lambda: rows(tmp_path) == ["two"], 60)
        assert "Traceback" not in server.log
