"""`Retrieval`: which records tantivy finds for a plan, before they are ranked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import tantivy

from octavo.search.index.tantivy_index import IndexReader
from octavo.search.query.clauses import Clauses
from octavo.search.query.filters import Filter
from octavo.search.query.parameters import MOST_HITS
from octavo.search.query.query import Plan

DEPTHS = (36, 160, MOST_HITS)
"""Records that are ranked: more where fewer do not hold the hits that are asked for.

Beside `MOST_HEADINGS`, 36 to 1,000 candidates give the same order on the queries of bench/relevance.
"""

MOST_HEADINGS = 10
"""Titles and headings that are candidates whatever their score: each form of a word counts less in a score than the word
itself, so `workspace` in a hundred texts would keep the page "Workspaces" out."""

_TITLE_FIRST = 4.0
"""What is added to the score of a title among headings."""

_MUST, _SHOULD = tantivy.Occur.Must, tantivy.Occur.Should
_Clauses = list[tuple[tantivy.Occur, tantivy.Query]]


class Retrieved(NamedTuple):
    """Records that match a plan."""

    matching: tantivy.Query
    bands: Sequence[Sequence[tantivy.DocAddress]]
    """All of these, best bands first; each is ranked by itself, so that a page of hits does not change when a later
    one is read."""
    total: int
    """Records that match."""
    addresses: Sequence[tantivy.DocAddress]
    """The first `MOST_HITS` of them, by score."""


class Retrieval:
    """Finds records of one index."""

    def __init__(self, reader: IndexReader, clauses: Clauses) -> None:
        self._searcher = reader.searcher
        self._clauses = clauses
        schema = reader.schema
        types = [tantivy.Query.term_query(schema, "type", f"lvl{level}", "basic") for level in range(1, 7)]
        self._headings = _constant(tantivy.Query.boolean_query([(_SHOULD, type_) for type_ in types]))
        self._titles = tantivy.Query.const_score_query(types[0], _TITLE_FIRST)

    def everything(self, plan: Plan, filter_: Filter | None) -> Retrieved:
        """Find all records but those that the query excludes, the best pages first."""
        matching = self._filtered([(_MUST, tantivy.Query.all_query()), *self._clauses.excluding(plan)], filter_)
        answer = self._searcher.search(matching, MOST_HITS, order_by_field="boost")
        addresses = [address for _, address in answer.hits]
        return Retrieved(matching, _bands(addresses, []), _count(answer), addresses)

    def matches(self, plan: Plan, filter_: Filter | None, *, least: int | None = None) -> Retrieved | None:
        """Find records that hold the words of a plan.

        Args:
            plan: The query.
            filter_: What else they must meet.
            least: Words of the core that a record must hold, whichever; None: all that are not only wished for.

        Returns:
            None where no record can match.
        """
        words = self._words(plan, least)
        if words is None:
            return None
        small = [index for index in range(len(plan.query.terms)) if index not in plan.core]
        matching = self._filtered([*words, *self._wishes(plan, small), *self._clauses.excluding(plan)], filter_)
        answer = self._searcher.search(matching, MOST_HITS, weight_by_field="boost")
        addresses = [address for _, address in answer.hits]
        total = _count(answer)
        first = self._best_headings(matching) if least is None and total > DEPTHS[0] else []
        return Retrieved(matching, _bands(addresses, first), total, addresses)

    def pages(self, plan: Plan, filter_: Filter | None, most: int) -> list[tuple[float, tantivy.DocAddress]]:
        """Find the titles of pages whose records, taken together, hold most and the rarest words: (score, title)."""
        clauses = [self._clauses.term(plan, index, "page_words") for index in plan.core]
        some = [(_SHOULD, clause) for clause in clauses if clause is not None]
        if not some:
            return []
        matching = self._filtered([(_MUST, tantivy.Query.boolean_query(some)), *self._clauses.excluding(plan)], filter_)
        return [(float(score), address) for score, address in self._searcher.search(matching, most, count=False).hits]

    def _best_headings(self, matching: tantivy.Query) -> list[tantivy.DocAddress]:
        headings = tantivy.Query.boolean_query([(_MUST, matching), (_MUST, self._headings), (_SHOULD, self._titles)])
        hits = self._searcher.search(headings, MOST_HEADINGS, count=False, weight_by_field="boost").hits
        return [address for _, address in hits]

    def _words(self, plan: Plan, least: int | None) -> _Clauses | None:
        """Make the clauses of the core; None where no record can meet them."""
        needed = [index for index in plan.core if index not in plan.wished]
        if least is None and needed:
            clauses = [self._clauses.term(plan, index) for index in needed]
            given = [(_MUST, clause) for clause in clauses if clause is not None]
            wishes = self._wishes(plan, [index for index in plan.core if index in plan.wished])
            return [*given, *wishes] if len(given) == len(clauses) else None
        some = self._wishes(plan, plan.core)
        least = least or 1
        return [(_MUST, tantivy.Query.boolean_query(some, least))] if len(some) >= least else None

    def _wishes(self, plan: Plan, indexes: Sequence[int]) -> _Clauses:
        clauses = [self._clauses.term(plan, index) for index in indexes]
        return [(_SHOULD, clause) for clause in clauses if clause is not None]

    def _filtered(self, clauses: _Clauses, filter_: Filter | None) -> tantivy.Query:
        if filter_ is not None:
            clauses.append((_MUST, _constant(self._clauses.filter(filter_))))
        return tantivy.Query.boolean_query(clauses)


def _count(answer: object) -> int:
    return int(answer.count)  # type: ignore[attr-defined] # missing in the stubs


def _constant(query: tantivy.Query) -> tantivy.Query:
    """Let a query decide what matches, and nothing about the score."""
    return tantivy.Query.const_score_query(query, 0.0)


def _bands(
    addresses: Sequence[tantivy.DocAddress], first: Sequence[tantivy.DocAddress]
) -> list[list[tantivy.DocAddress]]:
    """Cut the best records into bands; what is put first is in the first band, and in no other."""
    start = DEPTHS[0]
    best, rest = list(addresses[:start]), addresses[start:]
    if first:
        known = {(address.segment_ord, address.doc) for address in best}
        added = {(address.segment_ord, address.doc): address for address in first}
        best += [address for key, address in added.items() if key not in known]
        rest = [address for address in rest if (address.segment_ord, address.doc) not in added]
    cut = DEPTHS[1] - start
    return [band for band in (best, list(rest[:cut]), list(rest[cut:])) if band]
