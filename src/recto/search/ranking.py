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

from recto.search.query import Plan, Sense
from recto.search.vocabulary import EXACT, TYPO

FARTHEST = 8
"""Distance of words that stand further apart, or in different attributes."""

CONTENT = 7
"""Index of the content among the attributes; before it stand `lvl0` to `lvl6`."""

MOST_OCCURRENCES = 24
"""Occurrences of one word in one record that are looked at."""


class Text(msgspec.Struct, frozen=True, array_like=True):
    """The tokens of a record, as ranking needs them."""

    levels: list[str]
    """For `lvl0` to `lvl6`: the parts, separated by spaces. Records under one heading share them."""
    level_names: list[tuple[int, int, str]]
    """(attribute, position, identifier) in the levels."""
    content: str
    """The parts of the content; empty for headings."""
    content_names: list[tuple[int, str]]
    """(position, identifier) in the content."""
    own: int
    """Index of the attribute that this record stands for: its own heading, or the content."""
    is_code: bool
    custom: tuple[int, int, int]
    """Page rank, level, position: the first two are better when greater, the last when smaller."""

    @property
    def own_parts(self) -> str:
        """The parts of the own attribute."""
        return self.content if self.own == CONTENT else self.levels[self.own]


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


class _Found(NamedTuple):
    attribute: int
    position: int
    quality: int


def rank(plan: Plan, text: Text, *, attributes: frozenset[int] | None = None, filters: int = 0) -> Rank | None:
    """Rank one record.

    Args:
        plan: The query.
        text: The record's tokens.
        attributes: Indexes of the attributes to search; None: all.
        filters: Number of optional filters that it meets.

    Returns:
        Its place; None when it matches no word, or breaks a quoted phrase.
    """
    occurrences, tokens = _find(plan, text, attributes)
    matched = [occurrences[index] for index in plan.core if occurrences[index]]
    if not matched:
        return Rank(0, 0, 0, -filters, 0, 0, 0, _custom(text)) if not plan.query.terms else None
    if plan.query.phrases and not all(_holds_phrase(occurrences, phrase) for phrase in plan.query.phrases):
        return None
    qualities = [min(found.quality for found in word) for word in matched]
    identifiers = plan.query.identifiers
    return Rank(
        identifiers=int(not identifiers or not all(name in tokens for name in identifiers)),
        typo=sum(quality // TYPO for quality in qualities),
        words=-len(matched),
        filters=-filters,
        proximity=_proximity(matched),
        attribute=sum(min(_attribute(text, found) for found in word) for word in matched),
        exact=-sum(any(found.quality == EXACT for found in word) for word in occurrences)
        - int(_is_whole(occurrences, text)),
        custom=_custom(text),
    )


def _find(plan: Plan, text: Text, attributes: frozenset[int] | None) -> tuple[list[list[_Found]], set[str]]:
    """Find the terms of the query in a record.

    Returns:
        (occurrences of each term, matching tokens).
    """
    senses = plan.senses
    occurrences: list[list[_Found]] = [[] for _ in plan.query.terms]
    tokens: set[str] = set()

    def note(attribute: int, position: int, token: str, found: Sequence[Sense]) -> None:
        tokens.add(token)
        for sense in found:
            places = occurrences[sense.term]
            if len(places) < MOST_OCCURRENCES:
                places.append(_Found(attribute, position + sense.offset, sense.quality))

    for attribute, stream in enumerate([*text.levels, text.content]):
        if stream and (attributes is None or attribute in attributes):
            parts = stream.split(" ")
            for token in senses.keys() & parts:
                found = senses[token]
                position = parts.index(token)
                note(attribute, position, token, found)
                for _ in range(min(parts.count(token), MOST_OCCURRENCES) - 1):
                    position = parts.index(token, position + 1)
                    note(attribute, position, token, found)
    for attribute, position, token in text.level_names:
        if token in senses and (attributes is None or attribute in attributes):
            note(attribute, position, token, senses[token])
    if attributes is None or CONTENT in attributes:
        for position, token in text.content_names:
            if token in senses:
                note(CONTENT, position, token, senses[token])
    return occurrences, tokens


def _proximity(words: Sequence[Sequence[_Found]]) -> int:
    """Add up the distances of neighbouring words: 1 where the next follows at once, 2 where it comes before."""
    total = 0
    for before, after in pairwise(words):
        best = FARTHEST
        for first in before:
            for second in after:
                if first.attribute == second.attribute:
                    distance = second.position - first.position
                    distance = distance if distance > 0 else 1 - distance
                    best = min(best, distance)
        total += best
    return total


def _attribute(text: Text, found: _Found) -> int:
    """Weigh the place of a word: a heading is a heading wherever the word stands in it, a text begins with its matter."""
    attribute = found.attribute
    if attribute == text.own:
        if attribute != CONTENT:
            return 0
        return (200 if text.is_code else 100) + min(found.position, 50)
    return 400 - attribute if attribute else 500


def _is_whole(occurrences: Sequence[Sequence[_Found]], text: Text) -> bool:
    """Tell whether the record's own attribute is the query, word for word."""
    size = text.own_parts.count(" ") + 1
    return size == len(occurrences) and all(
        any(found == (text.own, index, EXACT) for found in word) for index, word in enumerate(occurrences)
    )


def _holds_phrase(occurrences: Sequence[Sequence[_Found]], phrase: tuple[int, int]) -> bool:
    first, count = phrase
    ends = {(found.attribute, found.position) for found in occurrences[first]}
    for word in occurrences[first + 1 : first + count]:
        places = {(found.attribute, found.position) for found in word}
        ends = {(attribute, position + 1) for attribute, position in ends} & places
    return bool(ends)


def _custom(text: Text) -> tuple[int, int, int]:
    page_rank, level, position = text.custom
    return -page_rank, -level, position
