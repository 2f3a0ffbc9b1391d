"""Examples that are too long lose their deepest levels first, then their last fields, and say so."""

from __future__ import annotations

from typing import Any

from octavo.reference.openapi.bounds.shorten import shorten
from octavo.reference.openapi.write.blocks import write_json
from octavo.reference.openapi.write.examples import CUT
from tests.support.each import each

DEEP = {"a": {"b": {"c": [{"d": 1}]}}}
FIELDS = {f"f{number}": number for number in range(9)}


@each(
    ("value", "most", "shown"),
    [
        (DEEP, len(write_json(DEEP)), DEEP),
        (DEEP, len(write_json(DEEP)) - 1, {"a": {"b": {"c": [CUT]}}}),
        (DEEP, 30, {"a": {"b": CUT}}),
        (DEEP, 20, {"a": CUT}),
        (FIELDS, len(write_json(FIELDS)), FIELDS),
        (FIELDS, 50, {"f0": 0, "f1": 1, "f2": 2, CUT: CUT}),
        (list(FIELDS.values()), 30, [0, 1, 2, CUT]),
        (list(FIELDS.values()), 9, [0, CUT]),
        (list(FIELDS.values()), 8, [CUT]),
        (FIELDS, 13, {"f0": 0, CUT: CUT}),
        (FIELDS, 12, {CUT: CUT}),
        ("a long text", 3, "a long text"),
        (1234567, 3, 1234567),
    ],
)
def test_shortened(value: Any, most: int, shown: Any) -> None:
    assert shorten(value, most) == shown
