"""Checkpoints of SQLite: the log's pages are copied into the file.

SQLite does that by itself at the end of whichever transaction finds the log long. So a small write would pay for a large
import that runs beside it. Here a thread copies, for a server after some writes, and for servers and jobs when the log
has grown; nobody waits for it.

A log begins anew only when all of it has been copied, which never happens while a job writes one transaction after the
other. So a job whose log has become long copies the rest of it between two of its transactions, without a lock. Only
where somebody writes all the time, writers wait for the copy of the last few pages.

The file of the log keeps its length meanwhile. To cut 100 MB takes 30 to 250 ms, and SQLite does it within the
transaction that begins the log anew.
"""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing, suppress
from pathlib import Path

from gateway_api.sqlite.log import used_bytes

LONGEST_LOG = 32_000
"""Pages of 4 KiB after which a transaction copies the log itself, where nothing else has."""

JOB_LOG_BYTES = 16_777_216
"""Growth of the log after which it is copied while a job goes on."""

LONG_LOG_BYTES = 50_331_648
"""Length of the log at which a job, or the background work of a server, copies the rest so that it begins anew."""

RETRY_LOG_BYTES = 4_194_304
"""Growth of a long log after which that is tried again, where somebody has read or written the log meanwhile."""

LONGEST_LOG_BYTES = 2 * LONG_LOG_BYTES
"""The same for a job whose thread still copies: well below `LONGEST_LOG`, from which on every request would copy the log."""

KEPT_LOG_BYTES = 67_108_864
"""Size to which the file of the log is cut when it begins anew after it was longer."""

WRITES = 64
"""Transactions of a server after which it copies the log: a few pages each."""

LOG_BYTES = 8_388_608
"""Growth of the log after which a server copies it sooner. A removal of many records changes hundreds of pages with each
transaction; copied all at once, they would keep the disk busy while others wait for their commits."""

_ROUNDS = 3
"""Copies without a lock, each of what was written during the one before it, until writers wait for the last pages."""

_MOST_LEFT = 1_000
"""Pages whose copy writers wait for. Where more are left, somebody reads an earlier version of them."""

_READER_WAIT_MS = 20
"""Longest wait for others until a long log begins anew; see `RETRY_LOG_BYTES`."""


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
        self._tried_at = 0
        self._thread: threading.Thread | None = None

    def count_write(self) -> None:
        """Note that a transaction has been committed; may be called from any thread."""
        if not self._is_background:
            return
        with self._lock:
            self._writes += 1
            length = used_bytes(self._log)
            self._copied_at = min(self._copied_at, length)  # it may have begun anew
            is_due = self._writes >= WRITES or length > self._copied_at + LOG_BYTES
            if not is_due or self._is_copying():
                return
            self._writes = 0
            self._copied_at = length
            self._start()

    def run_if_long(self) -> None:
        """Copy the log if it has grown, in a thread; if it is long, now. Called between two transactions."""
        length = used_bytes(self._log)
        self._tried_at = min(self._tried_at, length)  # it may have begun anew
        is_long = length > max(LONG_LOG_BYTES, self._tried_at + RETRY_LOG_BYTES)
        if is_long and (self._is_background or length > LONGEST_LOG_BYTES or not self._is_copying()):
            self.close()
            if self._begin_anew():
                self._tried_at = self._copied_at = length
            return
        if self._is_background:
            return
        self._copied_at = min(self._copied_at, length)
        if length > self._copied_at + JOB_LOG_BYTES and not self._is_copying():
            self._copied_at = length
            self._start()

    def close(self) -> None:
        """Wait for the copying that is under way."""
        with self._lock:
            thread = self._thread
        if thread:
            thread.join()

    def _is_copying(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="checkpoint")
        self._thread.start()

    def _run(self) -> None:
        # What goes wrong with the storage is reported by the next transaction, which meets it, too.
        with suppress(sqlite3.Error), closing(self._connect()) as connection:
            _copy(connection)

    def _begin_anew(self) -> bool:
        """Copy all of the log; False while another process copies."""
        with suppress(sqlite3.Error), closing(self._connect()) as connection:
            left: int | None = None
            for _ in range(_ROUNDS):
                left = _copy(connection)
                if left is None:
                    return False
                if not left:
                    return True  # whoever writes next begins the log anew
            if left and left <= _MOST_LEFT:
                connection.execute(f"PRAGMA busy_timeout = {_READER_WAIT_MS}")
                connection.execute("PRAGMA wal_checkpoint(RESTART)")
        return True

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(f"{self._file.as_uri()}?mode=rw", uri=True, timeout=0)  # makes no file that is gone


def _copy(connection: sqlite3.Connection) -> int | None:
    """Copy what nobody reads in its earlier version any more, without a lock that others wait for.

    Returns:
        How many pages are left; None if another process copies.
    """
    is_busy, pages, copied = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    return None if is_busy else pages - copied
