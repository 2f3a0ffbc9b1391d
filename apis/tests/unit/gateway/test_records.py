"""Two readers of a line: the fast one takes only what the model takes, and gives the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from uuid import UUID

import msgspec
import pytest
from pydantic import ValidationError

from gateway_api.recording import Exchange, Record, read_record, record_of
from gateway_api.recording.exchange import MOST_NESTED
from gateway_api.values.moments import from_us, to_us
from tests.support.each import each

ID = "0b8f4bb2-8f3f-4c43-9f0a-5a2f0c1d2e3f"
MOMENT = "2025-05-01T10:00:00.123456Z"
ALERT = {"trigger_type": "codegate-pii", "trigger_category": "critical", "timestamp": MOMENT}
SNIPPET = {"code": "x\u2028\u007f", "language": None, "filepath": "a.py"}
WHOLE: dict[str, Any] = {
    "workspace": "alpha",
    "id": ID,
    "type": "chat",
    "provider": "openai",
    "timestamp": MOMENT,
    "messages": ["a", "é\u0000😀"],
    "answer": {"id": ID.replace("0b", "1b"), "message": "b", "timestamp": MOMENT},
    "usage": {"provider_type": "copilot", "model": "m", "input_tokens": 5, "output_tokens": 0, "input_cost": 0.25},
    "alerts": [ALERT | {"id": ID.replace("0b", "2b"), "trigger_string": "t", "code_snippet": SNIPPET}, ALERT],
}
MOMENTS = [
    *("2025-05-01T10:00:00Z", "2025-05-01t10:00:00z", "2025-05-01 10:00:00+05:30", "2025-05-01T10:00:00-0530"),
    *(
        "2025-05-01T10:00Z",
        "2025-05-01T10:00:00",
        "2025-05-01T10:00:60Z",
        "2025-05-01T24:00:00Z",
        "2025-W18-4T10:00:00Z",
    ),
    *("2025-05-01T10:00:00.1234567Z", "2025-05-01T10:00:00.9999999Z", "2025-05-01T10:00:00.1Z", 1746093600, "", None),
    *("9999-12-31T23:59:59Z", "9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00"),
]
IDS = [ID.upper(), ID.replace("-", ""), f"{{{ID}}}", f"urn:uuid:{ID}", f"{ID}\n", ID[:-1], "", None, 5]
NUMBERS = [0, 1.0, 1.5, "5", True, -1, 2**40, 2**40 + 1, 1e9, 1e10, None, [], -0.0]
TEXTS = ["", "x" * 64, "x" * 65, "😀" * 64, "a\u0000", "a\n", None, 5, "\ud800"]
LINKS = [1, MOST_NESTED - 1, MOST_NESTED, MOST_NESTED + 1, 190, 260, 900, 5_000]
"""Objects within each other: fewer than are allowed, more, and more than either reader can hold."""

OBJECTS = [{"a": 2**70}, {"a": [1.5, {"b": -(2**64)}]}, {"a": {"b": ["\ud800"]}}, {"\u0000": None}, {}, [], 5, True]

CHANGES: list[tuple[str, Any]] = [
    *((f"{part}timestamp", value) for part in ("", "answer.", "alerts.0.") for value in MOMENTS),
    *((f"{part}id", value) for part in ("", "answer.", "alerts.0.") for value in IDS),
    *((f"usage.{name}", value) for name in ("input_tokens", "input_cost") for value in NUMBERS),
    *((name, value) for name in ("provider", "alerts.0.trigger_type", "usage.model", "workspace") for value in TEXTS),
    *(("alerts.0.trigger_string", value) for value in (*OBJECTS, *TEXTS)),
    *(("usage.provider_type", value) for value in ("openai", "lm_studio", "nobody", None)),
    *(("type", value) for value in ("fim", "CHAT", None)),
    *(("alerts.0.trigger_category", value) for value in ("info", "high", None)),
    *(("messages", value) for value in ([], ["x"], [None], "x", ["\ud800"])),
    *(("alerts.0.code_snippet", value) for value in (None, {}, SNIPPET | {"more": 1}, SNIPPET | {"libraries": None})),
    *((name, 1) for name in ("more", "answer.more", "usage.more", "alerts.0.more")),
    *((name, None) for name in ("answer", "usage", "alerts", "messages")),
]


def changed(place: str, value: Any) -> bytes:
    made = json.loads(json.dumps(WHOLE))
    *parents, name = place.split(".")
    part = made
    for parent in parents:
        part = part[int(parent) if parent.isdigit() else parent]
    part[name] = value
    return json.dumps(made).encode()


def plain(record: Record) -> Any:
    """Compare moments in UTC, and that alone: the readers have different classes for an offset."""
    return msgspec.to_builtins(record, order="sorted") | {"instants": [record.timestamp.timestamp()]}


def outcome(read: Callable[[bytes], Record], line: bytes) -> Any:
    """Give what is read, or what is said about it."""
    try:
        record = read(line)
    except ValidationError as error:
        return error.errors(include_url=False)
    return repr(plain(record))  # tells -0.0 from 0.0, and NaN equals NaN


def by_model(line: bytes) -> Record:
    return record_of(Exchange.model_validate_json(line))


def check(line: bytes) -> None:
    assert outcome(read_record, line) == outcome(by_model, line)


@each(("place", "value"), CHANGES)
def test_both_readers_agree(place: str, value: Any) -> None:
    check(changed(place, value))


@pytest.mark.parametrize(
    "line",
    [
        *(
            b"",
            b"{",
            b"[]",
            b"null",
            b"{}",
            b"\xff",
            json.dumps(WHOLE).encode() + b"}",
            b'{"type": "chat", "type": "fim"}',
        ),
        json.dumps(WHOLE).encode().replace(b'"t"', b'"\xff"'),
        json.dumps(WHOLE).encode().replace(b'"t"', b'{"a": NaN}'),
        json.dumps(WHOLE).encode().replace(b'"t"', b"[" * 100_000),
        json.dumps(WHOLE).encode().replace(b'"input_tokens": 5', b'"input_tokens": 5e0'),
        json.dumps(WHOLE).encode().replace(b'"type": "chat"', b'"type": "chat", "type": "fim"'),
        json.dumps(WHOLE, ensure_ascii=False, indent=1).encode(),
    ],
)
def test_both_readers_agree_on_broken_lines(line: bytes) -> None:
    check(line)


def chain_of(links: int) -> bytes:
    """Write a line whose alert has objects within each other."""
    line = json.dumps(WHOLE | {"alerts": [ALERT | {"trigger_string": "PLACE"}]}).encode()
    return line.replace(b'"PLACE"', b'{"a":' * links + b"1.5" + b"}" * links)


@pytest.mark.parametrize("links", LINKS)
def test_objects_within_each_other_are_allowed_up_to_a_limit(links: int) -> None:
    line = chain_of(links)
    if links <= MOST_NESTED:
        assert isinstance(read_record(line).alerts[0].trigger_string, dict)
        return
    with pytest.raises(ValidationError, match=r"nested more than|recursion limit"):
        read_record(line)


def test_values_of_a_program_have_the_same_limit() -> None:
    trigger: Any = 1
    for _ in range(MOST_NESTED):
        trigger = {"a": [trigger]}
    with pytest.raises(ValidationError, match=f"nested more than {MOST_NESTED} levels"):
        Exchange.model_validate(WHOLE | {"alerts": [ALERT | {"trigger_string": trigger}]})


def test_plain_line_needs_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Exchange, "model_validate_json", None)
    record = read_record(json.dumps(WHOLE).encode())
    assert record.take_ids() == [ID, ID.replace("0b", "2b"), ID.replace("0b", "1b")]


def test_ids_are_made_where_none_is_given() -> None:
    record = read_record(json.dumps(WHOLE | {"alerts": [ALERT, ALERT]}).encode())
    assert len(record.take_ids()) == 2
    made = [alert.id for alert in record.alerts]
    assert len({str(UUID(str(id_))) for id_ in made}) == 2


@pytest.mark.parametrize("part", ["", "answer.", "alerts.0."])
@pytest.mark.parametrize("moment", ["9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+14:00"])
def test_moment_that_no_calendar_has_in_utc_is_refused(part: str, moment: str) -> None:
    """It could be stored, and then no list with it could be read."""
    with pytest.raises(ValidationError, match="must be between the years 1 and 9999 in UTC"):
        read_record(changed(f"{part}timestamp", moment))


def test_moment_beyond_the_calendar_that_was_stored_is_read() -> None:
    last, first = from_us(10**18), from_us(-(10**18))
    assert (last.year, first.year) == (9999, 1)
    assert (from_us(to_us(last)), from_us(to_us(first))) == (last, first)
