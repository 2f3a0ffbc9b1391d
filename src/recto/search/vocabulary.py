"""The words of an index, and which of them a typed word may mean."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import pairwise

from recto.search.distance import begins_within, digits, within
from recto.search.stemming import stem

EXACT, FORM, PREFIX = 0, 1, 2
"""Kinds of match, best first: the word itself, another form of it (`runs`), a word that begins with it."""

TYPO = 4
"""Quality of a match is `TYPO * typos + kind`; smaller is better."""

ONE_TYPO_FROM, TWO_TYPOS_FROM = 4, 8
"""Letters of a typed word from which so many mistakes are forgiven."""

Meanings = Mapping[str, int]
"""Token of the index → quality of the match."""


class Vocabulary:
    """All tokens of an index with the number of records that hold them."""

    def __init__(self, frequencies: Mapping[str, int]) -> None:
        self._frequencies = frequencies
        self._sorted = sorted(frequencies)
        self.meanings = lru_cache(maxsize=4096)(self._meanings)
        self.misspellings = lru_cache(maxsize=1024)(self._misspellings)

    def __contains__(self, token: str) -> bool:
        return token in self._frequencies

    def frequency(self, token: str) -> int:
        """Count the records that hold a token; 0 for one that is unknown."""
        return self._frequencies.get(token, 0)

    def _meanings(self, word: str, *, is_prefix: bool, has_forms: bool) -> Meanings:
        """Find what a word may mean when it is spelt right.

        Args:
            word: In the form of a token.
            is_prefix: It may be the beginning of a word.
            has_forms: Its plural and other forms count as well.
        """
        found = dict.fromkeys(self._beginning_with(word), PREFIX) if is_prefix else {}
        if has_forms:
            found |= dict.fromkeys(self._forms(word), FORM)
        if word in self._frequencies:
            found[word] = EXACT
        return found

    def _misspellings(self, word: str, *, limit: int, is_prefix: bool) -> Meanings:
        """Find what a word may mean when it is misspelt: token → quality, right spellings left out."""
        found: dict[str, int] = {}
        for typos in range(limit, 0, -1):
            if is_prefix:
                found |= dict.fromkeys(self._nearly_beginning(word, typos), TYPO * typos + PREFIX)
            found |= dict.fromkeys(self._near(word, typos), TYPO * typos + FORM)
        for token in self.meanings(word, is_prefix=is_prefix, has_forms=True):
            found.pop(token, None)
        return found

    def _beginning_with(self, prefix: str) -> list[str]:
        tokens = self._sorted
        start = bisect_left(tokens, prefix)
        # No character of a token comes after this one, which stands for none.
        return tokens[start : bisect_left(tokens, prefix + "\U0010ffff", start)]

    def _forms(self, word: str) -> Iterator[str]:
        root = stem(word)
        # A final e or i belongs to the stem, not always to the word: `hoping`, `policy`.
        beginning = root[:-1] if root[-1:] in ("e", "i") and len(root) > 2 else root
        longest = len(word) + 6
        for token in self._beginning_with(beginning):
            if len(token) <= longest and stem(token) == root:
                yield token

    def _near(self, word: str, limit: int) -> Iterator[str]:
        kept = digits(word)
        size = len(word)
        for token in self._candidates(word, limit):
            if abs(len(token) - size) <= limit and digits(token) == kept and within(token, word, limit):
                yield token

    def _nearly_beginning(self, word: str, limit: int) -> Iterator[str]:
        kept = digits(word)
        size = len(word)
        for token in self._candidates(word, limit):
            if len(token) > size and digits(token[:size]) == kept and begins_within(token, word, limit):
                yield token

    def _candidates(self, word: str, limit: int) -> Iterable[str]:
        """Words that can be near: of `limit + 1` pieces of the typed word, one at least has no mistake in it."""
        size = len(word)
        cuts = [size * number // (limit + 1) for number in range(limit + 2)]
        found = set(self._plain_beginning_with(word[: cuts[1]]))
        for start, end in pairwise(cuts[1:]):
            piece = word[start:end]
            found |= {token for token in self._plain_tokens if piece in token}
        return found

    def _plain_beginning_with(self, prefix: str) -> list[str]:
        return [token for token in self._beginning_with(prefix) if token.isalnum()]

    @cached_property
    def _plain_tokens(self) -> list[str]:
        """Tokens without separators: no mistake is forgiven in the others."""
        return [token for token in self._sorted if token.isalnum() and 3 <= len(token) <= 32]


def allowed_typos(word: str, *, one_from: int = ONE_TYPO_FROM, two_from: int = TWO_TYPOS_FROM) -> int:
    """Say how many mistakes a typed word may have; none in one with separators, marks or digits only."""
    if not word.isalnum() or word.isdigit():
        return 0
    return 2 if len(word) >= two_from else 1 if len(word) >= one_from else 0
