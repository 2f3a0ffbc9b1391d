"""Removal of old conversations, in transactions so short that servers do not notice."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, bindparam, delete, exists, func, literal, or_, select, tuple_, update

from gateway_api.database import Database, telling_setup_errors
from gateway_api.migrations import migrate
from gateway_api.settings import Settings
from gateway_api.store.workspaces import get_live
from gateway_api.tables import awaited_messages, prompts, workspaces
from gateway_api.values.moments import now_us

_CHUNK_S = 0.04
"""Intended length of one transaction."""

_PAUSE_S = 0.006
"""Pause between two transactions: writers of other processes look again every 2 ms."""

_FEWEST, _MOST = 20, 400
_MOST_AWAITED = 2_000
"""Rows of `awaited_messages` that one transaction removes: so many take about as long as the removal of a chunk of
conversations."""

_CLEAN_UP_S = 15.0
_ROOT = func.coalesce(prompts.c.thread_id, prompts.c.id)
_COUNTED = ("malicious_packages", "pii", "secrets", "total_alerts")


@dataclass(frozen=True)
class Chat:
    """A conversation: its thread, and when its newest exchange was asked."""

    root: int
    newest_us: int


@dataclass(frozen=True)
class Pruned:
    """What was removed."""

    chats: int
    exchanges: int
    is_clean: bool = True
    """False where the text is still in SQLite's log, because somebody reads; the next server empties it."""


def prune(
    settings: Settings,
    *,
    older_than: timedelta | None = None,
    keep_last: int | None = None,
    workspace: str | None = None,
    is_trial: bool = False,
    tell: Callable[[int, int], None] | None = None,
) -> Pruned:
    """Remove whole conversations with their alerts; what their tokens cost stays in the token usage.

    Args:
        settings: Where the database is.
        older_than: Remove conversations whose newest exchange is older.
        keep_last: Remove all but so many of the newest conversations of each workspace.
        workspace: Only in this one, which is not archived; None is all.
        is_trial: Count only.
        tell: Told how many of how many conversations are removed.

    Raises:
        NotFoundError: There is no such workspace.
        SetupError: The database cannot be used.
    """
    database = Database(settings.database_url, is_bulk=True, must_exist=True)
    try:
        migrate(database, must_exist=True)
        with telling_setup_errors():
            with database.reading() as connection:
                wanted = find_old(connection, older_than=older_than, keep_last=keep_last, workspace=workspace)
                if is_trial:
                    return Pruned(len(wanted), _count(connection, wanted))
            return _remove_all(database, wanted, tell or (lambda _done, _total: None))
    finally:
        database.close()


def find_old(
    connection: Connection, *, older_than: timedelta | None, keep_last: int | None, workspace: str | None
) -> list[Chat]:
    """List the conversations to be removed, oldest first."""
    chats = select(prompts.c.workspace_id, _ROOT.label("root"), func.max(prompts.c.asked_at).label("newest"))
    chats = chats.group_by(prompts.c.workspace_id, _ROOT)
    if workspace is not None:
        chats = chats.where(prompts.c.workspace_id == get_live(connection, workspace).id)
    grouped = chats.subquery()
    place = func.row_number().over(
        partition_by=grouped.c.workspace_id, order_by=(grouped.c.newest.desc(), grouped.c.root.desc())
    )
    ranked = select(grouped.c.root, grouped.c.newest, place.label("place")).subquery()
    conditions: list[Any] = []
    if older_than is not None:
        conditions.append(ranked.c.newest < now_us() - older_than // timedelta(microseconds=1))
    if keep_last is not None:
        conditions.append(ranked.c.place > keep_last)
    query = select(ranked.c.root, ranked.c.newest).where(or_(*conditions)).order_by(ranked.c.newest, ranked.c.root)
    return [Chat(row.root, row.newest) for row in connection.execute(query)]


def _count(connection: Connection, chats: Sequence[Chat]) -> int:
    return sum(
        connection.scalar(select(func.count()).where(_of([chat.root for chat in chats[start : start + _MOST]]))) or 0
        for start in range(0, len(chats), _MOST)
    )


def _remove_all(database: Database, wanted: Sequence[Chat], tell: Callable[[int, int], None]) -> Pruned:
    done, size = Pruned(0, 0), _FEWEST
    start = 0
    while start < len(wanted):
        some = wanted[start : start + size]
        with database.writing() as connection:
            begun = time.monotonic()
            chats, exchanges = _remove(connection, some)
            seconds = time.monotonic() - begun
        done = Pruned(done.chats + chats, done.exchanges + exchanges)
        start += len(some)
        size = round(min(max(size * _CHUNK_S / max(seconds, 0.001), _FEWEST), size * 2, _MOST))
        tell(start, len(wanted))
        database.keep_log_short()
        time.sleep(_PAUSE_S)
    if not done.chats:
        return done
    _forget_awaited(database)
    return Pruned(done.chats, done.exchanges, is_clean=_clean_up(database))


def _remove(connection: Connection, chats: Sequence[Chat]) -> tuple[int, int]:
    """Remove conversations that have had no exchange since they were listed."""
    query = select(_ROOT.label("root"), func.max(prompts.c.asked_at).label("newest"), func.count().label("exchanges"))
    query = query.where(_of([chat.root for chat in chats])).group_by(_ROOT)
    found = {row.root: row for row in connection.execute(query)}
    roots = [chat.root for chat in chats if chat.root in found and found[chat.root].newest == chat.newest_us]
    if not roots:
        return 0, 0
    sums = [func.sum(prompts.c[name]).label(name) for name in _COUNTED]
    counts = select(prompts.c.workspace_id, func.count().label("prompt_count"), *sums).where(_of(roots))
    for row in connection.execute(counts.group_by(prompts.c.workspace_id)).all():
        columns = workspaces.c
        changed = {columns[name]: columns[name] - getattr(row, name) for name in (*_COUNTED, "prompt_count")}
        connection.execute(update(workspaces).where(columns.id == row.workspace_id).values(changed))
    connection.execute(delete(prompts).where(_of(roots)))
    return len(roots), sum(found[root].exchanges for root in roots)


def _forget_awaited(database: Database) -> None:
    """Remove the rows of `awaited_messages` that belong to conversations which are no more.

    No index leads from a conversation to them: they are looked for once, without the lock, along their primary key. A
    conversation that is gone does not come back, because no id is used twice.
    """
    columns = awaited_messages.c
    key = (columns.workspace_id, columns.thread_key, columns.thread_id)
    query = select(*key).where(~exists().where(prompts.c.id == columns.thread_id)).order_by(*key).limit(_MOST_AWAITED)
    one = delete(awaited_messages).where(*(column == bindparam(f"of_{column.name}") for column in key))
    after = None
    while True:
        rest = query if after is None else query.where(tuple_(*key) > tuple_(*map(literal, after)))
        with database.reading() as connection:
            found = connection.execute(rest).all()
        if not found:
            return
        with database.writing() as connection:
            names = [f"of_{column.name}" for column in key]
            connection.execute(one, [dict(zip(names, row, strict=True)) for row in found])
        after = found[-1]
        database.keep_log_short()
        time.sleep(_PAUSE_S)


def _of(roots: Sequence[int]) -> Any:
    return or_(prompts.c.id.in_(roots), prompts.c.thread_id.in_(roots))


def _clean_up(database: Database) -> bool:
    """Try for a while to leave the text neither in SQLite's log nor in PostgreSQL's dead rows."""
    end = time.monotonic() + _CLEAN_UP_S
    while not database.clean_up("prompts", "alerts", "awaited_messages"):
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True
