"""Positions of a query's tokens in a record: found once, for ranking and for highlighting."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal

from octavo.lazy import regex as re
from octavo.search.index.record_text import CONTENT, NAME_MARK, Sighting, Text, take_apart
from octavo.search.index.records_file import Sign
from octavo.search.query.query import QueryPlan
from octavo.search.query.vocabulary import PREFIX

_MOST_NEEDLES = 24
"""Needles up to which a text is searched for each; with more it is taken apart."""

_LEAST_SHARED = 3
"""Letters that tokens must share to be searched for together."""

_MOST_SIGHTINGS = 64
"""Sightings by one needle in one record."""

_MARK = NAME_MARK.encode()


class Finder:
    """Finds the tokens of one query."""

    def __init__(self, plan: QueryPlan) -> None:
        self._senses = plan.senses
        needles = _make_needles(plan)
        self._needles = [(needle.encode(), needle[1:-1] if needle.endswith(" ") else None) for needle in needles]

    def find(self, text: Text) -> list[Sighting]:
        """Find the tokens of a record that have a meaning in the query."""
        if not self._needles:  # too many, or nothing was typed
            return [sighting for sighting in _take_apart(text) if sighting[2] in self._senses]
        return _placed(self._starts(text.stream), text)

    def _starts(self, stream: bytes) -> list[tuple[int, str]]:
        """Find tokens; (start in bytes, token), in the order of the stream."""
        senses = self._senses
        starts: list[tuple[int, str]] = []
        for needle, token in self._needles:
            start = stream.find(needle)
            room = _MOST_SIGHTINGS
            while start >= 0 and room:
                if token is not None:
                    starts.append((start, token))
                    end = start + len(needle) - 1
                else:
                    end = stream.index(b" ", start + 1)
                    longer = stream[start + 1 : end].decode()
                    if longer in senses:
                        starts.append((start, longer))
                room -= 1
                start = stream.find(needle, end)
        starts.sort()
        return starts


def _placed(starts: Iterable[tuple[int, str]], text: Text) -> list[Sighting]:
    """Count on from each token to the next."""
    stream, content_start, has_names = text.stream, text.content_start, text.has_names
    sightings: list[Sighting] = []
    attribute = position = last = 0
    for start, token in starts:
        if attribute < CONTENT:
            if start >= content_start:
                attribute, position, last = CONTENT, 0, content_start
            elif lines := stream.count(b"\n", last, start):
                attribute, position, last = attribute + lines, 0, stream.rindex(b"\n", last, start) + 1
        position += stream.count(b" ", last, start)
        if has_names:
            position -= 2 * stream.count(_MARK, last, start)
        last = start
        sightings.append((attribute, position, token))
    return sightings


def _take_apart(text: Text) -> Iterator[Sighting]:
    for attribute, line in enumerate(text.lines):
        for position, token in take_apart(line.split()):
            yield attribute, position, token


def _make_needles(plan: QueryPlan) -> list[str]:
    """Make texts of which at least one is part of every match of the query; none if these would be many."""
    beginnings = {term.form for term in plan.query.terms if term.is_prefix}
    beginnings.update(group.name for group in plan.query.groups if group.is_prefix)
    needles = {f" {beginning}" for beginning in beginnings}
    for meanings in plan.meanings:
        for quality, tokens in meanings.tokens.items():
            if quality != PREFIX:  # all of these have one of the beginnings
                needles.update(_shared(tokens))
        needles.update(f" {token} " for phrase in meanings.phrases for token in phrase)
    found = _least(needles)
    if len(found) > _MOST_NEEDLES:
        found = _least({needle[: _LEAST_SHARED + 1] for needle in found})
    return found if len(found) <= _MOST_NEEDLES else []


def _shared(tokens: Sequence[str]) -> list[str]:
    """Make one needle for the forms of a word, where these begin alike."""
    shared = _common_start(tokens)
    is_useful = len(shared) >= _LEAST_SHARED and len(set(tokens)) > 1
    return [f" {shared}"] if is_useful else [f" {token} " for token in tokens]


def _common_start(tokens: Sequence[str]) -> str:
    """Give the letters with which all tokens start."""
    # What the first and the last in alphabetical order share, those between them share as well.
    first, last = min(tokens, default=""), max(tokens, default="")
    size = next((size for size, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    return first[:size]


_NAME = rf"(?:[^ \n]+ {NAME_MARK} )*"
"""Identifiers before a part of them, in the stream of a text."""


def make_signs(plan: QueryPlan, attributes: Collection[int] | None) -> list[Sign]:
    """Say what all records show that hold the phrases of a query, and its words in some attributes; None: in any.

    Some that show it may still not be hits: this only leaves few of many to be ranked.
    """
    signs: list[Sign] = []
    for first, count in plan.query.phrases:
        forms = [re.escape(term.form) for term in plan.query.terms[first : first + count]]
        signs.append(("whole", re.compile(f" {f' {_NAME}'.join(forms)} ".encode())))
    if attributes is None:
        return signs
    if CONTENT not in attributes:
        part: Literal["whole", "above", "content"] = "above"
    else:
        part = "content" if len(attributes) == 1 else "whole"
    for index in plan.core:
        meanings = plan.meanings[index]
        if index not in plan.wished and not meanings.phrases:
            signs += [(part, re.compile(beginning.encode())) for beginning in _beginnings(plan, index)]
    return signs


def _beginnings(plan: QueryPlan, index: int) -> list[str]:
    """Give one text that all tokens have which stand for a word, if there is one: regular expressions find texts fastest."""
    found = [token for tokens in plan.meanings[index].tokens.values() for token in tokens]
    shared = _common_start(found)
    return [re.escape(f" {shared} " if found == [shared] else f" {shared}")] if shared else []


def _least(needles: Iterable[str]) -> list[str]:
    """Leave out those that start with another one, which finds them too."""
    kept: list[str] = []
    for needle in sorted(needles):
        if not kept or not needle.startswith(kept[-1]):
            kept.append(needle)
    return kept
