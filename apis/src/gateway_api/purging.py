"""Removal of deleted workspaces, in the background.

A workspace that was deleted for good is invisible from the answer on, and its name is free. What was recorded in it is
removed in small transactions, between which others write. The mark is in the database: a removal that a crash has
interrupted continues at the next start, in whichever server starts first.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from sqlalchemy import Connection, delete, select

from gateway_api.database import Database
from gateway_api.storage_errors import StorageError
from gateway_api.tables import awaited_messages, prompts, workspaces

CHUNK_S = 0.04
"""Intended length of one transaction; the number of rows follows what the last one took."""

_PAUSE_S = 0.005
"""Pause between two transactions: writers of other processes look again every 2 ms."""

_RETRY_S = 1.0
"""Pause after a failure of the storage, and before the log is looked at again."""

_FEWEST_ROWS, _MOST_ROWS = 20, 5_000


class Purge:
    """The background job of one server.

    Args:
        database: Where the workspaces are.
        report: Where to say what was done: an event, and its values.
    """

    def __init__(self, database: Database, report: Callable[..., None]) -> None:
        self._database = database
        self._report = report
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        # SQLite's log may hold what a killed server had deleted; PostgreSQL vacuums by itself after a crash.
        self._needs_clean_up = database.is_sqlite

    def start(self) -> None:
        """Begin to work in the running event loop; deletions of earlier runs come first."""
        self._wake.set()
        self._task = asyncio.create_task(self._run())

    def wake(self) -> None:
        """Look for deleted workspaces now."""
        self._wake.set()

    async def stop(self) -> None:
        """End after the transaction that is under way."""
        if self._task:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                await self._remove_all()
            except StorageError as error:  # full, away or busy: the mark stays, and the next attempt continues
                self._report("purge_interrupted", trouble=error.trouble, code=error.code)
                await self._try_again()
            except Exception as error:  # noqa: BLE001 - whatever it was, what was deleted must not stay
                self._report("purge_failed", error=type(error).__name__)
                await self._try_again()

    async def _try_again(self) -> None:
        await asyncio.sleep(_RETRY_S)
        self._wake.set()

    async def _remove_all(self) -> None:
        started, count = time.monotonic(), 0
        while (workspace_id := await self._database.read(find_deleted)) is not None:
            rows = _FEWEST_ROWS
            is_done = False
            while not is_done:
                # What a power cut takes back is removed again: the mark is older. So nobody waits for the disk.
                is_done, begun = await self._database.write(
                    partial(_remove_timed, workspace_id=workspace_id, rows=rows), is_durable=False
                )
                rows = next_rows(rows, time.monotonic() - begun)  # with the commit, for which others wait, too
                await asyncio.to_thread(self._database.keep_log_short)
                await asyncio.sleep(_PAUSE_S)
            count += 1
            self._needs_clean_up = True
        if self._needs_clean_up:
            await self._clean_up()
            self._needs_clean_up = False  # only now: a failure of the storage is followed by another attempt
        if count:
            self._report("purged", workspaces=count, seconds=round(time.monotonic() - started, 3))

    async def _clean_up(self) -> None:
        """Try until no reader uses the log any more."""
        tables = ("prompts", "alerts", "awaited_messages")
        while not await asyncio.to_thread(self._database.clean_up, *tables):  # noqa: ASYNC110 - SQLite sends no event
            await asyncio.sleep(_RETRY_S / 10)


def find_deleted(connection: Connection) -> int | None:
    """Find a workspace that was deleted for good and still has a row."""
    query = select(workspaces.c.id).where(workspaces.c.deleted_at.is_not(None)).order_by(workspaces.c.id).limit(1)
    found: int | None = connection.scalar(query)
    return found


def remove_some(connection: Connection, workspace_id: int, rows: int) -> bool:
    """Remove some of a workspace's records, alerts included; the workspace itself once it has none.

    Returns:
        Whether nothing is left.
    """
    some = select(prompts.c.id).where(prompts.c.workspace_id == workspace_id).limit(rows)
    if connection.execute(delete(prompts).where(prompts.c.id.in_(some.scalar_subquery()))).rowcount:
        return False
    keys = select(awaited_messages.c.thread_key).where(awaited_messages.c.workspace_id == workspace_id).limit(rows)
    awaited = delete(awaited_messages).where(
        awaited_messages.c.workspace_id == workspace_id, awaited_messages.c.thread_key.in_(keys.scalar_subquery())
    )
    if connection.execute(awaited).rowcount:
        return False
    connection.execute(delete(workspaces).where(workspaces.c.id == workspace_id))
    return True


def _remove_timed(connection: Connection, workspace_id: int, rows: int) -> tuple[bool, float]:
    """Remove some records, and say when that began: after the wait for the lock."""
    begun = time.monotonic()
    return remove_some(connection, workspace_id, rows), begun


def next_rows(rows: int, seconds: float) -> int:
    """Choose the size of the next transaction so that it takes about `CHUNK_S`; at most doubled at a time."""
    wanted = rows * CHUNK_S / max(seconds, 0.001)
    return round(min(max(wanted, _FEWEST_ROWS), rows * 2, _MOST_ROWS))
