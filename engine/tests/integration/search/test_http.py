from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from engine.tests.unit.search.conftest import SETTINGS, records
from octavo.search.index.settings import IndexSettings, Rule
from octavo.search.index.tantivy_index import IndexWriter, make_entries
from octavo.search.insights.report import make_report
from octavo.search.insights.store import InsightsStore
from octavo.search.protocol.routes import SearchRoutes
from octavo.search.service import SearchService

MakeClient = Callable[[IndexSettings], TestClient]
CREDENTIALS = {"x-algolia-application-id": "app", "x-algolia-api-key": "key"}


@pytest.fixture
def make_client(tmp_path: Path) -> Iterator[MakeClient]:
    """`make_client(settings)` serves an index of one page."""
    clients: list[TestClient] = []

    def make(settings: IndexSettings) -> TestClient:
        writer = IndexWriter(tmp_path / "index")
        writer.add(make_entries(records("Kiln", "Fires clay."), "/kiln"))
        writer.commit(settings)

        async def name_index() -> str:
            return "index"

        client = TestClient(Starlette(routes=SearchRoutes(SearchService(tmp_path, name_index)).routes()))
        clients.append(client.__enter__())
        return client

    yield make
    for client in clients:
        client.__exit__(None, None, None)


def search(client: TestClient, body: dict[str, Any]) -> Any:
    return client.post("/1/indexes/docs/query", json=body, headers=CREDENTIALS)


def test_address_that_asks_too_often_is_told_to_wait(make_client: MakeClient) -> None:
    client = make_client(msgspec.structs.replace(SETTINGS, most_per_second=1))
    answers = [search(client, {"query": "kiln"}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].json() == {"message": "Too many requests; try again in a moment", "status": 429}
    assert answers[2].headers["retry-after"] == "1"
    assert answers[2].headers["access-control-allow-origin"] == "*"


def test_each_search_of_a_request_counts(make_client: MakeClient) -> None:
    client = make_client(msgspec.structs.replace(SETTINGS, most_per_second=10))
    body = {"requests": [{"indexName": "docs", "query": "kiln"}] * 21}
    assert client.post("/1/indexes/*/queries", json=body, headers=CREDENTIALS).status_code == 429


def test_wrong_key_does_not_use_up_what_readers_may_ask(make_client: MakeClient) -> None:
    client = make_client(msgspec.structs.replace(SETTINGS, most_per_second=1))
    for _ in range(5):
        assert client.post("/1/indexes/docs/query", json={}).status_code == 403
    assert search(client, {"query": "kiln"}).status_code == 200


@pytest.mark.parametrize("content_type", ["application/json", "text/plain", "application/x-www-form-urlencoded"])
def test_body_is_json_whatever_its_type_says(make_client: MakeClient, content_type: str) -> None:
    headers = {**CREDENTIALS, "content-type": content_type}
    answer = make_client(SETTINGS).post("/1/indexes/docs/query", content=b'{"query": "kiln"}', headers=headers)
    assert answer.json()["nbHits"] == 1


@pytest.mark.parametrize("body", [{"query": "kiln", "hitsPerPage": 1}, {"params": "query=kiln&hitsPerPage=1"}])
def test_parameters_come_as_object_or_encoded(make_client: MakeClient, body: dict[str, Any]) -> None:
    answer = search(make_client(SETTINGS), body).json()
    assert (answer["query"], answer["hitsPerPage"], len(answer["hits"])) == ("kiln", 1, 1)


def test_answer_carries_all_fields_of_the_protocol(make_client: MakeClient) -> None:
    answer = search(make_client(SETTINGS), {"query": "kiln", "clickAnalytics": True, "facets": ["kind"]}).json()
    wanted = {
        "hits", "nbHits", "page", "nbPages", "hitsPerPage", "exhaustiveNbHits", "query", "params", "index",
        "processingTimeMS", "facets", "queryID",
    }  # fmt: skip
    assert wanted <= answer.keys()
    marked = answer["hits"][0]["_highlightResult"]["hierarchy"]["lvl1"]
    assert marked.keys() == {"value", "matchLevel", "matchedWords", "fullyHighlighted"}


def test_credentials_may_stand_in_the_address(make_client: MakeClient) -> None:
    answer = make_client(SETTINGS).post("/1/indexes/docs/query", json={"query": "kiln"}, params=CREDENTIALS)
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b'{"query": "\\ud800 kiln"}', 400),
        (b'{"query": "\xff\xfe"}', 400),
        (b'{"query": "kiln", "query": "clay"}', 200),
        (b'{"query": "' + b"kiln " * 1000 + b'"}', 200),
        (b'{"query": "' + b"x" * (1 << 20) + b'"}', 413),
        (b'{"filters": "' + b"(" * 9_000 + b'"}', 400),
        (b'{"facetFilters": ' + b"[" * 900 + b"]" * 900 + b"}", 400),
        (b'{"numericFilters": ["weight.level>' + b"9" * 400 + b'"]}', 200),
        (b'{"filters": "weight.level:-' + b"9" * 400 + b" TO " + b"9" * 400 + b'"}', 200),
        (b'{"facetFilters": ["weight.level:inf", "weight.position:nan"]}', 200),
        (b'{"page": 1e999}', 400),
    ],
)
def test_hostile_body_gets_an_answer_or_the_protocols_error(
    make_client: MakeClient, content: bytes, status: int
) -> None:
    answer = make_client(SETTINGS).post("/1/indexes/docs/query", content=content, headers=CREDENTIALS)
    assert answer.status_code == status, answer.text
    assert status == 200 or answer.json()["status"] == status


def test_searches_are_counted_unless_asked_not_to(tmp_path: Path, make_client: MakeClient) -> None:
    settings = msgspec.structs.replace(SETTINGS, has_insights=True)
    make_client(settings)

    async def name_index() -> str:
        return "index"

    store = InsightsStore(tmp_path / "insights.sqlite")
    routes = SearchRoutes(SearchService(tmp_path, name_index), store).routes()
    with TestClient(Starlette(routes=routes)) as client:
        search(client, {"query": "counted"})
        search(client, {"query": "suggestion", "analytics": False})
        search(client, {"query": ""})
    store.close()
    (week,) = make_report(tmp_path / "insights.sqlite", weeks=1, least_count=1)
    assert [line.query for line in week.top] == ["counted"]


def test_several_records_are_given_in_the_order_of_their_ids(make_client: MakeClient) -> None:
    client = make_client(SETTINGS)
    known = search(client, {"query": "kiln"}).json()["hits"][0]["objectID"]
    asked = [{"indexName": "docs", "objectID": known, "attributesToRetrieve": ["type"]}]
    asked.append({"indexName": "docs", "objectID": "none"})
    answer = client.post("/1/indexes/*/objects", json={"requests": asked}, headers=CREDENTIALS)
    assert answer.json() == {"results": [{"type": "lvl1", "objectID": known}, None]}


def test_settings_tell_that_an_index_exists(make_client: MakeClient) -> None:
    client = make_client(SETTINGS)
    assert "kind" in client.get("/1/indexes/docs/settings", headers=CREDENTIALS).json()["attributesForFaceting"]
    assert client.get("/1/indexes/other/settings", headers=CREDENTIALS).status_code == 404


def test_rules_and_synonyms_can_be_read_and_not_written(make_client: MakeClient) -> None:
    page = "https://docs.example.org/kiln"
    settings = msgspec.structs.replace(
        SETTINGS,
        synonyms={"oven": ["kiln"]},
        one_way_synonyms={"fire": ["kiln"]},
        rules=[Rule("one", ["bake"], pinned=[page]), Rule("two", ["gone"], is_part=True, hidden=[page], redirect=page)],
    )
    client = make_client(settings)

    def read(method: str, path: str, **given: Any) -> Any:
        answer = client.request(method, f"/1/indexes/docs/{path}", headers=CREDENTIALS, **given)
        return answer.json() | {"status": answer.status_code}

    rules = read("POST", "rules/search", json={"query": ""})
    assert [(rule["objectID"], [one["pattern"] for one in rule["conditions"]]) for rule in rules["hits"]] == [
        ("one", ["bake"]),
        ("two", ["gone"]),
    ]
    title = search(client, {"query": "kiln"}).json()["hits"][0]["objectID"]
    assert rules["hits"][0]["consequence"] == {"promote": [{"objectID": title, "position": 0}]}
    assert len(rules["hits"][1]["consequence"]["hide"]) == 2
    assert rules["hits"][1]["consequence"]["renderingContent"] == {"redirect": {"url": page}}
    assert read("POST", "rules/search", json={"query": "bak"})["nbHits"] == 1
    assert read("GET", "rules/two")["objectID"] == "two"
    assert read("GET", "rules/three")["status"] == 404
    kinds = [one["type"] for one in read("POST", "synonyms/search", json={})["hits"]]
    assert kinds == ["synonym", "oneWaySynonym"]
    assert read("POST", "synonyms/search", json={"type": "oneWaySynonym"})["nbHits"] == 1
    for method, path in (
        ("PUT", "rules/one"),
        ("POST", "rules/batch"),
        ("DELETE", "synonyms/x"),
        ("POST", "synonyms/clear"),
    ):
        answer = read(method, path, json={})
        assert (answer["status"], "search.toml" in answer["message"]) == (403, True)
