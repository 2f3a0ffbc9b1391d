"""The interface between the protocol and what answers it: `IndexEngine` takes parsed parameters and gives `Results`.

The embedded engine (`ranking/engine.py`) is one implementation. Others ask a search engine that runs elsewhere; what
that one cannot do is a `ProtocolError` that names the parameter, never a parameter that is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from octavo.search.fields import Facet, Number
from octavo.search.index.record import Record
from octavo.search.index.record_text import Sighting
from octavo.search.index.settings import Rule
from octavo.search.query.filters import Filter
from octavo.search.query.parameters import Parameters
from octavo.search.query.query import QueryPlan
from octavo.search.ranking.facet_counts import Counts, Stats
from octavo.search.ranking.rank import Rank

SORTED_BY: Mapping[str, Callable[[Record], int | str]] = {
    "title": lambda record: (record.hierarchy[1] or "").casefold(),
    "url": lambda record: record.url,
    "page_rank": lambda record: record.weight.page_rank,
    "level": lambda record: record.weight.level,
    "position": lambda record: record.weight.position,
}
"""What hits can be sorted by → how it is read."""


class Order(NamedTuple):
    """Sorts hits by something else than their rank."""

    attribute: str
    """A name of `SORTED_BY`."""
    is_descending: bool


class Hit(Protocol):
    """A record that was found."""

    @property
    def record(self) -> Record: ...

    @property
    def sightings(self) -> Sequence[Sighting]:
        """Tokens of the query for which it is a hit: what is marked."""

    @property
    def rank(self) -> Rank: ...

    @property
    def text_below(self) -> str | None:
        """For a heading: the text that follows it."""


class Results(Protocol):
    """What one search has found."""

    @property
    def plan(self) -> QueryPlan:
        """What the words of the query mean in the hits."""

    @property
    def count(self) -> int:
        """Hits in all; an estimate unless `is_exact`."""

    @property
    def reachable(self) -> int:
        """Hits that paging can reach."""

    @property
    def is_exact(self) -> bool: ...

    @property
    def message(self) -> str:
        """What a client should be told about the answer; empty for nothing."""

    def hits(self, offset: int, length: int) -> Sequence[Hit]:
        """Give a part of the hits, best first; not more than the parameters have asked for."""

    def facets(self, facets: Sequence[Facet | Number], most: int, *, distinct: int) -> Counts:
        """Count the hits for each value of facets that the parameters have named; most frequent values first."""

    def stats(self, numbers: Sequence[Number]) -> Stats:
        """Sum up numbers that the parameters have named as facets; those without any value are left out."""


class IndexEngine(Protocol):
    """Answers from the records of one index. Several threads may use it at once.

    Each method that asks another machine raises a `ProtocolError` of status 503 when that one does not answer.
    """

    @property
    def most_at_once(self) -> int:
        """Searches that may run at the same time: one where they take the processor, more where they wait for others."""

    @property
    def size(self) -> int:
        """Number of records."""

    def results(self, parameters: Parameters, order: Order | None = None) -> Results:
        """Search.

        Raises:
            ProtocolError: the engine has no way to do what a parameter asks for.
        """

    def rules_for(self, parameters: Parameters) -> list[Rule]:
        """Find the rules of `search.toml` that apply to a search."""

    def ids_of(self, address: str) -> list[str]:
        """List the ids of the records under an address: of a page all of them, its title first."""

    def records(self, filter_: Filter | None, offset: int, count: int) -> tuple[list[Record], int]:
        """Load records in the order of the index: (records, number of all that meet the filter)."""

    def record(self, object_id: str) -> Record | None:
        """Load a record by its id."""

    def page_of(self, record: Record) -> Record | None:
        """Load the record of the page that a record belongs to."""

    def related_pages(self, record: Record, filter_: Filter, most: int) -> list[Record]:
        """Find the pages that have most telling words in common with a record's page, best first."""
