"""Checkpoints of SQLite: the log's pages are copied into the file.

SQLite does that by itself at the end of whichever transaction finds the log long. So a small write would pay for a large
import that runs beside it. Here a thread copies, for a server after some writes, and for servers and jobs when the log
has grown; nobody waits for it.

A log begins anew only when all of it has been copied, which never happens while a job writes one transaction after the
other. So a job whose log has become very long waits until the rest of it is copied; what others write meanwhile is
copied while they wait.
"""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing, suppress
from pathlib import Path

LONGEST_LOG = 32_000
"""Pages of 4 KiB after which a transaction copies the log itself, where nothing else has."""

JOB_LOG_BYTES = 67_108_864
"""Growth of the log after which it is copied while a job goes on."""

LONGEST_JOB_LOG_BYTES = 4 * JOB_LOG_BYTES
"""Length of the log at which a job waits until it is copied."""

LONGEST_SERVER_LOG_BYTES = 67_108_864
"""The same for background work of a server: well below `LONGEST_LOG`, from which on every request would copy the log."""

KEPT_LOG_BYTES = 8_388_608
"""Size to which the file of the log is cut when it begins anew: it would stay as long as it ever was."""

WRITES = 64
"""Transactions of a server after which it copies the log: a few pages each."""

LOG_BYTES = 8_388_608
"""Growth of the log after which a server copies it sooner. A removal of many records changes hundreds of pages with each
transaction; copied all at once, they would keep the disk busy while others wait for their commits."""


_READER_WAIT_MS = 20
"""Longest wait for others until a long log begins anew; the next transaction of the job tries again."""


class Checkpoints:
    """Keeps the log of one database short.

    Args:
        file: The database.
        is_background: Copy after every `WRITES` writes; otherwise `run_if_long` does it.
    """

    def __init__(self, file: Path, *, is_background: bool) -> None:
        self._file = file
        self._log = file.with_name(f"{file.name}-wal")
        self._is_background = is_background
        self._lock = threading.Lock()
        self._writes = 0
        self._copied_at = 0
        self._thread: threading.Thread | None = None

    def count_write(self) -> None:
        """Note that a transaction has been committed; may be called from any thread."""
        if not self._is_background:
            return
        with self._lock:
            self._writes += 1
            length = self._length()
            self._copied_at = min(self._copied_at, length)  # it may have begun anew
            is_due = self._writes >= WRITES or length > self._copied_at + LOG_BYTES
            if not is_due or (self._thread and self._thread.is_alive()):
                return
            self._writes = 0
            self._copied_at = length
            self._start()

    def run_if_long(self) -> None:
        """Copy the log if it has grown, in a thread; if it is very long, now. Called between two transactions."""
        length = self._length()
        if length > (LONGEST_SERVER_LOG_BYTES if self._is_background else LONGEST_JOB_LOG_BYTES):
            self.close()
            self._run(begins_anew=True)
            self._copied_at = 0
            return
        if self._is_background:
            return
        self._copied_at = min(self._copied_at, length)  # it may have begun anew
        if length > self._copied_at + JOB_LOG_BYTES and not (self._thread and self._thread.is_alive()):
            self._copied_at = length
            self._start()

    def close(self) -> None:
        """Wait for the copying that is under way."""
        with self._lock:
            thread = self._thread
        if thread:
            thread.join()

    def _length(self) -> int:
        """Read the size of the log's file; 0 where there is none."""
        try:
            return self._log.stat().st_size
        except OSError:
            return 0

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="checkpoint")
        self._thread.start()

    def _run(self, *, begins_anew: bool = False) -> None:
        # What goes wrong with the storage is reported by the next transaction, which meets it, too.
        with suppress(sqlite3.Error), closing(self._connect()) as connection:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
            if begins_anew:  # writers wait, for the copy of what was written since and for a reader of the log
                connection.execute(f"PRAGMA busy_timeout = {_READER_WAIT_MS}")
                connection.execute("PRAGMA wal_checkpoint(RESTART)")

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(f"{self._file.as_uri()}?mode=rw", uri=True, timeout=0)  # makes no file that is gone
