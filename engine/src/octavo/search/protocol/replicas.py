"""Replica indices: the same records, sorted by an attribute. Clients ask for one by its name instead of a parameter."""

from __future__ import annotations

from typing import NamedTuple

from octavo.search.engines.interface import SORTED_BY, Order
from octavo.search.errors import ProtocolError, bad_parameter


class ReplicaOrder(NamedTuple):
    """An order of the hits."""

    name: str
    order: Order


def replicas_of(index: str) -> dict[str, ReplicaOrder]:
    """List the replicas of an index by their names, as `docs_title_asc`."""
    return {
        (name := f"{index}_{attribute}_{direction}"): ReplicaOrder(name, Order(attribute, direction == "desc"))
        for attribute in SORTED_BY
        for direction in ("asc", "desc")
    }


def named_index(name: object, index: str) -> ReplicaOrder | None:
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
