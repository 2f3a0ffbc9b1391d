"""Filters held against a record itself, for those that only lift hits."""

from __future__ import annotations

import operator
from collections.abc import Mapping

from octavo.search.fields import COUNTED, FACET_OF, NUMBER_OF
from octavo.search.index.record import Record
from octavo.search.query.filters import All, Any, Between, Compares, Equals, Filter, Not, Scored

_COMPARE = {
    "<": operator.lt, "<=": operator.le, "=": operator.eq, "!=": operator.ne, ">=": operator.ge, ">": operator.gt,
}  # fmt: skip


def count_met(record: Record, wishes: Filter) -> int:
    """Count the optional filters that a record meets: one with a score as often as this says, of alternatives the best."""
    items = wishes.items if isinstance(wishes, All) else [wishes]
    return sum(_score(record, item) for item in items)


def _score(record: Record, wish: Filter) -> int:
    match wish:
        case Any(items):
            return max((_score(record, item) for item in items), default=0)
        case Scored(item, score):
            return score if meets(record, item) else 0
    return int(meets(record, wish))


def meets(record: Record, filter_: Filter) -> bool:
    """Return whether a record meets a filter."""
    match filter_:
        case Equals(attribute, value):
            return facet_value(record, attribute) == value
        case Compares(attribute, sign, number):
            found = number_value(record, attribute)
            return found is not None and bool(_COMPARE[sign](found, number))
        case Between(attribute, low, high):
            found = number_value(record, attribute)
            return found is not None and low <= found <= high
        case Not(item):
            return not meets(record, item)
        case Scored(item, _):
            return meets(record, item)
        case All(items):
            return all(meets(record, item) for item in items)
        case Any(items):
            return any(meets(record, item) for item in items)


def only_facets(filter_: Filter) -> bool:
    """Return whether a filter asks for nothing but facets that are counted, of which few combinations exist."""
    match filter_:
        case Equals(attribute, _):
            return attribute in COUNTED
        case Not(item):
            return only_facets(item)
        case All(items) | Any(items):
            return bool(items) and all(map(only_facets, items))
    return False


def facets_meet(values: Mapping[str, str], filter_: Filter) -> bool:
    """Return whether a combination of facets (field → value) meets a filter for which `only_facets` is true."""
    match filter_:
        case Equals(attribute, value):
            return bool(value) and values[COUNTED[attribute].field] == value
        case Not(item):
            return not facets_meet(values, item)
        case All(items):
            return all(facets_meet(values, item) for item in items)
        case Any(items):
            return any(facets_meet(values, item) for item in items)
    return False


def facet_value(record: Record, attribute: str) -> str | None:
    """Give the value of a facet, under its name on the wire."""
    facet = FACET_OF.get(attribute)
    return facet.read(record) if facet else None


def number_value(record: Record, attribute: str) -> int | None:
    """Give a number, under its name on the wire."""
    number = NUMBER_OF.get(attribute)
    return number.read(record) if number else None
