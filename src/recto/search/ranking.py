"""The order of hits: one criterion after the other, each only where all before it are equal.

0. identifiers — records that hold every identifier of the query exactly
1. typo — fewer mistakes
2. words — more words of the query
3. filters — more of the optional filters
4. proximity — words nearer to each other, in the order in which they were typed
5. attribute — in a better attribute: the record's own heading, then its text, then the headings above it
6. exact — more words as they were typed, rather than beginnings or other forms
7. custom — page rank, level, position in the page

Source:
    The tie-breaking order of the hosted service ("Ranking criteria", read 2026-11-20). It ranks by the best attribute
    alone; here the attributes of all words are added up, so that one word in a heading does not outweigh the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec

from recto.search.query import Plan
from recto.search.tokens import LONGEST_TOKEN
from recto.search.vocabulary import EXACT, TYPO

FARTHEST = 8
"""Distance of words that stand further apart, or in different attributes."""

CONTENT = 7
"""Index of the content among the attributes; before it stand `lvl0` to `lvl6`."""

FIRST_TEXT, OTHER_TEXT, OTHER_CODE = 50, 100, 200
"""Weights of a word that begins the text after the page's title, another text, code; one more for each word before it."""

ABOVE_HEADING, ABOVE_TEXT, ABOVE_TEXT_FAR = 40, 400, 500
"""Weights of the headings above a heading, above a text, and of the section above a text; smaller is better."""

MOST_OCCURRENCES = 24
"""Occurrences of one word in one record that are looked at."""


class Text(msgspec.Struct, frozen=True, array_like=True):
    """The tokens of a record, as ranking needs them; few strings, for a hundred records are read for each search."""

    levels: str
    """For `lvl0` to `lvl6`, a line each: the parts, separated by spaces."""
    level_names: str
    """Identifiers in the levels: `level:position:identifier`, separated by spaces."""
    content: str
    """The parts of the content; empty for headings."""
    content_names: str
    """Identifiers in the content: `7:position:identifier`."""
    own: int
    """Index of the attribute that this record stands for: its own heading, or the content."""
    is_code: bool
    custom: tuple[int, int, int]
    """Page rank, level, position: the first two are better when greater, the last when smaller."""

    @property
    def own_parts(self) -> str:
        """The parts of the own attribute."""
        return self.content if self.own == CONTENT else self.levels.split("\n")[self.own]


class Rank(NamedTuple):
    """Place of a record in the order; smaller is better, field by field."""

    identifiers: int
    typo: int
    words: int
    filters: int
    proximity: int
    attribute: int
    exact: int
    custom: tuple[int, int, int]


Occurrence = tuple[int, int, int]
"""(attribute, position, quality). Plain tuples from here on: thousands are made for each search."""


class Ranker:
    """Ranks records for one query."""

    def __init__(self, plan: Plan, attributes: frozenset[int] | None = None) -> None:
        """Begin a ranking.

        Args:
            plan: The query.
            attributes: Indexes of the attributes to search; None: all.
        """
        self._plan = plan
        self._attributes = attributes
        self._streams: dict[str, list[tuple[str, int]]] = {}

    def rank(self, text: Text, *, filters: int = 0) -> Rank | None:
        """Rank one record.

        Args:
            text: The record's tokens.
            filters: Number of optional filters that it meets.

        Returns:
            Its place; None when it matches no word, or breaks a quoted phrase.
        """
        plan = self._plan
        occurrences, tokens = self._find(text)
        matched = [occurrences[index] for index in plan.core if occurrences[index]]
        if not matched:
            return Rank(0, 0, 0, -filters, 0, 0, 0, _custom(text)) if not plan.query.terms else None
        if plan.query.phrases and not all(_holds_phrase(occurrences, phrase) for phrase in plan.query.phrases):
            return None
        typo = attribute = 0
        for word in matched:
            typo += min([quality for _, _, quality in word]) // TYPO
            attribute += min([_attribute(text, place, position) for place, position, _ in word])
        identifiers = plan.query.identifiers
        return Rank(
            identifiers=int(not identifiers or not tokens.issuperset(identifiers)),
            typo=typo,
            words=-len(matched),
            filters=-filters,
            proximity=_proximity(matched, text.own),
            attribute=attribute,
            exact=-_count_exact(occurrences) - int(_is_whole(occurrences, text)),
            custom=_custom(text),
        )

    def _find(self, text: Text) -> tuple[list[list[Occurrence]], set[str]]:
        """Find the terms of the query in a record.

        Returns:
            (occurrences of each term, matching tokens).
        """
        senses, attributes = self._plan.senses, self._attributes
        occurrences: list[list[Occurrence]] = [[] for _ in self._plan.query.terms]
        tokens: set[str] = set()
        for attribute, stream in enumerate(text.levels.split("\n")):
            if stream and (attributes is None or attribute in attributes):
                places = self._streams.get(stream)
                if places is None:  # pages and headings stand above many records
                    places = self._streams[stream] = self._places(stream)
                self._note(attribute, places, occurrences, tokens)
        if text.content and (attributes is None or CONTENT in attributes):
            self._note(CONTENT, self._places(text.content), occurrences, tokens)
        for names in (text.level_names, text.content_names):
            for entry in names.split(" ") if names else ():
                attribute_, position, name = entry.split(":", 2)
                if name in senses and (attributes is None or int(attribute_) in attributes):
                    self._note(int(attribute_), [(name, int(position))], occurrences, tokens)
        return occurrences, tokens

    def _places(self, stream: str) -> list[tuple[str, int]]:
        """Find the tokens of the query in a stream, as (token, position)."""
        parts = stream.split(" ")
        places: list[tuple[str, int]] = []
        for token in self._plan.senses.keys() & parts:
            position = parts.index(token)
            places.append((token, position))
            for _ in range(min(parts.count(token), MOST_OCCURRENCES) - 1):
                position = parts.index(token, position + 1)
                places.append((token, position))
        return places

    def _note(
        self,
        attribute: int,
        places: Sequence[tuple[str, int]],
        occurrences: Sequence[list[Occurrence]],
        tokens: set[str],
    ) -> None:
        senses = self._plan.senses
        for token, position in places:
            tokens.add(token)
            for term, offset, quality in senses[token]:
                if len(occurrences[term]) < MOST_OCCURRENCES:
                    occurrences[term].append((attribute, position + offset, quality))


def _proximity(words: Sequence[Sequence[Occurrence]], own: int) -> int:
    """Add up the distances of neighbouring words: 1 where the next follows at once, 2 where it comes before.

    A heading and what stands above it are one: `install gateway` is answered by `Install`, under `Gateway`.
    """
    total = 0
    for before, after in pairwise(words):
        best = FARTHEST
        for attribute, position, _ in before:
            for other, place, _ in after:
                if attribute == other:
                    distance = place - position
                    if distance <= 0:
                        distance = 1 - distance
                    best = min(best, distance)
                elif own != CONTENT and own in (attribute, other):
                    best = 1
        total += best
    return total


def _attribute(text: Text, attribute: int, position: int) -> int:
    """Weigh the place of a word: a heading is a heading wherever the word stands in it, a text begins with its matter."""
    if attribute == text.own:
        if attribute != CONTENT:
            return 0
        begins = OTHER_CODE if text.is_code else FIRST_TEXT if text.custom[2] == 1 else OTHER_TEXT
        return begins + min(position, 50)
    if text.own != CONTENT:
        return ABOVE_HEADING - attribute
    return ABOVE_TEXT - attribute if attribute else ABOVE_TEXT_FAR


def _count_exact(occurrences: Sequence[Sequence[Occurrence]]) -> int:
    count = 0
    for word in occurrences:
        for _, _, quality in word:
            if quality == EXACT:
                count += 1
                break
    return count


def _is_whole(occurrences: Sequence[Sequence[Occurrence]], text: Text) -> bool:
    """Tell whether the record's own attribute is the query, word for word."""
    longest = len(occurrences) * LONGEST_TOKEN
    if text.own == CONTENT and len(text.content) > longest:
        return False
    return text.own_parts.count(" ") + 1 == len(occurrences) and all(
        (text.own, index, EXACT) in word for index, word in enumerate(occurrences)
    )


def _holds_phrase(occurrences: Sequence[Sequence[Occurrence]], phrase: tuple[int, int]) -> bool:
    first, count = phrase
    ends = {(attribute, position) for attribute, position, _ in occurrences[first]}
    for word in occurrences[first + 1 : first + count]:
        places = {(attribute, position) for attribute, position, _ in word}
        ends = {(attribute, position + 1) for attribute, position in ends} & places
    return bool(ends)


def _custom(text: Text) -> tuple[int, int, int]:
    page_rank, level, position = text.custom
    return -page_rank, -level, position
