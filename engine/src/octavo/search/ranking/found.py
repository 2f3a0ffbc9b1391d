"""What a search has found, before it is cut into pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import tantivy

from octavo.search.index.record import Record
from octavo.search.index.record_text import Sighting
from octavo.search.index.records_file import Candidate
from octavo.search.query.query import QueryPlan
from octavo.search.ranking.rank import Rank

_NUMBERS_OF_RECORD = 16
"""Numbers that take as much memory as a record."""


class Ranked(NamedTuple):
    """A record at its place."""

    rank: Rank
    candidate: Candidate
    sightings: Sequence[Sighting]
    """Tokens of the query for which it is a hit."""
    page: int = -1
    """Its page, as in `Columns.pages`; -1 for hits that an editor has put first."""

    @property
    def record(self) -> Record:
        """The whole record, loaded at each call."""
        return self.candidate.record

    @property
    def text_below(self) -> str | None:
        """For a heading: the text that follows it, loaded at each call."""
        return self.candidate.text_below


class Found(msgspec.Struct, frozen=True):
    """The hits of a search, or as many of the best as were requested."""

    plan: QueryPlan
    ranked: Sequence[Ranked]
    """Best first."""
    count: int
    """Hits in all; an estimate unless `is_exact`."""
    reachable: int
    """Hits that paging can reach; never more than `MOST_HITS`."""
    is_exact: bool
    is_complete: bool
    """`ranked` holds all hits."""
    is_few: bool
    """There are so few that partial matches may follow; the same for each page of hits."""
    has_partial: bool
    """Partial matches follow the full ones; only `ranked` knows them."""
    is_narrowed: bool
    """Not all matching records are hits, because the query has a phrase, restricted attributes or fewer typos. Only ranking can tell."""
    matching: tantivy.Query
    """Matches all records that were found."""
    numbers: Sequence[int] = ()
    """All these records, as in `Columns`, where `is_exact`; where it `is_narrowed`, the hits among them and the records that
    they hide, or nothing."""

    @property
    def size(self) -> int:
        """Records and tokens that are kept with it."""
        return 1 + len(self.ranked) + len(self.plan.senses) + len(self.numbers) // _NUMBERS_OF_RECORD


def nothing(plan: QueryPlan) -> Found:
    """Say that nothing was found."""
    empty = tantivy.Query.empty_query()
    return Found(
        plan,
        [],
        0,
        0,
        is_exact=True,
        is_complete=True,
        is_few=True,
        has_partial=False,
        is_narrowed=False,
        matching=empty,
    )


def with_few_typos(found: Found, *, extra: int) -> Found:
    """Keep what has the fewest typing mistakes, and with `extra` what has one more."""
    least = min((item.rank.typo for item in found.ranked), default=0)
    kept = [item for item in found.ranked if item.rank.typo <= least + extra]
    if found.is_complete:
        return msgspec.structs.replace(found, ranked=kept, count=len(kept), reachable=len(kept), numbers=())
    share = len(kept) / len(found.ranked) if found.ranked else 0.0
    count = max(len(kept), round(found.count * share))
    return msgspec.structs.replace(found, ranked=kept, count=count, reachable=min(found.reachable, count))
