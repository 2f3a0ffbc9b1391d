"""Related pages: the answers to recommendation requests."""

from __future__ import annotations

import time

from octavo.search.engines.interface import IndexEngine
from octavo.search.errors import ProtocolError, bad_parameter
from octavo.search.protocol.answer import FieldSelection
from octavo.search.protocol.bodies import allowed_parameters
from octavo.search.protocol.secured_keys import Key
from octavo.search.query.filters import All, Equals, Filter, Not
from octavo.search.query.parameters import Parameters
from octavo.search.query.values import Raw

_SIMILAR = ("related-products", "looking-similar", "bought-together")
_TRENDING = ("trending-items", "trending-facets")


def related_pages(engine: IndexEngine, request: Raw, key: Key | None = None) -> dict[str, object]:
    """Find pages that have most telling words in common with a record's page.

    Raises:
        ProtocolError: the model or a parameter cannot be used, or the record is unknown.
    """
    started = time.perf_counter()
    model = request.get("model")
    if model not in (*_SIMILAR, *_TRENDING):
        raise bad_parameter("model", f"one of {', '.join((*_SIMILAR, *_TRENDING))}")
    most = request.get("maxRecommendations") or 10
    if isinstance(most, bool) or not isinstance(most, int) or not 1 <= most <= 30:
        raise bad_parameter("maxRecommendations", "an integer from 1 to 30")
    query_parameters = request.get("queryParameters") or {}
    if not isinstance(query_parameters, dict):
        raise bad_parameter("queryParameters", "an object")
    parameters = allowed_parameters(query_parameters, key or Key())
    hits = [] if model in _TRENDING else _hits(engine, request.get("objectID"), parameters, most)
    return {
        "hits": hits,
        "nbHits": len(hits),
        "page": 0,
        "nbPages": 1,
        "hitsPerPage": most,
        "exhaustiveNbHits": True,
        "processingTimeMS": round((time.perf_counter() - started) * 1000),
    }


def _hits(engine: IndexEngine, object_id: object, parameters: Parameters, most: int) -> list[dict[str, object]]:
    if not isinstance(object_id, str):
        raise bad_parameter("objectID", "a string")
    record = engine.record(object_id)
    if record is None:
        raise ProtocolError(404, "ObjectID does not exist")
    given = parameters.filter
    pages_only: list[Filter] = [
        Equals("type", "lvl1"),
        Equals("language", record.language),
        *([given] if given else []),
    ]
    if record.version is not None:
        pages_only.append(Equals("version", record.version))
    page = engine.page_of(record)
    if page is not None:
        pages_only.append(Not(Equals("objectID", page.object_id)))
    selection = FieldSelection(parameters.retrieve)
    related = engine.related_pages(record, All(pages_only), most)
    return [{**selection.of(item), "_score": _score(place)} for place, item in enumerate(related)]


def _score(place: int) -> float:
    """Give a score from 100 downwards: the order says more than any number could."""
    return round(100 / (1 + place / 10), 2)
