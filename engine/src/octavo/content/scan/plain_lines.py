"""Lines of a page in which the scanner can lift nothing, and which it copies many at a time."""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache

from octavo.lazy import regex as re

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


_STOP = re.compile(r"<(?:/?[A-Z]|!--|(?i:details|summary|script|style|pre|textarea)\b)")
_LITERAL_STOPS = ("```", "~~~", ":::", "import", "export")
_MOST_HEADS = 20
"""Paragraphs before a stop of which one may begin at the margin; keeps hostile input cheap."""
_LEAST_SKIPPED = 80
"""Characters that are worth to be skipped."""


class PlainParagraphs:
    """Finds paragraphs of CommonMark without extensions in which the scanner can lift nothing, by what they lack."""

    def __init__(self, text: str) -> None:
        self._text = text
        stops = [match.start() for match in _STOP.finditer(text)]
        for literal in _LITERAL_STOPS:
            at = text.find(literal)
            while at >= 0:
                if not (literal.isalpha() and at and text[at - 1] != "\n"):  # no word within a line
                    stops.append(at)
                at = text.find(literal, at + len(literal))
        self._stops = sorted(stops)
        self._tried = -1
        """Up to here nothing more can be skipped."""

    def skip(self, start: int) -> int:
        """Give the head of a later line, with which no list, block of code or paragraph goes on; `start` for none.

        Args:
            start: Head of a line at which no block is open but lists.
        """
        if start <= self._tried:
            return start
        head, stop = start, self._next(start)
        while stop < len(self._text) and (after := self._code_end(stop)):
            head, stop = after, self._next(after)
        self._tried = stop
        if stop == len(self._text):
            return stop
        head = self._last_head(head, stop)
        return head if head - start >= _LEAST_SKIPPED else start

    def _next(self, start: int) -> int:
        index = bisect_left(self._stops, start)
        return self._stops[index] if index < len(self._stops) else len(self._text)

    def _code_end(self, at: int) -> int:
        """Give the head of the line behind a block of code at the margin, 0 where none begins at `at`."""
        text = self._text
        if text[at : at + 3] != "```" or (at and text[at - 1] != "\n"):
            return 0
        fence = PLAIN_FENCE.match(text, at)
        closing = fence and closing_fence(fence[1]).search(text, fence.end())
        is_certain = closing is not None and len(closing[1]) <= DEEPEST_FENCE and "\t" not in closing[1]
        return closing.end() if closing and is_certain else 0

    def _last_head(self, start: int, stop: int) -> int:
        """Find the last line up to `stop` that begins at the margin and behind a blank line; `start` for none."""
        text, end = self._text, stop
        for _ in range(_MOST_HEADS):
            blank = text.rfind("\n\n", start, end)
            if blank < 0:
                break
            if not text[blank + 2 : blank + 3].isspace():
                return blank + 2
            end = blank + 1
        return start


_MARKERS = r"(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)"
_TEXT = rf"(?!{_MARKERS}|(?:[-*+]|\d{{1,9}}[.)])[ \t]*$|`{{3}}|~{{3}}|<|\||(?:[-*_][ \t]*){{3,}}$)[\w\"'(\[*_`&$“‘…]"
_LAZY = re.compile(rf"{_TEXT}", re.MULTILINE)
_ITEM_TEXT = re.compile(rf"(?:[ \t]*{_MARKERS}+|[ \t]+){_TEXT}", re.MULTILINE)
_ITEM = re.compile(rf"^[ \t]*(?:{_MARKERS}|(?:[-*+]|\d{{1,9}}[.)])[ \t]*$|\[\^[^\]\n]+\]:)", re.MULTILINE)
_LONGEST_PARAGRAPH = 2_000
"""Characters of a paragraph in which a list item is looked for."""
_MAY_BELONG = re.compile(r"[^\n]|\n+[ \t]+\S")
"""What follows a line of an item and may belong to the item: the next line of the paragraph, or something indented."""


def goes_on(text: str, position: int, start: int) -> bool:
    """Whether a line at the margin goes on with the paragraph of the list item in the line above it.

    Args:
        text: The page.
        position: Head of the line.
        start: Its first character in print.
    """
    if not _LAZY.match(text, start):
        return False
    above = text.rfind("\n", 0, position - 1) + 1
    return bool(position) and (_ITEM_TEXT.match(text, above) or _LAZY.match(text, above)) is not None


def may_end_in_item(text: str, end: int) -> bool:
    """Whether lines up to a place may end with the text of a list item to which what comes next may belong."""
    if _MAY_BELONG.match(text, end) is None:
        return False
    least = max(0, end - _LONGEST_PARAGRAPH)
    return _ITEM.search(text, max(text.rfind("\n\n", least, end - 1) + 1, least), end) is not None


_ADDRESS = re.compile(r"\]\([ \t]*(?:[^()\s]|\([^()\s]*\))*\Z")
_LONGEST_ADDRESS = 2_000
"""Characters of an address that are looked at in front of a place."""
_MOST_NESTED = 4
"""Openings of links that are tried, the last one first: parentheses within an address may hold some."""


def in_address(text: str, at: int) -> bool:
    """Whether a place is in the address of a link, `[a](/users/{id})`, where braces are text in MDX as well."""
    least = max(text.rfind("\n", 0, at) + 1, at - _LONGEST_ADDRESS)
    end = at
    for _ in range(_MOST_NESTED):
        opening = text.rfind("](", least, end)
        if opening < 0:
            return False
        if _ADDRESS.match(text, opening, at):
            return True
        end = opening
    return False


_HEADING = re.compile(r" {0,3}#{1,6}[ \t]")
_LONGEST = 2_000
"""Characters in front of a line that are looked at."""


def follows_block(text: str, start: int) -> bool:
    """Whether the line in front of a place ends a comment or is a heading, so that a statement may begin there."""
    before = text[max(0, start - _LONGEST) : start].rstrip("\n").rpartition("\n")[2]
    return before.endswith(("-->", "*/}")) or _HEADING.match(before) is not None
