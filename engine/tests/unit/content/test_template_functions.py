"""Functions of templates."""

from __future__ import annotations

import pytest

from octavo.content.translate.hugo_templates.functions import FUNCTIONS


def test_a_text_is_repeated_within_bounds() -> None:
    repeat = FUNCTIONS["strings.Repeat"]
    assert repeat(3, "ab") == "ababab"
    assert repeat("-1", "ab") == ""
    text = repeat(1000, repeat(100, "x"))
    assert len(text) == 100_000
    with pytest.raises(ValueError, match="the text is too long"):
        repeat(1000, text)


@pytest.mark.parametrize(("length", "text"), [(5, "Kiln…"), (6, "Kiln a…"), (7, "Kiln ab"), (8, "Kiln ab")])
def test_a_text_is_cut_only_where_it_is_longer(length: int, text: str) -> None:
    assert FUNCTIONS["truncate"](length, "Kiln ab") == text


def test_a_cut_text_ends_with_the_given_mark() -> None:
    assert FUNCTIONS["truncate"](4, " (more)", "Kiln ab") == "Kiln (more)"
