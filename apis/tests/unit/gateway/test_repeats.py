"""Alerts that repeat a newer one are left out of the list, whose length does not matter."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

from gateway_api.store.records import DUPLICATE_US, RepeatFilter


def alert(raised_at: int, trigger: Any = "t", **changes: Any) -> Any:
    values = {"snippet": None, "trigger_type": "codegate-pii", "category": "critical", "trigger": json.dumps(trigger)}
    return SimpleNamespace(raised_at=raised_at, **(values | changes))


def test_alert_is_a_repetition_for_five_seconds_after_the_one_that_is_kept() -> None:
    repeats, last = RepeatFilter(), 10 * DUPLICATE_US
    steps = (0, 1, DUPLICATE_US - 1, DUPLICATE_US, 2 * DUPLICATE_US - 1, 2 * DUPLICATE_US)
    assert [repeats.is_new(alert(last - step)) for step in steps] == [True, False, False, True, False, True]


def test_alerts_that_differ_in_anything_but_added_context_are_no_repetitions() -> None:
    repeats = RepeatFilter()
    different: list[dict[str, Any]] = [
        *({"trigger": value} for value in ("t", "u", {"a": 1}, {"a": 2}, None)),
        *({"snippet": "{}"}, {"trigger_type": "codegate-secrets"}, {"category": "info"}),
    ]
    assert all(repeats.is_new(alert(0, **changes)) for changes in different)
    assert not any(repeats.is_new(alert(0, **changes)) for changes in different)
    assert not repeats.is_new(alert(0, "tContext: more"))


def test_no_more_alerts_are_remembered_than_five_seconds_have() -> None:
    repeats, per_second = RepeatFilter(), 10
    step = 1_000_000 // per_second
    most = 0
    for number in range(5_000):
        assert repeats.is_new(alert(-number * step, f"{number}"))
        most = max(most, len(repeats))
    assert most <= 5 * per_second + 2
