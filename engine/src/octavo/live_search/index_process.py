"""The process that writes the search index of a site that changes.

Writing an index takes seconds at many pages, and would hold up the page that an author waits for. Queries are answered
by the server itself, from the index that was finished last.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import shutil
import signal
import threading
from multiprocessing.connection import Connection
from pathlib import Path

from octavo.errors import OctavoError
from octavo.live_search.updates import Update

_log = logging.getLogger(__name__)

_STOP_S = 5


class IndexProcess:
    """Writes indexes, one after another, in a process of its own; see `search.Index`."""

    def __init__(self, folder: Path) -> None:
        """Initialize; the process is started by `start`.

        Args:
            folder: Holds the indexes; each has a folder of its own below it.
        """
        self.name = ""
        """Name of the index that was finished last; empty while there is none. May be read by any thread."""
        self._folder = folder
        self._connection: Connection | None = None
        self._is_lost = False

    def start(self, name: str) -> None:
        """See `Index`."""
        if self._connection is not None:
            return
        self.name = name
        # Not forked: this process has threads.
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._folder), daemon=True)
        self._process.start()
        theirs.close()
        threading.Thread(target=self._read, args=(self._connection,), name="octavo-search", daemon=True).start()

    def has(self, name: str) -> bool:
        """See `Index`."""
        return (self._folder / name).is_dir()

    def update(self, update: Update) -> None:
        """See `Index`."""
        connection = self._connection
        try:
            if connection is None:
                self._is_lost = True
            else:
                connection.send(update)
        except OSError:
            self._is_lost = True

    def take_loss(self) -> bool:
        """See `Index`."""
        is_lost, self._is_lost = self._is_lost, False
        return is_lost

    def close(self) -> None:
        """End the process, whatever it does: an index that is half written is of no use to anybody."""
        connection = self._connection
        if connection is not None:
            self._process.terminate()
            self._process.join(_STOP_S)

    def _read(self, connection: Connection) -> None:
        with contextlib.suppress(OSError, EOFError):
            while True:
                name = connection.recv()
                if name:
                    self.name = name
                else:
                    self._is_lost = True
        # The process has ended: the next update starts another one, with a new index.
        self._connection, self._is_lost = None, True


def _serve(connection: Connection, folder: Path) -> None:
    """Carry out updates until the connection is closed; answer each with its name, or with "" if it has failed."""
    # The parent process handles Ctrl+C for both.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError, AttributeError):
        os.nice(5)
    with contextlib.suppress(OSError, EOFError):
        while True:
            update: Update = connection.recv()
            try:
                _write(folder, update)
            except (OctavoError, OSError) as error:
                _log.warning("%s", error)
                connection.send("")
                continue
            connection.send(update.name)
            _remove_old(folder, {update.name, update.base})


def _write(folder: Path, update: Update) -> None:
    """Write an index: a new one, or a changed copy of another."""
    from octavo.search import IndexWriter, make_entries, make_records

    base = folder / update.base if update.base else None
    target = folder / update.name
    shutil.rmtree(target, ignore_errors=True)
    writer = IndexWriter(target, base=base)
    if base is not None:
        writer.remove(update.gone)
    for page in update.pages:
        writer.add(make_entries(make_records(page.facts, page.headings, page.text), page.route))
    writer.commit(update.settings)
    _release_memory()


def _release_memory() -> None:
    """Return to the system the memory that an index was written in; glibc would keep it, and grow over a day of edits."""
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _remove_old(folder: Path, kept: set[str]) -> None:
    """Remove the indexes that are no longer used; files of one that is open stay readable until it is closed."""
    for path in folder.iterdir():
        if path.name not in kept:
            shutil.rmtree(path, ignore_errors=True)
