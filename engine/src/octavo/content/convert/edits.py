"""`Edits`: what a conversion changes in a file, and which extensions it has left in it."""

from __future__ import annotations


class Edits:
    """Changes of a text, each at a stretch of it; what none of them touches stays as it is."""

    def __init__(self) -> None:
        self._all: list[tuple[int, int, int, str]] = []
        self.kept: set[str] = set()
        """Extensions whose syntax is still there."""

    def replace(self, start: int, end: int, text: str) -> None:
        """Put a text in the place of a stretch."""
        self._all.append((start, 0 if start == end else 1, end, text))

    def insert(self, at: int, text: str) -> None:
        """Put in a text; what was put in earlier at the same place comes first."""
        self.replace(at, at, text)

    def apply(self, text: str, first: int = 0, last: int | None = None) -> str | None:
        """Make the changes in a part of a text; None where two of them overlap, which nothing should lead to."""
        pieces: list[str] = []
        position, last = first, len(text) if last is None else last
        for start, _, end, written in sorted(self._all, key=lambda one: one[:2]):
            if start < position or end > last:
                return None
            pieces += [text[position:start], written]
            position = end
        return "".join([*pieces, text[position:last]])
