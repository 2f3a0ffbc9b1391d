"""The routes of the protocol. Bodies are JSON whatever their content type says; credentials come in any place."""

from __future__ import annotations

import logging
import math
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, TypeVar
from urllib.parse import unquote

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from octavo.search.engines.interface import IndexEngine
from octavo.search.errors import ProtocolError, TooManyRequestsError, bad_parameter
from octavo.search.index.record import Record
from octavo.search.insights.events import parse_events
from octavo.search.insights.store import InsightsStore
from octavo.search.protocol.answer import Answer, FieldSelection, chosen_fields, make_answer
from octavo.search.protocol.bodies import (
    CORS,
    allowed_parameters,
    json_answer,
    key_filter,
    list_of_requests,
    query_body,
    read_json,
    search_parameters,
)
from octavo.search.protocol.browse import browse
from octavo.search.protocol.curation import READ_ONLY, entry_named, list_rules, list_synonyms, search_entries
from octavo.search.protocol.facets import search_facet
from octavo.search.protocol.indices import IndexCall, Indices
from octavo.search.protocol.limit import address_of
from octavo.search.protocol.push import HOSTED_SETTINGS
from octavo.search.protocol.related import related_pages
from octavo.search.protocol.replicas import named_index, replicas_of
from octavo.search.protocol.secured_keys import check_key
from octavo.search.query.values import Raw, choice_value
from octavo.search.ranking.meets import meets
from octavo.search.service import SearchService

_log = logging.getLogger(__name__)

MOST_REQUESTS = 50
"""Searches in one request."""

_NO_TIME = "1970-01-01T00:00:00Z"
"""An index of this server has no times of its own: it is part of a published site."""

MOST_OBJECTS = 1000
"""Records in one request for several."""


Handler = Callable[[IndexCall], Awaitable[Any]]
T = TypeVar("T")


class SearchRoutes:
    """Answers the protocol."""

    def __init__(
        self, service: SearchService, insights: InsightsStore | None = None, others: Sequence[SearchService] = ()
    ) -> None:
        """Answer for an index.

        Args:
            service: The index of the served site.
            insights: Where its searches and events are kept.
            others: Indices of further sites, of other names. A request needs the key of each index that it names.
        """
        self._all = Indices(service, others)
        self._insights = insights
        self._thread = service.thread

    def routes(self) -> list[Route]:
        """List the routes, to be mounted at the root of the host: the clients know no other place."""
        table: list[tuple[str, str, Handler]] = [
            ("GET", "/1/indexes", self._indices),
            ("POST", "/1/indexes/*/queries", self._queries),
            ("POST", "/1/indexes/*/recommendations", self._recommendations),
            ("POST", "/1/indexes/*/objects", self._objects),
            ("GET", "/1/indexes/{index}", self._query),
            ("POST", "/1/indexes/{index}/query", self._query),
            ("GET", "/1/indexes/{index}/browse", self._browse),
            ("POST", "/1/indexes/{index}/browse", self._browse),
            ("POST", "/1/indexes/{index}/facets/{facet}/query", self._facet),
            ("GET", "/1/indexes/{index}/settings", self._settings),
            ("POST", "/1/indexes/{index}/rules/search", self._rules),
            ("POST", "/1/indexes/{index}/synonyms/search", self._synonyms),
            ("GET", "/1/indexes/{index}/rules/{entry:path}", self._rules),
            ("GET", "/1/indexes/{index}/synonyms/{entry:path}", self._synonyms),
            *(
                (method, f"/1/indexes/{{index}}/{kind}/{{entry:path}}", self._read_only)
                for method in ("POST", "PUT", "DELETE")
                for kind in ("rules", "synonyms")
            ),
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
                opened = await self._all.opened(request, request.path_params.get("index"))
                self._thread.admit(request, 1, opened.settings)
                body = await read_json(request) if request.method == "POST" else query_body(request)
                return json_answer(await handler(IndexCall(request, body, *opened)))
            except ProtocolError as error:
                answer = json_answer({"message": error.message, "status": error.status}, error.status)
                if isinstance(error, TooManyRequestsError):
                    answer.headers["Retry-After"] = str(math.ceil(error.wait_s))
                return answer
            except ClientDisconnect:
                return Response(status_code=400)
            except Exception:  # noqa: BLE001 - a client of the protocol reads its errors as JSON, with CORS headers
                _log.exception("A search failed")
                return json_answer({"message": "The server failed on this request", "status": 500}, 500)

        return endpoint

    async def _run(self, call: IndexCall, search: Callable[[], T]) -> T:
        """Ask the engine of a request, in a thread."""
        return await self._thread.run(call.request, search, call.settings, call.engine)

    async def _queries(self, call: IndexCall) -> Answer:
        requests = list_of_requests(call.body, MOST_REQUESTS, "searches")
        self._thread.admit(call.request, max(0, len(requests) - 1), call.settings)
        strategy = call.body.get("strategy", "none")
        if strategy not in ("none", "stopIfEnoughMatches"):
            raise bad_parameter("strategy", "none or stopIfEnoughMatches")
        results: list[Answer] = []
        is_enough = False
        for one in requests:
            if is_enough:
                results.append(_unprocessed(one))
                continue
            whole, fields = await self._found(call, one)
            results.append(chosen_fields(whole, fields))
            is_enough = strategy != "none" and whole.get("nbHits", 0) >= whole.get("hitsPerPage", 20)
        return {"results": results}

    async def _answer(self, call: IndexCall, one: Raw) -> Answer:
        return chosen_fields(*await self._found(call, one))

    async def _found(self, call: IndexCall, one: Raw) -> tuple[Answer, Sequence[str]]:
        """Search: (the whole answer, the fields of it that were asked for)."""
        call = await self._all.turned_to(call, one.get("indexName"))
        request, settings, engine = call.request, call.settings, call.engine
        replica = named_index(one.get("indexName"), settings.index_name)
        raw = search_parameters(one)
        kind = choice_value(one, "type", "default", ("default", "facet"))
        if kind == "facet":
            facet = str(one.get("facet", ""))
            search = partial(search_facet, engine, facet, raw, call.key)
            return await self._thread.run(request, search, settings, engine), ("*",)
        parameters = allowed_parameters(raw, call.key)
        every = msgspec.structs.replace(parameters, response_fields=("*",))
        index = settings.index_name if replica is None else replica.name
        answer = await self._thread.run(
            request, lambda: make_answer(engine, index, every, raw, replica), settings, engine
        )
        is_noted = call.is_own and settings.has_insights and parameters.analytics and parameters.query.strip()
        if self._insights and is_noted:
            agent = request.headers.get("user-agent", "")
            reader = f"{address_of(request)} {agent}"
            self._insights.keep_for(settings.retention_days)
            self._insights.note_search(reader, parameters.query, answer["nbHits"], answer.get("queryID", ""))
        return answer, parameters.response_fields

    async def _query(self, call: IndexCall) -> Answer:
        return await self._answer(call, call.body | {"indexName": call.request.path_params["index"]})

    async def _browse(self, call: IndexCall) -> Answer:
        named_index(call.request.path_params["index"], call.settings.index_name)
        raw = search_parameters(call.body)
        cursor = raw.pop("cursor", None) or call.body.get("cursor")
        parameters = allowed_parameters(raw, call.key)
        return await self._run(call, lambda: browse(call.engine, parameters, raw, cursor))

    async def _indices(self, call: IndexCall) -> Answer:
        """List the indices whose key a request has, and their replicas, under the names by which they are searched."""
        items: list[Answer] = []
        for engine, settings, _ in await self._all.named(None):
            try:
                check_key(settings, call.request.headers, call.request.query_params, address=address_of(call.request))
            except ProtocolError:
                continue
            size = await self._thread.run(call.request, partial(_size, engine), settings, engine)
            name, replicas = settings.index_name, list(replicas_of(settings.index_name))
            common = {
                "entries": size, "dataSize": 0, "fileSize": 0, "lastBuildTimeS": 0, "createdAt": _NO_TIME,
                "updatedAt": _NO_TIME, "numberOfPendingTasks": 0, "pendingTask": False,
            }  # fmt: skip
            items.append({"name": name, "replicas": replicas, **common})
            items += [{"name": one, "primary": name, **common} for one in replicas]
        return {"items": items, "nbPages": 1}

    async def _facet(self, call: IndexCall) -> Answer:
        named_index(call.request.path_params["index"], call.settings.index_name)
        facet, raw = call.request.path_params["facet"], search_parameters(call.body)
        return await self._run(call, lambda: search_facet(call.engine, facet, raw, call.key))

    async def _object(self, call: IndexCall) -> Answer:
        named_index(call.request.path_params["index"], call.settings.index_name)
        object_id = unquote(call.request.path_params["object_id"])
        record = await self._run(call, lambda: _visible(call, object_id))
        if record is None:
            raise ProtocolError(404, "ObjectID does not exist")
        wanted = call.request.query_params.get("attributesToRetrieve", "*").split(",")
        return FieldSelection(wanted).of(record)

    async def _objects(self, call: IndexCall) -> Answer:
        """Give several records by their ids; null for one that is unknown, as the hosted service does."""
        requests = list_of_requests(call.body, MOST_OBJECTS, "requests")
        self._thread.admit(call.request, max(0, len(requests) - 1), call.settings)
        wishes: list[tuple[IndexCall, str, list[str]]] = []
        for one in requests:
            if not isinstance(one.get("objectID"), str):
                raise bad_parameter("requests", "a list of objects with an objectID")
            asked = await self._all.turned_to(call, one.get("indexName"))
            named_index(one.get("indexName"), asked.settings.index_name)
            wanted = one.get("attributesToRetrieve") or ["*"]
            if not isinstance(wanted, list) or not all(isinstance(name, str) for name in wanted):
                raise bad_parameter("attributesToRetrieve", "a list of strings")
            wishes.append((asked, one["objectID"], wanted))
        found = await self._run(call, lambda: [_visible(asked, object_id) for asked, object_id, _ in wishes])
        pairs = zip(found, wishes, strict=True)
        results = [FieldSelection(wanted).of(record) if record else None for record, (_, _, wanted) in pairs]
        return {"results": results}

    async def _settings(self, call: IndexCall) -> Answer:
        """Give the settings that this server works by; official clients ask for them to learn whether an index exists."""
        replica = named_index(call.request.path_params["index"], call.settings.index_name)
        name = call.settings.index_name
        return HOSTED_SETTINGS | ({"primary": name} if replica else {"replicas": list(replicas_of(name))})

    async def _rules(self, call: IndexCall) -> Answer:
        return self._entries(call, await self._run(call, lambda: list_rules(call.settings, call.engine.ids_of)))

    async def _synonyms(self, call: IndexCall) -> Answer:
        return self._entries(call, list_synonyms(call.settings))

    def _entries(self, call: IndexCall, entries: list[Answer]) -> Answer:
        """Give rules or synonyms; rules name pages, which a key with filters may not show."""
        named_index(call.request.path_params["index"], call.settings.index_name)
        if call.key.filters:
            raise ProtocolError(403, "A secured key with filters cannot read rules and synonyms")
        entry = call.request.path_params.get("entry")
        return search_entries(entries, call.body) if entry is None else entry_named(entries, unquote(entry))

    async def _read_only(self, call: IndexCall) -> Answer:
        named_index(call.request.path_params["index"], call.settings.index_name)
        raise ProtocolError(403, READ_ONLY)

    async def _recommendations(self, call: IndexCall) -> Answer:
        requests = list_of_requests(call.body, MOST_REQUESTS, "requests")
        self._thread.admit(call.request, max(0, len(requests) - 1), call.settings)
        results = []
        for one in requests:
            asked = await self._all.turned_to(call, one.get("indexName"))
            named_index(one.get("indexName"), asked.settings.index_name)
            search = partial(related_pages, asked.engine, one, asked.key)
            results.append(await self._run(asked, search))
        return {"results": results}

    async def _events(self, call: IndexCall) -> Answer:
        events = call.body.get("events")
        first = events[0] if isinstance(events, list) and events else None
        call = await self._all.turned_to(call, first.get("index") if isinstance(first, dict) else None)
        parsed = parse_events(call.body, call.settings.index_name)
        if self._insights and call.is_own and call.settings.has_insights:
            self._insights.note_events(parsed)
        return {"status": 200, "message": "OK"}


def _unprocessed(one: Raw) -> Answer:
    """Say of a search that it was left out, because one before it has found enough."""
    raw = search_parameters(one)
    return {
        "hits": [], "nbHits": 0, "page": 0, "nbPages": 0, "hitsPerPage": 20, "exhaustiveNbHits": False,
        "processingTimeMS": 0, "query": raw.get("query", ""), "params": "", "index": one.get("indexName", ""),
        "processed": False,
    }  # fmt: skip


def _size(engine: IndexEngine) -> int:
    return engine.size


def _visible(call: IndexCall, object_id: str) -> Record | None:
    """Load a record by its id, unless the key's filters leave it out."""
    record = call.engine.record(object_id)
    filter_ = key_filter(call.key)
    return None if record is None or (filter_ is not None and not meets(record, filter_)) else record


async def _preflight(_: Request) -> Response:
    return Response(status_code=204, headers=CORS)


async def _unknown_path(_: Request) -> Response:
    return json_answer({"message": "Path not supported by this server", "status": 404}, 404)
