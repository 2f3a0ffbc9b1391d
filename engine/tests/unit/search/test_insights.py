from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from octavo.search.errors import ProtocolError
from octavo.search.insights.events import parse_events
from octavo.search.insights.page import render_report
from octavo.search.insights.report import make_report
from octavo.search.insights.report_text import format_report
from octavo.search.insights.store import InsightsStore, connect

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
QUERY_ID = "0123456789abcdef0123456789abcdef"


def click(**changes: Any) -> dict[str, Any]:
    return {
        "eventType": "click",
        "eventName": "Item Selected",
        "index": "docs",
        "userToken": "anonymous-1",
        "queryID": QUERY_ID,
        "objectIDs": ["a"],
        "positions": [2],
        **changes,
    }


def test_click_after_search_keeps_its_position() -> None:
    (event,) = parse_events({"events": [click()]}, "docs", NOW.timestamp())
    assert (event.query_id, event.objects) == (QUERY_ID, [("a", 2)])


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"eventType": "look"}, "eventType"), ({"eventName": ""}, "eventName"), ({"eventName": "ü"}, "eventName"),
        ({"index": "other"}, "index"), ({"userToken": ""}, "userToken"), ({"userToken": "a b"}, "userToken"),
        ({"queryID": "x"}, "queryID"), ({"positions": [0]}, "positions"), ({"positions": [1, 2]}, "positions"),
        ({"positions": None}, "positions"), ({"objectIDs": []}, "objectIDs"), ({"objectIDs": ["a"] * 21}, "objectIDs"),
        ({"timestamp": 1}, "timestamp"), ({"filters": ["a:b"]}, "objectIDs or filters"),
        ({"eventType": "view"}, "positions"),
    ],
)  # fmt: skip
def test_wrong_events_are_refused_by_field(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(ProtocolError, match=field) as caught:
        parse_events({"events": [click(**changes)]}, "docs", NOW.timestamp())
    assert caught.value.status == 422


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "insights.sqlite"


def test_new_database_is_opened_by_several_at_once(tmp_path: Path) -> None:
    together = threading.Barrier(8)

    def count(number: int) -> int:
        together.wait()
        with connect(tmp_path / f"{number}.sqlite") as database:
            (searches,) = database.execute("SELECT count(*) FROM search").fetchone()
        return int(searches)

    with ThreadPoolExecutor(8) as threads:
        counts = [threads.submit(count, number) for number in range(3) for _ in range(8)]
    assert [count.result() for count in counts] == [0] * 24


def test_typing_on_counts_as_one_search(path: Path) -> None:
    store = InsightsStore(path, retention_days=36500)
    for query in ("g", "gl", "glaze", "glaz", "glaze", "kiln"):
        store.note_search("reader", query, 1, "", NOW.timestamp())
    store.close()
    (week,) = make_report(path, weeks=1, least_count=1, now=NOW)
    assert sorted(line.query for line in week.top) == ["glaze", "kiln"]


def test_report_counts_clicks_and_misses(path: Path) -> None:
    store = InsightsStore(path, retention_days=36500)
    for number in range(4):
        query_id = f"{number:032x}"
        store.note_search(f"reader {number}", "glaze", 5, query_id, NOW.timestamp())
        if number < 2:
            event = click(queryID=query_id, positions=[number + 1], timestamp=int(NOW.timestamp() * 1000))
            store.note_events(parse_events({"events": [event]}, "docs", NOW.timestamp()))
        store.note_search(f"other {number}", "nothing", 0, "", NOW.timestamp())
    store.note_search("one", "rare words", 0, "", NOW.timestamp())
    store.close()
    (week,) = make_report(path, weeks=1, now=NOW)
    assert (week.searches, week.without_hits, week.click_through, week.mean_position) == (9, 5, 0.5, 1.5)
    assert [line.query for line in week.no_hits] == ["nothing"]
    assert week.not_clicked == []
    assert "50% clicked" in format_report([week])


def test_nobody_can_be_told_from_what_is_stored(path: Path) -> None:
    store = InsightsStore(path, retention_days=36500)
    store.note_search("203.0.113.7 Browser/1.0", "glaze", 1, QUERY_ID, NOW.timestamp())
    store.note_events(parse_events({"events": [click()]}, "docs", NOW.timestamp()))
    store.close()
    with sqlite3.connect(path) as database:
        dump = "\n".join(database.iterdump())
    database.close()
    assert "glaze" in dump
    assert "203.0.113.7" not in dump
    assert "anonymous-1" not in dump


def test_old_entries_are_removed(path: Path) -> None:
    store = InsightsStore(path, retention_days=1)
    old = datetime.now(UTC) - timedelta(days=2)
    store.note_search("a", "old", 1, "", old.timestamp())
    store.close()
    assert [week.searches for week in make_report(path, weeks=2)] == [0, 0]


def test_only_the_newest_entries_are_kept_where_there_are_too_many(path: Path) -> None:
    store = InsightsStore(path, retention_days=36500, most_rows=3)
    for number in range(5):
        store.note_search(f"reader {number}", f"query {number}", 1, "", NOW.timestamp())
    store.close()
    (week,) = make_report(path, weeks=1, least_count=1, now=NOW)
    assert [line.query for line in week.top] == ["query 2", "query 3", "query 4"]


def test_report_shows_queries_as_text(path: Path) -> None:
    store = InsightsStore(path, retention_days=36500)
    store.note_search("a", "<script>alert(1)</script>", 0, "", NOW.timestamp())
    store.close()
    html = render_report(make_report(path, weeks=1, least_count=1, now=NOW))
    assert "&lt;script&gt;" in html
    assert "<script" not in html


def test_report_without_database_is_empty(path: Path) -> None:
    assert make_report(path) == []


def test_objects_of_an_event_without_positions_have_none() -> None:
    event = {"eventType": "view", "eventName": "Seen", "index": "docs", "userToken": "a", "objectIDs": ["one", "two"]}
    (parsed,) = parse_events({"events": [event]}, "docs", NOW.timestamp())
    assert parsed.objects == [("one", 0), ("two", 0)]
