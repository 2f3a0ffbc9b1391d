"""Import of recorded exchanges: JSON Lines, checked line by line, all or nothing per file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError
from sqlalchemy import Connection

from gateway_api.database import Database, telling_setup_errors
from gateway_api.errors import NotFoundError, SetupError
from gateway_api.migrations import migrate
from gateway_api.recording import Exchange
from gateway_api.settings import Settings
from gateway_api.store.recording import Recorder, known_ids
from gateway_api.store.workspaces import get_active, get_live

MOST_COMPLAINTS = 20
"""Bad lines that are listed; the rest is counted."""

MOST_LINE_BYTES = 8_388_608
_BATCH = 400


def import_file(path: Path, settings: Settings) -> int:
    """Store all exchanges of a file and return how many they are.

    Raises:
        SetupError: Lines are wrong (each is named) or the database cannot be used, and nothing was stored.
    """
    database = Database(settings.database_url)
    try:
        migrate(database)
        with telling_setup_errors(), database.writing() as connection, path.open("rb") as file:
            return _Import(connection).run(file)
    finally:
        database.close()


class _Import:
    """One import, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._recorder = Recorder(connection)
        self._workspaces: dict[str | None, int] = {}
        self._complaints: list[str] = []
        self._bad_lines = 0
        self._seen: set[str] = set()

    def run(self, lines: Iterator[bytes]) -> int:
        count = 0
        batch: list[tuple[int, Exchange]] = []
        for number, line in enumerate(lines, start=1):
            exchange = self._read(number, line)
            if exchange:
                batch.append((number, exchange))
                count += 1
            if len(batch) == _BATCH:
                self._record(batch)
                batch = []
        self._record(batch)
        if self._bad_lines:
            more = self._bad_lines - len(self._complaints)
            rest = [f"… and {more} more."] if more else []
            raise SetupError("\n".join(["Nothing was imported; these lines are wrong:", *self._complaints, *rest]))
        self._recorder.finish()
        return count

    def _read(self, number: int, line: bytes) -> Exchange | None:
        """Read a line; empty ones are left out, wrong ones noted."""
        if not line.strip():
            return None
        if len(line) > MOST_LINE_BYTES:
            self._complain(number, f"is longer than {MOST_LINE_BYTES} bytes")
            return None
        try:
            exchange = Exchange.model_validate_json(line.strip())
            workspace = self._workspace(exchange.workspace)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, first["loc"]))
            self._complain(number, f"{place}: {first['msg']}" if place else first["msg"])
            return None
        except NotFoundError:
            self._complain(number, f'workspace "{exchange.workspace}" does not exist')
            return None
        self._workspaces[exchange.workspace] = workspace
        return exchange

    def _workspace(self, name: str | None) -> int:
        known = self._workspaces.get(name)
        if known is not None:
            return known
        row_id: int = get_live(self._connection, get_active(self._connection).name if name is None else name).id
        return row_id

    def _record(self, batch: list[tuple[int, Exchange]]) -> None:
        recorded = known_ids(self._connection, [id_ for _, exchange in batch for id_ in exchange.ids])
        for number, exchange in batch:
            ids = exchange.ids
            if not recorded.isdisjoint(ids) or not self._seen.isdisjoint(ids) or len(set(ids)) < len(ids):
                self._complain(number, "has an id that is recorded already")
            elif not self._bad_lines:
                self._recorder.record(self._workspaces[exchange.workspace], exchange)
            self._seen.update(ids)

    def _complain(self, number: int, reason: str) -> None:
        self._bad_lines += 1
        if len(self._complaints) < MOST_COMPLAINTS:
            self._complaints.append(f"line {number}: {reason}")
