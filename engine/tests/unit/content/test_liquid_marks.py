"""Marks of Liquid: where tags and values are, also in texts in which most of them have no end."""

from __future__ import annotations

import pytest

from octavo.content.translate.jekyll.liquid import parse


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("a {{ b }} c", ["text", "value", "text"]),
        ("{{ a", ["text"]),
        ("{% a", ["text"]),
        ("}} {{ a }}", ["text", "value"]),
        ("{{{ a }}}", ["value", "text"]),
        ("{{% a %}", ["text", "a"]),
        ("{% {{ a }}", ["text", "value"]),
        ("{{ a {% b %}", ["text", "b"]),
        ("{{ a {% b %} }}", ["value"]),
        ("{% a {{ b }}", ["text", "value"]),
        ("{% raw %}{{ a }}{% endraw %}{{ b }}", ["raw", "value"]),
        ("{%", ["text"]),
        ("{{}}{%%}", ["value", "text"]),
    ],
)
def test_marks_are_read_where_they_end(text: str, kinds: list[str]) -> None:
    assert [one.kind for one in parse(text)] == kinds


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("{% a " * 100_000, ["text"]),
        ("{{ a " * 100_000, ["text"]),
        ("{{ a }} %} " + "{% x " * 100_000 + "}}", ["value", "text"]),
        ("{% a %} }} " + "{{ x " * 100_000 + "%}", ["a", "text"]),
    ],
    ids=["tags", "values", "tags before the end of a value", "values before the end of a tag"],
)
def test_marks_without_an_end_are_passed_over_quickly(text: str, kinds: list[str]) -> None:
    """To look for the end of each would read 25,000,000,000 characters: the test would not end in its time."""
    assert [one.kind for one in parse(text)] == kinds
