"""The lines of a glossary: terms at the margin, and below them, indented, what they mean."""

from __future__ import annotations

from collections.abc import Iterator


def terms_of(lines: list[str]) -> Iterator[tuple[list[str], int, int]]:
    """Split a glossary: (terms, number of the line of the first, lines of the meaning)."""
    at = 0
    while at < len(lines):
        if not lines[at].strip() or lines[at].lstrip().startswith(".. "):
            at += 1
            continue
        start = at
        while at < len(lines) and lines[at].strip() and not lines[at][:1].isspace():
            at += 1
        terms = [one.strip() for one in lines[start:at]]
        body = at
        while at < len(lines) and (not lines[at].strip() or lines[at][:1].isspace()):
            at += 1
        yield terms, start, at - body
        at = max(at, start + 1)
