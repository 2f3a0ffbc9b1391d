"""Descriptions of commands as Markdown."""

from __future__ import annotations

import pytest

from octavo.reference.command_line.text import markdown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "A site is a folder:\n  site new    make one\n  site serve  show <it>\n\nExit codes:\n  0  all is well\n",
            (
                "A site is a folder:\n\n```text\nsite new    make one\nsite serve  show <it>\n```\n\n"
                "Exit codes:\n\n```text\n0  all is well\n```\n"
            ),
        ),
        ("Words and\nmore, such as:\n    one\n      two", "Words and\nmore, such as:\n\n```text\none\n  two\n```\n"),
        # Lists, and a sentence that is only indented, are what they are in Markdown.
        ("It can:\n  - bake\n  - fire", "It can:\n  - bake\n  - fire"),
        ("It can:\n  1. bake\n  2. fire", "It can:\n  1. bake\n  2. fire"),
        ("A long sentence that\n  goes on.", "A long sentence that\n  goes on."),
        ("Note:\n  one line\nand one that is not.", "Note:\n  one line\nand one that is not."),
        ("- item:\n  more of it", "- item:\n  more of it"),
        ("```\nA:\n  b\n```", "```\nA:\n  b\n```"),
    ],
)
def test_indented_lines_below_a_colon_are_a_block(text: str, expected: str) -> None:
    assert markdown(text).strip() == expected.strip()
