"""Checkpoints of SQLite: the log's pages are copied into the file.

SQLite does that by itself at the end of whichever transaction finds the log long. So a small write would pay for a large
import that runs beside it. Here a server copies in a thread of its own, and a job between its transactions; nobody waits
for either.
"""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing, suppress
from pathlib import Path

LONGEST_LOG = 32_000
"""Pages of 4 KiB after which a transaction copies the log itself, where nothing else has."""

JOB_LOG_BYTES = 67_108_864
"""Length of the log after which a job copies it."""

KEPT_LOG_BYTES = 8_388_608
"""Size to which the file of the log is cut when it begins anew: it would stay as long as it ever was."""

WRITES = 64
"""Transactions of a server after which it copies the log: a few pages each."""


class Checkpoints:
    """Keeps the log of one database short.

    Args:
        file: The database.
        is_background: Copy after every `WRITES` writes, in a thread; otherwise `run_if_long` does it.
    """

    def __init__(self, file: Path, *, is_background: bool) -> None:
        self._file = file
        self._log = file.with_name(f"{file.name}-wal")
        self._is_background = is_background
        self._lock = threading.Lock()
        self._writes = 0
        self._thread: threading.Thread | None = None

    def count_write(self) -> None:
        """Note that a transaction has been committed; may be called from any thread."""
        if not self._is_background:
            return
        with self._lock:
            self._writes += 1
            if self._writes < WRITES or (self._thread and self._thread.is_alive()):
                return
            self._writes = 0
            self._thread = threading.Thread(target=self._run, name="checkpoint")
            self._thread.start()

    def run_if_long(self) -> None:
        """Copy the log now if it is long."""
        with suppress(OSError):
            if self._log.stat().st_size > JOB_LOG_BYTES:
                self._run()

    def close(self) -> None:
        """Wait for the copying that is under way."""
        with self._lock:
            thread = self._thread
        if thread:
            thread.join()

    def _run(self) -> None:
        # What goes wrong with the storage is reported by the next transaction, which meets it, too.
        with suppress(sqlite3.Error), closing(self._connect()) as connection:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(f"{self._file.as_uri()}?mode=rw", uri=True, timeout=0)  # makes no file that is gone
