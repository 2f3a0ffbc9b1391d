"""Searches and events in SQLite: one writer, in batches, bounded. No address, cookie or user token is stored."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import queue
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from octavo.search.insights.events import Event

MOST_WAITING = 10_000
"""Entries that may wait to be written; further ones are dropped, because searching matters more than its statistics."""

BATCH = 500
PAUSE_S = 8.0
"""Seconds without another keystroke after which a query counts as meant."""

LONGEST_QUERY = 100
"""Characters of a query that are stored."""

MOST_ROWS = 2_000_000
"""Searches, and as many events, that are kept at most, whatever their age: some 200 MB."""

_PRUNE_EVERY_S = 3600.0
_MIGRATIONS = (
    """
    CREATE TABLE search (time_s REAL NOT NULL, query TEXT NOT NULL, hits INTEGER NOT NULL, query_id TEXT NOT NULL);
    CREATE INDEX search_time ON search (time_s);
    CREATE INDEX search_query_id ON search (query_id);
    CREATE TABLE event (
        time_s REAL NOT NULL, type TEXT NOT NULL, name TEXT NOT NULL, query_id TEXT NOT NULL,
        object_id TEXT NOT NULL, position INTEGER NOT NULL
    );
    CREATE INDEX event_time ON event (time_s);
    CREATE INDEX event_query_id ON event (query_id);
    """,
)

_log = logging.getLogger(__name__)


class _Search(NamedTuple):
    time_s: float
    query: str
    hits: int
    query_id: str


class InsightsStore:
    """Keeps what was searched for."""

    def __init__(
        self, path: Path, *, retention_days: int = 90, pause_s: float = PAUSE_S, most_rows: int = MOST_ROWS
    ) -> None:
        """Begin to write.

        Args:
            path: The database; made when the first entry comes.
            retention_days: Days for which entries are kept.
            pause_s: See `PAUSE_S`.
            most_rows: See `MOST_ROWS`.
        """
        self._path = path
        self._retention_s = retention_days * 24 * 3600.0
        self._pause_s = pause_s
        self._most_rows = most_rows
        self._waiting: queue.Queue[_Search | Event | None] = queue.Queue(MOST_WAITING)
        self._typed: dict[bytes, tuple[float, _Search]] = {}
        self._salt = secrets.token_bytes(16)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._next_prune = 0.0

    def note_search(self, reader: str, query: str, hits: int, query_id: str, now_s: float | None = None) -> None:
        """Count a search.

        A reader who types sends a query for each letter; only the one that they stop at is counted. To know who types
        on, the address is held for some seconds, in memory, as a hash with a key of this process.
        """
        now_s = time.time() if now_s is None else now_s
        text = " ".join(query.lower().split())[:LONGEST_QUERY]
        key = hashlib.blake2b(reader.encode("utf-8", "replace"), key=self._salt, digest_size=16).digest()
        search = _Search(now_s, text, hits, query_id)
        with self._lock:
            before = self._typed.pop(key, None)
            if before and not _goes_on(before[1].query, text):
                self._put(before[1])
            if len(self._typed) < MOST_WAITING:
                self._typed[key] = (now_s, search)
            self._start()

    def keep_for(self, days: int) -> None:
        """Set for how many days entries are kept."""
        self._retention_s = days * 24 * 3600.0

    def note_events(self, events: Iterable[Event]) -> None:
        """Keep events. An event after a search shows that its query was meant."""
        for event in events:
            if event.query_id:
                self._settle(event.query_id)
            self._put(event)
        with self._lock:
            self._start()

    def close(self) -> None:
        """Write everything that waits."""
        with self._lock:
            for _, search in self._typed.values():
                self._put(search)
            self._typed.clear()
            thread, self._thread = self._thread, None
        if thread is not None:
            self._waiting.put(None)
            thread.join()

    def _settle(self, query_id: str) -> None:
        with self._lock:
            for key, (_, search) in list(self._typed.items()):
                if search.query_id == query_id:
                    del self._typed[key]
                    self._put(search)

    def _put(self, entry: _Search | Event) -> None:
        with contextlib.suppress(queue.Full):
            self._waiting.put_nowait(entry)

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="insights", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while True:
            batch, is_over = self._next_batch()
            try:
                if batch:
                    self._write(batch)
            except (sqlite3.Error, OSError) as error:
                _log.warning("%s cannot be written: %s. %d entries are lost.", self._path, error, len(batch))
            if is_over:
                return

    def _next_batch(self) -> tuple[list[_Search | Event], bool]:
        """Wait for entries; (entries, whether they are the last)."""
        batch: list[_Search | Event] = []
        with contextlib.suppress(queue.Empty):
            entry = self._waiting.get(timeout=1.0)
            while entry is not None and len(batch) < BATCH:
                batch.append(entry)
                entry = self._waiting.get_nowait()
            if entry is None:
                return batch, True
            batch.append(entry)
        batch += self._take_meant(time.time())
        return batch, False

    def _take_meant(self, now_s: float) -> Iterator[_Search]:
        with self._lock:
            meant = [key for key, (since, _) in self._typed.items() if now_s - since >= self._pause_s]
            return iter([self._typed.pop(key)[1] for key in meant])

    def _write(self, batch: list[_Search | Event]) -> None:
        searches = [entry for entry in batch if isinstance(entry, _Search)]
        events = [
            (entry.time_s, entry.type, entry.name, entry.query_id, object_id, position)
            for entry in batch
            if isinstance(entry, Event)
            for object_id, position in (entry.objects or [("", 0)])
        ]
        with connect(self._path) as database:
            database.executemany("INSERT INTO search VALUES (?, ?, ?, ?)", searches)
            database.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)", events)
            now_s = time.time()
            if now_s >= self._next_prune:
                self._next_prune = now_s + _PRUNE_EVERY_S
                for table in ("search", "event"):
                    database.execute(f"DELETE FROM {table} WHERE time_s < ?", (now_s - self._retention_s,))  # noqa: S608
                    newest = f"SELECT MAX(rowid) FROM {table}"  # noqa: S608
                    database.execute(f"DELETE FROM {table} WHERE rowid <= ({newest}) - ?", (self._most_rows,))  # noqa: S608


@contextlib.contextmanager
def connect(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the database, made and brought up to date where needed; what was done is committed at the end."""
    path.parent.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(path, timeout=10)
    try:
        database.execute("PRAGMA journal_mode=WAL")
        _migrate(database)
        with database:
            yield database
    finally:
        database.close()


def _migrate(database: sqlite3.Connection) -> None:
    if _version(database) >= len(_MIGRATIONS):
        return
    with database:
        # The writer, a report and other servers may open a new database at once. The first of them migrates; the others
        # wait here, and must look at the version again.
        database.execute("BEGIN IMMEDIATE")
        version = _version(database)
        for number, script in enumerate(_MIGRATIONS[version:], start=version + 1):
            for statement in filter(str.strip, script.split(";")):
                database.execute(statement)
            database.execute(f"PRAGMA user_version={number}")


def _version(database: sqlite3.Connection) -> int:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    return int(version)


def _goes_on(before: str, now: str) -> bool:
    """Return whether one query was typed on, or back, to the other."""
    return now.startswith(before) or before.startswith(now)
