"""Removal of deleted workspaces, in the background.

A workspace that was deleted for good is invisible from the answer on, and its name is free. What was recorded in it is
removed in small transactions, between which others write. The mark is in the database: a removal that a crash has
interrupted continues at the next start, in whichever server starts first.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Column, Connection, Table, delete, literal, select, tuple_

from gateway_api.database import Database
from gateway_api.storage_errors import StorageError
from gateway_api.tables import awaited_messages, prompts, workspaces

T = TypeVar("T")

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
        while (workspace_id := await _whole(self._database.read(find_deleted))) is not None:
            removal, rows = Removal(workspace_id), _FEWEST_ROWS
            is_done = False
            while not is_done:
                # What a power cut takes back is removed again: the mark is older. So nobody waits for the disk.
                is_done, begun = await _whole(
                    self._database.write(partial(_step_timed, removal=removal, rows=rows), is_durable=False)
                )
                rows = next_rows(rows, time.monotonic() - begun)  # with the commit, for which others wait, too
                await _whole(asyncio.to_thread(self._database.keep_log_short))
                await asyncio.sleep(_PAUSE_S)
            if not self._database.is_sqlite:
                # PostgreSQL looks for rows that refer to the workspace, also among those that were deleted.
                await self._clean_up("prompts", "alerts", "awaited_messages")
            await _whole(self._database.write(partial(remove_workspace, workspace_id=workspace_id), is_durable=False))
            count += 1
            self._needs_clean_up = True
        if self._needs_clean_up:
            await self._clean_up("workspaces", "mux_rules", "usage_totals")
            self._needs_clean_up = False  # only now: a failure of the storage is followed by another attempt
        if count:
            self._report("purged", workspaces=count, seconds=round(time.monotonic() - started, 3))

    async def _clean_up(self, *tables: str) -> None:
        """Try until no reader uses the log any more; PostgreSQL vacuums the tables."""
        while not await _whole(asyncio.to_thread(self._database.clean_up, *tables)):  # noqa: ASYNC110 - SQLite sends no event
            await asyncio.sleep(_RETRY_S / 10)


async def _whole(work: Coroutine[Any, Any, T]) -> T:
    """Wait until what runs in a thread has ended, also when the task is cancelled meanwhile.

    A thread cannot be interrupted. Without this, it would use the database while that is closed.
    """
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.gather(task, return_exceptions=True)
        raise


def find_deleted(connection: Connection) -> int | None:
    """Find a workspace that was deleted for good and still has a row."""
    query = select(workspaces.c.id).where(workspaces.c.deleted_at.is_not(None)).order_by(workspaces.c.id).limit(1)
    found: int | None = connection.scalar(query)
    return found


class Removal:
    """The removal of one workspace's records, step by step; after a failure another one begins.

    Each step continues where the last one has stopped: PostgreSQL keeps deleted rows in tables and indexes until they are
    vacuumed, and a step that began anew would read those of all steps before it.

    Args:
        workspace_id: A workspace that was deleted for good.
    """

    def __init__(self, workspace_id: int) -> None:
        self._workspace_id = workspace_id
        self._after: tuple[Any, ...] | None = None
        self._has_exchanges = True

    def step(self, connection: Connection, rows: int) -> bool:
        """Remove some records, alerts included.

        Args:
            connection: The writing transaction.
            rows: How many at most.

        Returns:
            Whether nothing is left but the workspace itself.
        """
        if not self._has_exchanges:
            return not self._remove(connection, awaited_messages, _AWAITED_KEY, rows)
        self._has_exchanges = self._remove(connection, prompts, _EXCHANGE_KEY, rows)
        return False

    def _remove(self, connection: Connection, table: Table, key: Sequence[Column[Any]], rows: int) -> bool:
        """Remove rows in the order of a key that an index has; False where none is left."""
        place = tuple_(*key)
        conditions = [table.c.workspace_id == self._workspace_id]
        if self._after is not None:
            conditions.append(place > tuple_(*map(literal, self._after)))
        found = connection.execute(select(*key).where(*conditions).order_by(*key).limit(rows)).all()
        if not found:
            # An import that began before the deletion may have recorded something before this place meanwhile.
            began_anew, self._after = self._after is None, None
            return not began_anew
        self._after = tuple(found[-1])
        connection.execute(delete(table).where(*conditions, place <= tuple_(*map(literal, self._after))))
        return True


_EXCHANGE_KEY = (prompts.c.asked_at, prompts.c.id)
_AWAITED_KEY = (awaited_messages.c.thread_key, awaited_messages.c.thread_id)


def remove_workspace(connection: Connection, workspace_id: int) -> None:
    """Remove the row of a workspace, with what refers to it."""
    connection.execute(delete(workspaces).where(workspaces.c.id == workspace_id))


def _step_timed(connection: Connection, removal: Removal, rows: int) -> tuple[bool, float]:
    """Take a step, and say when that began: after the wait for the lock."""
    begun = time.monotonic()
    return removal.step(connection, rows), begun


def next_rows(rows: int, seconds: float) -> int:
    """Choose the size of the next transaction so that it takes about `CHUNK_S`; at most doubled at a time."""
    wanted = rows * CHUNK_S / max(seconds, 0.001)
    return round(min(max(wanted, _FEWEST_ROWS), rows * 2, _MOST_ROWS))
