"""Where the addresses in a page's Markdown are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.rendering.markdown_page import find_destinations


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[a](b.md) ![c](d.png)", ["b.md", "d.png"]),
        ("[a](<b.md>) [a]( b.md 'title')", ["b.md", "b.md"]),
        ("[a](b_(c).md)", ["b_(c).md"]),
        ("[a]: b.md\n\n  [c]: <d.md> 'title'", ["b.md", "d.md"]),
        ("    [a]: b.md", []),
        ('<a class="x" href="b.md">a</a> <img src=\'c.png\'>', ["b.md", "c.png"]),
        ("`[a](b.md)` [c](d.md) `[e](f.md)`", ["d.md"]),
        ("``[a](`b.md)`` [c](d.md)", ["d.md"]),
        ("A lone ` and [c](d.md)", ["d.md"]),
        ("```md\n[a](b.md)\n```\n[c](d.md)", ["d.md"]),
        ("~~~\n[a](b.md)\n```\n[a](b.md)\n~~~\n[c](d.md)", ["d.md"]),
        ("````\n```\n[a](b.md)\n````\n[c](d.md)", ["d.md"]),
        ("- one\n\n  ```\n  [a](b.md)\n  ```\n\n> ~~~\n> [a](b.md)\n> ~~~\n\n[c](d.md)", ["d.md"]),
        ("```\n[a](b.md) never closed", []),
        ("```x``` [c](d.md)", ["d.md"]),
        ("no links at all", []),
    ],
)
def test_addresses_outside_code_are_found(text: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in find_destinations(text)] == found


@given(st.text(alphabet="[]()<>`~ \n!:ab\"'=hrefsc."))
def test_any_text_has_places_in_order(text: str) -> None:
    places = find_destinations(text)
    assert places == sorted(places)
    assert all(0 <= start <= end <= len(text) for start, end in places)
