"""`Ordering`: puts the records that were retrieved into their final order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from octavo.search.index.tantivy_index import IndexReader
from octavo.search.query.parameters import Parameters
from octavo.search.query.query import QueryPlan
from octavo.search.ranking.finder import Finder
from octavo.search.ranking.found import Ranked
from octavo.search.ranking.meets import count_met
from octavo.search.ranking.rank import Rank, Ranker
from octavo.search.ranking.spread import HitPlace, spread


class Ordering:
    """Ranks the candidates of one search."""

    def __init__(
        self, reader: IndexReader, plan: QueryPlan, parameters: Parameters, pages: Mapping[int, float]
    ) -> None:
        """Begin.

        Args:
            reader: The index.
            plan: The query.
            parameters: Say what else decides, and how many records of one address are shown.
            pages: How well whole pages answer the query, 0 to 1, by `Columns.pages`; empty: as well as each other.
        """
        self._reader = reader
        self._parameters = parameters
        self._pages = pages
        self._rank = Ranker(plan, parameters.attributes, needs_all=True).rank_words
        self._find = Finder(plan).find
        self._counts: dict[str, int] = {}
        """Records of each address that are shown."""
        self.numbers: list[int] = []
        """Records that match, also those that another of their address hides."""

    def of(self, bands: Iterable[Sequence[int]], enough: int) -> tuple[list[Ranked], int]:
        """Rank the candidates of each band by themselves, until there are enough: (hits, records looked at)."""
        shown: list[Ranked] = []
        looked_at = 0
        for band in bands:
            ranked = self._distinct(self._ranked(band))
            shown += [ranked[index] for index in spread([_place(item) for item in ranked])]
            looked_at += len(band)
            if len(shown) >= enough:
                break
        return shown, looked_at

    def _ranked(self, band: Sequence[int]) -> list[Ranked]:
        wishes, shares, rank_of, find = self._parameters.optional_filters, self._pages, self._rank, self._find
        pages = self._reader.columns.pages
        order: list[tuple[Rank, str, int, Ranked]] = []
        for number, candidate in zip(band, self._reader.candidates(band), strict=True):
            sightings = find(candidate.text)
            met = count_met(candidate.record, wishes) if wishes is not None else 0
            share = shares.get(pages[number], 0.0) if shares else 1.0
            is_generated = candidate.is_generated
            rank, _ = rank_of(candidate.text, sightings, filters=met, page=share, is_generated=is_generated)
            if rank is not None:
                order.append((rank, candidate.url, number, Ranked(rank, candidate, sightings, pages[number])))
        self.numbers += [number for _, _, number, _ in order]
        order.sort()
        return [item for _, _, _, item in order]

    def _distinct(self, ranked: list[Ranked]) -> list[Ranked]:
        """Keep the best records of each address."""
        most, counts = self._parameters.distinct, self._counts
        if most == 0:
            return ranked
        kept = []
        for item in ranked:
            url = item.candidate.url
            count = counts[url] = counts.get(url, 0) + 1
            if count <= most:
                kept.append(item)
        return kept


def _place(item: Ranked) -> HitPlace:
    candidate = item.candidate
    return HitPlace(item.rank, candidate.page, candidate.is_generated or candidate.text.is_code)
