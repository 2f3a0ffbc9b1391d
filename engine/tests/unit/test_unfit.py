"""What a validator refuses is said in words for whoever has written it, not in those of its types."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest

from octavo.unfit import plain_mistake


class Box(msgspec.Struct, forbid_unknown_fields=True):
    size: int
    label: str | None = None
    rows: list[int] = []
    tone: Literal["calm", "loud"] = "calm"
    of: dict[str, int] = {}
    level: Annotated[int, msgspec.Meta(ge=1)] = 1


CASES: dict[str, Any] = {
    '"size" is missing': {},
    '"size" must be a whole number, and is text': {"size": "x"},
    '"label" must be text, and is a whole number': {"size": 1, "label": 3},
    'an entry of "rows" must be a whole number, and is text': {"size": 1, "rows": [1, "y"]},
    '"rows" must be a list, and is a table': {"size": 1, "rows": {}},
    "\"tone\" cannot be 'shy'": {"size": 1, "tone": "shy"},
    '"szie" is not among them': {"size": 1, "szie": 2},
    'an entry of "of" must be a whole number, and is text': {"size": 1, "of": {"k": "v"}},
    "the value must be a table, and is a whole number": 3,
    '"level" must be a whole number >= 1': {"size": 1, "level": 0},
}


@pytest.mark.parametrize("expected", CASES)
def test_mistake_is_in_plain_words(expected: str) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(CASES[expected], Box)
    assert plain_mistake(caught.value) == expected


def test_name_of_a_wrong_kind() -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert({"of": {1: 2}, "size": 1}, Box)
    assert plain_mistake(caught.value).endswith("must be text, and is a whole number")
