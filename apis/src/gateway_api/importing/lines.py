"""Import of recorded exchanges: JSON Lines, checked line by line, all or nothing per file.

The whole file is checked first, without a lock. Then it is stored in transactions of about 100 ms, between which others
write; each notes how far it has come, so that the import of the same file continues where a crash has stopped it.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import BinaryIO

from gateway_api.database import Database, telling_setup_errors
from gateway_api.importing.checking import Check, Progress
from gateway_api.importing.examining import MOST_LINE_BYTES
from gateway_api.importing.spool import Spool
from gateway_api.importing.storing import Imported, Storing
from gateway_api.migrations import migrate
from gateway_api.prices import load_prices
from gateway_api.settings import Settings

_PIECE_BYTES = 1_048_576


def import_file(path: Path, settings: Settings, progress: Progress | None = None) -> int:
    """Store all exchanges of a file and return how many they are. Raises as `import_lines` does."""
    with path.open("rb") as file:
        return import_lines(read_lines(file), settings, progress).count


def read_lines(file: BinaryIO) -> Iterator[bytes]:
    """Give the lines of a file; of one that is too long only so much that it is refused."""
    while line := file.readline(MOST_LINE_BYTES + 2):
        yield line
        while line and not line.endswith(b"\n"):
            line = file.readline(_PIECE_BYTES)


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
        with telling_setup_errors(), _without_cycle_search(), closing(Spool()) as spool:
            with database.reading() as connection:
                check = Check(connection, spool, prices, tell)
                check.run(lines)
            return Storing(database, spool.read(check.workspaces), check.count, check.digest, tell).run()
    finally:
        database.close()


@contextmanager
def _without_cycle_search() -> Iterator[None]:
    """Keep Python from looking for cycles among the records, which have none: it took a quarter of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
