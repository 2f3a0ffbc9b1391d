"""Whatever is sent, the answer is the protocol's: a result or an error with message and status, never a 500."""

from __future__ import annotations

import json
import random
from typing import Any

import httpx
import pytest

from engine.tests.contract.search.conftest import INDEX, OTHER_ORIGIN, Served

SEED = 20
ROUNDS = 400


def is_protocol_error(answer: httpx.Response) -> bool:
    body = answer.json()
    return (
        set(body) == {"message", "status"} and body["status"] == answer.status_code and 400 <= answer.status_code < 500
    )


@pytest.mark.parametrize(
    "query",
    [
        "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "' OR 1=1 --", ".*", "(a+)+$", "[[[[", "\\", "\x00",
        "a" * 100_000, "word " * 1000, "\u202e\ud7ff\uffff", "--" * 200, "/" * 500, '"' * 300, "-a " * 200, "é" * 512,
        "https://example.org/?a=b&c=d#e", "${${${}}}", "{{7*7}}", "+-&|!(){}^~*?:/",
    ],
)  # fmt: skip
def test_strange_query_gets_a_sane_answer(served: Served, query: str) -> None:
    result = served.search(query, advancedSyntax=True, attributesToSnippet=["*:10"])
    assert result["nbHits"] >= 0
    marked = json.dumps([[hit["_highlightResult"], hit["_snippetResult"]] for hit in result["hits"]])
    assert "<script" not in marked
    assert "<img" not in marked


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400), (b"{", 400), (b"[]", 400), (b"null", 400), (b'"a"', 400), (b"\xff\xfe", 400), (b"{}", 400),
        (b'{"requests": 5}', 400), (b'{"requests": [5]}', 400), (b'{"requests": [{}]}', 400),
        (b'{"requests": [{"indexName": "nothing"}]}', 404), (b'{"requests": ' + b"[" * 5000, 400),
        (b'{"requests": [' + b'{"indexName": "stacklok-docs"},' * 60 + b'{"indexName": "stacklok-docs"}]}', 400),
        (b'{"a": "' + b"x" * (1 << 20) + b'"}', 413),
    ],
)  # fmt: skip
def test_wrong_bodies_get_the_protocols_error(served: Served, body: bytes, status: int) -> None:
    answer = served.post("/1/indexes/*/queries", body)
    assert answer.status_code == status, answer.text
    assert is_protocol_error(answer)


def test_deep_filters_are_refused(served: Served) -> None:
    request = {"indexName": INDEX, "filters": "(" * 3000 + "kind:guide" + ")" * 3000}
    assert is_protocol_error(served.post("/1/indexes/*/queries", {"requests": [request]}))


def test_wrong_credentials_are_refused(served: Served) -> None:
    for given in ({}, {"x-algolia-api-key": "a"}, {"x-algolia-api-key": "ä", "x-algolia-application-id": "ö"}):
        answer = httpx.post(f"{served.origin}/1/indexes/*/queries", params=given, content=b"{}")
        assert answer.status_code == 403
        assert is_protocol_error(answer)


def test_unknown_paths_get_the_protocols_error(served: Served) -> None:
    assert is_protocol_error(httpx.put(f"{served.origin}/1/indexes/a/settings"))
    assert is_protocol_error(served.post("/1/indexes/a/browse", {}))


def test_browsers_of_given_origins_may_ask(served: Served) -> None:
    preflight = httpx.options(f"{served.origin}/1/indexes/*/queries", headers={"origin": OTHER_ORIGIN})
    assert preflight.status_code == 204
    assert preflight.headers["access-control-allow-origin"] == OTHER_ORIGIN
    assert "x-algolia-api-key" in preflight.headers["access-control-allow-headers"]
    assert served.post("/1/indexes/*/queries", {"requests": []}, origin=OTHER_ORIGIN).status_code == 200
    assert is_protocol_error(served.post("/1/indexes/*/queries", {"requests": []}, origin="https://evil.example"))


def test_index_files_are_not_served(served: Served) -> None:
    folder = next((served.out / "_octavo" / "search").iterdir())
    for file in folder.iterdir():
        assert httpx.get(f"{served.origin}/_octavo/search/{folder.name}/{file.name}").status_code == 404


def test_report_needs_its_secret(served: Served) -> None:
    assert httpx.get(f"{served.origin}/_octavo/search-report").status_code == 401
    assert httpx.get(f"{served.origin}/_octavo/search-report", auth=("", "guess")).status_code == 401


NAMES = [
    "query", "hitsPerPage", "page", "offset", "length", "attributesToRetrieve", "attributesToHighlight", "filters",
    "attributesToSnippet", "snippetEllipsisText", "highlightPreTag", "highlightPostTag", "facets", "facetFilters",
    "restrictSearchableAttributes", "numericFilters", "optionalFilters", "distinct", "typoTolerance", "queryType",
    "removeWordsIfNoResults", "advancedSyntax", "ignorePlurals", "optionalWords", "clickAnalytics", "getRankingInfo",
    "minWordSizefor1Typo", "maxValuesPerFacet", "params", "unheardOf", "tagFilters",
]  # fmt: skip
VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 7, 2**70, 1.5, 1e300, "", "a", "*", "kind:guide", "content:5", "weight.level>5", "true",
    "min", "prefixNone", "none", "allOptional", "muxing secrets", '"quoted" -minus', "[", '["kind:a"]', "<em>", "\x00",
    "query=thv&page=1", "%%%", [], [[]], ["*"], ["a:1", ["b:2", "-c:3"]], ["content", "hierarchy"], [None], [5], [[["a"]]],
    "weight.level>" + "9" * 400, "weight.level:inf", "1e999", "kind:", ":", "a" * 5_000, ["weight.position:nan"],
    {}, {"a": 1}, "weight.level:1 TO 99999999999999999999", "NOT kind:code AND (version:current OR language:en)",
]  # fmt: skip


def test_random_requests_never_break_the_server(served: Served) -> None:
    rng = random.Random(SEED)
    paths = ["/1/indexes/*/queries", f"/1/indexes/{INDEX}/query", f"/1/indexes/{INDEX}/facets/kind/query"]
    paths += ["/1/indexes/*/recommendations", "/1/events"]
    for _ in range(ROUNDS):
        parameters = {name: rng.choice(VALUES) for name in rng.sample(NAMES, rng.randint(0, 6))}
        path = rng.choice(paths)
        body: dict[str, Any] = parameters
        if path.endswith(("queries", "recommendations")):
            extra = {"model": "related-products", "objectID": rng.choice(VALUES)} if "recomm" in path else {}
            body = {"requests": [{"indexName": INDEX, **extra, **parameters}] * rng.randint(0, 3)}
        elif path == "/1/events":
            event = {name: rng.choice(VALUES) for name in ("eventType", "eventName", "index", "objectIDs", "positions")}
            body = {"events": rng.choice([[event], event, [], None])}
        answer = served.post(path, body)
        assert answer.status_code == 200 or is_protocol_error(answer), (path, body, answer.text)
