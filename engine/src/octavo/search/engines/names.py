"""Attributes as other engines know them: those of the protocol, each under one name."""

from __future__ import annotations

from collections.abc import Mapping

from octavo.search.fields import FACETS, NUMBERS, OBJECT_ID, PAGE

_FACETS = {facet.field: facet.attribute for facet in reversed(FACETS) if not facet.is_alias}
_NUMBERS = {number.field: number.attribute for number in reversed(NUMBERS) if not number.is_alias}

TEXT_NAMES: Mapping[str, str] = {
    **{facet.attribute: _FACETS[facet.field] for facet in FACETS},
    OBJECT_ID.attribute: OBJECT_ID.attribute,
    PAGE.attribute: PAGE.attribute,
    "url": "url",
}
"""Name on the wire → field of a document, for texts that records are filtered by."""

NUMBER_NAMES: Mapping[str, str] = {number.attribute: _NUMBERS[number.field] for number in NUMBERS}
"""The same for numbers."""

SORT_NAMES: Mapping[str, str] = {
    "title": "hierarchy.lvl1",
    "url": "url",
    "page_rank": "weight.pageRank",
    "level": "weight.level",
    "position": "weight.position",
}
"""What hits can be sorted by → field of a document."""


def field_of(name: str) -> str | None:
    """Name the field for a facet or a number of the wire; None where there is none."""
    return TEXT_NAMES.get(name) or NUMBER_NAMES.get(name)
