"""How much of a page a schema takes, in characters of HTML: pages have a bound."""

from __future__ import annotations

import msgspec

from octavo.reference.api_views import OperationView, SchemaView

PAGE = 180_000
"""Most that schemas or operations take on a page, beside what every page has: bar, sidebar, contents."""
CARD = 150_000
"""Most that the fields of one schema take on a page; of larger ones some fields have pages of their own."""
EXAMPLE = 4_000
"""Most characters of JSON in the example of a schema."""

_FIELD = 190
_PART = 110
_FOLD = 75
_FACT = 45
_VALUE = 15
_LINE = 25
"""Characters of the tags around each; a line is one of an example, with its colors."""


def weigh_view(view: SchemaView) -> int:
    """Estimate the HTML of a schema with all its fields in bytes."""
    facts = sum(_FACT + len(fact.label) + len(fact.value) for fact in view.facts)
    values = sum(_VALUE + len(value) for value in view.values)
    link = len(view.link.href) + len(view.link.label) if view.link else 0
    inside = sum(weigh_field(len(field.anchor), len(field.name), weigh_view(field.body)) for field in view.fields)
    parts = sum(
        _PART + len(part.label) + len(part.html) + sum(_FOLD + weigh_view(schema) for schema in part.schemas)
        for part in view.parts
    )
    return _FOLD + len(view.html) + facts + values + link + inside + parts


def weigh_field(anchor: int, name: int, body: int) -> int:
    """Estimate the HTML of a field in bytes, by the lengths of its id and name and the estimate for its content."""
    return _FIELD + 2 * anchor + name + body


def weigh_example(text: str) -> int:
    """Estimate the HTML of an example in bytes; lines of JSON have two colors at most."""
    return len(text) + 2 * _LINE * (1 + text.count("\n"))


def weigh_operation(view: OperationView) -> int:
    """Weigh an operation with its samples, examples and schemas.

    Its JSON has the texts and the colored code; the tags around the rest are about as long as the names of the fields.
    """
    return len(msgspec.json.encode(view))
