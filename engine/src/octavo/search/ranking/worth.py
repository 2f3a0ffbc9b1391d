"""What a match is worth: the order of hits where few records hold all words of a query.

There the criteria of `rank` say too little: a sentence that has all words in passing would lead, and the page that is about
the rarest of them would follow. Each match, full or partial, is valued by its words and by its page, and the sum decides:

- the words of the record, each by how rare it is, by its place (heading before text), and by how well it matches
- the page as a whole, beside the best page, and the words in its title
- how much else is said in the heading of the record; of a text, in the title of its page
- how many of the words are there as they were typed, however frequent they are
- that it holds all words, and how near to each other; and that it leads by the criteria of `rank`
- how many records of its page are among the best matches

Code, lists of changes, and references that were made from a description lose some of it: they name words of every question.

Source:
    A linear model of these features, fitted by gradient descent on the queries of bench/relevance, each site held out in turn, and
    rounded. It is held against queries that no fitting has seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from octavo.search.index.record_text import CONTENT, TITLE, Sighting, Text
from octavo.search.query.vocabulary import TYPO
from octavo.search.ranking.rank import FARTHEST, FIRST_TEXT, Rank, Ranker, Words, terms_in

HEADING_SHARE, TEXT_SHARE = 1.0, 0.5
"""Value of the words of a query where all are in headings, or in texts."""

QUALITIES = (1.0, 0.9, 0.7, 0.7)
"""Share of that by the kind of a match; see `vocabulary.EXACT` and the kinds after it."""

PAGE_SHARE = 1.2
"""Value of the best page."""

TITLE_SHARE = 0.5
"""Value of the words of a query where all are in the title of the page, whatever part of it the record is."""

NAMED_SHARE = 0.35
"""Value of a heading of which all words are the query's; of a text, where this is the title of its page."""

TEXT_GAIN = 0.2
"""Value of the words of a query in a text where all are there: it answers."""

TYPED_SHARE = 0.5
"""Value of words that are there as they were typed, where all are."""

FULL_SHARE, NEAR_SHARE = 0.1, 0.25
"""Value of holding all words, and of these next to each other."""

FIRST_SHARE = 0.2
"""Value of leading the full matches by the criteria of `rank`."""

DEFINED_SHARE = 1.0
"""Value of the text of a generated reference that defines the name which the query is: guides use that name, and explain something else."""

CODE_LOSS, GENERATED_LOSS, LIST_LOSS = 0.3, 0.2, 1.0
"""What is taken from code, a generated reference, and pages for which `Ranker.is_list` is true."""

MOST_WORTH = 5
"""More than any match is worth."""

STEPS = 1000
"""Steps in which `Rank.missing` counts what a match is worth less than `MOST_WORTH`."""

SUPPORT = (0, 80, 130, 160)
"""Steps that each match of a page is worth more where one, two, three, four or more records of the page are among the best matches: what a whole section
answers, no single record of it may. Fitted on one half of the public sets of bench/relevance; both halves gain as much."""

WITHOUT_NAME = MOST_WORTH * STEPS * 10
"""Added to it for a record that does not hold each identifier of the query, where another might: this is a criterion above all others."""


def supported(rank: Rank, records: int) -> Rank:
    """Rank a match by the number of records of its page that are among the best matches."""
    return rank._replace(missing=max(1, rank.missing - SUPPORT[max(0, min(records, len(SUPPORT)) - 1)]))


class Worth:
    """Values the matches of one query."""

    def __init__(self, ranker: Ranker, weights: Sequence[float], core: Sequence[int]) -> None:
        """Begin.

        Args:
            ranker: Ranks records by the criteria.
            weights: For each term of the query, how rare it is.
            core: Terms that count.
        """
        self._ranker = ranker
        self._weights = weights
        self._core = core
        self._most = sum(weights[index] for index in core) or 1.0

    def rank(
        self,
        text: Text,
        sightings: Sequence[Sighting],
        page: float,
        *,
        filters: int = 0,
        is_generated: bool,
        is_full: bool = False,
        is_first: bool = False,
    ) -> Rank | None:
        """Rank a record by its worth; None when it holds no word, or breaks a quoted phrase.

        Args:
            text: Tokens of the record.
            sightings: Those that have a meaning in the query.
            page: How well its page as a whole answers the query, beside the best page: 0 to 1.
            filters: Number of optional filters that it meets.
            is_generated: It is part of a reference that was made from a description.
            is_full: It holds all words.
            is_first: It leads the full matches by the criteria.
        """
        rank, words = self._ranker.rank_words(text, sightings, filters=filters, is_generated=is_generated)
        if rank is None:
            return None
        count, is_the_query = len(self._core), self._ranker.is_the_query(text)
        worth = self._value(words) / self._most - TYPED_SHARE * rank.exact / count
        # Such a heading is as good as the title of the best page.
        worth += PAGE_SHARE * (1 if is_the_query else page) + self._named(text, words, is_title=is_the_query)
        if is_full:
            apart = (rank.adjacency / max(1, count - 1) - 1) / (FARTHEST - 1)
            worth += NEAR_SHARE * (1 - apart) + FIRST_SHARE * is_first
            worth += FULL_SHARE * (1 - apart if text.is_code else 1)  # a long example has all words somewhere
            worth += DEFINED_SHARE * (text.own == CONTENT and rank.attribute == 0)
        has_own_place = is_full and rank.is_last  # `filling` puts it behind the others
        is_list = self._ranker.is_list(text.custom[0]) and not has_own_place
        worth -= CODE_LOSS * text.is_code + GENERATED_LOSS * is_generated + LIST_LOSS * is_list
        missing = 1 + max(0, round(STEPS * (MOST_WORTH - worth)))
        return rank._replace(missing=missing + WITHOUT_NAME * rank.identifiers)

    def _value(self, words: Words) -> float:
        qualities, places, _ = words
        return sum(
            self._weights[index]
            * QUALITIES[qualities[index] % TYPO]
            / (1 + qualities[index] // TYPO)
            * (HEADING_SHARE if places[index] < FIRST_TEXT else TEXT_SHARE)
            for index in self._core
            if qualities[index] < TYPO * TYPO
        )

    def _named(self, text: Text, words: Words, *, is_title: bool) -> float:
        """Value what is in the title of the page, and in the heading of the record."""
        own, places = text.own, words[2]
        titled, inside = (terms_in(attribute, self._core, places) for attribute in (TITLE, own))
        heading = titled if own == CONTENT else inside
        worth = TITLE_SHARE * self._share(inside if is_title else titled) + NAMED_SHARE * min(
            1.0, len(heading) / max(1, text.size)
        )
        return worth + TEXT_GAIN * self._share(inside) * (own == CONTENT)

    def _share(self, terms: Iterable[int]) -> float:
        return sum([self._weights[index] for index in terms]) / self._most
