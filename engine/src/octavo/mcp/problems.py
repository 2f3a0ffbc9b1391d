"""Problems that programs report about pages, kept in SQLite for the site's authors. Nothing about who reports is kept."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import msgspec

from octavo.mcp.library import NotAvailableError
from octavo.small_database import open_database

MOST_KEPT = 1_000
"""Problems; further ones are refused until the file is removed, so that nobody can fill the disk."""

_TABLE = "CREATE TABLE IF NOT EXISTS problems (day TEXT NOT NULL, page TEXT NOT NULL, text TEXT NOT NULL)"


class ReportedProblem(msgspec.Struct, frozen=True):
    """One report."""

    day: str
    """ISO 8601 date, UTC."""
    page: str
    """Route of the page, with the anchor that it is about."""
    text: str


class ProblemStore:
    """Keeps reports. Each call opens the database anew: they are rare, and several servers may share one."""

    def __init__(self, path: Path) -> None:
        """Initialize.

        Args:
            path: The database; made with the first report.
        """
        self._path = path

    def keep(self, page: str, text: str) -> None:
        """Keep one; the same again is kept once.

        Raises:
            NotAvailableError: there are too many already.
            sqlite3.Error: the database cannot be written.
            OSError: its folder cannot be made.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with open_database(self._path, _TABLE) as database:
            database.execute("BEGIN IMMEDIATE")
            if database.execute("SELECT 1 FROM problems WHERE page = ? AND text = ?", (page, text)).fetchone():
                return
            [count] = database.execute("SELECT count(*) FROM problems").fetchone()
            if count >= MOST_KEPT:
                raise NotAvailableError("No more reports are taken here until those before have been read.")
            database.execute(
                "INSERT INTO problems VALUES (?, ?, ?)", (datetime.now(UTC).date().isoformat(), page, text)
            )

    def report(self) -> list[ReportedProblem]:
        """List all, oldest first.

        Raises:
            sqlite3.Error: the database cannot be read.
        """
        if not self._path.is_file():
            return []
        with open_database(self._path, _TABLE) as database:
            return [
                ReportedProblem(*row) for row in database.execute("SELECT day, page, text FROM problems ORDER BY rowid")
            ]
