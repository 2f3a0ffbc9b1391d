"""`gateway follow`: record the lines of a file as they are written.

How far a file was read is written in the transaction that stores its records, so each line is recorded exactly once,
whenever the program is killed.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeVar

from sqlalchemy import Connection, delete, insert, select, update

from gateway_api.errors import SetupError
from gateway_api.importing import MOST_LINE_BYTES
from gateway_api.ingestion.generations import Found, Generation, Plan, compressed, look, mark_of, plan
from gateway_api.ingestion.storing import MOST_AT_ONCE, Ingestion, RecordError, missing_workspace, read_exchange
from gateway_api.recording import Exchange, other_format
from gateway_api.storage_errors import StorageError
from gateway_api.tables import followed_files
from gateway_api.values.text import key_of

POLL_S = 0.2
"""How often a file is looked at."""

GRACE_S = 5.0
"""How long a renamed file is read on: its writer may not have opened the new one yet."""

_PAUSE_S = 0.006
"""Pause between two transactions: writers of other processes look again every 2 ms."""

_RETRY_S = 1.0
"""Pause after the database could not be written."""

_READ_BYTES = 1_048_576
_BOM = b"\xef\xbb\xbf"

T = TypeVar("T")

Report = Callable[[str], None]
"""Told, for the operator, what was left out or may be lost."""


@dataclass
class Followed:
    """What was done so far."""

    count: int = 0
    """Exchanges that were stored."""
    repeated: int = 0
    """Exchanges that were recorded before."""
    rejected: int = 0
    """Lines that are no exchange, or whose workspace does not exist; each was reported."""


class Line(NamedTuple):
    """A line, and the byte at which it begins."""

    place: int
    text: bytes


class Lines:
    """Stores lines, and reports those that cannot be stored.

    Args:
        ingestion: Where to store.
        report: Told about lines that are left out.
        stop: Set when the program is to end.
    """

    def __init__(self, ingestion: Ingestion, report: Report, stop: threading.Event) -> None:
        self._ingestion = ingestion
        self._report = report
        self._stop = stop
        self.done = Followed()

    def store(self, name: str, lines: Sequence[Line], note: Callable[[Connection], None] | None = None) -> bool:
        """Store some lines in one transaction; wait while the database is busy or away.

        Returns:
            Whether they are stored; False where the program is to end first.

        Raises:
            SetupError: They are not text in UTF-8, or the database cannot be used until somebody repairs it.
        """
        exchanges: list[Exchange] = []
        places: list[int] = []
        problems: list[tuple[int, str]] = []
        for line in lines:
            if line.place == 0 and (format_ := other_format(line.text)):
                raise SetupError(f"{name} is {format_}.")
            content = (line.text.removeprefix(_BOM) if line.place == 0 else line.text).strip()
            try:
                if content:
                    exchanges.append(_read(content))
                    places.append(line.place)
            except RecordError as error:
                problems.append((line.place, error.reason))
        stored = patiently(lambda: self._ingestion.store(exchanges, note=note), self._report, self._stop)
        if stored is None:
            return False
        problems += [(places[number], missing_workspace(exchanges[number])) for number in stored.homeless]
        for place, reason in sorted(problems):
            self._report(f"{name}, line at byte {place} was left out: {reason}")
        self.done.count += stored.count
        self.done.repeated += stored.repeated
        self.done.rejected += len(problems)
        return True


def patiently(work: Callable[[], T], report: Report, stop: threading.Event) -> T | None:
    """Do something to the database, again and again while it is busy or away; None where the program is to end.

    Raises:
        SetupError: The database cannot be used until somebody repairs it.
    """
    while True:
        try:
            return work()
        except StorageError as error:
            if not error.is_passing:
                raise SetupError(f"{error}.") from error
            report(f"{error}; waiting")
            if stop.wait(_RETRY_S):
                return None


def follow_stream(
    stream: BinaryIO, ingestion: Ingestion, report: Report, tell: Callable[[Followed], None] | None = None
) -> Followed:
    """Record the lines of a stream as they come, until it ends; a stream cannot be read again after a crash."""
    lines = Lines(ingestion, report, threading.Event())
    rest, place = b"", 0
    while data := os.read(stream.fileno(), _READ_BYTES):
        whole, place, rest = cut(rest + data, place)
        if len(rest) > MOST_LINE_BYTES:
            whole.append(Line(place, rest))
            place, rest = place + len(rest), b""
        _store_all(lines, whole)
        if tell:
            tell(lines.done)
    _store_all(lines, [Line(place, rest)] if rest else [])
    return lines.done


def _store_all(lines: Lines, whole: Sequence[Line]) -> None:
    for start in range(0, len(whole), MOST_AT_ONCE):
        lines.store("standard input", whole[start : start + MOST_AT_ONCE])


@dataclass
class _Open:
    """A file that is being read."""

    generation: Generation
    file: BinaryIO
    quiet_since: float = field(default_factory=time.monotonic)


class Follower:
    """Follows the file at a path through its rotations.

    Args:
        path: The file; it may not exist yet.
        ingestion: Where to store.
        report: Told what was left out or may be lost.
        stop: Set to end after the transaction that is under way.
        tell: Told after each transaction what was done so far.
        ready: Called once it is written down which files are there. Lines that are written from then on are recorded,
            also if the file is rotated at once.
    """

    def __init__(
        self,
        path: Path,
        ingestion: Ingestion,
        report: Report,
        *,
        stop: threading.Event | None = None,
        tell: Callable[[Followed], None] | None = None,
        ready: Callable[[], None] | None = None,
    ) -> None:
        self._path = path.absolute()
        self._source_key = key_of(str(self._path))
        self._database = ingestion.database
        self._report = report
        self._stop = stop or threading.Event()
        self._tell = tell
        self._ready = ready
        self._lines = Lines(ingestion, report, self._stop)
        self._open: list[_Open] = []
        self._finished: dict[tuple[int, int], Generation] = {}

    def run(self, *, is_once: bool = False) -> Followed:
        """Record what is there, and what is written from now on, until `stop` is set.

        Args:
            is_once: End when everything that is there is recorded.

        Raises:
            SetupError: The database or the file cannot be used, or another process follows the same path.
        """
        with ExitStack() as files:
            files.callback(self._close_all)
            self._place_all()
            if self._ready and not self._stop.is_set():
                self._ready()
            while not self._stop.is_set():
                has_read = self._read_all(is_last=is_once)
                if self._has_rotated():
                    self._place_all()
                elif is_once and not has_read:
                    break
                self._stop.wait(_PAUSE_S if has_read else POLL_S)
        return self._lines.done

    def _read_all(self, *, is_last: bool) -> bool:
        counts = [
            self._read_on(one, is_last=is_last) for one in list(self._open)
        ]  # each, also after one that had lines
        return any(counts)

    def _has_rotated(self) -> bool:
        try:
            seen = self._path.stat()
        except FileNotFoundError:
            return False  # the new file comes in a moment; the old one is still read
        live = self._live()
        return live is None or live.generation.key != (seen.st_dev, seen.st_ino) or not self._is_same(live)

    def _is_same(self, one: _Open) -> bool:
        """Return whether an open file still begins with what was read of it: it may have been truncated."""
        return mark_of(one.file, one.generation.position) == one.generation.mark

    def _live(self) -> _Open | None:
        return next((one for one in self._open if one.generation.name == self._path.name), None)

    def _place_all(self) -> None:
        """Find all files of the path, write down where each is read on, and keep open those that are not finished."""
        if self._path.exists() and not self._path.is_file():
            raise SetupError(f"{self._path} is not a regular file; `follow -` reads standard input.")
        held = {one.generation.key: one for one in self._open if self._is_same(one)}
        try:
            with look(self._path) as files:
                known = [one.generation for one in held.values()]
                plan_ = patiently(lambda: self._plan(known, files), self._report, self._stop)
                if plan_ is None:
                    return
                opened = {file.key: file for file in files}
                kept = [self._keep(one, held, opened[one.key]) for one in plan_.generations]
        except OSError as error:
            raise SetupError(f"The file {error.filename} cannot be read: {error.strerror}.") from error
        for generation, sentence in plan_.lost:
            if generation.key not in held:
                self._report(sentence + self._hint())
        gone = [one for key, one in held.items() if key not in {generation.key for generation in plan_.generations}]
        for one in gone:  # deleted; what was written to it can be read as long as it is open
            one.generation = replace(one.generation, name="")
        former, self._open = self._open, [*gone, *(one for one in kept if one)]
        for one in former:
            if one not in self._open:
                one.file.close()

    def _keep(self, generation: Generation, held: Mapping[tuple[int, int], _Open], found: Found) -> _Open | None:
        if opened := held.get(generation.key):
            opened.generation = generation
            return opened
        # Compared whole: the system gives the number of a deleted file to a new one.
        finished = self._finished.get(generation.key)
        is_finished = finished and replace(finished, name=generation.name) == generation
        if is_finished and generation.name != self._path.name and found.size == generation.position:
            return None
        return _Open(generation, os.fdopen(os.dup(found.file.fileno()), "rb"))

    def _plan(self, held: Sequence[Generation], files: Collection[Found]) -> Plan:
        """Work out where each file is read on, and write it down.

        Args:
            held: Files that are open. One that had left the folder and is back is not written down, but is read on.
            files: Files that are in the folder.
        """
        of_source = followed_files.c.source_key == self._source_key
        with self._database.writing() as connection:
            rows = connection.execute(select(followed_files).where(of_source)).all()
            known = [Generation(int(row.device), int(row.inode), row.name, row.position, row.mark) for row in rows]
            written = {one.key for one in known}
            plan_ = plan(self._path, [*known, *(one for one in held if one.key not in written)], files)
            # Where there is no file yet, a row says that the path is followed: a file that is rotated before it is seen
            # for the first time is new then.
            wanted = plan_.generations or (Generation(0, 0, self._path.name),)
            if set(known) != set(wanted):
                connection.execute(delete(followed_files).where(of_source))
                for one in wanted:
                    connection.execute(insert(followed_files).values(self._row(one)))
        return plan_

    def _row(self, one: Generation) -> dict[str, Any]:
        place = {"source_key": self._source_key, "source": str(self._path), "name": one.name}
        return place | {
            "device": str(one.device),
            "inode": str(one.inode),
            "position": one.position,
            "mark": one.mark,
        }

    def _hint(self) -> str:
        names = compressed(self._path)
        return f" (perhaps {', '.join(sorted(names))} has them: rotate without compression)" if names else ""

    def _read_on(self, one: _Open, *, is_last: bool) -> bool:
        """Record the next lines of a file, and close it when it is finished.

        Returns:
            Whether there were any.
        """
        is_rotated = one.generation.name != self._path.name
        position = one.generation.position
        data = os.pread(one.file.fileno(), _READ_BYTES, position)
        if b"\n" not in data and len(data) == _READ_BYTES:
            data = os.pread(one.file.fileno(), MOST_LINE_BYTES + 1, position)
        if not self._is_same(one):  # truncated while it was read
            return False
        whole, _, rest = cut(data, position)
        now = time.monotonic()
        has_ended = is_rotated and (is_last or now - one.quiet_since > GRACE_S)
        if rest and (len(rest) > MOST_LINE_BYTES or (has_ended and not whole)):
            whole.append(Line(position + len(data) - len(rest), rest))
        whole = whole[:MOST_AT_ONCE]
        if whole:
            one.quiet_since = now
            return self._record(one, whole)
        if has_ended:
            one.file.close()
            self._open.remove(one)
            self._finished[one.generation.key] = one.generation
        return False

    def _record(self, one: _Open, lines: Sequence[Line]) -> bool:
        before = one.generation
        position = lines[-1].place + len(lines[-1].text)
        after = replace(before, position=position, mark=mark_of(one.file, position))
        row = followed_files.c
        is_row = (row.source_key == self._source_key, row.device == str(before.device), row.inode == str(before.inode))

        def note(connection: Connection) -> None:
            changed = update(followed_files).where(*is_row, row.position == before.position)
            if not connection.execute(changed.values(position=after.position, mark=after.mark)).rowcount and after.name:
                raise SetupError(f"Another process follows {self._path} into the same database.")

        if self._lines.store(after.name or self._path.name, lines, note):
            one.generation = after
            if self._tell:
                self._tell(self._lines.done)
            return True
        return False

    def _close_all(self) -> None:
        for one in self._open:
            one.file.close()


def cut(data: bytes, place: int) -> tuple[list[Line], int, bytes]:
    """Cut bytes into lines.

    Args:
        data: Bytes that begin with a line.
        place: Where they begin in their file.

    Returns:
        Whole lines with their ends, where the rest begins, and the rest, which has no end yet.
    """
    lines: list[Line] = []
    for text in _split(data):
        if not text.endswith(b"\n"):
            return lines, place, text
        lines.append(Line(place, text))
        place += len(text)
    return lines, place, b""


def _split(data: bytes) -> list[bytes]:
    """Split after line feeds only; `splitlines` would also split at a carriage return."""
    *whole, rest = data.split(b"\n")
    return [line + b"\n" for line in whole] + ([rest] if rest else [])


def _read(content: bytes) -> Exchange:
    if len(content) > MOST_LINE_BYTES:
        raise RecordError(0, f"is longer than {MOST_LINE_BYTES} bytes")
    return read_exchange(content)
