"""`Filling`: where full matches are few, partial ones are looked for, and all are put in order by what they are worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from octavo.search.index.tantivy_index import IndexReader
from octavo.search.query.clauses import Clauses
from octavo.search.query.parameters import Parameters
from octavo.search.query.query import QueryPlan
from octavo.search.ranking.finder import Finder
from octavo.search.ranking.found import Found, Ranked
from octavo.search.ranking.meets import count_met
from octavo.search.ranking.rank import Rank, Ranker
from octavo.search.ranking.retrieval import Retrieval
from octavo.search.ranking.worth import Worth, supported

ENOUGH_PAGES = 10
"""Pages among the full matches from which no partial ones are looked for."""

MOST_VALUED = 20
"""Full matches up to which all are put in order by their worth. With more, a page of hits may not know all of them, and the order
has to be the same on each page; partial matches follow then."""

RANKED_PAGES = 40
"""Pages of which is known how well they answer a query as a whole."""

PARTIAL_RECORDS, PARTIAL_PAGES = 30, 10
"""Records, and pages by all their words, that are valued as partial matches."""

MOST_COUNTED = 10
"""Best matches among which the records of a page are counted. Further ones are chance: two implementations choose others."""

MOST_PARTIAL, MOST_PARTIAL_OF_PAGE = 40, 2
"""Partial matches that are shown, in all and of one page."""


class Filling:
    """Finds the partial matches of one index."""

    def __init__(self, reader: IndexReader, clauses: Clauses, retrieval: Retrieval) -> None:
        self._reader = reader
        self._clauses = clauses
        self._retrieval = retrieval

    def page_shares(self, plan: QueryPlan, parameters: Parameters) -> dict[int, float]:
        """Say how well whole pages answer a query, beside the best: page, as in `Columns.pages` → 0 to 1."""
        return self._shares(self._retrieval.pages(plan, parameters.filter, RANKED_PAGES))

    def filled_up(self, found: Found, parameters: Parameters) -> Found:
        """Add partial matches, where the full ones are few."""
        plan = found.plan
        pages = {hit.candidate.page for hit in found.ranked}
        if not (found.is_complete and found.is_few) or len(pages) >= ENOUGH_PAGES or len(plan.core) < 2:
            return found
        seen = {hit.candidate.url for hit in found.ranked}
        matches = self._partial(plan, parameters, seen)
        valued = self._valued(found, parameters) if is_valued(plan, parameters, len(found.ranked)) else []
        counts = _count_best([*valued, *matches])
        partial = _first_of_pages(_supported(matches, counts), seen)[:MOST_PARTIAL]
        if valued:
            ranked = in_order_of_worth(_supported(valued, counts), partial)
        elif partial:
            ranked = [*found.ranked, *partial]
        else:
            return found
        has_partial = bool(partial)
        return msgspec.structs.replace(
            found, ranked=ranked, count=len(ranked), reachable=len(ranked), has_partial=has_partial
        )

    def _valued(self, found: Found, parameters: Parameters) -> list[Ranked]:
        """Value the full matches."""
        plan = found.plan
        shares = self._shares(self._retrieval.pages(plan, parameters.filter, RANKED_PAGES))
        worth = self._worth(plan, parameters)
        valued = []
        for place, hit in enumerate(found.ranked):
            candidate = hit.candidate
            rank = worth.rank(
                candidate.text,
                hit.sightings,
                shares.get(hit.page, 0.0),
                is_generated=candidate.is_generated,
                is_full=True,
                is_first=place == 0,
            )
            valued.append(hit if rank is None else hit._replace(rank=rank))
        return valued

    def _worth(self, plan: QueryPlan, parameters: Parameters) -> Worth:
        weights = [self._clauses.weight(meanings.frequency) for meanings in plan.meanings]
        return Worth(Ranker(plan, parameters.attributes), weights, plan.core)

    def _partial(self, plan: QueryPlan, parameters: Parameters, seen: set[str]) -> list[Ranked]:
        """Find records that hold some of the words, and pages that do."""
        records = self._retrieval.some(plan, parameters.filter, PARTIAL_RECORDS)
        if not records:
            return []
        pages = self._retrieval.pages(plan, parameters.filter, RANKED_PAGES)
        numbers = list(dict.fromkeys([*records, *(number for _, number in pages[:PARTIAL_PAGES])]))
        shares = self._shares(pages)
        return self._ranked(plan, parameters, numbers, shares, seen)

    def _shares(self, titles: Sequence[tuple[float, int]]) -> dict[int, float]:
        best = titles[0][0] if titles else 1.0
        pages = self._reader.columns.pages
        return {pages[number]: score / best for score, number in titles}

    def _ranked(
        self,
        plan: QueryPlan,
        parameters: Parameters,
        numbers: Sequence[int],
        shares: Mapping[int, float],
        seen: set[str],
    ) -> list[Ranked]:
        worth = self._worth(plan, parameters)
        find, wishes = Finder(plan).find, parameters.optional_filters
        order = []
        pages = self._reader.columns.pages
        for number, candidate in zip(numbers, self._reader.candidates(numbers), strict=True):
            if candidate.url not in seen:
                sightings = find(candidate.text)
                met = count_met(candidate.record, wishes) if wishes else 0
                share = shares.get(pages[number], 0.0)
                rank = worth.rank(candidate.text, sightings, share, filters=met, is_generated=candidate.is_generated)
                if rank is not None:
                    order.append((rank, candidate.url, number, Ranked(rank, candidate, sightings, pages[number])))
        order.sort(key=lambda item: item[:3])
        return [ranked for _, _, _, ranked in order]


def is_valued(plan: QueryPlan, parameters: Parameters, count: int) -> bool:
    """Return whether so many full matches are put in order by their worth, together with the partial ones.

    Quotes, minus signs and optional words and filters say what is to come first, so there the criteria decide.
    """
    is_plain = not (plan.query.phrases or plan.query.excluded or plan.wished)
    return is_plain and parameters.optional_filters is None and count <= MOST_VALUED


def in_order_of_worth(full: Sequence[Ranked], partial: Sequence[Ranked]) -> list[Ranked]:
    """Put hits in order by their worth; a full match of a page that `[search] page_ranks` gives 0 follows all others."""
    others = [hit.rank.missing for hit in full if not hit.rank.is_last]
    least = max(others, default=0) + 1
    order = [
        hit._replace(rank=hit.rank._replace(missing=max(hit.rank.missing, least))) if hit.rank.is_last else hit
        for hit in full
    ]
    return sorted([*order, *partial], key=_worth_of)


def _worth_of(hit: Ranked) -> Rank:
    return hit.rank


def _count_best(hits: Sequence[Ranked]) -> Counter[int]:
    """Count the records of each page among the best matches."""
    return Counter(hit.page for hit in sorted(hits, key=_place_of)[:MOST_COUNTED])


def _place_of(hit: Ranked) -> tuple[Rank, str]:
    return hit.rank, hit.candidate.url


def _supported(hits: Sequence[Ranked], counts: Mapping[int, int]) -> list[Ranked]:
    """Value hits by how many of their page match (page → records), and put them in order."""
    order = [hit._replace(rank=supported(hit.rank, counts[hit.page])) for hit in hits]
    return sorted(order, key=_place_of)


def _first_of_pages(ranked: Sequence[Ranked], seen: set[str]) -> list[Ranked]:
    """Keep the best partial matches of each page, each address once."""
    counts: Counter[str] = Counter()
    kept = []
    for item in ranked:
        url, page = item.candidate.url, item.candidate.page
        if url not in seen and counts[page] < MOST_PARTIAL_OF_PAGE:
            seen.add(url)
            counts[page] += 1
            kept.append(item)
    return kept
