"""The check of a whole file, before anything is stored."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable

from pydantic import ValidationError
from sqlalchemy import Connection, select

from gateway_api.errors import NotFoundError, SetupError
from gateway_api.importing.spool import Spool
from gateway_api.prices import PriceList
from gateway_api.recording import Record, read_record
from gateway_api.store.recording import BATCH, has_prompts, known_ids, prepare_record
from gateway_api.store.workspaces import get_active, get_live
from gateway_api.tables import imports

MOST_COMPLAINTS = 20
"""Bad lines that are listed; the rest is counted."""

MOST_LINE_BYTES = 8_388_608
_BOM = b"\xef\xbb\xbf"
_REPEATED = "has an id that is recorded already"

Progress = Callable[[str, int], None]
"""Told what is being done, `checked` or `stored`, and with how many conversations so far."""


class Check:
    """Reads a file, and writes what is to be stored into a spool."""

    def __init__(self, connection: Connection, spool: Spool, prices: PriceList, tell: Progress) -> None:
        self._connection = connection
        self._prices = prices
        self._spool = spool
        self._tell = tell
        self._workspaces: dict[str | None, int] = {}
        self._complaints: list[tuple[int, str]] = []
        self._bad_lines = 0
        self._seen: set[bytes] = set()
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
            record = self._read(number, content) if content else None
            if record:
                self._keep(number, record)
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

    def _read(self, number: int, line: bytes) -> Record | None:
        if len(line) > MOST_LINE_BYTES:
            self._complain(number, f"is longer than {MOST_LINE_BYTES} bytes")
            return None
        try:
            record = read_record(line)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, first["loc"]))
            self._complain(number, f"{place}: {first['msg']}" if place else first["msg"])
            return None
        try:
            if record.workspace not in self._workspaces:
                self._workspaces[record.workspace] = self._find(record.workspace)
        except NotFoundError:
            self._complain(number, f'workspace "{record.workspace}" does not exist')
            return None
        return record

    def _find(self, name: str | None) -> int:
        row_id: int = get_live(self._connection, get_active(self._connection).name if name is None else name).id
        return row_id

    def _keep(self, number: int, record: Record) -> None:
        for id_ in record.take_ids():
            short = bytes.fromhex(id_.replace("-", ""))  # a third of the memory
            if short in self._seen:
                self._complain(number, _REPEATED)
                return
            self._seen.add(short)
            if not self._is_database_empty:
                self._line_of[id_] = number
        if len(self._line_of) >= BATCH:
            self._look_up()
        self.count += 1
        if not self._bad_lines:  # otherwise nothing will be stored
            self._spool.add(self._workspaces[record.workspace], prepare_record(record, self._prices))
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
