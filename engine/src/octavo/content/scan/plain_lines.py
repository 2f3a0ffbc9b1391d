"""Lines of a page in which the scanner can lift nothing, and which it copies many at a time."""

from __future__ import annotations

import re
from functools import lru_cache

PLAIN_FENCE = re.compile(r"(`{3,})[^`\n]*\n")
BLANK_LINES = re.compile(r"\n++")
DEEPEST_FENCE = 3
"""Spaces before the line that ends a block of code at the margin; a line with more ends it in MDX alone."""


@lru_cache(maxsize=64)
def plain_patterns(rules: str, interesting: str, *, is_indented: bool) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Make patterns of lines that are copied as they are.

    Args:
        rules: First characters of lines that the extensions look at.
        interesting: Characters inside lines that are looked at, as in a set of a pattern.
        is_indented: Indented lines are among them.

    Returns:
        Of lines up to one of text at the margin, which ends all lists; of lines of lists, blank and indented ones.
    """
    special = rf"[:>~{re.escape(rules)}]|\[\^|import\b|export\b|#[^\n]*:::"
    piece = rf"(?:[^{interesting}]++|`[^`\n]++`(?!`))"
    blank = r"[ \t\n]" if is_indented else r"\n"
    in_list = rf"{blank}|[-*+](?:[ \t]|\n|\Z)|\d"
    markers = r"(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*+"
    quiet = rf"(?:(?={in_list})[ \t]*+{markers}(?!{special}){piece}*+(?:\n|\Z))*+"
    margin = rf"(?:(?!{special}|{in_list}|\s){piece}++(?:\n|\Z))++"
    return re.compile(rf"(?:{quiet}{margin})*+"), re.compile(quiet)


def end_of(pattern: re.Pattern[str], text: str, start: int) -> int:
    """Give the offset after what a pattern matches; `start` where that is nothing."""
    match = pattern.match(text, start)
    return match.end() if match else start


@lru_cache(maxsize=64)
def closing_fence(ticks: str) -> re.Pattern[str]:
    """Make the pattern of the line that ends a block of code; its first group is the indentation."""
    return re.compile(rf"^([ \t]*){ticks}`*[^\S\n]*(?:\n|\Z)", re.MULTILINE)
