"""Facets and numbers of a record: the one table from which schema, filters, hits and hosted settings derive.

To add a facet, add a line here and the attribute to `Record`; the documentation in README.md is checked against it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from octavo.search.index.record import Record


class Facet(NamedTuple):
    """A text of a record by which hits are filtered and counted."""

    attribute: str
    """Name in the protocol."""
    field: str
    """Name in the index; two facets may share one."""
    read: Callable[[Record], str | None]
    is_alias: bool = False
    """Another name for an earlier facet; left out of lists of all facets."""


class Number(NamedTuple):
    """A number of a record by which hits are filtered."""

    attribute: str
    field: str
    read: Callable[[Record], int]
    is_alias: bool = False


FACETS: tuple[Facet, ...] = (
    Facet("type", "type", attrgetter("type")),
    Facet("kind", "kind", attrgetter("kind")),
    Facet("language", "language", attrgetter("language")),
    Facet("lang", "language", attrgetter("language"), is_alias=True),
    Facet("version", "version", attrgetter("version")),
    Facet("docusaurus_tag", "docusaurus_tag", attrgetter("tag")),
    Facet("section", "section", attrgetter("section")),
    Facet("hierarchy.lvl0", "lvl0", lambda record: record.hierarchy[0]),
)

FACET_FIELDS: tuple[str, ...] = tuple(facet.field for facet in FACETS if not facet.is_alias)
"""In the order of `facet_values`."""

_READ = [facet.read for facet in FACETS if not facet.is_alias]


def facet_values(record: Record) -> tuple[str, ...]:
    """List what a record has of each facet; an empty text where it has nothing."""
    return tuple([read(record) or "" for read in _READ])


OBJECT_ID = Facet("objectID", "object_id", attrgetter("object_id"))
"""Can be filtered by, and is never counted: each record has its own."""

PAGE = Facet("url_without_anchor", "url_without_anchor", attrgetter("url_without_anchor"))
"""Can be filtered by, and is not counted."""

NUMBERS: tuple[Number, ...] = (
    Number("weight.pageRank", "page_rank", attrgetter("weight.page_rank")),
    Number("weight.page_rank", "page_rank", attrgetter("weight.page_rank"), is_alias=True),
    Number("weight.level", "level", attrgetter("weight.level")),
    Number("weight.position", "position", attrgetter("weight.position")),
)

FACET_OF: Mapping[str, Facet] = {facet.attribute: facet for facet in (*FACETS, OBJECT_ID, PAGE)}
"""Attribute → facet, for filters."""

COUNTED: Mapping[str, Facet] = {facet.attribute: facet for facet in FACETS}
"""Attribute → facet, for counts."""

NUMBER_OF: Mapping[str, Number] = {number.attribute: number for number in NUMBERS}

FACET_NAMES: tuple[str, ...] = tuple(facet.attribute for facet in FACETS if not facet.is_alias)
"""Attributes that `facets: ["*"]` counts."""
