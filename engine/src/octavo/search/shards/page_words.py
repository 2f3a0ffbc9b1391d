"""The words of a page with their places, without what tells the page from the same one of another version."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, count

import msgspec

from octavo.lazy import regex as re
from octavo.search.index.record import Record
from octavo.search.index.record_text import CONTENT, NAME_MARK, TITLE, Text, take_apart, without_marks
from octavo.search.index.tantivy_index import PAGE_TIMES
from octavo.search.shards.postings import Occurrence, Row
from octavo.search.shards.texts import flags_of

NAMED = " "
"""What a token with a sign in it, as `node:fs`, begins with in the files. So these have files of their own: they are half of all tokens and
most of their letters, and whoever looks for the forms or misspellings of a word, in all that begins alike, means none of them."""

_SIGN = re.compile(r"[!-/:-@\[-`{-~]")


def in_files(token: str) -> str:
    """Give the form that a token has in the files of words."""
    return NAMED + token if _SIGN.search(token) else token


class PageWords(msgspec.Struct, frozen=True, array_like=True):
    """The words of a page."""

    rows: Mapping[str, Sequence[Row]]
    """Token → the records in whose own words it is, in their order."""
    frequencies: Mapping[str, int]
    """Token → number of the page's records that hold it, headings above them included."""
    tokens: int
    """Length of the page, as the norm of a page counts it."""
    outline: list[int]
    """Level and number of words of each heading, one behind the other."""


def words_of_page(page: Sequence[tuple[Record, Text]]) -> PageWords:
    """Take the records of a page apart, in their order."""
    first = page[0][0]
    extents = _extents([text.own for _, text in page if text.own != CONTENT])
    rows: dict[str, list[Row]] = {}
    held: list[Collection[str]] = []
    outline: list[int] = []
    tokens = 0
    heading, below, last_heading = -1, 0, first
    above: frozenset[str] = frozenset()
    for record, text in page:
        if text.own == CONTENT:
            below += 1
            flags = flags_of(record, first, last_heading)
            occurrence = Occurrence(heading, below, CONTENT + 8 * flags, extents[heading], 0)
            places, number = _places(text.stream[text.content_start :].decode())
            tokens += number * PAGE_TIMES.get(record.type, 1)
            for token, where in places.items():
                if (known := rows.get(token)) is not None:
                    known.append((occurrence, where))
                else:
                    rows[token] = [(occurrence, where)]
            held += (above, places.keys() - above)
            continue
        lines = text.lines
        above = frozenset([token for line in lines for token in without_marks(line).split()])
        held.append(above)
        heading, below, last_heading = heading + 1, 0, record
        parts = len(text.parts(text.own))
        outline += [text.own, parts]
        for attribute in [text.own] if heading else [0, TITLE]:
            places, number = _places(lines[attribute])
            if attribute:
                tokens += number * PAGE_TIMES.get(record.type, 1)
            size = parts if attribute == text.own else len(text.parts(attribute))
            occurrence = Occurrence(heading, 0, attribute, extents[heading] if attribute else len(extents), size)
            for token, where in places.items():
                rows.setdefault(token, []).append((occurrence, where))
    return PageWords(rows, Counter(chain.from_iterable(held)), tokens, outline)


def _places(line: str) -> tuple[Mapping[str, int | Sequence[int]], int]:
    """Find the places of each token of a line: (token → its only place, or all of them, number of tokens)."""
    words = line.split()
    if NAME_MARK not in line:
        alone: dict[str, int | Sequence[int]] = dict(zip(words, count(), strict=False))
        if len(alone) == len(words):  # each is there once
            return alone, len(words)
        pairs: Iterable[tuple[int, str]] = enumerate(words)
    else:
        pairs = take_apart(words)
    found: dict[str, int | list[int]] = {}
    size = 0
    for position, token in pairs:
        known = found.get(token)
        if known is None:
            found[token] = position
        elif isinstance(known, list):
            known.append(position)
        else:
            found[token] = [known, position]
        size += 1
    return found, size


def _extents(levels: Sequence[int]) -> list[int]:
    """Say for each heading how many headings, itself included, are below it."""
    extents = []
    for place, level in enumerate(levels):
        end = place + 1
        while end < len(levels) and levels[end] > level:
            end += 1
        extents.append(end - place)
    return extents
