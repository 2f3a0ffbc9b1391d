"""Searching in the values of a facet."""

from __future__ import annotations

import time

import msgspec

from octavo.search.engines.interface import IndexEngine
from octavo.search.errors import ProtocolError
from octavo.search.fields import COUNTED
from octavo.search.protocol.bodies import allowed_parameters
from octavo.search.protocol.highlight import Marks
from octavo.search.protocol.secured_keys import Key
from octavo.search.query.values import Raw, integer_value, string_value
from octavo.search.text.scripts import fold

_MOST_VALUES = 1000


def search_facet(engine: IndexEngine, facet: str, raw: Raw, key: Key) -> dict[str, object]:
    """Find the values of a facet that hold what was typed at the beginning of one of their words.

    Raises:
        ProtocolError: it is not a facet, or a parameter cannot be used.
    """
    started = time.perf_counter()
    counted = COUNTED.get(facet)
    if counted is None:
        raise ProtocolError(
            400, f"Cannot search in attribute `{facet[:80]}`, you need to add `searchable({facet[:80]})` to facets"
        )
    typed = string_value(raw, "facetQuery", "")
    most = integer_value(raw, "maxFacetHits", 10, 1, 100)
    raw = {name: value for name, value in raw.items() if name not in ("facetQuery", "maxFacetHits")}
    parameters = allowed_parameters(raw, key)
    asked = msgspec.structs.replace(parameters, facets=[facet], most_facet_values=_MOST_VALUES)
    found = engine.results(asked)
    counts = found.facets([counted], _MOST_VALUES, distinct=parameters.distinct)[counted.attribute]
    marks = Marks(parameters.pre_tag, parameters.post_tag)
    hits = [
        {"value": value, "highlighted": _mark(value, start, len(typed), marks), "count": count}
        for value, count in counts.items()
        if (start := _place(value, typed)) >= 0
    ]
    return {
        "facetHits": hits[:most],
        "exhaustiveFacetsCount": found.is_exact,
        "processingTimeMS": round((time.perf_counter() - started) * 1000),
    }


def _place(value: str, typed: str) -> int:
    """Find the position of a word of a value that starts with the typed text; -1 if there is none."""
    folded, wanted = fold(value), fold(typed)
    if len(folded) != len(value):
        return 0 if folded.startswith(wanted) else -1
    start = folded.find(wanted)
    while start > 0 and folded[start - 1].isalnum():
        start = folded.find(wanted, start + 1)
    return start


def _mark(value: str, start: int, size: int, marks: Marks) -> str:
    plain = marks.escape
    if not size:
        return plain(value)
    end = start + size
    return f"{plain(value[:start])}{marks.before}{plain(value[start:end])}{marks.after}{plain(value[end:])}"
