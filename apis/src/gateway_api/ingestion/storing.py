"""Storing of a few exchanges at a time, each once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from pydantic import ValidationError
from sqlalchemy import Connection

from gateway_api.database import Database
from gateway_api.errors import NotFoundError
from gateway_api.migrations import migrate
from gateway_api.prices import load_prices
from gateway_api.recording import Exchange
from gateway_api.settings import Settings, load_settings
from gateway_api.store.recording import Prepared, Recorder, known_ids, prepare
from gateway_api.store.workspaces import get_active, get_live

MOST_AT_ONCE = 500
"""Exchanges in one transaction: so few that other writers wait for some tens of milliseconds at most."""


class RecordError(ValueError):
    """An exchange is wrong; the text says what. Nothing of the call was stored.

    Args:
        place: Number of the exchange, from 0.
        reason: What is wrong, for its author.
    """

    def __init__(self, place: int, reason: str) -> None:
        super().__init__(f"exchange {place}: {reason}")
        self.place = place
        self.reason = reason


@dataclass(frozen=True)
class Recorded:
    """What a call has done."""

    count: int = 0
    """Exchanges that were stored."""
    repeated: int = 0
    """Exchanges that were stored before: the exchange, its answer or one of its alerts has an id that is known."""
    homeless: tuple[int, ...] = ()
    """Numbers of the exchanges that were left out because their workspace does not exist."""


def record_exchanges(exchanges: Iterable[Mapping[str, Any] | Exchange], settings: Settings | None = None) -> Recorded:
    """Store exchanges now. A program that does so often keeps an `Ingestion` instead.

    Args:
        exchanges: Each with the fields of a line of an import file. An `id` makes it safe to send one again: an
            exchange whose id is known is not stored a second time.
        settings: Where the database is; None reads the environment, as the server does.

    Returns:
        How many were stored, and how many were known. Listeners of running servers hear of new alerts.

    Raises:
        RecordError: One is wrong, or names a workspace that does not exist. Nothing was stored.
        StorageError: The database cannot be written now; try again if `is_passing`. Up to 500 exchanges are stored
            together or not at all; of more, earlier ones may be stored, and are known when they are sent again.
        SetupError: The database cannot be used at all.
    """
    with Ingestion(settings or load_settings()) as ingestion:
        return ingestion.record(exchanges)


class Ingestion:
    """An open database to record into; servers may run on it at the same time. Not for several threads at once.

    Args:
        settings: Where the database and the price file are.

    Raises:
        SetupError: The database or the price file cannot be used.
    """

    def __init__(self, settings: Settings) -> None:
        self._prices = load_prices(settings.prices_file)
        self.database = Database(settings.database_url, readers=1, busy_timeout_s=settings.busy_timeout_s)
        try:
            migrate(self.database)
        except BaseException:
            self.database.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self.database.close()

    def record(self, exchanges: Iterable[Mapping[str, Any] | Exchange]) -> Recorded:
        """Store exchanges; see `record_exchanges`."""
        read = [one if isinstance(one, Exchange) else _validate(place, one) for place, one in enumerate(exchanges)]
        done = Recorded()
        for start in range(0, len(read), MOST_AT_ONCE):
            part = self.store(read[start : start + MOST_AT_ONCE], may_leave_out=False, first=start)
            done = Recorded(done.count + part.count, done.repeated + part.repeated)
        return done

    def store(
        self,
        exchanges: Sequence[Exchange],
        *,
        note: Callable[[Connection], None] | None = None,
        may_leave_out: bool = True,
        first: int = 0,
    ) -> Recorded:
        """Store exchanges in one transaction.

        Args:
            exchanges: At most `MOST_AT_ONCE`.
            note: Writes in the same transaction, for instance how far a file was read.
            may_leave_out: Leave out exchanges whose workspace does not exist.
            first: Number of the first exchange, for the error.

        Raises:
            RecordError: A workspace does not exist, and none may be left out. Nothing was stored.
            StorageError: The database cannot be written now. Nothing was stored.
        """
        prepared = [prepare(exchange, self._prices) for exchange in exchanges]
        with self.database.writing() as connection:
            done = _store(connection, exchanges, prepared)
            if done.homeless and not may_leave_out:
                place = done.homeless[0]
                raise RecordError(first + place, missing_workspace(exchanges[place]))
            if note:
                note(connection)
        return done


def read_exchange(line: bytes) -> Exchange:
    """Read one JSON object.

    Raises:
        RecordError: It is none, or not the record of an exchange.
    """
    try:
        return Exchange.model_validate_json(line)
    except ValidationError as error:
        raise RecordError(0, _first_problem(error)) from error


def missing_workspace(exchange: Exchange) -> str:
    """Say which workspace does not exist."""
    return f'workspace "{exchange.workspace}" does not exist'


def _store(connection: Connection, exchanges: Sequence[Exchange], prepared: Sequence[Prepared]) -> Recorded:
    known = known_ids(connection, (id_ for one in prepared for id_ in one.ids))
    recorder = Recorder(connection)
    places: dict[str | None, int | None] = {}
    homeless: list[int] = []
    repeated = 0
    for number, (exchange, one) in enumerate(zip(exchanges, prepared, strict=True)):
        if exchange.workspace not in places:
            places[exchange.workspace] = _find_workspace(connection, exchange.workspace)
        place = places[exchange.workspace]
        if place is None:
            homeless.append(number)
        elif known.isdisjoint(one.ids):
            known.update(one.ids)
            recorder.add(place, one)
        else:
            repeated += 1
    recorder.finish()
    return Recorded(len(exchanges) - repeated - len(homeless), repeated, tuple(homeless))


def _find_workspace(connection: Connection, name: str | None) -> int | None:
    try:
        row_id: int = get_live(connection, get_active(connection).name if name is None else name).id
    except NotFoundError:
        return None
    return row_id


def _validate(place: int, value: Mapping[str, Any]) -> Exchange:
    try:
        return Exchange.model_validate(value)
    except ValidationError as error:
        raise RecordError(place, _first_problem(error)) from error


def _first_problem(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(map(str, first["loc"]))
    return f"{place}: {first['msg']}" if place else first["msg"]
