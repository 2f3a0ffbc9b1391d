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
    """Make two patterns for lines without any syntax of ours, which the scanner copies in one piece.

    Args:
        rules: A line that begins with one of these characters may be syntax of an extension.
        interesting: A line with one of these characters may hold syntax; written as in a set of a regular expression.
        is_indented: Lines that begin with spaces may be copied too.

    Returns:
        (a pattern of lines that end with text at the margin, so that no list is open behind them; a pattern of lines of
        lists, and of blank and indented ones, behind which a list may still be open).
    """
    special = rf"[:>~{re.escape(rules)}]|\[\^|import\b|export\b|#[^\n]*:::"
    piece = rf"(?:[^{interesting}]++|`[^`\n]++`(?!`))"
    blank = r"[ \t\n]" if is_indented else r"\n"
    in_list = rf"{blank}|[-*+](?:[ \t]|\n|\Z)|\d"
    marker = r"(?:[-*+]|\d{1,9}[.)])[ \t]++"
    # All markers of a line, though the quantifier may give some back: what follows is none. No group is possessive, for Python
    # 3.11.4 and older take too much there; each can be divided in one way only.
    markers = rf"(?:{marker})*(?!{marker})"
    quiet = rf"(?:(?={in_list})[ \t]*+{markers}(?!{special}){piece}*(?:\n|\Z))*"
    margin = rf"(?:(?!{special}|{in_list}|\s){piece}+(?:\n|\Z))+"
    return re.compile(rf"(?:{quiet}{margin})*"), re.compile(quiet)


def end_of(pattern: re.Pattern[str], text: str, start: int) -> int:
    """Give the offset behind the match of a pattern at `start`; `start` itself where it does not match there."""
    match = pattern.match(text, start)
    return match.end() if match else start


@lru_cache(maxsize=64)
def closing_fence(ticks: str) -> re.Pattern[str]:
    """Make the pattern of the line that ends a block of code; its first group is the indentation."""
    return re.compile(rf"^([ \t]*){ticks}`*[^\S\n]*(?:\n|\Z)", re.MULTILINE)
