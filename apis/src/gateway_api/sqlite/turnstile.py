"""Order among processes that write to one SQLite file.

SQLite has no queue: who asks at the right moment gets the lock, so a job of many short transactions would keep others
out by luck. A turnstile is a lock beside the database's own that a writer holds only while it waits for its turn. Who
has just written must pass it again, and cannot while somebody waits.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_POLL_S = 0.002


class Turnstile:
    """A lock of processes, which the kernel releases when its holder dies.

    Args:
        path: An empty file, made at the first use. Without one, because the folder is read-only or the system has no
            such locks, everybody passes at once, as before.
    """

    def __init__(self, path: Path) -> None:
        self._path: Path | None = path if fcntl else None
        self._opened: int | None = None

    @property
    def _file(self) -> int | None:
        """The open file, opened when it is needed first: beside a database of another program none is made."""
        if self._path:
            path, self._path = self._path, None
            with suppress(OSError):
                self._opened = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        return self._opened

    @property
    def works(self) -> bool:
        """Whether it keeps any order."""
        return self._file is not None

    @contextmanager
    def passing(self, deadline: float) -> Iterator[bool]:
        """Hold the turnstile while the block waits for the database's lock.

        Args:
            deadline: Value of `time.monotonic` from which on nobody is waited for; the block asks for the lock anyway.

        Returns:
            Whether the turnstile is held.
        """
        is_held = self._acquire(deadline)
        try:
            yield is_held
        finally:
            if is_held and self._file is not None:
                fcntl.flock(self._file, fcntl.LOCK_UN)

    def has_waiting(self) -> bool:
        """Return whether another process waits, for a writer that has the database's lock; True where nobody knows."""
        if self._file is None:
            return True
        try:
            fcntl.flock(self._file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:  # it is held, or the file system has no locks
            return True
        fcntl.flock(self._file, fcntl.LOCK_UN)
        return False

    def close(self) -> None:
        """Close the file."""
        self._path = None
        if self._opened is not None:
            os.close(self._opened)
            self._opened = None

    def _acquire(self, deadline: float) -> bool:
        while self._file is not None:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > deadline:
                    return False
                time.sleep(_POLL_S)
            except OSError:  # a file system without locks
                self.close()
            else:
                return True
        return False
