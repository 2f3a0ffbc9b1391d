"""Find what an author probably meant."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable

_CLOSEST = 40
"""Candidates that are compared letter by letter."""


class Names:
    """Known names, to be searched by likeness: an index of letter triples keeps thousands of them cheap."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = list(names)
        self._by_last_part: dict[str, list[str]] = {}
        self._by_triple: dict[str, list[str]] = {}
        for name in self._names:
            self._by_last_part.setdefault(_last_part(name), []).append(name)
            for triple in _triples(name):
                self._by_triple.setdefault(triple, []).append(name)

    def nearest(self, word: str) -> str | None:
        """Find the name most like a word, or None where none is alike.

        Names that share the last part of a path come first: a page that moved kept its name.
        """
        last = _last_part(word)
        same = self._by_last_part.get(last, []) if last else []
        counts: Counter[str] = Counter()
        for triple in _triples(word):
            counts.update(self._by_triple.get(triple, ()))
        likely = same or [name for name, _ in counts.most_common(_CLOSEST)]
        close = difflib.get_close_matches(word, likely, n=1, cutoff=0.1 if same else 0.6)
        return close[0] if close else None


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """Find the candidate most like a word, or None where none is alike."""
    return Names(candidates).nearest(word)


def _last_part(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]


def _triples(name: str) -> set[str]:
    padded = f"  {name.lower()} "
    return {padded[start : start + 3] for start in range(len(padded) - 2)}
