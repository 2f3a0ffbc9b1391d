"""How the places of a word are written: small numbers in columns, one printable letter each."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from octavo.search.index.record_text import CONTENT

MOST_POSITIONS = 24
"""Places of a word in one record that are kept; ranking looks at no more."""

COMMON = 1500
"""Records from which a word is so common that it tells little: of each page, its headings and first texts are kept."""

TEXTS_OF_COMMON, POSITIONS_OF_COMMON = 6, 2
"""Texts of a page, and places in each, that are kept of a common word. In a thousand pages such words made the files of a
query three times as heavy."""

FIRST_LETTER, LAST_LETTER, LEFT_OUT = 35, 126, 92
"""Letters of numbers: those that JSON writes as they are."""

DIGITS = (LAST_LETTER - FIRST_LETTER) // 2
"""Numbers below this are one letter; of larger ones all letters but the last are from the second half."""

_LETTERS = [chr(code) for code in range(FIRST_LETTER, LAST_LETTER + 1) if code != LEFT_OUT]


class Occurrence(NamedTuple):
    """A record in whose own words a token occurs."""

    heading: int
    """Number of its heading on its page."""
    below: int
    """Place of a text below its heading, from 1; 0: it is the heading."""
    head: int
    """Attribute, and eight times the flags of a text."""
    extent: int
    """Of a heading: headings below it, itself included."""
    size: int
    """Of a heading: its words."""


class Postings:
    """All places of one token, page by page."""

    __slots__ = ("_numbers", "_records")

    def __init__(self) -> None:
        # One row of numbers after another: as tuples, those of a thousand large pages take half a gigabyte.
        self._numbers = array("I")
        self._records = 0

    def add(self, page: int, occurrence: Occurrence, positions: list[int]) -> None:
        """Add the places in one record; records come in their order."""
        kept = positions[:MOST_POSITIONS]
        self._records += 1
        self._numbers.extend((page, *occurrence, len(kept), *kept))

    def _rows(self) -> Iterator[tuple[int, Occurrence, Sequence[int]]]:
        numbers, start = self._numbers, 0
        while start < len(numbers):
            page, heading, below, head, extent, size, count = numbers[start : start + 7]
            start += 7 + count
            yield page, Occurrence(heading, below, head, extent, size), numbers[start - count : start]

    def _kept_rows(self) -> Iterator[tuple[int, Occurrence, Sequence[int]]]:
        """Read the rows, pages by their numbers; of a common word not all."""
        rows = sorted(self._rows(), key=lambda row: row[0])
        if self._records < COMMON:
            yield from rows
            return
        last_page, texts = -1, 0
        for page, occurrence, positions in rows:
            last_page, texts = page, (texts if page == last_page else 0) + (occurrence.below > 0)
            if not occurrence.below or texts <= TEXTS_OF_COMMON:
                yield page, occurrence, positions[:POSITIONS_OF_COMMON]

    def encode(self) -> str:
        """Write: number of pages; then columns. Neighbouring numbers of one kind are alike, which brotli makes use of."""
        pages: list[int] = []
        counts: list[int] = []
        headings: list[int] = []
        below: list[int] = []
        heads: list[int] = []
        extents: list[int] = []
        times: list[int] = []
        places: list[int] = []
        last_page = heading = text = 0
        for page, occurrence, positions in self._kept_rows():
            if not pages or page != last_page:
                pages.append(page - last_page)
                counts.append(0)
                heading = text = 0
            last_page = page
            counts[-1] += 1
            headings.append(occurrence.heading - heading)
            if occurrence.heading != heading:
                text = 0
            heads.append(occurrence.head)
            if occurrence.head & 7 == CONTENT:
                below.append(occurrence.below - text)
            else:
                extents += (occurrence.extent, occurrence.size)
            heading, text = occurrence.heading, occurrence.below
            times.append(len(positions))
            places += [here - there for here, there in zip(positions, [0, *positions], strict=False)]
        columns = (pages, counts, headings, heads, below, extents, times, places)
        return write_numbers([len(pages), *(number for column in columns for number in column)])


def write_numbers(numbers: Iterable[int]) -> str:
    """Write numbers as letters, the least digits of each first."""
    letters = []
    for given in numbers:
        number = given
        while number >= DIGITS:
            letters.append(_LETTERS[DIGITS + number % DIGITS])
            number //= DIGITS
        letters.append(_LETTERS[number])
    return "".join(letters)
