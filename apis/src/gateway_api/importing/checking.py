"""The check of a whole file, before anything is stored."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from sqlalchemy import Connection, select

from gateway_api.errors import NotFoundError, SetupError
from gateway_api.importing.examining import BLOCK_LINES, Examined, Lines, examine_all
from gateway_api.importing.spool import Spool
from gateway_api.prices import PriceList
from gateway_api.recording import other_format
from gateway_api.store.recording import all_ids, known_ids
from gateway_api.store.workspaces import get_active, get_live
from gateway_api.tables import imports

MOST_COMPLAINTS = 20
"""Bad lines that are listed; the rest is counted."""

FEW = 50_000
"""Exchanges in the database up to which all ids are read at once: that is ten times as fast as a search for each."""

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
        self._complaints: dict[int, str] = {}
        self._bad_lines: set[int] = set()
        self._seen: set[bytes] = set()
        self._recorded_lines: set[int] = set()
        self._hash = hashlib.sha256()
        self._all_recorded = all_ids(connection, FEW)
        self.workspaces: dict[str | None, int] = {}
        """Workspaces as the file names them → their rows."""
        self.count = 0

    @property
    def digest(self) -> str:
        """Name of the file's content and of the workspaces that it names, 64 hex digits; known when all lines are checked.

        A workspace that was deleted and made anew has lost what an interrupted import of the same file has stored.
        """
        named = sorted((name, row_id) for name, row_id in self.workspaces.items() if name is not None)
        whole = self._hash.copy()
        whole.update(repr(named).encode() if named else b"")
        return whole.hexdigest()

    def run(self, lines: Iterable[bytes]) -> None:
        """Check all lines.

        Raises:
            SetupError: Some are wrong.
        """
        for block in examine_all(self._blocks(lines), self._prices):
            self._take(block)
            self._tell("checked", self.count)
        if not self._is_resumed():
            for number in sorted(self._recorded_lines):
                self._complain(number, _REPEATED)
        if self._bad_lines:
            listed = [f"line {number}: {reason}" for number, reason in sorted(self._complaints.items())]
            more = len(self._bad_lines) - len(listed[:MOST_COMPLAINTS])
            rest = [f"… and {more} more."] if more else []
            wrong = ["Nothing was imported; these lines are wrong:", *listed[:MOST_COMPLAINTS], *rest]
            raise SetupError("\n".join(wrong))

    def _blocks(self, lines: Iterable[bytes]) -> Iterator[Lines]:
        lines = iter(lines)
        number = 1
        while block := list(islice(lines, BLOCK_LINES)):
            if number == 1 and (format_ := other_format(block[0])):
                raise SetupError(f"The file is {format_}.")
            self._hash.update(b"".join(block))
            yield number, block
            number += len(block)

    def _is_resumed(self) -> bool:
        """Return whether an import of this very file was interrupted: its own records are not a mistake then."""
        query = select(imports.c.recorded).where(imports.c.digest == self.digest)
        return self._connection.scalar(query) is not None

    def _take(self, block: Examined) -> None:
        for number, reason in block.complaints:
            self._complain(number, reason)
        for name, numbers in block.workspaces.items():
            self._find(name, numbers)
        self._look_for_repeated(block)
        if block.ids:
            if self._all_recorded is None:
                recorded = known_ids(self._connection, block.ids)
            else:
                recorded = self._all_recorded.intersection(block.ids)
            if recorded:
                listed = zip(block.ids, block.id_lines, strict=True)
                self._recorded_lines.update(number for id_, number in listed if id_ in recorded)
        self.count += block.count
        if not self._bad_lines:  # otherwise nothing will be stored
            self._spool.add(block.records)

    def _find(self, name: str | None, numbers: list[int]) -> None:
        if name in self.workspaces:
            return
        try:
            row = get_live(self._connection, get_active(self._connection).name if name is None else name)
        except NotFoundError:
            for number in numbers:
                self._complain(number, f'workspace "{name}" does not exist')
        else:
            self.workspaces[name] = row.id

    def _look_for_repeated(self, block: Examined) -> None:
        """Complain of ids that the file has had before; most files have none, so they are compared all at once."""
        ids = set(block.short_ids)
        if len(ids) < len(block.short_ids) or not self._seen.isdisjoint(ids):
            for id_, number in zip(block.short_ids, block.id_lines, strict=True):
                if id_ in self._seen:
                    self._complain(number, _REPEATED)
                self._seen.add(id_)
        else:
            self._seen |= ids

    def _complain(self, number: int, reason: str) -> None:
        """Note a wrong line, with the first reason that is found."""
        if number not in self._bad_lines and len(self._complaints) < 2 * MOST_COMPLAINTS:
            self._complaints[number] = reason
        self._bad_lines.add(number)
