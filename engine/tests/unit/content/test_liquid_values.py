"""Conditions and loops of Liquid, as Jekyll evaluates them."""

from __future__ import annotations

from typing import Any

import pytest

from octavo.content.translate.jekyll.liquid import Evaluator, LiquidError
from tests.support.each import each

NAMES: dict[str, Any] = {
    "page": {"title": "Kite", "tags": ["wind", "sky"], "order": 3, "draft": False, "none": None, "note": ""},
    "site": {"data": {"kites": {"red": 1, "blue": 2}}, "version": "10"},
    "many": [1, 2, 3, 4, 5],
}


@each(
    ("condition", "is_true"),
    [
        ('page.title == "Kite"', True),
        ('page.title != "Kite"', False),
        ('page.title <> "Kite"', False),
        ("page.order > 2", True),
        ("page.order >= 3", True),
        ("page.order < 3", False),
        ("page.order <= 2", False),
        ("page.title > 2", False),
        ("page.gone > 2", False),
        ('page.title contains "it"', True),
        ('page.title contains "wind"', False),
        ('page.tags contains "wind"', True),
        ('page.tags contains "win"', False),
        ("site.version contains 1", True),
        ('page.gone contains "wind"', False),
        ("page.title contains page.gone", False),
        ("page.none contains page.none", False),
        ('site.data.kites contains "red"', True),
        ("page.draft", False),
        ("page.none", False),
        ("page.gone", False),
        ("page.order", True),
        ("page.note", True),
        ('page.note == ""', True),
        ('page.draft == ""', False),
        ("page.none == nil", True),
        ("page.gone == nil", True),
        ("page.draft == false", True),
        ("not page.draft", True),
        ("not page.order", False),
        ("page.order and page.draft", False),
        ("page.order or page.draft", True),
        ("page.draft and page.draft or page.order", False),
        ("page.order or page.draft and page.draft", True),
        ("page.tags.size == 2", True),
        ('page.tags.first == "wind"', True),
        ('page.tags.last == "sky"', True),
        ('page.tags[1] == "sky"', True),
        ('page["title"] == "Kite"', True),
        ("page.title.size == 4", True),
    ],
)
def test_condition(condition: str, is_true: bool) -> None:
    assert Evaluator(NAMES).is_true(condition) is is_true


@each(
    ("head", "items"),
    [
        ("one in many", [1, 2, 3, 4, 5]),
        ("one in many limit:2", [1, 2]),
        ("one in many offset:3", [4, 5]),
        ("one in many limit:2 offset:1", [2, 3]),
        ("one in many reversed", [5, 4, 3, 2, 1]),
        ("one in many reversed limit:2", [2, 1]),
        ("one in many limit:0", []),
        ("one in (2..4)", [2, 3, 4]),
        ("one in (1..page.order)", [1, 2, 3]),
        ("one in site.data.kites", [["red", 1], ["blue", 2]]),
        ("one in page.gone", []),
        ("one in page.order", []),
    ],
)
def test_loop(head: str, items: list[Any]) -> None:
    assert Evaluator(NAMES).items(head) == ("one", items)


@pytest.mark.parametrize(
    "expression", ['"inf" | round', '"inf" | ceil', "1 | divided_by: 0", "5 | modulo: 0", '"x" | truncate: "y"']
)
def test_filter_that_cannot_be_applied_is_a_mistake_of_the_page(expression: str) -> None:
    with pytest.raises(LiquidError, match="cannot be applied"):
        Evaluator({}).value(expression)
