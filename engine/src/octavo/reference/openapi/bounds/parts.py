"""Schemas that are too large for a page: the largest of their fields get pages of their own.

What is cut out is chosen from below, so that each page holds as much as it may: a field is cut out of the one that
would be too large with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from octavo.reference.api_views import FieldView, SchemaView
from octavo.reference.openapi.bounds.weights import CARD, weigh_field, weigh_view

_FEW_VALUES = 20
"""Values of an enumeration that stay where the field is cut out."""


def find_large_fields(view: SchemaView) -> list[str]:
    """Choose the fields that are cut out of a schema.

    Args:
        view: The whole schema, its fields with ids.

    Returns:
        Ids, in the order of the schema; a field may lie in another one of the list.
    """
    if weigh_view(view) <= CARD:
        return []
    cut: set[str] = set()
    _lighten(view, cut)
    return [field.anchor for field in _all_fields(view) if field.anchor in cut]


def _lighten(view: SchemaView, cut: set[str]) -> int:
    """Cut fields out of a schema until it is light enough, and give its weight then."""
    weights: dict[str, int] = {}
    within = 0
    for field in _own_fields(view):
        body = _lighten(field.body, cut)
        weight = weigh_field(len(field.anchor), len(field.name), body)
        within += weight
        if field.anchor:
            # What stays of it: its line, with a link.
            weights[field.anchor] = body
    rest = weigh_view(_without_fields(view)) + within
    for anchor in sorted(weights, key=lambda one: -weights[one]):
        if rest <= CARD:
            break
        cut.add(anchor)
        rest -= weights[anchor]
    return rest


def _own_fields(view: SchemaView) -> Iterator[FieldView]:
    """List the fields of a schema, and those of its alternatives and items, but not what lies in other fields."""
    yield from view.fields
    for part in view.parts:
        for schema in part.schemas:
            yield from _own_fields(schema)


def _all_fields(view: SchemaView) -> Iterator[FieldView]:
    for field in _own_fields(view):
        yield field
        yield from _all_fields(field.body)


def _without_fields(view: SchemaView) -> SchemaView:
    return _with_fields(view, lambda _: [])


def find_field(view: SchemaView, anchor: str) -> FieldView:
    """Find a field of a schema by its id.

    Raises:
        StopIteration: there is none.
    """
    return next(field for field in _all_fields(view) if field.anchor == anchor)


def cut_out(view: SchemaView, address_of: Callable[[str], str]) -> SchemaView:
    """Leave out what the fields hold that have pages of their own.

    Args:
        view: A schema, its fields with ids.
        address_of: Id of a field → address of its page with the id as fragment; nothing for all others.
    """

    def outline(field: FieldView) -> FieldView:
        address = address_of(field.anchor) if field.anchor else ""
        if not address:
            return msgspec.structs.replace(field, body=cut_out(field.body, address_of))
        values = field.body.values if len(field.body.values) <= _FEW_VALUES else []
        body = msgspec.structs.replace(field.body, fields=[], parts=[], values=values, inside=address)
        return msgspec.structs.replace(field, body=body)

    return _with_fields(view, lambda fields: [outline(field) for field in fields])


def _with_fields(view: SchemaView, change: Callable[[list[FieldView]], list[FieldView]]) -> SchemaView:
    """Change the fields of a schema, and those of its alternatives and items."""
    parts = [
        msgspec.structs.replace(part, schemas=[_with_fields(schema, change) for schema in part.schemas])
        for part in view.parts
    ]
    return msgspec.structs.replace(view, fields=change(view.fields), parts=parts)
