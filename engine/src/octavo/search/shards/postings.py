"""How the places of a word are written: small numbers in columns, one printable letter each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec

from octavo.search.index.record_text import CONTENT

MOST_POSITIONS = 24
"""Places of a word in one record that are kept; ranking looks at no more."""

COMMON, COMMON_OF_MANY = 1000, 150
"""Records from which a word is so common that it tells little: of each page, its headings and first texts are kept. The second number
is for an index of many records, where other words tell more, and where the files of such words are the heaviest ones."""

MANY_RECORDS = 20_000
"""Records of an index that has many. One step alone: an index that passes it has all postings written anew."""

TEXTS_OF_COMMON, POSITIONS_OF_COMMON = 2, 1
"""Texts of a page, and places in each, that are kept of a common word. In a thousand pages such words made the files of a query three times as
heavy; of 170 queries there, 97.6 % have the first hit of the server, and 98.2 % with 3 texts of words in a thousand records."""

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

_FREQUENCY, _RECORDS, _COLUMNS, _COLUMNS_OF_COMMON = 1, 2, 3, 10
"""Places of the fields of a line; the number of the page is the first."""


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


class Written(NamedTuple):
    """The postings of one token, as a browser reads them."""

    text: str
    frequency: int
    """Records that hold it, the same page of several versions counted as often."""


def write_rows(rows: PageRows) -> bytes:
    """Write the places of a token in one page: what does not depend on other pages, in fields with a space between.

    Returns:
        Number of its records; columns; and once more the columns, of a common token, where these are others.
    """
    numbers = rows.numbers
    if len(numbers) == ROW_SIZE + 1:  # one place: so it is with half of all tokens of a page
        heading, below, head, extent, size, count, place = numbers
        own: tuple[list[int], list[int]] = ([below], []) if head & 7 == CONTENT else ([], [extent, size])
        columns = ([count], [heading], [head], *own, [count], [place])
        return " ".join(["1", *map(write_numbers, columns)]).encode()
    full = _columns_of(numbers, is_common=False)
    fields = [str(rows.records), *full]
    if rows.records > TEXTS_OF_COMMON or len(numbers) > rows.records * (ROW_SIZE + 1):
        common = _columns_of(numbers, is_common=True)
        if common != full:
            fields += common
    return " ".join(fields).encode()


def entry_line(number: int, frequency: int, rows: bytes) -> bytes:
    """Write what an entry has of one page: the entry of a token is one such line after the other, in any order.

    Args:
        number: Of the page.
        frequency: Of the token in it; see `Written`.
        rows: As `write_rows` gives them.
    """
    return b"\n%d %d %b" % (number, frequency, rows)


def replace_line(entry: bytes, number: int, line: bytes) -> bytes:
    """Put another line in the place of that of a page, if there is one; an empty one for none."""
    start = entry.find(b"\n%d " % number)
    if start < 0:
        return entry + line
    end = entry.find(b"\n", start + 1)
    behind = entry[end:] if end > 0 else b""
    return entry[:start] + line + behind


def recount_line(entry: bytes, number: int, before: int, now: int) -> bytes:
    """Count the line of a page, which is there, another number of times."""
    start = entry.find(b"\n%d " % number)
    end = entry.find(b"\n", start + 1)
    line = entry[start:end] if end > 0 else entry[start:]
    _, frequency, rows = line.split(b" ", 2)
    return replace_line(entry, number, entry_line(number, int(frequency) // before * now, rows))


def common_from(records: int) -> int:
    """Give the number of records from which a word is common in an index of so many."""
    return COMMON_OF_MANY if records >= MANY_RECORDS else COMMON


def write_postings(entry: bytes, common: int) -> Written:
    """Write the postings: number of pages; then columns. Neighbouring numbers of one kind are alike, which brotli makes use of.

    Args:
        entry: Lines of all pages; see `entry_line`.
        common: As `common_from` gives it.
    """
    rows = [line.split(b" ") for line in entry[1:].split(b"\n")]
    numbers = [int(row[0]) for row in rows]
    if len(rows) > 1:
        order = sorted(range(len(rows)), key=numbers.__getitem__)
        numbers = [numbers[place] for place in order]
        rows = [rows[place] for place in order]
    if sum([int(row[_RECORDS]) for row in rows]) >= common:
        rows = [row[:_COLUMNS] + row[_COLUMNS_OF_COMMON:] if len(row) > _COLUMNS_OF_COMMON else row for row in rows]
    columns = list(zip(*rows, strict=False))[_COLUMNS:_COLUMNS_OF_COMMON]
    steps = [number - before for before, number in pairwise([0, *numbers])]
    text = write_numbers([len(rows), *steps]) + b"".join([b"".join(column) for column in columns]).decode()
    return Written(text, sum([int(row[_FREQUENCY]) for row in rows]))


def _columns_of(numbers: Sequence[int], *, is_common: bool) -> Columns:
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
    columns = ([len(headings)], headings, heads, below, extents, times, places)
    return tuple(map(write_numbers, columns))


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
