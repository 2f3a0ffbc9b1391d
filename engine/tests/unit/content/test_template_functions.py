"""Functions of templates."""

from __future__ import annotations

import pytest

from octavo.content.translate.template_functions import FUNCTIONS


def test_a_text_is_repeated_within_bounds() -> None:
    repeat = FUNCTIONS["strings.Repeat"]
    assert repeat(3, "ab") == "ababab"
    assert repeat("-1", "ab") == ""
    text = repeat(1000, repeat(100, "x"))
    assert len(text) == 100_000
    with pytest.raises(ValueError, match="the text is too long"):
        repeat(1000, text)
