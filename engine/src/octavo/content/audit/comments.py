"""Comments of HTML in a text."""

from __future__ import annotations

from collections.abc import Iterator


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
