"""`EmbeddedResults`: what the embedded engine has found, as the protocol reads it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from octavo.search.engines.interface import SORTED_BY, Order
from octavo.search.fields import Facet, Number
from octavo.search.index.tantivy_index import IndexReader
from octavo.search.query.parameters import MOST_HITS
from octavo.search.query.query import QueryPlan
from octavo.search.ranking.facet_counts import Counts, Stats, count_facets, number_stats
from octavo.search.ranking.found import Found, Ranked


class EmbeddedResults:
    """See `Results`."""

    def __init__(self, found: Found, reader: IndexReader) -> None:
        self._found = found
        self._reader = reader
        self.plan: QueryPlan = found.plan
        self.count = found.count
        self.reachable = found.reachable
        self.is_exact = found.is_exact
        self.message = (
            "" if found.is_exact or found.count else "Not all records that hold these words were looked through."
        )

    def hits(self, offset: int, length: int) -> Sequence[Ranked]:
        """See `Results`."""
        return self._found.ranked[offset : min(offset + length, MOST_HITS)]

    def facets(self, facets: Sequence[Facet | Number], most: int, *, distinct: int) -> Counts:
        """See `Results`."""
        return count_facets(self._reader.searcher, self._reader.columns, self._found, facets, most, distinct)

    def stats(self, numbers: Sequence[Number]) -> Stats:
        """See `Results`."""
        return number_stats(self._reader.searcher, self._found, numbers)


def sorted_by(found: Found, order: Order) -> Found:
    """Sort what was found; what is equal stays in the order of its rank."""
    read = SORTED_BY[order.attribute]
    ranked = sorted(found.ranked, key=lambda hit: read(hit.record), reverse=order.is_descending)
    return msgspec.structs.replace(found, ranked=ranked)
