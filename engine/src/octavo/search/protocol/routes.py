"""The routes of the protocol. Bodies are JSON whatever their content type says; credentials come in any place."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any
from urllib.parse import unquote
from weakref import WeakValueDictionary

import anyio
import anyio.to_thread
import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from octavo.search.errors import ProtocolError, TooManyRequestsError, bad_parameter
from octavo.search.index.settings import IndexSettings
from octavo.search.insights.events import parse_events
from octavo.search.insights.store import InsightsStore
from octavo.search.protocol.answer import Answer, FieldSelection, make_answer
from octavo.search.protocol.facets import search_facet
from octavo.search.protocol.limit import CostLimit, RateLimit, network_of
from octavo.search.protocol.push import HOSTED_SETTINGS
from octavo.search.protocol.related import related_pages
from octavo.search.query.parameters import Raw, decode_params, parse_parameters
from octavo.search.ranking.engine import Engine
from octavo.search.service import SearchService, check_key

_log = logging.getLogger(__name__)

MOST_BODY_BYTES = 256 << 10
MOST_REQUESTS = 50
"""Searches in one request."""

MOST_OBJECTS = 1000
"""Records in one request for several."""

_CORS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
    "Access-Control-Allow-Headers": "x-algolia-application-id, x-algolia-api-key, x-algolia-agent, "
    "x-algolia-usertoken, content-type",
    "Access-Control-Max-Age": "86400",
    "Cache-Control": "no-store",
}


Handler = Callable[[Request, Raw, Engine, IndexSettings], Awaitable[Any]]


class SearchRoutes:
    """Answers the protocol."""

    def __init__(self, service: SearchService, insights: InsightsStore | None = None) -> None:
        self._service = service
        self._insights = insights
        self._limit = RateLimit()
        self._cost = CostLimit()
        # Python runs one thread at a time, so more than one would only divide the time of each search.
        self._worker = anyio.CapacityLimiter(1)
        self._turns: WeakValueDictionary[str, anyio.Lock] = WeakValueDictionary()

    def routes(self) -> list[Route]:
        """List the routes, to be mounted at the root of the host: the clients know no other place."""
        table: list[tuple[str, str, Handler]] = [
            ("POST", "/1/indexes/*/queries", self._queries),
            ("POST", "/1/indexes/*/recommendations", self._recommendations),
            ("POST", "/1/indexes/{index}/query", self._query),
            ("POST", "/1/indexes/{index}/facets/{facet}/query", self._facet),
            ("POST", "/1/indexes/*/objects", self._objects),
            ("GET", "/1/indexes/{index}/settings", self._settings),
            ("GET", "/1/indexes/{index}/{object_id:path}", self._object),
            ("POST", "/1/events", self._events),
        ]
        routes = [Route(path, self._endpoint(handler), methods=[method]) for method, path, handler in table]
        return [
            *routes,
            Route("/1/{rest:path}", _preflight, methods=["OPTIONS"]),
            Route("/1/{rest:path}", _unknown_path, methods=["GET", "POST", "PUT", "DELETE", "PATCH"]),
        ]

    def _endpoint(self, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            try:
                engine, settings = await self._service.engine()
                check_key(settings, request.headers, request.query_params)
                self._admit(request, 1, settings)
                body = await _read_json(request) if request.method == "POST" else {}
                return _json(await handler(request, body, engine, settings))
            except ProtocolError as error:
                answer = _json({"message": error.message, "status": error.status}, error.status)
                if isinstance(error, TooManyRequestsError):
                    answer.headers["Retry-After"] = str(math.ceil(error.wait_s))
                return answer
            except ClientDisconnect:
                return Response(status_code=400)
            except Exception:  # noqa: BLE001 - a client of the protocol reads its errors as JSON, with CORS headers
                _log.exception("A search failed")
                return _json({"message": "The server failed on this request", "status": 500}, 500)

        return endpoint

    def _admit(self, request: Request, count: int, settings: IndexSettings) -> None:
        self._limit.take(_address(request), count, per_second=settings.most_per_second)

    async def _queries(self, request: Request, body: Raw, engine: Engine, settings: IndexSettings) -> Answer:
        requests = body.get("requests")
        if not isinstance(requests, list):
            raise bad_parameter("requests", "a list of searches")
        if len(requests) > MOST_REQUESTS:
            raise bad_parameter("requests", f"at most {MOST_REQUESTS} searches")
        self._admit(request, max(0, len(requests) - 1), settings)
        stops_early = body.get("strategy") == "stopIfEnoughMatches"
        results: list[Answer] = []
        for one in requests:
            if not isinstance(one, dict):
                raise bad_parameter("requests", "a list of searches")
            results.append(await self._answer(request, one, engine, settings))
            if stops_early and len(results[-1].get("hits", ())) >= results[-1].get("hitsPerPage", 20):
                break
        return {"results": results}

    async def _run(self, request: Request, search: Callable[[], Answer], settings: IndexSettings) -> Answer:
        """Search beside the event loop, which goes on to serve pages.

        The searches of one address wait for each other, so that they take one place of the queue together.

        Raises:
            TooManyRequestsError: the address has used up its processor time.
        """
        address = _address(request)
        turn = self._turns.get(address) or self._turns.setdefault(address, anyio.Lock())
        async with turn:
            if settings.most_per_second:
                self._cost.check(address)
            answer, cost_s = await anyio.to_thread.run_sync(_timed, search, limiter=self._worker)
            self._cost.charge(address, cost_s)
        if isinstance(answer, ProtocolError):
            raise answer
        return answer

    async def _answer(self, request: Request, one: Raw, engine: Engine, settings: IndexSettings) -> Answer:
        index = _index_name(one.get("indexName"), settings)
        raw = _search_parameters(one)
        if one.get("type") == "facet":
            facet = str(one.get("facet", ""))
            return await self._run(request, lambda: search_facet(engine, facet, raw), settings)
        parameters = parse_parameters(raw)
        answer = await self._run(request, lambda: make_answer(engine, index, parameters, raw), settings)
        if self._insights and settings.has_insights and parameters.analytics and parameters.query.strip():
            agent = request.headers.get("user-agent", "")
            reader = f"{_address(request)} {agent}"
            self._insights.keep_for(settings.retention_days)
            self._insights.note_search(reader, parameters.query, answer["nbHits"], answer.get("queryID", ""))
        return answer

    async def _query(self, request: Request, body: Raw, engine: Engine, settings: IndexSettings) -> Answer:
        return await self._answer(request, body | {"indexName": request.path_params["index"]}, engine, settings)

    async def _facet(self, request: Request, body: Raw, engine: Engine, settings: IndexSettings) -> Answer:
        _index_name(request.path_params["index"], settings)
        facet, raw = request.path_params["facet"], _search_parameters(body)
        return await self._run(request, lambda: search_facet(engine, facet, raw), settings)

    async def _object(self, request: Request, _: Raw, engine: Engine, settings: IndexSettings) -> Answer:
        _index_name(request.path_params["index"], settings)
        record = engine.record(unquote(request.path_params["object_id"]))
        if record is None:
            raise ProtocolError(404, "ObjectID does not exist")
        wanted = request.query_params.get("attributesToRetrieve", "*").split(",")
        return FieldSelection(wanted).of(record)

    async def _objects(self, request: Request, body: Raw, engine: Engine, settings: IndexSettings) -> Answer:
        """Give several records by their ids; null for one that is unknown, as the hosted service does."""
        requests = body.get("requests")
        if not isinstance(requests, list) or len(requests) > MOST_OBJECTS:
            raise bad_parameter("requests", f"a list of at most {MOST_OBJECTS} requests")
        self._admit(request, max(0, len(requests) - 1), settings)
        results: list[Answer | None] = []
        for one in requests:
            if not isinstance(one, dict) or not isinstance(one.get("objectID"), str):
                raise bad_parameter("requests", "a list of objects with an objectID")
            _index_name(one.get("indexName"), settings)
            wanted = one.get("attributesToRetrieve") or ["*"]
            if not isinstance(wanted, list) or not all(isinstance(name, str) for name in wanted):
                raise bad_parameter("attributesToRetrieve", "a list of strings")
            record = engine.record(one["objectID"])
            results.append(FieldSelection(wanted).of(record) if record else None)
        return {"results": results}

    async def _settings(self, request: Request, _: Raw, __: Engine, settings: IndexSettings) -> Answer:
        """Give the settings that this server works by; official clients ask for them to learn whether an index exists."""
        _index_name(request.path_params["index"], settings)
        return HOSTED_SETTINGS

    async def _recommendations(self, request: Request, body: Raw, engine: Engine, settings: IndexSettings) -> Answer:
        requests = body.get("requests")
        if not isinstance(requests, list) or len(requests) > MOST_REQUESTS:
            raise bad_parameter("requests", f"a list of at most {MOST_REQUESTS} requests")
        self._admit(request, max(0, len(requests) - 1), settings)
        results = []
        for one in requests:
            if not isinstance(one, dict):
                raise bad_parameter("requests", "a list of requests")
            _index_name(one.get("indexName"), settings)
            results.append(await self._run(request, partial(related_pages, engine, one), settings))
        return {"results": results}

    async def _events(self, _: Request, body: Raw, __: Engine, settings: IndexSettings) -> Answer:
        events = parse_events(body, settings.index_name)
        if self._insights and settings.has_insights:
            self._insights.note_events(events)
        return {"status": 200, "message": "OK"}


def _timed(search: Callable[[], Answer]) -> tuple[Answer | ProtocolError, float]:
    """Search, and measure the processor time; an error costs as well."""
    started = time.thread_time()
    try:
        answer: Answer | ProtocolError = search()
    except ProtocolError as error:
        answer = error
    return answer, time.thread_time() - started


def _address(request: Request) -> str:
    return network_of(request.client.host) if request.client else ""


async def _read_json(request: Request) -> Raw:
    """Read the body.

    Raises:
        ProtocolError: it is too long, or no JSON object.
    """
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > MOST_BODY_BYTES:
            raise ProtocolError(413, f"The body is larger than {MOST_BODY_BYTES} bytes")
        chunks.append(chunk)
    content = b"".join(chunks)
    if not content.strip():
        return {}
    try:
        body = msgspec.json.decode(content)
    except (ValueError, RecursionError) as error:  # bytes that are no UTF-8 are a ValueError of another kind
        raise ProtocolError(400, f"Invalid JSON: {error}") from None
    if not isinstance(body, dict):
        raise ProtocolError(400, "Invalid JSON: expected an object")
    return body


def _search_parameters(one: Raw) -> Raw:
    """Gather the parameters of a search: its own fields, those in `params`, encoded or not."""
    raw = {name: value for name, value in one.items() if name not in ("indexName", "params", "type", "facet")}
    params = one.get("params")
    if isinstance(params, str):
        return decode_params(params) | raw
    if isinstance(params, dict):
        return params | raw
    if params is not None:
        raise bad_parameter("params", "a string")
    return raw


def _index_name(name: object, settings: IndexSettings) -> str:
    if not isinstance(name, str):
        raise bad_parameter("indexName", "a string")
    if name != settings.index_name:
        raise ProtocolError(404, f"Index {name[:100]} does not exist")
    return name


def _json(answer: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(answer), status, _CORS, media_type="application/json")


async def _preflight(_: Request) -> Response:
    return Response(status_code=204, headers=_CORS)


async def _unknown_path(_: Request) -> Response:
    return _json({"message": "Path not supported by this server", "status": 404}, 404)
