"""Marks between slashes: texts, and regular expressions of Expressive Code."""

from __future__ import annotations

import re

import pytest

from octavo.content.code.fences import draw_fence, parse_info
from octavo.content.code.marks import FoundMark, mark_words, read_pattern
from octavo.content.compile import compile_document
from octavo.content.context import ContentOptions


def marked(info: str, code: str) -> list[str]:
    html = draw_fence(parse_info(f"text {info}"), code, {}).html
    return [piece.partition("</")[0] for piece in re.split("<(?:mark|ins|del)>", html)[1:]]


def hints(text: str) -> list[tuple[str, str]]:
    found = compile_document(text, source_path="docs/a.md", load={}.get, options=ContentOptions()).diagnostics
    return [(one.code, one.suggestion) for one in found]


@pytest.mark.parametrize(
    ("info", "code", "found"),
    [
        (r'/size="\w+"/', 'size="big" or size="l" or size=""', ['size="big"', 'size="l"']),
        (r"ins=/ye[sp]/", "yes\nyep\nyet", ["yes", "yep"]),
        (r"/\{ extend: .+ \}/", "a { extend: b } c", ["{ extend: b }"]),
        (r"/const (\w+) = (\d+)/", "const kiln = 1280", ["kiln", "1280"]),
        (r"/https?:\/\/\S+/", "see https://x.example/a b", ["https://x.example/a"]),
        (r"/(?<heat>\d+)°/", "at 1280°", ["1280"]),
        (r"/(?<!x)\d/", "x1 y2", ["2"]),
        ("/a.b/", "a.b axb", ["a.b"]),  # the block holds the text as it is written
        ("/a.b/", "axb", ["axb"]),
        ("/x*/", "aaa", []),  # it matches nothing that could be seen
        ("/kiln/", "the kiln", ["kiln"]),
        ('"a.b"', "axb", []),
    ],
)
def test_text_between_slashes_is_marked_as_a_regular_expression(info: str, code: str, found: list[str]) -> None:
    assert marked(info, code) == found


def test_pattern_that_the_block_holds_is_no_finding() -> None:
    assert hints('```text /size="\\w+"/\nsize="big"\n```\n') == []


def test_pattern_that_the_block_does_not_hold_is_a_finding() -> None:
    assert hints('```text /size="\\d+"/\nsize="big"\n```\n') == [("highlight-range", "")]
    mistaken = "As a regular expression it has a mistake, or more repetitions than may be searched for."
    assert hints("```text /size(/\nsize\n```\n") == [("highlight-range", mistaken)]
    quoted = "A text in quotes is not a regular expression; write that between slashes."
    assert hints('```text "si.e"\nsize\n```\n') == [("highlight-range", quoted)]


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+b",
        "(a*)*",
        "(a|aa)+b",
        "((a)b)*",
        r"(\w+\s?){2,}x",
        "a*a*a*a*b",
        "(?:a?){20}",
        "(a{1,9}){3}",
        "(?=(a+))+b",
    ],
)
def test_pattern_that_may_take_long_is_not_searched_for(pattern: str) -> None:
    assert read_pattern(pattern) is None


def test_pattern_is_looked_for_at_the_beginning_of_long_lines() -> None:
    assert marked("/ka+b/", f"kaab{'x' * 500}kab") == ["kaab"]
    assert mark_words("kab kab", [FoundMark("mark", re.compile("kab"), 4)]) == "<mark>kab</mark> kab"
