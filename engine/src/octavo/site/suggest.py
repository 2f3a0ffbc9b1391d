"""Find what an author probably meant."""

from __future__ import annotations

import difflib
import posixpath
from collections import Counter
from collections.abc import Iterable

_ALIKE = 0.6
"""0 to 1; the ratio of matching letters from which two words are alike, as `difflib` counts."""
_CLOSEST = 40
"""Candidates that are compared letter by letter."""
_MOST_COUNTED = 20_000
"""Names that are looked at for one word. Where there are more, triples that most names have would cost the most and say the
least: thousands of members of one package begin alike."""


class KnownNames:
    """Known names, to be searched by likeness: an index of letter triples keeps thousands of them cheap."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = list(names)
        self._by_last_part: dict[str, list[str]] = {}
        self._by_triple: dict[str, list[str]] = {}
        self._found: dict[str, str | None] = {}
        for name in self._names:
            self._by_last_part.setdefault(_last_part(name), []).append(name)
            for triple in _triples(name):
                self._by_triple.setdefault(triple, []).append(name)

    def nearest(self, word: str) -> str | None:
        """Find another name that is most like a word, or None where none is alike.

        Names that share the last part of a path come first: a page that moved kept its name.
        """
        if word not in self._found:
            self._found[word] = self._nearest(word)
        return self._found[word]

    def _nearest(self, word: str) -> str | None:
        last = _last_part(word)
        same = [name for name in self._by_last_part.get(last, ()) if name != word] if last else []
        if same:
            return difflib.get_close_matches(word, same, n=1, cutoff=0)[0]
        counts: Counter[str] = Counter()
        counted = 0
        # Rare ones first, and always in one order: equal counts are in the order of insertion.
        by_rarity = sorted((len(self._by_triple.get(triple, ())), triple) for triple in _triples(word))
        for count, triple in by_rarity:
            counted += count
            if counts and counted > _MOST_COUNTED:
                break
            counts.update(self._by_triple.get(triple, ()))
        likely = [name for name, _ in counts.most_common(_CLOSEST) if name != word]
        close = difflib.get_close_matches(word, likely, n=5, cutoff=_ALIKE)
        # Paths that only share their folders are not alike.
        return next((name for name in close if _are_alike(_stem(name), _stem(word))), None)


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """Find another candidate that is most like a word, or None where none is alike."""
    return KnownNames(candidates).nearest(word)


def _last_part(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]


def _stem(path: str) -> str:
    return posixpath.splitext(_last_part(path))[0].lower()


def _are_alike(one: str, other: str) -> bool:
    return difflib.SequenceMatcher(a=one, b=other).ratio() >= _ALIKE


def _triples(name: str) -> set[str]:
    padded = f"  {name.lower()} "
    return {padded[start : start + 3] for start in range(len(padded) - 2)}
