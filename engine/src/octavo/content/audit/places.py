"""Places of a text that are found without the parser: comments, code in HTML, fenced code."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from octavo.content.plain import stretches
from octavo.lazy import regex as re

_RAW_CODE = re.compile(r"<(?P<name>pre|code|script|style|kbd|samp|textarea)\b[^<>]*>", re.IGNORECASE)
_FENCE = re.compile(r"^ {0,3}(?P<mark>`{3,}(?=[^`\n]*$)|~{3,})(?P<info>[^\n]*)$", re.MULTILINE)


def comments_in(text: str) -> Iterator[tuple[int, int]]:
    """Find comments: starts and ends. Not by a pattern, which looks for the end of each of many open ones again."""
    start = text.find("<!--")
    while start >= 0:
        if text[max(0, start - 1) : start] == "`":
            start = text.find("<!--", start + 4)
            continue
        end = text.find("-->", start + 4) + 3
        if end < 3:
            return
        yield start, end
        start = text.find("<!--", end)


def raw_code(text: str) -> list[tuple[int, int]]:
    """Find elements of HTML whose content is code: starts and ends."""
    return (
        [one.span() for one in stretches(text, _RAW_CODE, lambda opening: f"</{opening['name'].lower()}>")]
        if "</" in text
        else []
    )


def fenced(text: str) -> Iterator[tuple[int, int]]:
    """Find fenced code that is closed, line by line: starts and ends."""
    opened: re.Match[str] | None = None
    for line in _FENCE.finditer(text):
        if opened is None:
            opened = line
        elif line["mark"].startswith(opened["mark"]) and not line["info"].strip():
            yield opened.start(), line.end()
            opened = None


class Places:
    """Parts of a text, which may overlap."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        # Each ends at least where those before it end, so that one look-up by start finds the one that counts.
        for start, end in sorted(spans):
            self._starts.append(start)
            self._ends.append(max(end, self._ends[-1] if self._ends else 0))

    def hold(self, at: int) -> bool:
        """Whether a character is in one of them."""
        index = bisect_right(self._starts, at) - 1
        return index >= 0 and at < self._ends[index]
