"""The order of hits: one criterion after the other, each only where all before it are equal.

0. identifiers — records that hold every identifier of the query exactly
1. typo — fewer mistakes
2. words — more words of the query
3. filters — more of the optional filters
4. proximity — words nearer to each other, in steps: within four words, within seven, farther; in code a step counts
   double, for there syntax puts words together
5. attribute — in a better attribute: the title of a page, another heading, then text, then the headings above it; a text
   that begins with an identifier of the query defines it, and stands for a heading; a heading that is the query, of two
   words or more, is as good as a title
6. exact — more words as they were typed, rather than beginnings or other forms
7. adjacency — words nearer to each other, word for word, in the order in which they were typed
8. custom — page rank, shorter heading, level, position in the page

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

from recto.search.finder import Sighting
from recto.search.query import Plan
from recto.search.text import CONTENT, TITLE, Text
from recto.search.vocabulary import EXACT, TYPO

FARTHEST = 8
"""Distance of words that stand further apart, or in different attributes."""

STEPS = (0, 1, 1, 1, 1, 2, 2, 2, 3)
"""Proximity by distance."""

OWN_TITLE, OWN_HEADING = 0, 1
"""Weights of a word in the title of a page, and in another heading."""

FIRST_TEXT, OTHER_TEXT, OTHER_CODE = 50, 100, 200
"""Weights of a word that begins the text after the page's title, another text, code; one more for each word before it."""

ABOVE_HEADING, ABOVE_TEXT, ABOVE_TEXT_FAR = 40, 400, 500
"""Weights of the headings above a heading, above a text, and of the section above a text; smaller is better."""

MOST_OCCURRENCES = 24
"""Occurrences of one word in one record that are looked at."""


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
    custom: tuple[int, int, int, int]


_ATTRIBUTE = 20
"""Bits of a place below its attribute: words in different attributes are far from each other."""

_UNMATCHED = 1 << 20
"""Quality and weight of a word that has not been found."""

_IN_OWN, _ELSEWHERE = 1, 2


_Words = tuple[list[int], list[int], list[list[int]], list[int]]
"""What has been found in one record, for each term of the query: best quality of a match; weight of the best place;
`attribute << _ATTRIBUTE | position` of each place; whether these are in the record's own attribute, elsewhere, or both."""


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

    def rank(self, text: Text, sightings: Sequence[Sighting], *, filters: int = 0) -> Rank | None:
        """Rank one record.

        Args:
            text: The record's tokens.
            sightings: Those that have a meaning in the query.
            filters: Number of optional filters that it meets.

        Returns:
            Its place; None when it matches no word, or breaks a quoted phrase.
        """
        plan = self._plan
        if self._attributes is not None:
            sightings = [sighting for sighting in sightings if sighting[0] in self._attributes]
        identifiers = plan.query.identifiers
        is_heading = text.own != CONTENT or (bool(identifiers) and _defines(text, sightings, identifiers))
        qualities, weights, places, sides = self._note(text, sightings, is_heading=is_heading)
        matched = [index for index in plan.core if qualities[index] != _UNMATCHED]
        if not matched:
            return Rank(0, 0, 0, -filters, 0, 0, 0, 0, _custom(text, 0)) if not plan.query.terms else None
        for first, count in plan.query.phrases:
            if not _holds_phrase(places[first : first + count]):
                return None
        steps, distance = _proximity(places, sides, matched, is_heading=is_heading)
        exact = qualities.count(EXACT)
        own = text.own
        size = text.size_of(own if own != CONTENT else TITLE)
        is_whole = exact == len(qualities) == size and self._is_whole(text)
        is_named = own != CONTENT or any(attribute == TITLE for attribute, _, _ in sightings)
        return Rank(
            int(not identifiers or not {token for _, _, token in sightings}.issuperset(identifiers)),
            sum([qualities[index] // TYPO for index in matched]),
            -len(matched),
            -filters,
            steps * 2 if text.is_code else steps,
            0 if is_whole and size > 1 else sum([weights[index] for index in matched]),
            -exact - int(is_whole),
            distance,
            _custom(text, size if is_named else 0),
        )

    def _note(self, text: Text, sightings: Sequence[Sighting], *, is_heading: bool) -> _Words:
        """Note what stands where."""
        senses, own = self._plan.senses, text.own
        count = len(self._plan.query.terms)
        qualities, weights, sides = [_UNMATCHED] * count, [_UNMATCHED] * count, [0] * count
        places: list[list[int]] = [[] for _ in sides]
        begins = OTHER_CODE if text.is_code else FIRST_TEXT if text.custom[2] == 1 else OTHER_TEXT
        for attribute, position, token in sightings:
            if attribute == own:
                side = _IN_OWN
                if attribute == TITLE:
                    weight = OWN_TITLE
                elif is_heading and (attribute != CONTENT or not position):
                    weight = OWN_HEADING  # wherever the word stands in it
                else:  # a text begins with its matter
                    weight = begins + (position if position < 50 else 50)
            elif is_heading:
                weight, side = ABOVE_HEADING - attribute, _ELSEWHERE
            else:
                weight, side = ABOVE_TEXT - attribute if attribute else ABOVE_TEXT_FAR, _ELSEWHERE
            place = attribute << _ATTRIBUTE | position
            for term, offset, quality in senses[token]:
                if quality < qualities[term]:
                    qualities[term] = quality
                if weight < weights[term]:
                    weights[term] = weight
                if len(places[term]) < MOST_OCCURRENCES:
                    places[term].append(place + offset)
                    sides[term] |= side
        return qualities, weights, places, sides

    def _is_whole(self, text: Text) -> bool:
        """Tell whether the record's heading, of as many words as the query, is the query word for word."""
        if text.own == CONTENT or (self._attributes is not None and text.own not in self._attributes):
            return False
        parts = text.parts(text.own)
        senses = self._plan.senses
        return all((index, 0, EXACT) in senses.get(part, ()) for index, part in enumerate(parts))


def _defines(text: Text, sightings: Sequence[Sighting], identifiers: Sequence[str]) -> bool:
    """Tell whether a text begins with an identifier: so do the lines of references that say what one is."""
    if text.is_code:
        return False
    return any(
        attribute == CONTENT and not position and token in identifiers for attribute, position, token in sightings
    )


def _proximity(
    places: Sequence[Sequence[int]], sides: Sequence[int], matched: Sequence[int], *, is_heading: bool
) -> tuple[int, int]:
    """Add up how far neighbouring words are from each other: 1 where the next follows at once, 2 where it comes before.

    A heading and what stands above it are one: `install gateway` is answered by `Install`, under `Gateway`.

    Returns:
        (steps, distances), each added up.
    """
    steps = total = 0
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


def _custom(text: Text, size: int) -> tuple[int, int, int, int]:
    page_rank, level, position = text.custom
    return -page_rank, size, -level, position
