"""`Output`: the translated text while it is written, with its blocks on lines of their own."""

from __future__ import annotations

import html
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from octavo.content.scan.buffer import Buffer
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.source import Fragment

Edit = tuple[int, int, str]
"""Offset of a stretch, offset after it, and what takes its place."""
USUAL_MARKS = ("{{", "}}", "{%", "%}")
"""Marks of variables and of statements, where a site has chosen no others."""
Pattern = Callable[[tuple[str, ...], bool, bool], "re.Pattern[str]"]
"""Gives the pattern of what is looked for, by the marks, and whether raw stretches and comments may be there."""
_MARKER = re.compile(r"[ \t>]*(?:(?:[-*+:]|\d{1,9}[.)])[ \t]+)*")
_HTML_BLOCK = re.compile(r"</?[a-z]")
_INDENTED = re.compile(r"(?: {4}|\t)[ \t]*\S")
_FENCE = re.compile(r"^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)$", re.MULTILINE)
_CODE_SPAN = re.compile(
    r"(?<![`\\])(?P<ticks>`+)(?!`)(?:[^`\n]|\n(?![ \t]*\n)|(?!(?P=ticks)(?!`))`+)*?(?<!`)(?P=ticks)(?!`)"
)


class Output:
    """A fragment that is put together from pieces of another one and new text."""

    def __init__(self, fragment: Fragment) -> None:
        self._fragment = fragment
        self._text = fragment.text
        self._buffer = Buffer(fragment)

    def copy(self, start: int, end: int) -> None:
        """Take over a stretch as it is."""
        self._buffer.copy(start, end)

    def write(self, text: str, at: int) -> None:
        """Write text inside of a line; `at` is the offset in the fragment of what it replaces."""
        if text:
            self._buffer.write(text, self._fragment.origin(at))

    def block(self, text: str, start: int, end: int) -> None:
        """Write a block on lines of its own, indented as the line in which it is.

        Args:
            text: Its lines.
            start: Offset of what it replaces.
            end: Offset after that.
        """
        tail = self._buffer.tail
        marker = _MARKER.match(tail)
        indent = re.sub(r"[^\s>]", " ", marker[0] if marker else "")
        origin = self._fragment.origin(start)
        # A block that begins in the line of a definition's mark would be a part of that line.
        if tail[len(indent) :].strip() or (marker and ":" in marker[0]):
            self._buffer.write(f"\n\n{indent}", origin)
        self._buffer.write(text.replace("\n", f"\n{indent}"), origin)
        line_end = self._text.find("\n", end)
        rest = self._text[end : line_end if line_end >= 0 else len(self._text)]
        if rest.strip():
            self._buffer.write(f"\n\n{indent}", origin)
        elif (_HTML_BLOCK.match(text) or text.endswith("\n")) and not self._is_within_html(start, line_end):
            # A block of HTML reaches to the next blank line.
            self._buffer.write("\n", origin)

    def _is_within_html(self, start: int, line_end: int) -> bool:
        """Whether a line is between lines of HTML, of which the next would be code behind a blank line."""
        own = self._text.rfind("\n", 0, start)
        before = self._text[self._text.rfind("\n", 0, max(own, 0)) + 1 : max(own, 0)].strip()
        after = _INDENTED.match(self._text, line_end + 1) if line_end >= 0 else None
        return bool(_HTML_BLOCK.match(before)) and after is not None

    def fragment(self) -> Fragment:
        """Give what was written."""
        found = self._buffer.fragment(is_contained=False)
        found.is_contained = self._fragment.is_contained
        return found


def replaced(fragment: Fragment, edits: Iterable[Edit], tail: str = "") -> Fragment:
    """Put new text in the place of stretches of a fragment; of stretches that overlap, the first counts.

    Args:
        fragment: The text.
        edits: In any order.
        tail: What is added at the end.
    """
    output, position = Output(fragment), 0
    for start, end, new in sorted(edits):
        if start >= position:
            output.copy(position, start)
            output.write(new, start)
            position = end
    output.copy(position, len(fragment.text))
    output.write(tail, len(fragment.text))
    return output.fragment()


class CodeRanges:
    """Where a text is code: fenced blocks and code spans."""

    def __init__(self, text: str) -> None:
        spans = list(fences(text))
        position = 0
        inline: list[tuple[int, int]] = []
        for start, end in [*spans, (len(text), len(text))]:
            if "`" in text[position:start]:
                inline += [match.span() for match in _CODE_SPAN.finditer(text, position, start)]
            position = end
        self._spans = sorted([*spans, *inline])
        self._starts = [start for start, _ in self._spans]

    def holds(self, offset: int) -> bool:
        """Whether a character is code."""
        index = bisect_right(self._starts, offset) - 1
        return index >= 0 and offset < self._spans[index][1]


def fences(text: str, *, with_comments: bool = True) -> list[tuple[int, int]]:
    """Find the fenced blocks of a text, fences included; also those in comments, which end with these."""
    found: list[tuple[int, int]] = []
    position = comment_end = 0
    if "```" not in text and "~~~" not in text:
        return found
    last = text.rfind("-->")
    while match := _FENCE.search(text, position):
        mark = match["fence"]
        if mark[0] == "`" and "`" in match["info"]:
            position = match.end()
            continue
        closing = re.compile(rf"^[ \t>]*{re.escape(mark)}{re.escape(mark[0])}*[ \t]*$", re.MULTILINE)
        if match.start() >= comment_end:
            comment_end = _end_of_comment(text, position, match.start(), last)
        is_commented = match.start() < comment_end
        limit = comment_end if is_commented else len(text)
        end = closing.search(text, match.end(), limit)
        position = end.end() if end else limit
        if with_comments or not is_commented:
            found.append((match.start(), position))
    return found


def _end_of_comment(text: str, start: int, at: int, last: int) -> int:
    """Where the comment ends that is open at an offset and begins behind another one; 0 where none is.

    Args:
        text: The text.
        start: Where a comment may begin.
        at: The offset.
        last: Where the last end of a comment is, so that nothing is looked for behind it.
    """
    opened = text.rfind("<!--", start, at)
    if (
        opened < 0
        or last < at
        or text[text.rfind("\n", 0, opened) + 1 : opened].strip(" \t>")
        or text.find("-->", opened, at) >= 0
    ):
        return 0
    return text.find("-->", at)


def attribute(text: str) -> str:
    """Write a text as the quoted value of an attribute."""
    return f'"{html.escape(" ".join(text.split()))}"'


def fenced(code: str, info: str) -> str:
    """Write code as a fenced block."""
    # What follows a fence of backticks cannot hold one.
    mark = "~~~" if "`" in info else "```"
    while mark in code:
        mark += mark[0]
    return f"{mark}{info}\n{code.strip(chr(10))}\n{mark}"


def label(text: str) -> str:
    """Write a text as the label of a link or the title of an admonition, on one line."""
    return " ".join(text.split()).replace("[", "\\[").replace("]", "\\]")


_BRACKET = re.compile(r"\\.|[\[\]]", re.DOTALL)


def marked_label(text: str) -> str:
    """Write Markdown as the title of an admonition, on one line: brackets that belong together are those of links."""
    text = " ".join(text.split())
    depth = 0
    for match in _BRACKET.finditer(text):
        depth += {"[": 1, "]": -1}.get(match[0], 0)
        if depth < 0:
            break
    return text if depth == 0 else label(text)


def matches_in(text: str, marks: tuple[str, ...], pattern: Pattern) -> Iterator[re.Match[str]]:
    """Find the statements of a template.

    Raw stretches and comments are looked for only as far as one ends: behind that each beginning would be followed to the end
    of the text, and a page of beginnings takes minutes.
    """
    ends = [match.end() for match in _raw_end(marks[2:]).finditer(text)][-1:]
    raw_end, comment_end = ends[0] if ends else 0, text.rfind("#}") + 2 if "#}" in text else 0
    position = 0
    for end in sorted({raw_end, comment_end, len(text)}):
        if end > position:
            yield from pattern(marks, raw_end >= end, comment_end >= end).finditer(text, position, end)
            position = end


@lru_cache(maxsize=16)
def _raw_end(marks: tuple[str, ...]) -> re.Pattern[str]:
    opening, closing = map(re.escape, marks)
    return re.compile(rf"{opening}[-+]?\s*endraw\s*[-+]?{closing}")


_CODE_LINE = re.compile(
    r"""\s*(?:\#|//|/\*|import\s|from\s+\S+\s+import\b|(?:def|class|function|const|let|var|return|async|await|if|for|while|with|try|else)\b.*[:({;=]
    |@\w|[\w.$]+(?:\[[^\]\n]*\])?\s*[-+*/|&:]?=[^=]|[\w.$]+\(|[\])}]|\.\w+\(|["'\d].*,\s*$|</?\w[^<>]*>\s*$|[\w.$-]+\s*[{;]\s*$)""",
    re.VERBOSE,
)
"""How lines of programs begin: a comment, a statement, an assignment, a call, what closes one, a value in a list."""
_CODE_SHARE = 0.6


def looks_like_code(text: str) -> bool:
    """Whether a text whose language nobody knows is a program, and no prose: most of its lines begin as those of programs do."""
    lines = [line for line in text.split("\n") if line.strip()]
    found = [line for line in lines if _CODE_LINE.match(line)]
    return len(found) >= _CODE_SHARE * len(lines) and any("(" in line or "=" in line for line in found)
