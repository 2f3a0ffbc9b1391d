"""What the kept searches say, week by week."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from octavo.search.insights.store import connect

TOP = 20
"""Queries in each list."""

_WEEK_S = 7 * 24 * 3600


class QueryLine(msgspec.Struct, frozen=True):
    """One query in a list."""

    query: str
    searches: int
    hits: int
    """Of the last search."""
    clicks: int
    """Searches after which a hit was chosen."""


class Week(msgspec.Struct, frozen=True):
    """A week of searches, from Monday, UTC."""

    begins: str
    """ISO 8601 date."""
    searches: int
    without_hits: int
    with_id: int
    """Searches of clients that report clicks."""
    clicked: int
    """Of these, searches after which a hit was chosen."""
    mean_position: float | None
    """Mean 1-based position of chosen hits; None without any."""
    top: list[QueryLine]
    no_hits: list[QueryLine]
    """Queries without results."""
    not_clicked: list[QueryLine]
    """Queries with results of which none was chosen, by clients that report clicks."""

    @property
    def click_through(self) -> float | None:
        """Part of the searches after which a hit was chosen, 0 to 1; None where no client reports clicks."""
        return self.clicked / self.with_id if self.with_id else None


def make_report(path: Path, *, weeks: int = 4, least_count: int = 3, now: datetime | None = None) -> list[Week]:
    """Sum up the last weeks, the current one first.

    Args:
        path: The database; one that is not there holds nothing.
        weeks: How many.
        least_count: Searches for the same words from which they are shown.
        now: The time now, with its zone.
    """
    if not path.is_file():
        return []
    now = now or datetime.now(UTC)
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    monday = midnight - timedelta(days=midnight.weekday())
    with connect(path) as database:
        return [_week(database, monday - timedelta(weeks=number), least_count) for number in range(weeks)]


def _week(database: sqlite3.Connection, begins: datetime, least_count: int) -> Week:
    start_s = begins.timestamp()
    period = {"start": start_s, "end": start_s + _WEEK_S, "least": least_count, "top": TOP}
    searches, without_hits, with_id, clicked = database.execute(
        f"SELECT COUNT(*), COALESCE(SUM(hits = 0), 0), COALESCE(SUM(query_id != ''), 0), COALESCE(SUM({_CLICKED}), 0) "  # noqa: S608
        "FROM search WHERE time_s >= :start AND time_s < :end",
        period,
    ).fetchone()
    (position,) = database.execute(
        "SELECT AVG(position) FROM event WHERE type = 'click' AND position > 0 AND time_s >= :start AND time_s < :end",
        period,
    ).fetchone()
    return Week(
        begins=begins.date().isoformat(),
        searches=searches,
        without_hits=without_hits,
        with_id=with_id,
        clicked=clicked,
        mean_position=position,
        top=_lines(database, period, "1"),
        no_hits=_lines(database, period, "hits = 0"),
        not_clicked=_lines(database, period, "hits > 0 AND query_id != ''", having="AND clicks = 0"),
    )


_CLICKED = "query_id != '' AND EXISTS (SELECT 1 FROM event WHERE event.query_id = search.query_id AND type = 'click')"


def _lines(database: sqlite3.Connection, period: dict[str, float], condition: str, having: str = "") -> list[QueryLine]:
    rows: Sequence[tuple[str, int, int, int]] = database.execute(
        f"SELECT query, COUNT(*) AS searches, hits, SUM({_CLICKED}) AS clicks, MAX(time_s) FROM search "  # noqa: S608
        f"WHERE time_s >= :start AND time_s < :end AND {condition} GROUP BY query "
        f"HAVING searches >= :least {having} ORDER BY searches DESC, query LIMIT :top",
        period,
    ).fetchall()
    return [QueryLine(*row[:4]) for row in rows]
