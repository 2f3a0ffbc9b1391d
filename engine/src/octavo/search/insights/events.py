"""Events of the insights client: validated as the hosted service does.

Source:
    Insights REST API of the hosted service, "Send events" (version 1), read 2026-11-20.
"""

from __future__ import annotations

import time
from typing import Any, Literal, NoReturn

import msgspec

from octavo.lazy import regex as re
from octavo.search.errors import ProtocolError

MOST_EVENTS = 1000
MOST_OBJECTS = 20
MOST_FILTERS = 10
OLDEST_S = 4 * 24 * 3600
"""Age of an event, in seconds, from which it is refused."""

_TYPES = ("click", "conversion", "view")
_NAME = re.compile(r"[\x20-\x7e]{1,64}")
_TOKEN = re.compile(r"[a-zA-Z0-9_=/+.:@-]{1,129}")
_QUERY_ID = re.compile(r"[a-f0-9]{32}")


class Event(msgspec.Struct, frozen=True):
    """One event, without its sender."""

    type: Literal["click", "conversion", "view"]
    name: str
    query_id: str
    """Empty where it belongs to no search."""
    objects: list[tuple[str, int]]
    """(object id, 1-based position; 0 where none was given)."""
    time_s: float
    """Seconds since 1970, UTC."""


def parse_events(body: dict[str, Any], index_name: str, now_s: float | None = None) -> list[Event]:
    """Check the events of a request; one wrong event refuses them all.

    Args:
        body: The request.
        index_name: The only index that events may be about.
        now_s: The time now, in seconds since 1970.

    Raises:
        ProtocolError: 422, naming the field.
    """
    events = body.get("events")
    if not isinstance(events, list) or not events:
        _fail("events", "must be a list of at least one event")
    if len(events) > MOST_EVENTS:
        _fail("events", f"must hold at most {MOST_EVENTS} events")
    now_s = time.time() if now_s is None else now_s
    return [_event(event, f"events[{place}]", index_name, now_s) for place, event in enumerate(events)]


def _event(event: object, place: str, index_name: str, now_s: float) -> Event:
    if not isinstance(event, dict):
        _fail(place, "must be an object")
    kind = event.get("eventType")
    if kind not in _TYPES:
        _fail(f"{place}.eventType", f"must be one of {', '.join(_TYPES)}")
    name = _text(event, place, "eventName", _NAME, "must be 1 to 64 printable ASCII characters")
    if event.get("index") != index_name:
        _fail(f"{place}.index", "names no index of this server")
    _text(event, place, "userToken", _TOKEN, "must be 1 to 129 letters, digits or _=/+.:@-")
    query_id = event.get("queryID", "")
    if query_id and not (isinstance(query_id, str) and _QUERY_ID.fullmatch(query_id)):
        _fail(f"{place}.queryID", "must be 32 hexadecimal digits")
    return Event(kind, name, query_id or "", _objects(event, place, kind, query_id), _time(event, place, now_s))


def _objects(event: dict[str, Any], place: str, kind: str, query_id: object) -> list[tuple[str, int]]:
    objects, filters = event.get("objectIDs"), event.get("filters")
    if (objects is None) == (filters is None):
        _fail(place, "must have either objectIDs or filters")
    if filters is not None:
        if not isinstance(filters, list) or not 1 <= len(filters) <= MOST_FILTERS:
            _fail(f"{place}.filters", f"must be a list of 1 to {MOST_FILTERS} filters")
        return []
    if not isinstance(objects, list) or not 1 <= len(objects) <= MOST_OBJECTS or not all(map(_is_object_id, objects)):
        _fail(f"{place}.objectIDs", f"must be a list of 1 to {MOST_OBJECTS} object ids")
    positions = event.get("positions")
    if kind == "click" and query_id:
        if not isinstance(positions, list) or len(positions) != len(objects):
            _fail(f"{place}.positions", "must be a list as long as objectIDs")
        if not all(isinstance(one, int) and not isinstance(one, bool) and 1 <= one <= 1000 for one in positions):
            _fail(f"{place}.positions", "must be integers from 1")
        return list(zip(objects, positions, strict=True))
    if positions is not None:
        _fail(f"{place}.positions", "belongs to clicks after a search only")
    return [(one, 0) for one in objects]


def _is_object_id(value: object) -> bool:
    return isinstance(value, str) and 1 <= len(value) <= 512


def _time(event: dict[str, Any], place: str, now_s: float) -> float:
    timestamp_ms = event.get("timestamp")
    if timestamp_ms is None:
        return now_s
    if isinstance(timestamp_ms, bool) or not isinstance(timestamp_ms, int):
        _fail(f"{place}.timestamp", "must be milliseconds since 1970")
    time_s = timestamp_ms / 1000
    if not now_s - OLDEST_S <= time_s <= now_s + 300:
        _fail(f"{place}.timestamp", "must lie in the last four days")
    return float(time_s)


def _text(event: dict[str, Any], place: str, name: str, pattern: re.Pattern[str], rule: str) -> str:
    value = event.get(name)
    if not isinstance(value, str) or not pattern.fullmatch(value):
        _fail(f"{place}.{name}", rule)
    return value


def _fail(place: str, rule: str) -> NoReturn:
    raise ProtocolError(422, f"{place} {rule}")
