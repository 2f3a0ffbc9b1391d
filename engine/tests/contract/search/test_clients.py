"""The official clients, unmodified, get from the server what they expect."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from algoliasearch.http.hosts import Host, HostsCollection
from algoliasearch.search.client import SearchClientSync
from algoliasearch.search.config import SearchConfig

from engine.tests.contract.search.conftest import API_KEY, APP_ID, INDEX, REPORT_SECRET, RunClient, Served


@pytest.fixture
def python_client(served: Served) -> Iterator[SearchClientSync]:
    address = urlsplit(served.origin)
    config = SearchConfig(APP_ID, API_KEY)
    config.hosts = HostsCollection([Host(address.hostname or "", scheme="http", port=address.port)])
    with SearchClientSync.create_with_config(config) as client:
        yield client


def test_lite_client_gets_highlighted_hits(run_client: RunClient) -> None:
    (result,) = run_client("lite", query="muxing")["results"]
    assert result["hits"][0]["_highlightResult"]["hierarchy"]["lvl1"]["value"] == "Model <em>muxing</em>"
    assert len(result["hits"]) == result["hitsPerPage"] == 3


def test_full_client_reaches_every_search_method(run_client: RunClient) -> None:
    seen = run_client("full", query="secrets")
    hit = seen["one"]["hits"][0]
    assert [hit["objectID"]] == [first["objectID"] for first in seen["many"]["results"][0]["hits"][:1]]
    assert seen["object"]["url"] == hit["url"]
    assert [found["value"] for found in seen["facet"]["facetHits"]] == ["guide"]
    related = seen["related"]["results"][0]["hits"]
    assert len(related) == 3
    assert hit["objectID"] not in {found["objectID"] for found in related}


def test_client_of_version_4_searches_and_reads(run_client: RunClient) -> None:
    seen = run_client("older", query="secrets")
    assert seen["found"] == seen["many"]
    assert seen["object"] == seen["found"][0]
    assert seen["objects"] == seen["found"][:1]
    assert seen["place"] == 0
    assert seen["facet"] == ["guide"]
    assert seen["browsed"] > 0
    assert seen["exists"] == [True, False]
    assert "attributesForFaceting" in seen["settings"]
    assert INDEX in seen["indices"]


def test_widgets_show_counts_narrow_a_number_and_sort(run_client: RunClient) -> None:
    seen = run_client("widgets", query="secrets")
    first, narrowed = seen["first"], seen["narrowed"]
    assert first["stats"]["query"] == "secrets"
    assert first["canRefine"]
    assert first["range"] == {"min": 0, "max": 100}
    assert 0 < narrowed["stats"]["nbHits"] < first["stats"]["nbHits"]
    assert all(50 <= level <= 100 for level in narrowed["levels"])
    assert seen["sorted"]["order"] == f"{INDEX}_title_desc"
    assert seen["sorted"]["titles"] == sorted(seen["sorted"]["titles"], key=str.casefold, reverse=True)


def test_widgets_of_react_show_counts_facets_ranges_orders_and_pages(run_client: RunClient) -> None:
    shown = run_client("react", query="codegate", kind="code")
    counts = {state: int(_found(r"([\d,]+) results? found", page)[0].replace(",", "")) for state, page in shown.items()}
    assert 0 < counts["refined"] < counts["typed"]
    assert 0 < counts["narrowed"] < counts["typed"] == counts["turned"]
    assert {"guide", "code"} <= set(_found(r'RefinementList-labelText">(\w+)<', shown["typed"]))
    assert _found(r'RefinementList-item--selected.*?labelText">(\w+)<', shown["refined"]) == ["code"]
    assert _found(r'type="number"[^>]*?placeholder="(\d+)"', shown["typed"]) == ["0", "100"]
    assert _found(r'type="number"[^>]*?value="(\d+)"', shown["narrowed"])[0] == "50"
    assert _found(r'Pagination-item--selected"><a[^>]*>(\d+)<', shown["turned"]) == ["2"]
    titles = {state: _found(r"<b>(.*?)</b>", page) for state, page in shown.items()}
    assert {len(hits) for hits in titles.values()} == {5}
    assert titles["turned"] != titles["typed"]
    assert titles["sorted"] == sorted(titles["sorted"], key=str.casefold, reverse=True)


def _found(pattern: str, page: str) -> list[str]:
    """List what a pattern finds in HTML that React has drawn, without the comments between its texts."""
    return re.findall(pattern, page.replace("<!-- -->", ""))


def test_clients_read_the_errors_of_the_protocol(run_client: RunClient) -> None:
    seen = run_client("errors")
    assert [seen[what]["status"] for what in ("key", "index", "parameter")] == [403, 404, 400]
    assert seen["key"]["message"] == "Invalid Application-ID or API key"
    assert seen["index"]["message"] == "Index unknown does not exist"
    assert "hitsPerPage" in seen["parameter"]["message"]


def test_instantsearch_refines_by_a_facet_and_turns_pages(run_client: RunClient) -> None:
    typed, refined, turned = run_client("instant", query="codegate", kind="code")
    assert {kind["value"] for kind in typed["kinds"]} >= {"guide", "code"}
    assert refined["kindOfHits"] == ["code"]
    assert turned["page"] == 1
    assert turned["nbPages"] > 1
    assert not set(refined["ids"]) & set(turned["ids"])


def test_instantsearch_keeps_the_other_values_of_a_refined_facet(run_client: RunClient) -> None:
    typed, refined, _ = run_client("instant", query="codegate", kind="code")
    counts = [{kind["value"]: kind["count"] for kind in step["kinds"]} for step in (typed, refined)]
    assert counts[1]["code"] == counts[0]["code"]


def test_insights_client_is_accepted_and_counted(run_client: RunClient, served: Served) -> None:
    seen = run_client("insights", query="browser extension")
    assert len(seen["queryID"]) == 32

    def report() -> str:
        return httpx.get(f"{served.origin}/_octavo/search-report", auth=("", REPORT_SECRET)).text

    deadline = time.monotonic() + 60
    while "mean position 1.0" not in report():  # the writer works in batches
        assert time.monotonic() < deadline, report()
    assert "browser extension" in report()


def test_python_client_gets_hits_and_objects(python_client: SearchClientSync) -> None:
    answer = python_client.search({"requests": [{"indexName": INDEX, "query": "muxing", "hitsPerPage": 5}]})
    hits: list[Any] = answer.results[0].actual_instance.hits
    assert hits[0].hierarchy["lvl1"] == "Model muxing"
    single = python_client.search_single_index(INDEX, {"query": "muxing"})
    name = single.hits[0].object_id
    found = python_client.get_object(INDEX, name)
    assert found["hierarchy"]["lvl1"] == "Model muxing"
    several = python_client.get_objects({"requests": [{"indexName": INDEX, "objectID": name}]})
    assert [one["objectID"] for one in several.results] == [name]
    assert "kind" in str(python_client.get_settings(INDEX).attributes_for_faceting)


def test_python_client_searches_facet_values(python_client: SearchClientSync) -> None:
    answer = python_client.search_for_facet_values(INDEX, "kind", {"facetQuery": "co"})
    assert "code" in [hit.value for hit in answer.facet_hits]


def test_full_client_reads_the_index_and_makes_keys(run_client: RunClient, served: Served) -> None:
    seen = run_client("reading")
    count = served.search("", filters="kind:guide", distinct=False)["nbHits"]
    assert len(seen["browsed"]) == len(set(seen["browsed"])) == count
    assert seen["objects"] == seen["wanted"]
    assert {"attributesForFaceting", "searchableAttributes"} <= set(seen["settings"])
    assert seen["got"] == 1
    assert seen["sorted"] == sorted(seen["sorted"], key=str.casefold, reverse=True)
    assert {INDEX, f"{INDEX}_title_desc"} <= set(seen["indices"])
    assert seen["exists"] == [True, False]
    assert seen["filtered"] == ["code"]
    assert (seen["expired"], seen["elsewhere"], seen["forged"]) == (403, 403, 403)


def test_python_client_reads_the_index(python_client: SearchClientSync) -> None:
    assert python_client.index_exists(INDEX)
    assert not python_client.index_exists("unknown")
    assert INDEX in [item.name for item in python_client.list_indices().items]
    browsed: list[Any] = []
    python_client.browse_objects(INDEX, lambda page: browsed.extend(page.hits or []), {"hitsPerPage": 900})
    assert len(browsed) > 900
    key = python_client.generate_secured_api_key(API_KEY, {"filters": "kind:code"})
    assert key != API_KEY


def test_search_stops_where_enough_is_found_and_says_so(served: Served) -> None:
    requests = [{"indexName": INDEX, "query": query, "hitsPerPage": 1} for query in ("zzyzx", "secrets", "muxing")]
    body = {"requests": requests, "strategy": "stopIfEnoughMatches"}
    results = served.post("/1/indexes/*/queries", body).json()["results"]
    assert [result.get("processed", True) for result in results] == [True, True, False]
    assert results[2]["hits"] == []


def test_every_page_has_related_pages(served: Served) -> None:
    hits = served.search("", filters="type:lvl1", hitsPerPage=40)["hits"]
    asked = [{"indexName": INDEX, "model": "related-products", "objectID": hit["objectID"]} for hit in hits]
    answers = served.post("/1/indexes/*/recommendations", {"requests": asked}).json()["results"]
    assert [hit["url"] for hit, answer in zip(hits, answers, strict=True) if not answer["hits"]] == []
    assert all(
        hit["objectID"] not in [one["objectID"] for one in answer["hits"]]
        for hit, answer in zip(hits, answers, strict=True)
    )
