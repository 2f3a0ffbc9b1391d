"""How the places of a word are written: small numbers in columns, one printable letter each."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import NamedTuple

import msgspec

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

FURTHER = 0xA1 - (LAST_LETTER - FIRST_LETTER)
"""Added to a number for which there is no such letter, by `write_letters`: the letters behind those that control a terminal."""

_LETTERS = [chr(code) for code in range(FIRST_LETTER, LAST_LETTER + 1) if code != LEFT_OUT]


_LETTERS_OF_SMALL = 4096
"""Numbers whose letters are looked up: nearly all of them."""

ROW_SIZE = 6
"""Numbers of a row before the places: those of an `Occurrence`, and how many places follow."""

Columns = tuple[str, ...]
"""What a page has of each column but the first, that of the pages: counts, headings, heads, and so on."""


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


class PageRows(msgspec.Struct, array_like=True):
    """All places of one token in a page. Pages that are equal in several versions of a site share it."""

    numbers: list[int] = []
    records: int = 0

    def add(self, occurrence: Occurrence, positions: list[int]) -> None:
        """Add the places in one record; records come in their order."""
        kept = positions[:MOST_POSITIONS]
        self.records += 1
        self.numbers += (*occurrence, len(kept), *kept)


class Postings:
    """All places of one token, page by page."""

    __slots__ = ("_numbers", "_records")

    def __init__(self) -> None:
        # One row of numbers after another: as tuples, those of a thousand large pages take half a gigabyte.
        self._numbers = array("I")
        self._records = 0

    def add(self, page: int, rows: PageRows) -> None:
        """Add the places in a page."""
        self._records += rows.records
        self._numbers.extend([page, len(rows.numbers), *rows.numbers])

    def encode(self) -> str:
        """Write: number of pages; then columns. Neighbouring numbers of one kind are alike, which brotli makes use of."""
        is_common = self._records >= COMMON
        # Pages of several versions are alike: what is written of one is that of the others.
        known: dict[bytes, Columns] = {}
        pages: list[int] = []
        written: list[Columns] = []
        last_page = 0
        for page, rows in sorted(self._pages(), key=itemgetter(0)):
            pages.append(page - last_page)
            last_page = page
            key = rows.tobytes()
            columns = known.get(key)
            if columns is None:
                columns = known[key] = _columns_of(rows.tolist(), is_common=is_common)
            written.append(columns)
        columns_of_all = ("".join(column) for column in zip(*written, strict=True))
        return "".join((write_numbers([len(pages), *pages]), *columns_of_all))

    def _pages(self) -> Iterator[tuple[int, array[int]]]:
        numbers, start = self._numbers, 0
        while start < len(numbers):
            page, length = numbers[start], numbers[start + 1]
            yield page, numbers[start + 2 : start + 2 + length]
            start += 2 + length


def _columns_of(numbers: list[int], *, is_common: bool) -> Columns:
    """Write the places of a token in one page: what is written does not depend on other pages."""
    headings: list[int] = []
    below: list[int] = []
    heads: list[int] = []
    extents: list[int] = []
    times: list[int] = []
    places: list[int] = []
    last_heading = last_text = texts = start = 0
    while start < len(numbers):
        heading, text, head, extent, size, count = numbers[start : start + ROW_SIZE]
        first = start + ROW_SIZE
        start = first + count
        if is_common:
            texts += text > 0
            if text and texts > TEXTS_OF_COMMON:
                continue
            count = min(count, POSITIONS_OF_COMMON)
        headings.append(heading - last_heading)
        if heading != last_heading:
            last_text = 0
        heads.append(head)
        if head & 7 == CONTENT:
            below.append(text - last_text)
        else:
            extents += (extent, size)
        last_heading, last_text = heading, text
        times.append(count)
        last = 0
        for position in numbers[first : first + count]:
            places.append(position - last)
            last = position
    return tuple(map(write_numbers, ([len(headings)], headings, heads, below, extents, times, places)))


def write_letters(numbers: Iterable[int]) -> str:
    """Write small numbers as one letter each, whatever their size: less than lists of digits where there is one for each page."""
    return "".join([_LETTERS[number] if number < len(_LETTERS) else chr(FURTHER + number) for number in numbers])


def write_numbers(numbers: Iterable[int]) -> str:
    """Write numbers as letters, the least digits of each first."""
    small = _SMALL
    return "".join([small[number] if number < _LETTERS_OF_SMALL else _write_number(number) for number in numbers])


def _write_number(number: int) -> str:
    letters = []
    while number >= DIGITS:
        letters.append(_LETTERS[DIGITS + number % DIGITS])
        number //= DIGITS
    letters.append(_LETTERS[number])
    return "".join(letters)


_SMALL = [_write_number(number) for number in range(_LETTERS_OF_SMALL)]
