"""How the places of a word are written: small numbers in columns, one printable letter each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from octavo.search.shards.texts import Block

MOST_POSITIONS = 24
"""Places of a word in one record that are kept; ranking looks at no more."""

COMMON, COMMON_OF_MANY = 1000, 60
"""Records from which a word is common: of its texts, each file of texts names the first, and how often the word is in that file.
A browser reads the others in those files that may answer best, of which it shows most anyway. The second number is for an
index of many records, where postings are what a first answer weighs most."""

VERY_COMMON = 1000
"""Records from which postings do not say where in its text a common word is, in an index of many: a quarter of what they weigh.
A browser takes it for far from all others, but in the files that it reads."""

MANY_RECORDS = 20_000
"""Records of an index that has many. One step alone: an index that passes it has all postings written anew."""

FIRST_LETTER, LAST_LETTER, LEFT_OUT = 35, 126, 92
"""Letters of numbers: those that JSON writes as they are."""

DIGITS = (LAST_LETTER - FIRST_LETTER) // 2
"""Numbers below this are one letter; of larger ones all letters but the last are from the second half."""

FURTHER = 0xA1 - (LAST_LETTER - FIRST_LETTER)
"""Added to a number for which there is no such letter, by `write_letters`: the letters behind those that control a terminal."""

_LETTERS = [chr(code) for code in range(FIRST_LETTER, LAST_LETTER + 1) if code != LEFT_OUT]


_LETTERS_OF_SMALL = 4096
"""Numbers whose letters are looked up: nearly all of them."""

Columns = tuple[str, ...]
"""What a page has of each column but the first, that of the pages: counts, headings, heads, and so on."""

_FREQUENCY, _RECORDS, _COLUMNS, _COLUMNS_OF_COMMON = 1, 2, 3, 11
"""Places of the fields of a line; the number of the page is the first. The last column is that of the places in texts."""


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


Row = tuple[Occurrence, int | Sequence[int]]
"""A record that holds a token, and where: its only place, or its places in their order."""


class Written(NamedTuple):
    """The postings of one token, as a browser reads them."""

    text: str
    frequency: int
    """Records that hold it, the same page of several versions counted as often."""


def write_rows(rows: Sequence[Row], block: Block) -> bytes:
    """Write the places of a token in one page: what does not depend on other pages, in fields with a space between.

    Args:
        rows: The records that hold it, in their order.
        block: How the page's texts are cut into files.

    Returns:
        Number of its records; columns; and once more the columns, of a common token, where these are others.
    """
    letters = _LETTERS_OF
    if len(rows) == 1 and isinstance(place := rows[0][1], int):  # so it is with half of all tokens of a page
        heading, below, head, extent, size = rows[0][0]
        one = letters[1]
        if below:
            own = f"{letters[below]}  {one}  {letters[place]}"
        else:
            own = f" {letters[extent]}{letters[size]} {one} {letters[place]} "
        return f"1 {one} {letters[heading]} {letters[head]} {own}".encode()
    fields = [str(len(rows)), *_columns_of(rows)]
    kept, times = _first_of_files(rows, block)
    if times:
        fields += _columns_of(kept, times)
    return " ".join(fields).encode()


def _first_of_files(rows: Sequence[Row], block: Block) -> tuple[Sequence[Row], Sequence[int]]:
    """Keep the headings, and of each file of texts the first: (rows, how often the token is in each), nothing if that is all."""
    kept: list[Row] = []
    times: list[int] = []
    files: dict[tuple[int, int], int] = {}
    has_more = False
    for occurrence, places in rows:
        own = places
        number = 1 if isinstance(places, int) else len(places)
        if occurrence.below:
            at = files.setdefault((occurrence.heading // block.headings, occurrence.below // block.texts), len(kept))
            if at < len(kept):
                times[at] += number
                has_more = True
                continue
            if not isinstance(places, int):
                has_more = True
                own = places[0]
        kept.append((occurrence, own))
        times.append(number)
    return (kept, times) if has_more else ((), ())


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
    """Write the postings: four times the number of pages, one more for a common token, and three for a very common one; then columns.

    Neighbouring numbers of one kind are alike, which brotli makes use of.

    Args:
        entry: Lines of all pages; see `entry_line`.
        common: As `common_from` gives it.
    """
    if entry.count(b"\n") == 1:  # one page, with few records: so it is with half of all tokens
        number, frequency, count, *fields = entry.split(b" ")
        if int(count) < common:
            written = b"".join(fields[: _COLUMNS_OF_COMMON - _COLUMNS]).decode()
            return Written(f"{_LETTERS_OF[4]}{_LETTERS_OF[int(number)]}{written}", int(frequency))
    rows = [line.split(b" ") for line in entry[1:].split(b"\n")]
    numbers = [int(row[0]) for row in rows]
    if len(rows) > 1:
        order = sorted(range(len(rows)), key=numbers.__getitem__)
        numbers = [numbers[place] for place in order]
        rows = [rows[place] for place in order]
    records = sum([int(row[_RECORDS]) for row in rows])
    is_common = records >= common
    is_very_common = is_common and common < VERY_COMMON <= records
    if is_common:
        rows = [row[:_COLUMNS] + row[_COLUMNS_OF_COMMON:] if len(row) > _COLUMNS_OF_COMMON else row for row in rows]
    columns = list(zip(*rows, strict=False))[_COLUMNS : _COLUMNS_OF_COMMON - is_very_common]
    steps = [number - before for before, number in pairwise([0, *numbers])]
    text = (
        write_numbers([4 * len(rows) + is_common + 2 * is_very_common, *steps])
        + b"".join([b"".join(column) for column in columns]).decode()
    )
    return Written(text, sum([int(row[_FREQUENCY]) for row in rows]))


def _columns_of(rows: Sequence[Row], counts: Sequence[int] = ()) -> Columns:
    """Take the places of a token in one page apart: what is written does not depend on other pages.

    Args:
        rows: The records that hold it.
        counts: How often it is counted in each of them, of a common token; of its texts, one place alone is written.
    """
    letters = _LETTERS_OF
    headings: list[str] = []
    below: list[str] = []
    heads: list[str] = []
    extents: list[str] = []
    times: list[str] = []
    in_headings: list[str] = []
    in_texts: list[str] = []
    last_heading = last_text = 0
    for at, ((heading, text, head, extent, size), places) in enumerate(rows):
        heads.append(letters[head])
        headings.append(letters[heading - last_heading])
        if heading != last_heading:
            last_heading, last_text = heading, 0
        if text:
            below.append(letters[text - last_text])
        else:
            extents.append(letters[extent] + letters[size])
        last_text = text
        written = in_texts if text else in_headings
        if isinstance(places, int):
            times.append(letters[counts[at] if counts else 1])
            written.append(letters[places])
            continue
        kept = places[:MOST_POSITIONS]
        times.append(letters[len(kept)])
        written.append("".join([letters[place - before] for before, place in pairwise([0, *kept])]))
    join = "".join
    return (
        letters[len(heads)], join(headings), join(heads), join(below), join(extents), join(times), join(in_headings),
        join(in_texts),
    )  # fmt: skip


def write_letters(numbers: Iterable[int]) -> str:
    """Write small numbers as one letter each, whatever their size: less than lists of digits where there is one for each page."""
    return "".join([_LETTERS[number] if number < len(_LETTERS) else chr(FURTHER + number) for number in numbers])


def write_numbers(numbers: Iterable[int]) -> str:
    """Write numbers as letters, the least digits of each first."""
    return "".join(map(_LETTERS_OF.__getitem__, numbers))


def _write_number(number: int) -> str:
    letters = []
    while number >= DIGITS:
        letters.append(_LETTERS[DIGITS + number % DIGITS])
        number //= DIGITS
    letters.append(_LETTERS[number])
    return "".join(letters)


class _LettersOf(dict[int, str]):
    """Number → its letters; those of small numbers, which nearly all are, are kept."""

    def __missing__(self, number: int) -> str:
        return _write_number(number)


_LETTERS_OF = _LettersOf({number: _write_number(number) for number in range(_LETTERS_OF_SMALL)})
