"""Storing of a checked file, in transactions that note how far they have come."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from gateway_api.database import Database
from gateway_api.errors import SetupError
from gateway_api.importing.checking import Progress
from gateway_api.importing.spool import Entry
from gateway_api.storage_errors import StorageError
from gateway_api.store.recording import Recorder, known_ids
from gateway_api.tables import imports

TRANSACTION_S = 0.05
"""Length of a transaction, without its commit, at which whoever waits gets the turn."""

LONGEST_S = 0.8
"""Length of a transaction while nobody waits. Keys are random, so a transaction writes nearly as many pages for a few
entries as for many."""

COMMIT_S = 0.05
"""Intended length of the commit of such a transaction: whoever comes last waits for all of it."""

STEP = 1_000
"""Most entries that are stored between two looks at who waits."""

FEWEST = 200
"""Fewest; the keys of each entry touch pages of their own, so less would hardly be faster."""

STEP_S = 0.02
"""Intended length of a step: who comes after a look waits for the next one."""


@dataclass(frozen=True)
class Imported:
    """What an import has done."""

    count: int
    """Conversations of the file, those of an interrupted attempt included."""
    repeated: int
    """Conversations that somebody else has recorded while the import ran; they are stored once."""


class Storing:
    """Stores a spool, in transactions that note how far they have come."""

    def __init__(self, database: Database, entries: Iterator[Entry], count: int, digest: str, tell: Progress) -> None:
        self._database = database
        self._entries = entries
        self._count = count
        self._digest = digest
        self._tell = tell
        self._repeated = 0
        self._longest_s = LONGEST_S / 4
        self._step = min(STEP, FEWEST)
        self._has_met_others = False
        """Somebody records the same: from then on each step leaves out what is recorded already."""

    def run(self) -> Imported:
        with self._database.reading() as connection:
            query = select(imports.c.recorded).where(imports.c.digest == self._digest)
            done = connection.scalar(query) or 0
        for _ in islice(self._entries, done):
            pass
        while batch := self._next(self._count - done):
            try:
                writing_s, commit_s = self._store(batch, done)
            except StorageError as error:
                raise SetupError(self._stopped(error, done)) from error
            done += len(batch)
            self._tell("stored", done)
            self._longest_s = next_length(self._longest_s, writing_s, commit_s)
            self._database.keep_log_short()
            if done < self._count:
                self._database.let_others_write()
        return Imported(self._count, self._repeated)

    def _next(self, most: int) -> list[Entry]:
        """Take the entries of the next step."""
        return list(islice(self._entries, min(self._step, most)))

    def _stopped(self, error: StorageError, done: int) -> str:
        """Say how far the import has come; what is stored stays."""
        cause = error.cause[0].lower() + error.cause[1:]
        return (
            f"The import stopped after {done:,} of {self._count:,} conversations: {cause}. The same command with the same "
            "file continues there."
        )

    def _store(self, batch: list[Entry], done: int) -> tuple[float, float]:
        """Store some entries, and more while nobody waits; these are added to the batch.

        Returns:
            How many seconds that and the commit took.
        """
        if not self._has_met_others:
            try:
                return self._write(batch, done, may_go_on=True)
            except IntegrityError:
                self._has_met_others = True
        times = (0.0, 0.0)
        pieces = [batch[start : start + FEWEST] for start in range(0, len(batch), FEWEST)]
        for piece in pieces:
            try:
                times = self._write(piece, done, may_go_on=False)
            except IntegrityError as error:
                raise SetupError("A workspace of the file was deleted meanwhile; the rest was not imported.") from error
            done += len(piece)
        return times

    def _write(self, batch: list[Entry], before: int, *, may_go_on: bool) -> tuple[float, float]:
        # A power cut may take the last transactions back, together with the note of how far they came: the same command
        # stores them again. The last one, after which the file is called imported, makes all of them durable.
        is_last = before + len(batch) >= self._count
        with self._database.writing(is_durable=is_last) as connection:
            begun = time.monotonic()  # without the wait for the lock, which says nothing about the batch
            recorder = Recorder(connection)
            repeated = self._add(connection, recorder, batch)
            while may_go_on and not is_last and (length_s := time.monotonic() - begun) < self._longest_s:
                left = self._count - before - len(batch) - 1  # the last transaction is another one: it is durable
                if left <= 0 or (length_s >= TRANSACTION_S and self._database.is_wanted(connection)):
                    break
                more = self._next(left)
                batch += more
                repeated += self._add(connection, recorder, more)
            recorder.finish()
            done = before + len(batch)
            of_file = imports.c.digest == self._digest
            if done >= self._count:
                connection.execute(delete(imports).where(of_file))
            elif not connection.execute(update(imports).where(of_file).values(recorded=done)).rowcount:
                connection.execute(insert(imports).values(digest=self._digest, recorded=done))
            written = time.monotonic()
        self._repeated += repeated
        return written - begun, time.monotonic() - written

    def _add(self, connection: Connection, recorder: Recorder, entries: list[Entry]) -> int:
        """Store the entries of a step, whose length decides how many the next one has.

        Returns:
            How many somebody else has recorded since the file was checked; the transaction keeps others from adding to
            them.
        """
        begun = time.monotonic()
        fresh = entries
        if self._has_met_others:
            recorded = known_ids(connection, (id_ for _, prepared in entries for id_ in prepared.ids))
            fresh = [(place, prepared) for place, prepared in entries if recorded.isdisjoint(prepared.ids)]
        recorder.add_all(fresh)
        self._step = next_step(self._step, (time.monotonic() - begun) * self._step / max(1, len(entries)))
        return len(entries) - len(fresh)


def next_length(longest_s: float, writing_s: float, commit_s: float) -> float:
    """Choose how long a transaction may go on while nobody waits, so that its commit takes at most about `COMMIT_S`.

    Args:
        longest_s: What was allowed before.
        writing_s: What the rows of the last transaction took.
        commit_s: What its commit took.
    """
    if commit_s > COMMIT_S:
        return max(TRANSACTION_S, min(longest_s, writing_s) * COMMIT_S / commit_s)
    return min(LONGEST_S, longest_s * 2)


def next_step(step: int, seconds: float) -> int:
    """Choose how many entries the next step has so that it takes about `STEP_S`; at most doubled at a time.

    Args:
        step: How many entries the last one had.
        seconds: What it took.
    """
    return round(min(max(step * STEP_S / max(seconds, 0.0001), FEWEST), step * 2, STEP))
