"""What the routes of the protocol answer, asked without a server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from octavo.search.index.settings import IndexSettings, Rule
from octavo.search.index.tantivy_index import IndexWriter, make_entries
from octavo.search.insights.report import Week, make_report
from octavo.search.insights.store import InsightsStore
from octavo.search.protocol.bodies import MOST_BODY_BYTES
from octavo.search.protocol.routes import MOST_REQUESTS, SearchRoutes
from octavo.search.service import SearchService

from .conftest import SETTINGS, records
from .test_secured_keys import secured

ORIGIN = "https://docs.example.org/"
PAGES = {"Kiln": "Fires clay.\n## Heat\nHow hot it is.", "Glaze": "Covers clay.", "Clay": "Is dug."}
CURATED = msgspec.structs.replace(
    SETTINGS,
    has_insights=True,
    synonyms={"clay": ["loam"]},
    one_way_synonyms={"pottery": ["clay", "kiln"]},
    rules=[Rule("rule-1", ["oven"], pinned=[f"{ORIGIN}kiln"], hidden=[f"{ORIGIN}glaze"])],
)
OTHER = msgspec.structs.replace(SETTINGS, index_name="blog", api_key="other")


def service_of(folder: Path, settings: IndexSettings, pages: dict[str, str]) -> SearchService:
    writer = IndexWriter(folder / "index")
    for title, body in pages.items():
        page = records(title, body)
        writer.add(make_entries(page, page[0].record.url))
    writer.commit(settings)

    async def name_index() -> str:
        return "index"

    return SearchService(folder, name_index)


class Client:
    """Sends requests with the credentials of the first of two indices."""

    def __init__(self, client: TestClient, database: Path, insights: InsightsStore) -> None:
        self.http = client
        self._database = database
        self._insights = insights

    def noted(self) -> dict[str, tuple[int, int]]:
        """Give all queries that were noted, with the number of their searches and clicks."""
        return {line.query: (line.searches, line.clicks) for week in self._report() for line in week.top}

    def noted_without_hits(self) -> list[str]:
        """Give the queries that were noted as without results."""
        return [line.query for week in self._report() for line in week.no_hits]

    def _report(self) -> list[Week]:
        self._insights.close()
        return make_report(self._database, least_count=1)

    def send(self, method: str, path: str, body: Any = None, status: int = 200, key: str = "key") -> Any:
        headers = {"x-algolia-application-id": "app", "x-algolia-api-key": key}
        content = body if isinstance(body, bytes) else msgspec.json.encode(body)
        if method == "GET":
            answer = self.http.get(path, headers=headers)
        else:
            answer = self.http.request(method, path, content=content, headers=headers)
        assert answer.status_code == status, answer.text
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        return msgspec.json.decode(answer.content)

    def search(self, *requests: dict[str, Any], **given: Any) -> list[Any]:
        named = [{"indexName": "docs", **one} for one in requests]
        answer = self.send("POST", "/1/indexes/*/queries", {"requests": named}, **given)
        return list(answer["results"])

    def refused(self, method: str, path: str, body: Any = None, status: int = 400, key: str = "key") -> str:
        answer = self.send(method, path, body, status, key)
        assert (set(answer), answer["status"]) == ({"message", "status"}, status)
        return str(answer["message"])


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder = tmp_path_factory.mktemp("routes")
    service = service_of(folder / "docs", CURATED, PAGES)
    other = service_of(folder / "blog", OTHER, {"News": "Nothing about clay."})
    insights = InsightsStore(folder / "insights.sqlite")
    with TestClient(Starlette(routes=SearchRoutes(service, insights, [other]).routes())) as asgi:
        client = Client(asgi, folder / "insights.sqlite", insights)
        client.search({"query": ""})
        yield client
    insights.close()


@pytest.fixture(scope="module")
def slow_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Serve an index that one address may search once in a second."""
    settings = msgspec.structs.replace(SETTINGS, most_per_second=1)
    service = service_of(tmp_path_factory.mktemp("slow"), settings, {"Kiln": ""})
    with TestClient(Starlette(routes=SearchRoutes(service).routes())) as client:
        yield client


def addresses(answer: dict[str, Any]) -> list[str]:
    return [hit["url"].removeprefix(ORIGIN) for hit in answer["hits"]]


@pytest.mark.costly
def test_searches_of_one_request_are_answered_in_their_order(client: Client) -> None:
    first, second = client.search({"query": "glaze"}, {"params": "query=kiln&hitsPerPage=1"})
    assert (addresses(first)[0], first["index"], first["query"]) == ("glaze", "docs", "glaze")
    assert (addresses(second), second["hitsPerPage"]) == (["kiln"], 1)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/1/indexes/docs/query", {"query": "glaze"}),
        ("POST", "/1/indexes/docs/query", {"params": {"query": "glaze"}}),
        ("GET", "/1/indexes/docs?query=glaze", None),
        ("GET", "/1/indexes/docs?query=glaze&X-Algolia-Agent=octavo", None),
    ],
)
def test_one_index_can_be_searched_by_its_own_path(client: Client, method: str, path: str, body: Any) -> None:
    assert addresses(client.send(method, path, body))[0] == "glaze"


def test_field_of_a_search_goes_before_the_same_parameter_in_its_params(client: Client) -> None:
    (answer,) = client.search({"query": "glaze", "params": {"query": "kiln"}})
    assert answer["query"] == "glaze"
    assert "params" in client.refused("POST", "/1/indexes/docs/query", {"params": 5})


def test_replica_is_searched_by_its_name(client: Client) -> None:
    down, up = client.search({"indexName": "docs_title_desc"}, {"indexName": "docs_title_asc"})
    assert (addresses(down)[0], down["index"]) == ("kiln", "docs_title_desc")
    assert (addresses(up)[0], up["index"]) == ("clay", "docs_title_asc")


def test_search_after_enough_matches_is_left_out_where_that_was_asked_for(client: Client) -> None:
    one: dict[str, Any] = {"indexName": "docs", "query": "clay", "hitsPerPage": 1}
    requests = [one, {"indexName": "docs", "query": "kiln"}]
    body: dict[str, Any] = {"requests": requests, "strategy": "stopIfEnoughMatches"}
    first, second = client.send("POST", "/1/indexes/*/queries", body)["results"]
    assert "processed" not in first
    assert (second["processed"], second["query"], second["index"], second["hits"]) == (False, "kiln", "docs", [])
    one["hitsPerPage"] = 50
    assert client.send("POST", "/1/indexes/*/queries", body)["results"][1]["nbHits"] > 0
    assert "strategy" in client.refused("POST", "/1/indexes/*/queries", body | {"strategy": "some"})


def test_values_of_a_facet_are_searched(client: Client) -> None:
    (in_request,) = client.search({"type": "facet", "facet": "kind", "params": "facetQuery=gui"})
    by_path = client.send("POST", "/1/indexes/docs/facets/kind/query", {"facetQuery": "gui"})
    assert [hit["value"] for hit in in_request["facetHits"]] == ["guide"]
    assert by_path["facetHits"] == in_request["facetHits"]
    assert "type" in client.refused("POST", "/1/indexes/docs/query", {"type": "other"})


def test_browsing_gives_all_records_in_parts(client: Client) -> None:
    found: list[str] = []
    body: dict[str, Any] = {"hitsPerPage": 3}
    while True:
        answer = client.send("POST", "/1/indexes/docs/browse", body)
        found += [hit["objectID"] for hit in answer["hits"]]
        if "cursor" not in answer:
            break
        body = {"cursor": answer["cursor"], "hitsPerPage": 3}
    assert len(found) == len(set(found)) == 8
    assert client.send("GET", "/1/indexes/docs/browse?hitsPerPage=3")["hits"][0]["objectID"] == found[0]


def test_record_is_given_by_its_id_with_the_attributes_that_were_asked_for(client: Client) -> None:
    hit = client.search({"query": "glaze"})[0]["hits"][0]
    whole = client.send("GET", f"/1/indexes/docs/{hit['objectID']}")
    assert (whole["objectID"], whole["url"]) == (hit["objectID"], hit["url"])
    part = client.send("GET", f"/1/indexes/docs/{hit['objectID']}?attributesToRetrieve=url,type")
    assert part == {name: whole[name] for name in ("url", "type", "objectID")}
    assert client.refused("GET", "/1/indexes/docs/gone", status=404) == "ObjectID does not exist"


def test_several_records_are_given_in_their_order_with_null_for_unknown_ones(client: Client) -> None:
    hit = client.search({"query": "glaze"})[0]["hits"][0]
    wishes: list[dict[str, Any]] = [{"objectID": one, "indexName": "docs"} for one in ("gone", hit["objectID"])]
    wishes[1]["attributesToRetrieve"] = ["url"]
    answer = client.send("POST", "/1/indexes/*/objects", {"requests": wishes})
    assert answer["results"] == [None, {"url": hit["url"], "objectID": hit["objectID"]}]
    for wrong in ({"objectID": 5}, {"objectID": "a", "attributesToRetrieve": "url"}, {"objectID": "a", "indexName": 1}):
        client.refused("POST", "/1/indexes/*/objects", {"requests": [{"indexName": "docs", **wrong}]})


def test_key_with_filters_shows_no_record_that_does_not_meet_them(client: Client) -> None:
    titles = secured(filters="type:lvl1")
    (every,), (some,) = client.search({"query": "clay"}), client.search({"query": "clay"}, key=titles)
    assert {hit["type"] for hit in some["hits"]} == {"lvl1"} != {hit["type"] for hit in every["hits"]}
    (both,) = client.search({"query": "clay", "filters": "type:content"}, key=titles)
    assert both["nbHits"] == 0
    text = next(hit for hit in every["hits"] if hit["type"] == "content")
    client.refused("GET", f"/1/indexes/docs/{text['objectID']}", status=404, key=titles)
    one = {"requests": [{"objectID": text["objectID"], "indexName": "docs"}]}
    assert client.send("POST", "/1/indexes/*/objects", one, key=titles)["results"] == [None]
    for kind in ("rules", "synonyms"):
        client.refused("POST", f"/1/indexes/docs/{kind}/search", {}, status=403, key=titles)


def test_rules_name_the_records_of_their_pages(client: Client) -> None:
    answer = client.send("POST", "/1/indexes/docs/rules/search", {"query": "OVEN"})
    (rule,) = answer["hits"]
    assert rule == client.send("GET", "/1/indexes/docs/rules/rule-1")
    assert rule["conditions"] == [{"pattern": "oven", "anchoring": "is", "alternatives": True}]
    consequence = rule["consequence"]
    (pinned,) = [one["objectID"] for one in consequence["promote"]]
    assert client.send("GET", f"/1/indexes/docs/{pinned}")["url"] == f"{ORIGIN}kiln"
    hidden = {client.send("GET", f"/1/indexes/docs/{one['objectID']}")["url"] for one in consequence["hide"]}
    assert hidden == {f"{ORIGIN}glaze"}
    assert client.refused("GET", "/1/indexes/docs/rules/gone", status=404) == "ObjectID does not exist"


def test_synonyms_are_listed_in_pages_and_by_their_kind(client: Client) -> None:
    path = "/1/indexes/docs/synonyms/search"
    whole = client.send("POST", path, {})
    assert (whole["nbHits"], whole["page"], whole["nbPages"]) == (2, 0, 1)
    both, one_way = whole["hits"]
    assert (both["type"], both["synonyms"]) == ("synonym", ["clay", "loam"])
    assert (one_way["type"], one_way["input"], one_way["synonyms"]) == ("oneWaySynonym", "pottery", ["clay", "kiln"])
    second = client.send("POST", path, {"hitsPerPage": 1, "page": 1})
    assert (second["hits"], second["nbHits"], second["page"], second["nbPages"]) == ([one_way], 2, 1, 2)
    assert client.send("POST", path, {"type": "ONEWAYSYNONYM"})["hits"] == [one_way]
    assert client.send("POST", path, {"query": "Loam"})["hits"] == [both]
    assert client.send("GET", "/1/indexes/docs/synonyms/clay%20%3D%20loam") == both
    assert "color" in client.refused("POST", path, {"color": "red"})


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
@pytest.mark.parametrize("kind", ["rules", "synonyms"])
def test_rules_and_synonyms_cannot_be_changed(client: Client, method: str, kind: str) -> None:
    assert "search.toml" in client.refused(method, f"/1/indexes/docs/{kind}/one", {}, status=403)


def test_settings_say_what_belongs_to_what(client: Client) -> None:
    settings = client.send("GET", "/1/indexes/docs/settings")
    assert "docs_title_asc" in settings["replicas"]
    assert settings["attributeForDistinct"] == "url"
    replica = client.send("GET", "/1/indexes/docs_title_asc/settings")
    assert (replica["primary"], "replicas" in replica) == ("docs", False)


def test_list_of_indices_has_those_whose_key_was_given(client: Client) -> None:
    own, other = (client.send("GET", "/1/indexes", key=key)["items"] for key in ("key", "other"))
    assert (own[0]["name"], own[0]["entries"]) == ("docs", 8)
    assert {one["primary"] for one in own[1:]} == {"docs"}
    assert {one["name"] for one in own[1:]} == set(own[0]["replicas"])
    assert (other[0]["name"], other[0]["entries"]) == ("blog", 2)


def test_request_needs_the_key_of_each_index_that_it_names(client: Client) -> None:
    (answer,) = client.search({"indexName": "blog", "query": "news"}, key="other")
    assert addresses(answer)[0] == "news"
    client.refused("POST", "/1/indexes/*/queries", {"requests": [{"indexName": "blog"}]}, status=403)
    client.refused("POST", "/1/indexes/*/queries", {"requests": [{"indexName": "docs"}]}, status=403, key="other")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/1/indexes/gone/query"),
        ("GET", "/1/indexes/gone"),
        ("GET", "/1/indexes/gone/browse"),
        ("POST", "/1/indexes/gone/facets/kind/query"),
        ("GET", "/1/indexes/gone/settings"),
        ("GET", "/1/indexes/gone/rules/one"),
        ("PUT", "/1/indexes/gone/synonyms/one"),
        ("GET", "/1/indexes/gone/one"),
    ],
)
def test_unknown_index_is_named(client: Client, method: str, path: str) -> None:
    assert client.refused(method, path, {}, status=404) == "Index gone does not exist"


def test_related_pages_are_recommended(client: Client) -> None:
    hit = client.search({"query": "glaze"})[0]["hits"][0]
    one = {"indexName": "docs", "model": "related-products", "objectID": hit["objectID"], "threshold": 0}
    (answer,) = client.send("POST", "/1/indexes/*/recommendations", {"requests": [one]})["results"]
    assert {found["url"] for found in answer["hits"]} <= {f"{ORIGIN}kiln", f"{ORIGIN}clay"}
    assert answer["hits"]
    assert "does not exist" in client.refused(
        "POST", "/1/indexes/*/recommendations", {"requests": [one | {"indexName": "gone"}]}, status=404
    )


def test_body_must_be_a_json_object_of_a_known_size(client: Client) -> None:
    path = "/1/indexes/docs/query"
    assert client.send("POST", path, b" ")["query"] == ""
    for wrong in (b"[]", b"{", b"\xff\xfe"):
        assert "Invalid JSON" in client.refused("POST", path, wrong)
    fitting = b'{"query": "a"' + b" " * (MOST_BODY_BYTES - 14) + b"}"
    assert client.send("POST", path, fitting)["query"] == "a"
    assert "larger than" in client.refused("POST", path, fitting + b" ", status=413)


@pytest.mark.parametrize("path", ["queries", "objects", "recommendations"])
def test_requests_must_be_a_list_of_objects(client: Client, path: str) -> None:
    wrong_bodies: list[dict[str, Any]] = [{}, {"requests": {}}, {"requests": [1]}]
    for wrong in wrong_bodies:
        assert "requests" in client.refused("POST", f"/1/indexes/*/{path}", wrong)


def test_one_request_holds_so_many_searches(client: Client) -> None:
    one = {"query": "kiln", "hitsPerPage": 0}
    assert len(client.search(*[one] * MOST_REQUESTS)) == MOST_REQUESTS
    many = {"requests": [{"indexName": "docs"}] * (MOST_REQUESTS + 1)}
    assert f"at most {MOST_REQUESTS}" in client.refused("POST", "/1/indexes/*/queries", many)


def test_what_is_no_path_of_the_protocol_is_said_so(client: Client) -> None:
    assert "not supported" in client.refused("PATCH", "/1/anything", {}, status=404)
    answer = client.http.options("/1/indexes/docs/query")
    assert (answer.status_code, answer.headers["Access-Control-Allow-Methods"]) == (204, "GET, POST, OPTIONS")


@pytest.mark.costly
def test_address_that_asks_too_much_is_told_when_to_come_back(slow_client: TestClient) -> None:
    requests = {"requests": [{"indexName": "docs", "query": "kiln"}] * 5}
    headers = {"x-algolia-application-id": "app", "x-algolia-api-key": "key"}
    answer = slow_client.post("/1/indexes/*/queries", json=requests, headers=headers)
    assert answer.status_code == 429
    assert 1 <= int(answer.headers["Retry-After"]) <= 10


def test_searches_of_readers_are_noted_and_those_that_ask_not_to_be_are_not(client: Client) -> None:
    client.search({"query": "porcelain"})
    client.search({"query": "stoneware", "analytics": False})
    client.search({"indexName": "blog", "query": "earthenware"}, key="other")
    client.search({"query": "  "})
    noted = client.noted()
    assert noted["porcelain"] == (1, 0)
    assert noted.keys().isdisjoint(["stoneware", "earthenware", ""])


def test_fields_that_a_client_leaves_out_are_known_to_the_server(client: Client) -> None:
    """A search whose answer has no number of hits has found some nevertheless."""
    few = {"query": "fires clay", "responseFields": ["hits"], "hitsPerPage": 1}
    requests = [{"indexName": "docs", **one} for one in (few, {"query": "kiln"})]
    body = {"requests": requests, "strategy": "stopIfEnoughMatches"}
    first, second = client.send("POST", "/1/indexes/*/queries", body)["results"]
    assert (set(first), second.get("processed")) == ({"hits"}, False)
    client.search({"query": "hot", "responseFields": ["query"]})
    assert "hot" not in client.noted_without_hits()


def test_event_is_kept_with_the_search_before_it(client: Client) -> None:
    (answer,) = client.search({"query": "covers clay", "clickAnalytics": True})
    event = {
        "eventType": "click",
        "eventName": "Chosen",
        "userToken": "reader",
        "queryID": answer["queryID"],
        "objectIDs": [answer["hits"][0]["objectID"]],
        "positions": [1],
    }
    sent = client.send("POST", "/1/events", {"events": [{"index": "docs", **event}]})
    assert sent == {"status": 200, "message": "OK"}
    client.send("POST", "/1/events", {"events": [{"index": "blog", **event}]}, key="other")
    assert client.noted()["covers clay"] == (1, 1)
    client.refused("POST", "/1/events", {"events": [{"index": "docs", **event, "positions": [0]}]}, status=422)
