"""Functions of templates."""

from __future__ import annotations

import pytest

from octavo.content.translate.hugo_templates.functions import FUNCTIONS
from tests.support.each import each


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


@each(
    ("pattern", "text", "found"),
    [
        (r"([^\/]+/){3}", "https://git.test/kite/wind/a.md", "git.test/kite/wind/"),
        ("(?:/[^/]+)+", "kite/wind/a.md", "/wind/a.md"),
        (r"(\.\./)+", "a/../../b", "../../"),
        ("(?:ab[0-9])*", "ab1ab2", "ab1ab2"),
    ],
)
def test_a_group_that_can_be_divided_in_one_way_is_repeated(pattern: str, text: str, found: str) -> None:
    assert FUNCTIONS["findRE"](pattern, text, 1) == [found]


@each("pattern, found", [("(?m)^[ ]{2}", ["  ", "  "]), ("(?s)b.*c", ["b\n  c"]), ("(?im)^ +C", ["  c"])])
def test_patterns_may_begin_with_flags(pattern: str, found: list[str]) -> None:
    assert FUNCTIONS["findRE"](pattern, "  b\n  c") == found


@each("pattern", ["(a+)+b", "(a|a)*b", "([^/]+)*/", "([^/]+a)+b", "(a[^b]+)+c", "((ab)+)+c", "(a?)*b", "(?=a)b"])
def test_a_pattern_that_could_take_long_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="the pattern is too much"):
        FUNCTIONS["findRE"](pattern, "a")
