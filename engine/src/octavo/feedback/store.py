"""Answers in SQLite: two numbers for each page. No address, cookie, time or text of a reader is stored."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from octavo.small_database import open_database

Answer = Literal["yes", "no"]

_TABLE = """
CREATE TABLE IF NOT EXISTS feedback (
    page TEXT PRIMARY KEY, yes INTEGER NOT NULL DEFAULT 0, no INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID
"""


class PageFeedback(msgspec.Struct, frozen=True):
    """The answers about one page."""

    page: str
    """Route of the page."""
    yes: int
    no: int


class FeedbackStore:
    """Counts answers. Each call opens the database anew: answers are rare, and several servers may share one."""

    def __init__(self, path: Path) -> None:
        """Initialize.

        Args:
            path: The database; made with the first answer.
        """
        self._path = path

    def count(self, page: str, answer: Answer) -> None:
        """Count one answer.

        Raises:
            sqlite3.Error: the database cannot be written.
            OSError: its folder cannot be made.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        yes, no = int(answer == "yes"), int(answer == "no")
        with open_database(self._path, _TABLE) as database:
            database.execute(
                "INSERT INTO feedback VALUES (?, ?, ?) ON CONFLICT (page) DO UPDATE SET yes = yes + ?, no = no + ?",
                (page, yes, no, yes, no),
            )

    def report(self) -> list[PageFeedback]:
        """List all pages with answers, those with most of "no" first.

        Raises:
            sqlite3.Error: the database cannot be read.
        """
        if not self._path.is_file():
            return []
        with open_database(self._path, _TABLE) as database:
            rows = database.execute("SELECT page, yes, no FROM feedback ORDER BY no DESC, yes, page").fetchall()
        return [PageFeedback(*row) for row in rows]
