"""Order of partial matches: records that hold some words of a query, after those that hold all.

Each word counts by how rare it is, by its attribute (title before heading before text), and by how well it
matches; the words that only other records of the same page hold count through the page.
"""

from __future__ import annotations

from collections.abc import Sequence

from octavo.search.index.facts import DATA_RANK
from octavo.search.index.record_text import CONTENT, Sighting, Text
from octavo.search.query.vocabulary import TYPO
from octavo.search.ranking.rank import ABOVE_TEXT, FIRST_TEXT, OTHER_CODE, OWN_HEADING, OWN_TITLE, Rank, Ranker, Words

PAGE_SHARE = 0.5
"""What the words of the whole page count beside those of the record itself."""


GENERATED_SHARE = 0.85
"""What a partial match in a generated reference counts: a field of an API names a few words of every question."""

DATA_SHARE = 0.65
"""The same for the data types of an API, their names too: readers ask for what they can do with them."""

QUALITIES = (1.0, 0.9, 0.7, 0.7)
"""Value of a word by the kind of its match; see `vocabulary.EXACT` and the kinds after it."""

SHARES: tuple[tuple[float, float], ...] = (
    (OWN_TITLE + 1, 1.0),
    (OWN_HEADING + 1, 0.75),
    (FIRST_TEXT, 0.6),  # a heading above a heading
    (OTHER_CODE, 0.5),
    (ABOVE_TEXT // 2 + OTHER_CODE // 2, 0.35),  # between words in code and those in the headings above a text
    (1e9, 0.3),
)
"""Value of a word by its place, a weight of `rank`: (limit, value), the first limit above the place decides."""

STEPS = 1000
"""Steps in which `Rank.missing` counts."""


class PartialRanker:
    """Values the partial matches of one query."""

    def __init__(self, ranker: Ranker, weights: Sequence[float], core: Sequence[int]) -> None:
        """Begin.

        Args:
            ranker: Ranks records that hold all words.
            weights: For each term of the query, how rare it is.
            core: Terms that count.
        """
        self._ranker = ranker
        self._weights = weights
        self._core = core
        self._most = sum(weights[index] for index in core) or 1.0

    def rank(
        self, text: Text, sightings: Sequence[Sighting], page: float, *, filters: int, is_generated: bool
    ) -> Rank | None:
        """Rank a record; None when it holds no word, or breaks a quoted phrase."""
        rank, words = self._ranker.rank_words(text, sightings, filters=filters)
        if rank is None:
            return None
        own = self._value(words) / self._most
        value = (own + PAGE_SHARE * page) / (1 + PAGE_SHARE)
        if text.custom[0] <= DATA_RANK:
            value *= DATA_SHARE
        elif is_generated and text.own == CONTENT:
            value *= GENERATED_SHARE
        return rank._replace(missing=1 + max(0, round(STEPS * (1 - value))))

    def _value(self, words: Words) -> float:
        qualities, places, _ = words
        return sum(
            self._weights[index]
            * QUALITIES[qualities[index] % TYPO]
            / (1 + qualities[index] // TYPO)
            * _share(places[index])
            for index in self._core
            if qualities[index] < TYPO * TYPO
        )


def _share(place: int) -> float:
    """Value a place; see the weights of `rank`."""
    return next(share for limit, share in SHARES if place < limit)
