"""`Reading`: what the words of a query mean in records that another engine has found: their order, and what is marked.

An engine that runs elsewhere chooses the records. Which of their words it meant it says in its own way, and never as the
protocol wants it; so the records are read here, by the same code as those of the embedded engine. Their words are the
vocabulary: a few thousand at most.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from octavo.search.engines.documents import LoadedRecord
from octavo.search.index.record import Record
from octavo.search.index.record_text import NAME_MARK, Sighting
from octavo.search.query.optional import named_words, small_words
from octavo.search.query.parameters import Parameters
from octavo.search.query.query import Query, QueryPlan, make_plan
from octavo.search.query.synonyms import Synonyms
from octavo.search.query.vocabulary import Vocabulary
from octavo.search.ranking.curation import PINNED
from octavo.search.ranking.finder import Finder
from octavo.search.ranking.meets import count_met
from octavo.search.ranking.rank import Rank, Ranker
from octavo.search.ranking.spread import HitPlace, spread
from octavo.search.ranking.worth import Worth
from octavo.search.text.stop_words import further_stop_words

_UNREAD = PINNED._replace(missing=1)
"""Rank of a record in which our own reading finds no word of the query."""


class RemoteHit(NamedTuple):
    """See `Hit`."""

    loaded: LoadedRecord
    sightings: Sequence[Sighting]
    rank: Rank

    @property
    def record(self) -> Record:
        """See `Hit`."""
        return self.loaded.stored.record

    @property
    def text_below(self) -> str | None:
        """See `Hit`."""
        return self.loaded.stored.text_below


class Reading:
    """Reads the records that were found for one query."""

    def __init__(
        self, query: Query, parameters: Parameters, found: Sequence[LoadedRecord], synonyms: Synonyms | None
    ) -> None:
        frequencies: Counter[str] = Counter()
        for loaded in found:
            frequencies.update(set(loaded.text.stream.decode().split()) - {NAME_MARK})
        languages = {loaded.stored.record.language for loaded in found}
        further = further_stop_words(languages)
        small = frozenset[int]() if parameters.needs_small_words else small_words(query, further)
        self._parameters = parameters
        self._count = len(found)
        self.plan: QueryPlan = make_plan(
            query,
            Vocabulary(frequencies, languages),
            parameters.reading,
            typos="none" if parameters.typos == "false" else "unknown",
            small=small,
            wished=named_words(query, parameters.optional_words) - small,
            synonyms=synonyms if parameters.uses_synonyms else None,
        )
        self._find = Finder(self.plan).find
        self._ranker = Ranker(self.plan, parameters.attributes)

    def as_found(self, found: Sequence[LoadedRecord]) -> list[RemoteHit]:
        """Read records, and leave them in their order."""
        return [self._hit(loaded)[1] for loaded in found]

    def ranked(self, found: Sequence[LoadedRecord]) -> list[RemoteHit]:
        """Put records that hold all words into the order of the embedded engine; what only the other one understands follows."""
        read = [self._hit(loaded) for loaded in found]
        known = sorted(
            ((rank, place, hit) for place, (rank, hit) in enumerate(read) if rank is not None),
            key=lambda item: item[:2],
        )
        order = spread([_place(hit) for _, _, hit in known])
        return [*(known[index][2] for index in order), *(hit for rank, hit in read if rank is None)]

    def partial(self, found: Sequence[LoadedRecord], shares: Mapping[str, float]) -> list[RemoteHit]:
        """Put records that hold some words into order.

        Args:
            found: The records.
            shares: How well their pages answer the query as a whole: address → 0 to 1.
        """
        weights = [self._weight(meanings.frequency) for meanings in self.plan.meanings]
        ranker = Worth(self._ranker, weights, self.plan.core)
        order: list[tuple[Rank, int, RemoteHit]] = []
        for place, loaded in enumerate(found):
            sightings = self._find(loaded.text)
            page = shares.get(loaded.stored.record.url_without_anchor, 0.0)
            rank = ranker.rank(
                loaded.text, sightings, page, filters=self._met(loaded), is_generated=loaded.stored.is_generated
            )
            if rank is not None:
                order.append((rank, place, RemoteHit(loaded, sightings, rank)))
        order.sort(key=lambda item: item[:2])
        return [hit for _, _, hit in order]

    def pinned(self, found: Sequence[LoadedRecord]) -> list[RemoteHit]:
        """Read records that an editor has put first."""
        return [RemoteHit(loaded, self._find(loaded.text), PINNED) for loaded in found]

    def _hit(self, loaded: LoadedRecord) -> tuple[Rank | None, RemoteHit]:
        sightings = self._find(loaded.text)
        is_generated = loaded.stored.is_generated
        rank = self._ranker.rank(loaded.text, sightings, filters=self._met(loaded), is_generated=is_generated)
        return rank, RemoteHit(loaded, sightings, rank or _UNREAD)

    def _met(self, loaded: LoadedRecord) -> int:
        wishes = self._parameters.optional_filters
        return count_met(loaded.stored.record, wishes) if wishes is not None else 0

    def _weight(self, frequency: int) -> float:
        count = min(self._count, frequency)
        return math.log(1 + (self._count - count + 0.5) / (count + 0.5))


def _place(hit: RemoteHit) -> HitPlace:
    record = hit.record
    return HitPlace(hit.rank, record.url_without_anchor, hit.loaded.stored.is_generated or record.kind == "code")
