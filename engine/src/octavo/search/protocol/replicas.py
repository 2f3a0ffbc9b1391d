"""Replica indices: the same records, sorted by an attribute. Clients ask for one by its name instead of a parameter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import msgspec

from octavo.search.errors import ProtocolError, bad_parameter
from octavo.search.index.record import Record
from octavo.search.query.parameters import MOST_HITS, Parameters
from octavo.search.ranking.engine import Engine
from octavo.search.ranking.found import Found

SORTED_BY: Mapping[str, Callable[[Record], int | str]] = {
    "title": lambda record: (record.hierarchy[1] or "").casefold(),
    "url": lambda record: record.url,
    "page_rank": lambda record: record.weight.page_rank,
    "level": lambda record: record.weight.level,
    "position": lambda record: record.weight.position,
}
"""Name in a replica's name → what its records are sorted by."""


class Replica(NamedTuple):
    """An order of the hits."""

    name: str
    attribute: str
    is_descending: bool

    def sorted(self, engine: Engine, parameters: Parameters) -> Found:
        """Search, and sort the best `MOST_HITS` records; what is equal stays in the order of its rank."""
        found = engine.search(msgspec.structs.replace(parameters, offset=0, length=MOST_HITS))
        read = SORTED_BY[self.attribute]
        ranked = sorted(found.ranked, key=lambda hit: read(hit.record), reverse=self.is_descending)
        return msgspec.structs.replace(found, ranked=ranked)


def replicas_of(index: str) -> dict[str, Replica]:
    """List the replicas of an index by their names, as `docs_title_asc`."""
    return {
        (name := f"{index}_{attribute}_{direction}"): Replica(name, attribute, direction == "desc")
        for attribute in SORTED_BY
        for direction in ("asc", "desc")
    }


def named_index(name: object, index: str) -> Replica | None:
    """Find what a request means by the name of an index: the index itself (None), or a replica.

    Raises:
        ProtocolError: there is no such index.
    """
    if not isinstance(name, str):
        raise bad_parameter("indexName", "a string")
    if name == index:
        return None
    replica = replicas_of(index).get(name)
    if replica is None:
        raise ProtocolError(404, f"Index {name[:100]} does not exist")
    return replica
