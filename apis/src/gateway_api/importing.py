"""Import of recorded exchanges: JSON Lines, checked line by line, all or nothing per file.

The whole file is checked first, without a lock. Then it is stored in transactions of about 60 ms, between which others
write; each notes how far it has come, so that the import of the same file continues where a crash has stopped it.
"""

from __future__ import annotations

import hashlib
import marshal
import struct
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from gateway_api.database import Database, telling_setup_errors
from gateway_api.errors import NotFoundError, SetupError
from gateway_api.migrations import migrate
from gateway_api.prices import PriceList, load_prices
from gateway_api.recording import Exchange
from gateway_api.settings import Settings
from gateway_api.store.recording import BATCH, Prepared, Recorder, has_prompts, known_ids, prepare
from gateway_api.store.workspaces import get_active, get_live
from gateway_api.tables import imports

MOST_COMPLAINTS = 20
"""Bad lines that are listed; the rest is counted."""

MOST_LINE_BYTES = 8_388_608
TRANSACTION_S = 0.06
"""Intended length of one storing transaction."""

_PAUSE_S = 0.006
"""Pause between two transactions: writers of other processes look again every 2 ms."""

_MEMORY_BYTES = 67_108_864
"""Checked lines that are kept in memory; more are kept in an unnamed temporary file."""

_BLOCK = 100
"""Entries that are encoded together."""

_HEAD = struct.Struct("<Q")
_BOM = b"\xef\xbb\xbf"
_FEWEST, _MOST = 500, 20_000
"""Size of a transaction: so few that a slow disk, whose every commit takes long, does not make it smaller still."""

_REPEATED = "has an id that is recorded already"

Entry = tuple[int, Prepared]
"""A workspace, and what is stored in it."""

Progress = Callable[[str, int], None]
"""Told what is being done, `checked` or `stored`, and with how many conversations so far."""


@dataclass(frozen=True)
class Imported:
    """What an import has done."""

    count: int
    """Conversations of the file, those of an interrupted attempt included."""
    repeated: int
    """Conversations that somebody else has recorded while the import ran; they are stored once."""


def import_file(path: Path, settings: Settings, progress: Progress | None = None) -> int:
    """Store all exchanges of a file and return how many they are. Raises as `import_lines` does."""
    with path.open("rb") as file:
        return import_lines(file, settings, progress).count


def import_lines(lines: Iterable[bytes], settings: Settings, progress: Progress | None = None) -> Imported:
    """Store all exchanges.

    Args:
        lines: One JSON object each; a byte order mark and line ends of Windows are accepted.
        settings: Where the database is.
        progress: Called after each batch.

    Raises:
        SetupError: Lines are wrong (each is named) and nothing was stored, or the database cannot be used.
    """
    tell: Progress = progress or (lambda _event, _count: None)
    prices = load_prices(settings.prices_file)
    database = Database(settings.database_url, is_bulk=True)
    try:
        migrate(database)
        with telling_setup_errors(), closing(Spool()) as spool:
            with database.reading() as connection:
                check = _Check(connection, spool, prices, tell)
                check.run(lines)
            return _Storing(database, spool.read(), check.count, check.digest, tell).run()
    finally:
        database.close()


class Spool:
    """Entries that wait to be stored: in memory up to a limit, then in a temporary file without a name."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(_MEMORY_BYTES)  # noqa: SIM115 - closed by `close`
        self._block: list[tuple[int, tuple[Any, ...]]] = []

    def add(self, workspace_id: int, prepared: Prepared) -> None:
        """Keep an entry."""
        self._block.append((workspace_id, tuple(prepared)))
        if len(self._block) >= _BLOCK:
            self._write()

    def read(self) -> Iterator[Entry]:
        """Give back all entries in their order."""
        self._write()
        self._file.seek(0)
        while head := self._file.read(_HEAD.size):
            (length,) = _HEAD.unpack(head)
            for workspace_id, prepared in marshal.loads(self._file.read(length)):  # noqa: S302 - written by this process
                yield workspace_id, Prepared._make(prepared)

    def close(self) -> None:
        """Delete the file."""
        self._file.close()

    def _write(self) -> None:
        data = marshal.dumps(self._block)
        self._file.write(_HEAD.pack(len(data)))
        self._file.write(data)
        self._block = []


class _Check:
    """Reads a file, and writes what is to be stored into a spool."""

    def __init__(self, connection: Connection, spool: Spool, prices: PriceList, tell: Progress) -> None:
        self._connection = connection
        self._prices = prices
        self._spool = spool
        self._tell = tell
        self._workspaces: dict[str | None, int] = {}
        self._complaints: list[tuple[int, str]] = []
        self._bad_lines = 0
        self._seen: set[int] = set()
        self._line_of: dict[str, int] = {}
        self._recorded_lines: set[int] = set()
        self._hash = hashlib.sha256()
        self._is_database_empty = not has_prompts(connection)
        self.count = 0

    @property
    def digest(self) -> str:
        """Name of the file's content, 64 hex digits."""
        return self._hash.hexdigest()

    def run(self, lines: Iterable[bytes]) -> None:
        """Check all lines.

        Raises:
            SetupError: Some are wrong.
        """
        for number, line in enumerate(lines, start=1):
            self._hash.update(line)
            content = line.removeprefix(_BOM).strip() if number == 1 else line.strip()
            exchange = self._read(number, content) if content else None
            if exchange:
                self._keep(number, exchange)
        self._look_up()
        if not self._is_resumed():
            for number in sorted(self._recorded_lines):
                self._complain(number, _REPEATED)
        if self._bad_lines:
            listed = [f"line {number}: {reason}" for number, reason in sorted(self._complaints)[:MOST_COMPLAINTS]]
            more = self._bad_lines - len(listed)
            rest = [f"… and {more} more."] if more else []
            raise SetupError("\n".join(["Nothing was imported; these lines are wrong:", *listed, *rest]))

    def _is_resumed(self) -> bool:
        """Tell whether an import of this very file was interrupted: its own records are no mistake then."""
        query = select(imports.c.recorded).where(imports.c.digest == self.digest)
        return self._connection.scalar(query) is not None

    def _read(self, number: int, line: bytes) -> Exchange | None:
        if len(line) > MOST_LINE_BYTES:
            self._complain(number, f"is longer than {MOST_LINE_BYTES} bytes")
            return None
        try:
            exchange = Exchange.model_validate_json(line)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, first["loc"]))
            self._complain(number, f"{place}: {first['msg']}" if place else first["msg"])
            return None
        try:
            if exchange.workspace not in self._workspaces:
                self._workspaces[exchange.workspace] = self._find(exchange.workspace)
        except NotFoundError:
            self._complain(number, f'workspace "{exchange.workspace}" does not exist')
            return None
        return exchange

    def _find(self, name: str | None) -> int:
        row_id: int = get_live(self._connection, get_active(self._connection).name if name is None else name).id
        return row_id

    def _keep(self, number: int, exchange: Exchange) -> None:
        for id_ in exchange.given_ids:
            if id_.int in self._seen:
                self._complain(number, _REPEATED)
                return
            self._seen.add(id_.int)
            if not self._is_database_empty:
                self._line_of[str(id_)] = number
        if len(self._line_of) >= BATCH:
            self._look_up()
        self.count += 1
        if not self._bad_lines:  # otherwise nothing will be stored
            self._spool.add(self._workspaces[exchange.workspace], prepare(exchange, self._prices))
        if self.count % BATCH == 0:
            self._tell("checked", self.count)

    def _look_up(self) -> None:
        if self._line_of:
            self._recorded_lines.update(self._line_of[id_] for id_ in known_ids(self._connection, self._line_of))
            self._line_of = {}

    def _complain(self, number: int, reason: str) -> None:
        self._bad_lines += 1
        if len(self._complaints) < 2 * MOST_COMPLAINTS:
            self._complaints.append((number, reason))


class _Storing:
    """Stores a spool, in transactions that note how far they have come."""

    def __init__(self, database: Database, entries: Iterator[Entry], count: int, digest: str, tell: Progress) -> None:
        self._database = database
        self._entries = entries
        self._count = count
        self._digest = digest
        self._tell = tell
        self._repeated = 0

    def run(self) -> Imported:
        with self._database.reading() as connection:
            query = select(imports.c.recorded).where(imports.c.digest == self._digest)
            done = connection.scalar(query) or 0
        for _ in islice(self._entries, done):
            pass
        size = _FEWEST
        while batch := list(islice(self._entries, size)):
            seconds = self._store(batch, done)
            done += len(batch)
            self._tell("stored", done)
            size = next_size(size, seconds)
            if done < self._count:
                time.sleep(_PAUSE_S)
        return Imported(self._count, self._repeated)

    def _store(self, batch: list[Entry], done: int) -> float:
        """Store some entries, and return how many seconds that took."""
        try:
            return self._write(batch, done + len(batch))
        except IntegrityError as error:
            fresh = self._without_recorded(batch)
            if len(fresh) == len(batch):
                raise SetupError("A workspace of the file was deleted meanwhile; the rest was not imported.") from error
            self._repeated += len(batch) - len(fresh)
            return self._write(fresh, done + len(batch))

    def _write(self, batch: list[Entry], done: int) -> float:
        with self._database.writing() as connection:
            begun = time.monotonic()  # without the wait for the lock, which says nothing about the batch
            recorder = Recorder(connection)
            for workspace_id, prepared in batch:
                recorder.add(workspace_id, prepared)
            recorder.finish()
            of_file = imports.c.digest == self._digest
            if done >= self._count:
                connection.execute(delete(imports).where(of_file))
            elif not connection.execute(update(imports).where(of_file).values(recorded=done)).rowcount:
                connection.execute(insert(imports).values(digest=self._digest, recorded=done))
            return time.monotonic() - begun  # without the commit, which takes as long for fewer entries

    def _without_recorded(self, batch: list[Entry]) -> list[Entry]:
        """Leave out what another process has recorded since the file was checked."""
        with self._database.reading() as connection:
            recorded = known_ids(connection, (id_ for _, prepared in batch for id_ in prepared.ids))
        return [(place, prepared) for place, prepared in batch if recorded.isdisjoint(prepared.ids)]


def next_size(size: int, seconds: float) -> int:
    """Choose the size of the next transaction so that it takes about `TRANSACTION_S`; at most doubled at a time."""
    wanted = size * TRANSACTION_S / max(seconds, 0.001)
    return round(min(max(wanted, _FEWEST), size * 2, _MOST))
