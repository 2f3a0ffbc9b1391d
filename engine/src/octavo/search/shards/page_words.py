"""The words of a page with their places, without what tells the page from the same one of another version."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from octavo.search.index.record import Record
from octavo.search.index.record_text import CONTENT, TITLE, Text, take_apart, without_marks
from octavo.search.index.tantivy_index import PAGE_TIMES
from octavo.search.shards.postings import Occurrence, PageRows
from octavo.search.shards.texts import flags_of
from octavo.search.text.stop_words import STOP_WORDS

SMALL = "\x02"
"""What a stop word of a heading begins with: its places in headings alone, which are few. No token begins so."""


class PageWords(msgspec.Struct, frozen=True, array_like=True):
    """The words of a page."""

    rows: Mapping[str, PageRows]
    """Token → its places."""
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
    rows: dict[str, PageRows] = {}
    frequencies: Counter[str] = Counter()
    outline: list[int] = []
    tokens = 0
    heading, below, last_heading = -1, 0, first
    for record, text in page:
        lines = text.lines
        frequencies.update({token for line in lines for token in without_marks(line).split()})
        if text.own == CONTENT:
            below += 1
        else:
            heading, below, last_heading = heading + 1, 0, record
            outline += [text.own, len(text.parts(text.own))]
        for attribute in [text.own] if heading or below else [0, TITLE]:
            positions: dict[str, list[int]] = {}
            count = 0
            for position, token in take_apart(lines[attribute]):
                positions.setdefault(token, []).append(position)
                count += 1
            if attribute:
                tokens += count * PAGE_TIMES.get(record.type, 1)
            flags = flags_of(record, first, last_heading) if attribute == CONTENT else 0
            extent = extents[heading] if attribute else len(extents)
            occurrence = Occurrence(
                heading, below, attribute + 8 * flags, extent, 0 if below else len(text.parts(attribute))
            )
            for token, places in positions.items():
                rows.setdefault(token, PageRows()).add(occurrence, places)
                if token in STOP_WORDS and 0 < attribute < CONTENT:
                    rows.setdefault(SMALL + token, PageRows()).add(occurrence, places)
    return PageWords(rows, frequencies, tokens, outline)


def _extents(levels: Sequence[int]) -> list[int]:
    """Say for each heading how many headings, itself included, are below it."""
    extents = []
    for place, level in enumerate(levels):
        end = place + 1
        while end < len(levels) and levels[end] > level:
            end += 1
        extents.append(end - place)
    return extents
