"""`Retrieval`: which records tantivy finds for a plan, before they are ranked."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice, pairwise, product
from typing import Any, NamedTuple

import msgspec
import tantivy

from octavo.search.index.columns import TEXT_LEVEL, TITLE_LEVEL
from octavo.search.index.tantivy_index import BOOSTS, HEADING, IndexReader, whole_title
from octavo.search.query.clauses import Clauses
from octavo.search.query.filters import Filter
from octavo.search.query.parameters import MOST_HITS
from octavo.search.query.query import QueryPlan
from octavo.search.ranking.meets import facets_meet, only_facets
from octavo.search.ranking.rank import TITLE_QUALITIES

DEPTHS = (36, 48, 160, MOST_HITS)
"""Records that are ranked: more where fewer do not hold the hits that are asked for.

Beside `MOST_HEADINGS` and `MOST_TEXTS`, 28 to 1,000 give the same order on the queries of bench/relevance, and 22 do not.
With 36 the first ten hits are more often those of the static search. The small second step spares ranking 124 records
where the first has hits of few addresses.
"""

MOST_HEADINGS = 8
"""Titles and headings that are candidates whatever their score: each form of a word counts less in a score than the word
itself, so `workspace` in a hundred texts would keep the page "Workspaces" out."""

MOST_TEXTS = 8
"""Texts that are candidates whatever their score: dozens of titles of a reference that name a thing would keep the guide
out that explains it."""

_TITLE_FIRST = 4.0
"""What is added to the score of a title among headings, before it is weighted by its boost."""

_TITLE_BONUS = _TITLE_FIRST * math.log2(2 + BOOSTS["lvl1"])
"""The same after it: so does `weight_by_field`."""

_NAMED = 1000.0
"""Score of a title that is the query: above all others."""

_MANY_TIMES = 10
"""Records for each partial match that is wanted: words that follow after so many records with a rarer one are not looked for."""

_MOST_FORMS = 12
"""Ways to write the query that are looked up among the titles."""

_MOST_FILTERS = 256
"""Filters of which is kept whether all records meet them."""

_MUST, _SHOULD = tantivy.Occur.Must, tantivy.Occur.Should
_Clauses = list[tuple[tantivy.Occur, tantivy.Query]]


class Retrieved(NamedTuple):
    """Records that match a plan; each by its number, as in `Columns`."""

    matching: tantivy.Query
    first: Sequence[int]
    """Those that belong to the first band whatever their score."""
    total: int
    """Records that match."""
    numbers: Sequence[int]
    """The first `MOST_HITS` of them, by score."""

    @property
    def least_looked_at(self) -> int:
        """Records of the first band, which is ranked for any page of hits."""
        return len(next(self.bands, ()))

    @property
    def bands(self) -> Iterator[Sequence[int]]:
        """Cut them into bands, best first; each is made when it is asked for, and mostly the first is enough.

        Each is ranked by itself, so that a page of hits does not change when a later one is read.
        """
        numbers, added = self.numbers, set(self.first)
        if not numbers:
            return
        best = numbers[: DEPTHS[0]]
        known = set(best)
        yield [*best, *(number for number in self.first if number not in known)]
        for start, end in pairwise(DEPTHS):
            band = [number for number in numbers[start:end] if number not in added]
            if band:
                yield band


class Retrieval:
    """Finds records of one index."""

    def __init__(self, reader: IndexReader, clauses: Clauses) -> None:
        self._searcher = reader.searcher
        self._columns = reader.columns
        self._clauses = clauses
        self._last_pages: tuple[QueryPlan, Filter | None, int, list[tuple[float, int]]] | None = None
        self._last_filter: tuple[Filter, tantivy.Query | None] | None = None
        self._met_by_all: dict[bytes, bool] = {}
        schema = self._schema = reader.schema
        self._headings = _constant(tantivy.Query.term_query(schema, "is_heading", HEADING, "basic"))
        titles = tantivy.Query.term_query(schema, "type", "lvl1", "basic")
        self._titles = tantivy.Query.const_score_query(titles, _TITLE_FIRST)

    def everything(self, plan: QueryPlan, filter_: Filter | None) -> Retrieved:
        """Find all records but those that the query excludes, the best pages first."""
        matching = self._filtered([(_MUST, tantivy.Query.all_query()), *self._clauses.excluding(plan)], filter_)
        answer = self._searcher.search(matching, MOST_HITS, order_by_field="boost")
        numbers = self._columns.numbers(answer.hits)
        return Retrieved(matching, [], _count(answer), numbers)

    def matches(self, plan: QueryPlan, filter_: Filter | None, *, has_order: bool = True) -> Retrieved | None:
        """Find records that hold all words of a plan but those that are only wished for; None where none can.

        Args:
            plan: The query.
            filter_: What else they must meet.
            has_order: Their order matters; if not, no headings are looked for.
        """
        words = self._words(plan)
        if words is None:
            return None
        if has_order and (named := self._named_titles(plan)):
            words.append((_SHOULD, named))
        words += [
            (_SHOULD, self._clauses.holding(held))
            for name, held in zip(plan.query.identifiers, plan.held, strict=False)
            if name not in held
        ]
        matching = self._matching(plan, words, filter_)
        answer = self._searcher.search(matching, MOST_HITS, weight_by_field="boost")
        hits, total = answer.hits, _count(answer)
        numbers = self._columns.numbers(hits)
        first: list[int] = []
        if total > DEPTHS[0] and has_order:
            levels = bytes(map(self._columns.levels.__getitem__, numbers))
            among = _headings_among(levels, hits, total)
            first = self._best_headings(matching) if among is None else [numbers[place] for place in among]
            first += [numbers[place] for place in _first_places(levels, TEXT_LEVEL, MOST_TEXTS)]
        return Retrieved(matching, first, total, numbers)

    def further(self, retrieved: Retrieved, most: int) -> list[int]:
        """Find the records that follow those that were retrieved, by score."""
        offset = len(retrieved.numbers)
        answer = self._searcher.search(retrieved.matching, most, count=False, offset=offset, weight_by_field="boost")
        return self._columns.numbers(answer.hits)

    def some(self, plan: QueryPlan, filter_: Filter | None, most: int) -> list[int]:
        """Find the best records that hold any of the rarest words of a plan."""
        rare = self._rare(plan, enough=most * _MANY_TIMES)
        some = self._wishes(plan, rare)
        if not some:
            return []
        matching = self._matching(plan, [(_MUST, tantivy.Query.boolean_query(some))], filter_)
        hits = self._searcher.search(matching, most, count=False, weight_by_field="boost").hits
        return self._columns.numbers(hits)

    def _rare(self, plan: QueryPlan, enough: int) -> Sequence[int]:
        """Choose the rarest words of the core: as many as it takes for so many records to hold one.

        A word of thousands of records tells little, and all of these would be looked at.
        """
        by_rarity = sorted(plan.core, key=lambda index: plan.meanings[index].frequency)
        before = accumulate([plan.meanings[index].frequency for index in by_rarity], initial=0)
        return [index for index, records in zip(by_rarity, before, strict=False) if records < enough]

    def pages(self, plan: QueryPlan, filter_: Filter | None, most: int) -> list[tuple[float, int]]:
        """Find the titles of pages whose records, taken together, hold most and the rarest words: (score, title).

        The last answer is kept: full matches are ordered by it, and then partial ones.
        """
        before = self._last_pages
        if before is None or before[0] is not plan or before[1] is not filter_ or before[2] != most:
            self._last_pages = before = plan, filter_, most, self._pages(plan, filter_, most)
        return before[3]

    def _pages(self, plan: QueryPlan, filter_: Filter | None, most: int) -> list[tuple[float, int]]:
        clauses = [self._clauses.term(plan, index, "page_words") for index in plan.core]
        some = [(_SHOULD, clause) for clause in clauses if clause is not None]
        if not some:
            return []
        matching = self._filtered([(_MUST, tantivy.Query.boolean_query(some)), *self._clauses.excluding(plan)], filter_)
        hits = self._searcher.search(matching, most, count=False).hits
        scores = [float(score) for score, _ in hits]
        return list(zip(scores, self._columns.numbers(hits), strict=True))

    def alike(self, words: Sequence[tuple[str, float]], filter_: Filter, most: int) -> list[int]:
        """Find the titles of pages that hold most of some words, each as telling as it says."""
        if not words:
            return []
        best = words[0][1] or 1.0
        some = [(_SHOULD, self._clauses.page_word(word, value / best)) for word, value in words]
        matching = self._filtered([(_MUST, tantivy.Query.boolean_query(some))], filter_)
        return self._columns.numbers(self._searcher.search(matching, most, count=False).hits)

    def _named_titles(self, plan: QueryPlan) -> tantivy.Query | None:
        """Match the titles that are the query as a whole, in any form of its words; None where there is none.

        A dozen longer titles that hold the word as it was typed would keep them out of the candidates.
        """
        forms = [
            [token for quality in TITLE_QUALITIES for token in meanings.tokens.get(quality, ())]
            for meanings in plan.meanings
        ]
        words = list(islice(product(*forms), _MOST_FORMS))
        if len(plan.core) < len(forms):  # "what is a workspace" asks for the page "Workspaces"
            words += islice(product(*[forms[index] for index in plan.core]), _MOST_FORMS)
        titles = map(whole_title, words)
        known = [title for title in titles if self._searcher.doc_freq("is_heading", title)]
        if not known:
            return None
        terms = [(_SHOULD, tantivy.Query.term_query(self._schema, "is_heading", title, "basic")) for title in known]
        return tantivy.Query.const_score_query(tantivy.Query.boolean_query(terms), _NAMED)

    def _best_headings(self, matching: tantivy.Query) -> list[int]:
        headings = tantivy.Query.boolean_query([(_MUST, matching), (_MUST, self._headings), (_SHOULD, self._titles)])
        return self._columns.numbers(
            self._searcher.search(headings, MOST_HEADINGS, count=False, weight_by_field="boost").hits
        )

    def _matching(self, plan: QueryPlan, words: _Clauses, filter_: Filter | None) -> tantivy.Query:
        small = [index for index in range(len(plan.query.terms)) if index not in plan.core]
        return self._filtered([*words, *self._wishes(plan, small), *self._clauses.excluding(plan)], filter_)

    def _words(self, plan: QueryPlan) -> _Clauses | None:
        """Make the clauses of the core; None where no record can meet them."""
        needed = [index for index in plan.core if index not in plan.wished]
        if needed:
            clauses = [self._clauses.term(plan, index) for index in needed]
            given = [(_MUST, clause) for clause in clauses if clause is not None]
            wishes = self._wishes(plan, [index for index in plan.core if index in plan.wished])
            return [*given, *wishes] if len(given) == len(clauses) else None
        some = self._wishes(plan, plan.core)
        return [(_MUST, tantivy.Query.boolean_query(some, 1))] if some else None

    def _wishes(self, plan: QueryPlan, indexes: Sequence[int]) -> _Clauses:
        clauses = [self._clauses.term(plan, index) for index in indexes]
        return [(_SHOULD, clause) for clause in clauses if clause is not None]

    def _filter(self, filter_: Filter) -> tantivy.Query | None:
        """Make a filter, or take that of the search before: one search has several queries. None: all records meet it."""
        before = self._last_filter
        if before is None or before[0] is not filter_:
            query = None if self._is_met_by_all(filter_) else _constant(self._clauses.filter(filter_))
            self._last_filter = before = filter_, query
        return before[1]

    def _is_met_by_all(self, filter_: Filter) -> bool:
        """Return whether a filter leaves out nothing, as the reader's language does on a site in one language.

        The native library would read the postings of all records for it, in each search.
        """
        if not only_facets(filter_):
            return False
        key = msgspec.json.encode(filter_)
        known = self._met_by_all.get(key)
        if known is None:
            meeting, every = self._columns.meeting(lambda values: facets_meet(values, filter_))
            if len(self._met_by_all) >= _MOST_FILTERS:
                self._met_by_all.clear()
            known = self._met_by_all[key] = meeting == every
        return known

    def _filtered(self, clauses: _Clauses, filter_: Filter | None) -> tantivy.Query:
        query = None if filter_ is None else self._filter(filter_)
        if query is not None:
            clauses.append((_MUST, query))
        return tantivy.Query.boolean_query(clauses)


def _count(answer: object) -> int:
    return int(answer.count)  # type: ignore[attr-defined] # missing in the stubs


def _constant(query: tantivy.Query) -> tantivy.Query:
    """Let a query decide what matches, and nothing about the score."""
    return tantivy.Query.const_score_query(query, 0.0)


_OTHER_HEADINGS = bytes([int(level not in (TEXT_LEVEL, TITLE_LEVEL)) for level in range(256)])
"""Table for `bytes.translate`: 1 for the level of a heading that is not a title."""


def _headings_among(levels: bytes, hits: Sequence[tuple[Any, object]], total: int) -> list[int] | None:
    """Find the places of the best headings among the hits, which saves a search.

    None where better ones may be among those that were not read: fewer titles than are wanted were.
    """
    if total > len(levels) and levels.count(TITLE_LEVEL) < MOST_HEADINGS:
        return None
    titles = _first_places(levels, TITLE_LEVEL, MOST_HEADINGS)  # by score: of each kind the first are the best
    others = _first_places(levels.translate(_OTHER_HEADINGS), 1, MOST_HEADINGS)
    scored = [(hits[place][0] + _TITLE_BONUS, -place) for place in titles]
    scored += [(hits[place][0], -place) for place in others]
    scored.sort(reverse=True)
    return [-place for _, place in scored[:MOST_HEADINGS]]


def _first_places(levels: bytes, level: int, most: int) -> list[int]:
    """Find the first places of a level."""
    places: list[int] = []
    place = levels.find(level)
    while place >= 0 and len(places) < most:
        places.append(place)
        place = levels.find(level, place + 1)
    return places
