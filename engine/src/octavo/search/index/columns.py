"""`Columns`: the numbers of all records that a search needs for hundreds of them at once, as arrays.

Asking the native library for them costs a call and an object for each hit; an array costs an index.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import tantivy

from octavo.search.fields import FACET_FIELDS

TITLE_LEVEL = 100
"""`weight.level` of the title of a page, which is the first of the page's records."""

TEXT_LEVEL = 0
"""The same of a text."""

_SLICE = 10_000
"""Records whose numbers are read at once."""

_META_NAME = "meta.json"


class _Segment(msgspec.Struct):
    max_doc: int
    """Records in it, deleted ones counted."""


class _Meta(msgspec.Struct):
    segments: list[_Segment]


class Columns:
    """Read once when an index is opened. A record's number is its place in these arrays."""

    def __init__(
        self,
        folder: Path,
        searcher: tantivy.Searcher,
        page_at: Callable[[int], int],
        facets_at: Callable[[int], tuple[str, ...]],
    ) -> None:
        """Read them.

        Args:
            folder: The index.
            searcher: Of the same index.
            page_at: Gives the address of a record's page, as a number, for the place of the record in its file.
            facets_at: Gives the facets of the record at a place, as `facet_values` does.

        Raises:
            OSError: the list of segments cannot be read.
            msgspec.MsgspecError: it is damaged.
        """
        self.places = array("q")
        """Where the records file keeps a record."""
        self.addresses = array("q")
        """Address with its anchor, as a number."""
        self.pages = array("q")
        """Address without its anchor, as a number."""
        self.levels = array("b")
        """`weight.level`: 100 for the title of a page, 50 to 90 for another heading, 0 for text."""
        self.combinations = array("L")
        """Combination of facets: an index in each list of `facets`. There are far fewer combinations than records."""
        self.facets: dict[str, list[str]] = {field: [] for field in FACET_FIELDS}
        """Field → its value in each combination."""
        self._known: dict[int, int] = {}
        self._facets_at = facets_at
        self._starts: list[int] = []
        meta = msgspec.json.decode((folder / _META_NAME).read_bytes(), type=_Meta)
        for segment, size in enumerate(part.max_doc for part in meta.segments):
            self._starts.append(len(self.places))
            page = 0
            for start in range(0, size, _SLICE):
                documents = range(start, min(size, start + _SLICE))
                page = self._read(searcher, [tantivy.DocAddress(segment, one) for one in documents], page, page_at)

    def numbers(self, hits: Iterable[tuple[object, tantivy.DocAddress]]) -> list[int]:
        """Give the numbers of what a search has found."""
        if len(self._starts) == 1:
            return [address.doc for _, address in hits]
        starts = self._starts
        return [starts[address.segment_ord] + address.doc for _, address in hits]

    def meeting(self, meets: Callable[[Mapping[str, str]], bool]) -> tuple[int, int]:
        """Count the combinations of facets, and those that meet a condition on them: (meeting, all)."""
        values = list(self.facets.values())
        rows = [dict(zip(self.facets, row, strict=True)) for row in zip(*values, strict=True)]
        return sum(map(meets, rows)), len(rows)

    def combinations_at(self, buckets: Mapping[float, int]) -> dict[int, int]:
        """Give the counts of an aggregation over the field `facets` by the index of each combination."""
        indexes = {float(number): index for number, index in self._known.items()}
        return {indexes[number]: count for number, count in buckets.items()}

    def _read(
        self, searcher: tantivy.Searcher, wanted: list[tantivy.DocAddress], page: int, page_at: Callable[[int], int]
    ) -> int:
        """Read the numbers of some neighbours; give the page of the last one."""
        places, addresses, levels, combinations = (
            _numbers(searcher.fast_field_values(field, wanted)) for field in ("place", "address", "level", "facets")
        )
        for number in set(combinations).difference(self._known):
            self._add_combination(number, places[combinations.index(number)])
        self.combinations.extend(map(self._known.__getitem__, combinations))
        self.places.extend(places)
        self.addresses.extend(addresses)
        self.levels.extend(levels)
        titles = [index for index, level in enumerate(levels) if level == TITLE_LEVEL]
        first = titles[0] if titles else len(levels)
        if first and not page:  # the writer may begin a segment in the middle of a page
            page = page_at(places[0])
        self.pages.extend([page] * first)
        for title, following in pairwise([*titles, len(levels)]):
            page = addresses[title]
            self.pages.extend([page] * (following - title))
        return page

    def _add_combination(self, number: int, place: int) -> None:
        """Give a combination of facets the next index; a record that has it says what it is."""
        self._known[number] = len(self._known)
        for values, value in zip(self.facets.values(), self._facets_at(place), strict=True):
            values.append(value)


def _numbers(values: list[Any]) -> list[int]:
    """Take 0 where a record has no value; the native library gives all numbers alike."""
    return [value or 0 for value in values] if None in values else values
