from __future__ import annotations

from typing import Any

import pytest

from bench.commands.lighthouse import CATEGORIES, Audit, parse_audit
from bench.errors import BenchError


def make_result(**scores: float | None) -> dict[str, Any]:
    """A result in which every category weighs the same audits; one further audit weighs nothing."""
    references = [{"id": name, "weight": 1} for name in scores] + [{"id": "hint", "weight": 0}]
    return {
        "categories": {name: {"score": 0.98, "auditRefs": references} for name in CATEGORIES},
        "audits": {name: {"score": score} for name, score in {**scores, "hint": 0}.items()},
    }


def test_scores_are_out_of_a_hundred() -> None:
    assert parse_audit(make_result(contrast=1)).scores == dict.fromkeys(CATEGORIES, 98.0)


def test_failing_audits_are_those_that_cost_points() -> None:
    result = make_result(contrast=0, speed=0.97, names=1, video=None)
    assert parse_audit(result) == Audit(dict.fromkeys(CATEGORIES, 98.0), {"contrast": "", "speed": ""})


@pytest.mark.parametrize(
    ("details", "found"),
    [
        ({"displayValue": "300 ms"}, "300 ms"),
        ({"details": {"items": [{"node": {"selector": "nav > button"}}]}}, "nav > button"),
        ({"details": {"items": [{"description": "Error: no such page\n    at app.js"}]}}, "Error: no such page"),
        ({"details": {"items": []}}, ""),
    ],
)
def test_failing_audit_says_what_it_found_first(details: dict[str, Any], found: str) -> None:
    result = make_result(contrast=0)
    result["audits"]["contrast"] |= details
    assert parse_audit(result).failing == {"contrast": found}


def test_page_that_did_not_load_is_no_score() -> None:
    with pytest.raises(BenchError, match="Lighthouse: NO_FCP"):
        parse_audit({"runtimeError": {"message": "NO_FCP"}})
