"""The order of hits: one criterion after the other, each only where all before it are equal.

0. identifiers — records that hold every identifier of the query exactly
1. typo — fewer mistakes
2. words — more words of the query
3. filters — more of the optional filters
4. proximity — words nearer to each other, in steps: within four words, within seven, farther; in code a step counts
   double, for there syntax puts words together
5. attribute — in a better attribute: the record's own heading, then its text, then the headings above it
6. exact — more words as they were typed, rather than beginnings or other forms
7. adjacency — words nearer to each other, word for word, in the order in which they were typed
8. custom — page rank, level, position in the page

Source:
    The tie-breaking order of the hosted service ("Ranking criteria", read 2026-11-20). It ranks by the best attribute
    alone; here the attributes of all words are added up, so that one word in a heading does not outweigh the rest. It
    compares distances word for word before attributes; here a sentence that has all words stands behind the heading
    that has them, though one word more lies between these.
"""

# ruff: noqa: PLR1730, FURB136 - calls of min() would cost a fifth of a search: these lines run thousands of times for one.
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

STEPS = (0, 1, 1, 1, 1, 2, 2, 2, 3)
"""Proximity by distance."""

CONTENT = 7
"""Index of the content among the attributes; before it stand `lvl0` to `lvl6`."""

FIRST_TEXT, OTHER_TEXT, OTHER_CODE = 50, 100, 200
"""Weights of a word that begins the text after the page's title, another text, code; one more for each word before it."""

ABOVE_HEADING, ABOVE_TEXT, ABOVE_TEXT_FAR = 40, 400, 500
"""Weights of the headings above a heading, above a text, and of the section above a text; smaller is better."""

MOST_OCCURRENCES = 24
"""Occurrences of one word in one record that are looked at."""


class Text(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The tokens of a record, as ranking needs them; few strings, for a hundred records are read for each search."""

    levels: str
    """For `lvl0` to `lvl6`, a line each: the parts, separated by spaces."""
    level_names: str
    """Identifiers in the levels, separated by spaces."""
    level_places: str
    """For each of them `level:position`."""
    content: str
    """The parts of the content; empty for headings."""
    content_names: str
    """Identifiers in the content."""
    content_places: str
    """The position of each of them."""
    own: int
    """Index of the attribute that this record stands for: its own heading, or the content."""
    is_code: bool
    custom: tuple[int, int, int]
    """Page rank, level, position: the first two are better when greater, the last when smaller."""

    def names_of(self, level: int) -> list[str]:
        """List the identifiers in a level."""
        names, places = self.level_names.split(" "), self.level_places.split(" ")
        return [name for name, place in zip(names, places, strict=True) if place.startswith(f"{level}:")]

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
    adjacency: int
    custom: tuple[int, int, int]


Entry = tuple[int, int, int]
"""(term, position, quality) of a token in a stream. Plain tuples and lists of numbers from here on: thousands are made
for each search."""

_ATTRIBUTE = 20
"""Bits of a place below its attribute: words in different attributes are far from each other."""

_UNMATCHED = 1 << 20
"""Quality and weight of a word that has not been found."""

_IN_OWN, _ELSEWHERE = 1, 2


class _Words:
    """What has been found in one record, for each term of the query."""

    __slots__ = ("places", "qualities", "sides", "weights")

    def __init__(self, count: int) -> None:
        self.qualities = [_UNMATCHED] * count
        """Best quality of a match."""
        self.weights = [_UNMATCHED] * count
        """Weight of the best place."""
        self.places: list[list[int]] = [[] for _ in range(count)]
        """`attribute << _ATTRIBUTE | position` of each."""
        self.sides = [0] * count
        """Whether it stands in the record's own attribute, elsewhere, or in both."""


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
        self._streams: dict[str, list[Entry]] = {"": []}

    def rank(self, text: Text, *, filters: int = 0) -> Rank | None:
        """Rank one record.

        Args:
            text: The record's tokens.
            filters: Number of optional filters that it meets.

        Returns:
            Its place; None when it matches no word, or breaks a quoted phrase.
        """
        plan = self._plan
        words = self._find(text)
        qualities, weights = words.qualities, words.weights
        matched = [index for index in plan.core if qualities[index] != _UNMATCHED]
        if not matched:
            return Rank(0, 0, 0, -filters, 0, 0, 0, 0, _custom(text)) if not plan.query.terms else None
        for first, count in plan.query.phrases:
            if not _holds_phrase(words.places[first : first + count]):
                return None
        identifiers = plan.query.identifiers
        steps, distance = _proximity(words, matched, is_heading=text.own != CONTENT) if len(matched) > 1 else (0, 0)
        return Rank(
            int(not identifiers or not self._holds(text, identifiers)),
            sum([qualities[index] // TYPO for index in matched]),
            -len(matched),
            -filters,
            steps * 2 if text.is_code else steps,
            sum([weights[index] for index in matched]),
            -qualities.count(EXACT) - int(self._is_whole(text)),
            distance,
            _custom(text),
        )

    def _find(self, text: Text) -> _Words:
        """Find the terms of the query in a record."""
        attributes, own = self._attributes, text.own
        words = _Words(len(self._plan.query.terms))
        for attribute, stream in enumerate(text.levels.split("\n")):
            entries = self._streams.get(stream)
            if entries is None:  # pages and headings stand above many records
                entries = self._streams[stream] = self._entries(stream)
            if entries and (attributes is None or attribute in attributes):
                _note(words, attribute, entries, own)
        if text.content and (attributes is None or CONTENT in attributes):
            entries = self._entries(text.content)
            if entries:
                _note_content(words, entries, text)
        if text.level_names:
            self._find_level_names(text, words)
        if text.content_names and (attributes is None or CONTENT in attributes):
            self._find_content_names(text, words)
        return words

    def _entries(self, stream: str) -> list[Entry]:
        """Find the tokens of the query in a stream."""
        parts = stream.split(" ")
        senses = self._plan.senses
        entries: list[Entry] = []
        for token in senses.keys() & parts:
            position = parts.index(token)
            meanings = senses[token]
            entries += [(term, position + offset, quality) for term, offset, quality in meanings]
            for _ in range(min(parts.count(token), MOST_OCCURRENCES) - 1):
                position = parts.index(token, position + 1)
                entries += [(term, position + offset, quality) for term, offset, quality in meanings]
        return entries

    def _find_level_names(self, text: Text, words: _Words) -> None:
        names = text.level_names.split(" ")
        senses = self._plan.senses
        if senses.keys().isdisjoint(names):
            return
        for name, place in zip(names, text.level_places.split(" "), strict=True):
            if name in senses:
                level, _, position = place.partition(":")
                if self._attributes is None or int(level) in self._attributes:
                    entries = [(term, int(position) + offset, quality) for term, offset, quality in senses[name]]
                    _note(words, int(level), entries, text.own)

    def _find_content_names(self, text: Text, words: _Words) -> None:
        names = text.content_names.split(" ")
        senses = self._plan.senses
        if senses.keys().isdisjoint(names):
            return
        for name, position in zip(names, text.content_places.split(" "), strict=True):
            if name in senses:
                entries = [(term, int(position) + offset, quality) for term, offset, quality in senses[name]]
                _note_content(words, entries, text)

    def _holds(self, text: Text, identifiers: Sequence[str]) -> bool:
        """Tell whether a record holds all identifiers, exactly."""
        tokens: set[str] = set()
        for attribute, stream in enumerate(text.levels.split("\n")):
            if self._attributes is None or attribute in self._attributes:
                tokens.update(stream.split(" "), text.names_of(attribute))
        if self._attributes is None or CONTENT in self._attributes:
            tokens.update(text.content.split(" "), text.content_names.split(" "))
        return tokens.issuperset(identifiers)

    def _is_whole(self, text: Text) -> bool:
        """Tell whether the record's own attribute is the query, word for word."""
        count = len(self._plan.query.terms)
        if text.own == CONTENT and len(text.content) > count * LONGEST_TOKEN:
            return False
        parts = text.own_parts
        if parts.count(" ") + 1 != count or (self._attributes is not None and text.own not in self._attributes):
            return False
        senses = self._plan.senses
        return all((index, 0, EXACT) in senses.get(part, ()) for index, part in enumerate(parts.split(" ")))


def _note(words: _Words, attribute: int, entries: Sequence[Entry], own: int) -> None:
    """Note what stands in a heading: one is a heading wherever the word stands in it."""
    if attribute == own:
        weight, side = 0, _IN_OWN
    elif own != CONTENT:
        weight, side = ABOVE_HEADING - attribute, _ELSEWHERE
    else:
        weight, side = ABOVE_TEXT - attribute if attribute else ABOVE_TEXT_FAR, _ELSEWHERE
    qualities, weights, places, sides = words.qualities, words.weights, words.places, words.sides
    above = attribute << _ATTRIBUTE
    for term, position, quality in entries:
        if quality < qualities[term]:
            qualities[term] = quality
        if weight < weights[term]:
            weights[term] = weight
        if len(places[term]) < MOST_OCCURRENCES:
            places[term].append(above | position)
            sides[term] |= side


def _note_content(words: _Words, entries: Sequence[Entry], text: Text) -> None:
    """Note what stands in a text: it begins with its matter."""
    begins = OTHER_CODE if text.is_code else FIRST_TEXT if text.custom[2] == 1 else OTHER_TEXT
    qualities, weights, places, sides = words.qualities, words.weights, words.places, words.sides
    above = CONTENT << _ATTRIBUTE
    for term, position, quality in entries:
        if quality < qualities[term]:
            qualities[term] = quality
        weight = begins + (position if position < 50 else 50)
        if weight < weights[term]:
            weights[term] = weight
        if len(places[term]) < MOST_OCCURRENCES:
            places[term].append(above | position)
            sides[term] |= _IN_OWN


def _proximity(words: _Words, matched: Sequence[int], *, is_heading: bool) -> tuple[int, int]:
    """Add up how far neighbouring words are from each other: 1 where the next follows at once, 2 where it comes before.

    A heading and what stands above it are one: `install gateway` is answered by `Install`, under `Gateway`.

    Returns:
        (steps, distances), each added up.
    """
    steps = total = 0
    places, sides = words.places, words.sides
    for before, after in pairwise(matched):
        if is_heading and sides[before] | sides[after] == _IN_OWN | _ELSEWHERE:
            distance = 1
        else:
            distance = _distance(places[before], places[after])
        steps += STEPS[distance]
        total += distance
    return steps, total


def _distance(before: Sequence[int], after: Sequence[int]) -> int:
    """Find the shortest distance from a word to another one."""
    if len(before) == len(after) == 1:
        distance = after[0] - before[0]
        distance = distance if distance > 0 else 1 - distance
        return distance if distance < FARTHEST else FARTHEST
    places = set(after)
    for distance in range(1, FARTHEST):
        for position in before:
            if position + distance in places or position + 1 - distance in places:
                return distance
    return FARTHEST


def _holds_phrase(words: Sequence[Sequence[int]]) -> bool:
    ends = set(words[0])
    for places in words[1:]:
        ends = {place + 1 for place in ends}.intersection(places)
    return bool(ends)


def _custom(text: Text) -> tuple[int, int, int]:
    page_rank, level, position = text.custom
    return -page_rank, -level, position
