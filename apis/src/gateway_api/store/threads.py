"""Chats put together from requests, in whatever order the requests are recorded.

A request repeats the messages before it, so it continues the longest earlier request whose messages are its first ones;
of several equal ones, the one recorded last. A thread is the id of one of its exchanges, `prompts.thread_id`; that
exchange itself has none.

Records may come newest first. So beginnings of a chat that have not been recorded are noted in `awaited_messages`: the
first request that is recorded later with exactly these messages joins the thread, and threads that have waited for the
same request become one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, CursorResult, delete, or_, select, update

from gateway_api.tables import awaited_messages, prompts

MOST_AWAITED = 200
"""Beginnings of one request that are noted, the longest first: the next one that comes is usually one message shorter."""

_TOLERANCE_US = 2_000_000
"""Clocks of two programs, or of one before and after it was set, may differ so much."""

LATEST = """
SELECT p.id, p.thread_id, k.value, p.asked_at FROM unnest(%s::text[]) AS k(value) CROSS JOIN LATERAL (
    SELECT id, thread_id, asked_at FROM prompts
    WHERE workspace_id = %s AND thread_key = k.value AND kind = 'chat' ORDER BY id DESC LIMIT 1
) AS p
"""
"""One seek in an index for each key. Grouped, the same question asked a thousand times is read a thousand times, by
every batch; and PostgreSQL would read the whole table for a join that it may turn round."""

_LATEST_SQLITE = """
SELECT p.id, p.thread_id, k.value, p.asked_at FROM json_each(?) AS k CROSS JOIN prompts p
WHERE p.id = (SELECT max(id) FROM prompts WHERE workspace_id = ? AND thread_key = k.value AND kind = 'chat')
"""
"""The same for SQLite, which has no `LATERAL` and joins in the order that is written."""

_AWAITED = """
SELECT a.thread_key, a.thread_id, a.asked_at, p.thread_id FROM awaited_messages a
JOIN prompts p ON p.id = a.thread_id WHERE a.workspace_id = %s AND a.thread_key = ANY(%s)
"""
_INSERT_AWAITED = """
INSERT INTO awaited_messages (workspace_id, thread_key, thread_id, asked_at) VALUES (%s, %s, %s, %s)
ON CONFLICT DO NOTHING
"""


class Request(NamedTuple):
    """What decides to which thread an exchange belongs."""

    workspace_id: int
    asked_at_us: int
    keys: tuple[str, ...]
    """Keys of its beginnings, shortest first; empty where it belongs to no chat."""


class _Waiting(NamedTuple):
    thread_id: int
    asked_at_us: int


class ThreadFinder:
    """Finds the threads of exchanges that are about to be recorded together.

    Args:
        connection: The writing transaction.
        first_id: Id of the first exchange; the others count up.
        requests: One for each exchange.
    """

    def __init__(self, connection: Connection, first_id: int, requests: Sequence[Request]) -> None:
        self._connection = connection
        self._first_id = first_id
        self._latest: dict[tuple[int, str], _Waiting] = {}
        self._awaited: dict[tuple[int, str], dict[int, _Waiting]] = {}
        self._merged: dict[int, int] = {}
        self._roots: dict[int, int] = {}
        self._new: dict[tuple[int, str, int], int] = {}
        self._fulfilled: list[tuple[int, str, int]] = []
        for workspace_id in {request.workspace_id for request in requests}:
            self._load(workspace_id, [r.keys for r in requests if r.workspace_id == workspace_id and r.keys])
        for row_id, request in enumerate(requests, start=first_id):
            if request.keys:
                self._place(row_id, request)

    def root_of(self, row_id: int) -> int | None:
        """Name the thread of an exchange; None where the exchange is the one that names it."""
        root = self._last(self._roots.get(row_id, row_id))
        return None if root == row_id else root

    def save(self) -> None:
        """Write what changes for exchanges that were recorded before, and what is awaited now."""
        for other in self._merged:
            if other < self._first_id:
                of_other = or_(prompts.c.thread_id == other, prompts.c.id == other)
                self._connection.execute(update(prompts).where(of_other).values(thread_id=self._last(other)))
        columns = awaited_messages.c
        for workspace_id, key, thread_id in self._fulfilled:
            same = (columns.workspace_id == workspace_id, columns.thread_key == key, columns.thread_id == thread_id)
            self._connection.execute(delete(awaited_messages).where(*same))
        rows = [
            (workspace_id, key, self._last(root), asked_at) for (workspace_id, key, root), asked_at in self._new.items()
        ]
        if rows:
            driver_sql(self._connection, _INSERT_AWAITED, rows)

    def _load(self, workspace_id: int, chats: Sequence[tuple[str, ...]]) -> None:
        """Read which beginnings are recorded, and which of the new requests are awaited."""
        beginnings = {key for keys in chats for key in keys[:-1]}
        if beginnings:
            values = (listed(self._connection, beginnings), workspace_id)
            query = _LATEST_SQLITE if self._connection.dialect.name == "sqlite" else LATEST
            known: Iterable[Any] = driver_sql(self._connection, query, values)
            for row_id, thread_id, key, asked_at in known:
                self._latest[workspace_id, key] = _Waiting(thread_id or row_id, asked_at)
        of_workspace = awaited_messages.c.workspace_id == workspace_id
        if self._connection.scalar(select(awaited_messages.c.thread_id).where(of_workspace).limit(1)) is None:
            return
        values = (workspace_id, listed(self._connection, {keys[-1] for keys in chats}))
        found: Iterable[Any] = driver_sql(self._connection, _AWAITED, values)
        for key, thread_id, asked_at, root_id in found:
            self._awaited.setdefault((workspace_id, key), {})[thread_id] = _Waiting(root_id or thread_id, asked_at)

    def _place(self, row_id: int, request: Request) -> None:
        workspace_id, asked_at, keys = request
        length, parent = self._parent(request)
        roots = [parent] if parent else []
        if (workspace_id, keys[-1]) in self._awaited:
            roots += sorted(self._take_awaited(workspace_id, keys[-1], asked_at))
        root = roots[0] if roots else row_id
        for other in roots[1:]:
            if other != root:
                self._merged[other] = root
        self._roots[row_id] = root
        self._latest[workspace_id, keys[-1]] = _Waiting(root, asked_at)
        for key in keys[max(length, len(keys) - 1 - MOST_AWAITED) : -1]:
            self._awaited.setdefault((workspace_id, key), {})[root] = _Waiting(root, asked_at)
            self._new[workspace_id, key, root] = asked_at

    def _parent(self, request: Request) -> tuple[int, int | None]:
        """Find the longest beginning that was asked before: how many messages it has, and its thread."""
        for length in range(len(request.keys) - 1, 0, -1):
            found = self._latest.get((request.workspace_id, request.keys[length - 1]))
            if found and found.asked_at_us <= request.asked_at_us + _TOLERANCE_US:
                return length, self._last(found.thread_id)
        return 0, None

    def _take_awaited(self, workspace_id: int, key: str, asked_at: int) -> set[int]:
        """Find the threads that wait for a request, which they do no longer."""
        of_key = self._awaited[workspace_id, key]
        taken = {
            thread_id: waiting
            for thread_id, waiting in of_key.items()
            if asked_at <= waiting.asked_at_us + _TOLERANCE_US
        }
        for thread_id in taken:
            del of_key[thread_id]
            if self._new.pop((workspace_id, key, thread_id), None) is None:
                self._fulfilled.append((workspace_id, key, thread_id))
        return {self._last(waiting.thread_id) for waiting in taken.values()}

    def _last(self, root: int) -> int:
        """Follow a thread through the merges."""
        while root in self._merged:
            root = self._merged[root]
        return root


def driver_sql(connection: Connection, statement: str, values: Any) -> CursorResult[Any]:
    """Run a statement that SQLAlchemy need not compile, because the same few run for every batch.

    Args:
        connection: The transaction.
        statement: In PostgreSQL's form. `= ANY(%s)` and `unnest(%s::text[]) AS k(value)` take what `listed` gives.
        values: One tuple, or a list of them.
    """
    if connection.dialect.name == "sqlite":
        statement = (
            statement.replace("unnest(%s::text[]) AS k(value)", "json_each(?) AS k")
            .replace("= ANY(%s)", "IN (SELECT value FROM json_each(?))")
            .replace("%s", "?")
        )
    return connection.exec_driver_sql(statement, values)


def listed(connection: Connection, texts: Iterable[str]) -> Any:
    """Bind any number of texts as one value: SQLite reads JSON, PostgreSQL an array.

    They are sorted, because an index is searched faster in its own order.
    """
    found = sorted(texts)
    return json.dumps(found) if connection.dialect.name == "sqlite" else found
