"""Each parameter of the protocol, sent to the real server, does what the hosted service documents."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest

from engine.tests.contract.search.conftest import INDEX, Served

Result = dict[str, Any]
Claim = Callable[[Result, Result], bool]
"""(answer with the parameter, answer to the same query without any) → whether it is as documented."""


def ids(result: Result) -> list[str]:
    return [hit["objectID"] for hit in result["hits"]]


def fields(result: Result) -> set[str]:
    return {name for hit in result["hits"] for name in hit if not name.startswith("_") and name != "objectID"}


def texts(result: Result, kind: str) -> str:
    return str([hit[kind] for hit in result["hits"]])


def said(hit: dict[str, Any]) -> str:
    return " ".join(filter(None, [*hit["hierarchy"].values(), hit["content"]])).lower()


def kinds(result: Result) -> set[str]:
    return {hit["kind"] for hit in result["hits"]}


def snippets(result: Result) -> list[str]:
    return [hit["_snippetResult"]["content"]["value"] for hit in result["hits"] if hit["content"]]


CASES: list[tuple[str, str, dict[str, Any], Claim]] = [
    ("query", "muxing", {}, lambda found, _: found["query"] == "muxing" and found["nbHits"] > 0),
    ("hitsPerPage", "secrets", {"hitsPerPage": 3}, lambda found, _: len(ids(found)) == found["hitsPerPage"] == 3),
    ("page", "secrets", {"page": 1, "hitsPerPage": 3}, lambda found, plain: ids(found) == ids(plain)[3:6]),
    ("offset", "secrets", {"offset": 2, "length": 3}, lambda found, plain: ids(found) == ids(plain)[2:5]),
    ("length", "secrets", {"length": 1}, lambda found, plain: ids(found) == ids(plain)[:1] and found["length"] == 1),
    ("attributesToRetrieve", "secrets", {"attributesToRetrieve": ["url"]}, lambda found, _: fields(found) == {"url"}),
    (
        "attributesToHighlight",
        "secrets",
        {"attributesToHighlight": ["content"], "filters": "type:content"},
        lambda found, _: {name for hit in found["hits"] for name in hit["_highlightResult"]} == {"content"},
    ),
    (
        "attributesToSnippet",
        "secrets",
        {"attributesToSnippet": ["content:3"], "snippetEllipsisText": "", "filters": "type:content"},
        lambda found, _: bool(snippets(found)) and all(len(text.split()) <= 3 for text in snippets(found)),
    ),
    (
        "snippetEllipsisText",
        "secrets",
        {"attributesToSnippet": ["content:3"], "snippetEllipsisText": "[…]", "filters": "type:content"},
        lambda found, _: any("[…]" in text for text in snippets(found)),
    ),
    (
        "highlightPreTag",
        "secrets",
        {"highlightPreTag": "<b>"},
        lambda found, _: "<b>" in texts(found, "_highlightResult") and "<em>" not in texts(found, "_highlightResult"),
    ),
    (
        "highlightPostTag",
        "secrets",
        {"highlightPostTag": "</b>"},
        lambda found, _: "</b>" in texts(found, "_highlightResult"),
    ),
    (
        "restrictSearchableAttributes",
        "secrets",
        {"restrictSearchableAttributes": ["hierarchy.lvl1"]},
        lambda found, plain: (
            bool(ids(found))
            and ids(found) != ids(plain)
            and all("secret" in hit["hierarchy"]["lvl1"].lower() for hit in found["hits"])
        ),
    ),
    ("facets", "secrets", {"facets": ["kind"]}, lambda found, _: found["facets"]["kind"]["guide"] > 0),
    ("facets", "secrets", {"facets": "kind,section"}, lambda found, _: set(found["facets"]) == {"kind", "section"}),
    (
        "facetFilters",
        "secrets",
        {"facetFilters": [["kind:code", "kind:command"], "language:en"]},
        lambda found, _: bool(ids(found)) and kinds(found) <= {"code", "command"},
    ),
    ("facetFilters", "secrets", {"facetFilters": ["kind:-guide"]}, lambda found, _: "guide" not in kinds(found)),
    (
        "filters",
        "secrets",
        {"filters": "kind:guide AND NOT (type:lvl1 OR weight.level < 50)"},
        lambda found, _: (
            kinds(found) == {"guide"}
            and all(hit["weight"]["level"] >= 50 and hit["type"] != "lvl1" for hit in found["hits"])
        ),
    ),
    (
        "numericFilters",
        "secrets",
        {"numericFilters": ["weight.level>=80", ["weight.position<1", "weight.position:2 TO 400"]]},
        lambda found, _: bool(ids(found)) and all(hit["weight"]["level"] >= 80 for hit in found["hits"]),
    ),
    (
        "distinct",
        "secrets",
        {"distinct": False, "hitsPerPage": 200},
        lambda found, _: len({hit["url"] for hit in found["hits"]}) < len(found["hits"]),
    ),
    ("typoTolerance", "worksapce", {"typoTolerance": False}, lambda found, plain: found["nbHits"] < plain["nbHits"]),
    ("queryType", "worksp", {"queryType": "prefixNone"}, lambda found, plain: found["nbHits"] < plain["nbHits"]),
    (
        "removeWordsIfNoResults",
        "muxing zzyzx",
        {"removeWordsIfNoResults": "none"},
        lambda found, plain: found["nbHits"] == 0 < plain["nbHits"],
    ),
    (
        "advancedSyntax",
        '"model muxing" -workspace',
        {"advancedSyntax": True, "removeWordsIfNoResults": "none"},
        lambda found, plain: (
            bool(ids(found))
            and ids(found) != ids(plain)
            and all("model muxing" in said(hit) and not re.search(r"\bworkspace\b", said(hit)) for hit in found["hits"])
        ),
    ),
    (
        "ignorePlurals",
        "workspace",
        {"ignorePlurals": False, "queryType": "prefixNone"},
        lambda found, plain: 0 < found["nbHits"] < plain["nbHits"],
    ),
    (
        "optionalWords",
        "muxing kubernetes",
        {"optionalWords": ["kubernetes"], "removeWordsIfNoResults": "none"},
        lambda found, _: found["nbHits"] > 0,
    ),
    ("clickAnalytics", "secrets", {"clickAnalytics": True}, lambda found, _: len(found["queryID"]) == 32),
    (
        "getRankingInfo",
        "secrets",
        {"getRankingInfo": True},
        lambda found, plain: (
            all("nbTypos" in hit["_rankingInfo"] for hit in found["hits"])
            and not any("_rankingInfo" in hit for hit in plain["hits"])
        ),
    ),
    ("similarQuery", "", {"similarQuery": "muxing rules"}, lambda found, _: "muxing" in said(found["hits"][0])),
    (
        "responseFields",
        "secrets",
        {"responseFields": ["hits", "nbHits"]},
        lambda found, _: found.keys() == {"hits", "nbHits"},
    ),
    (
        "sortFacetValuesBy",
        "secrets",
        {"facets": ["kind"], "sortFacetValuesBy": "alpha"},
        lambda found, _: list(found["facets"]["kind"]) == sorted(found["facets"]["kind"]),
    ),
    (
        "facetingAfterDistinct",
        "muxing",
        {"facets": ["language"], "facetingAfterDistinct": True, "removeWordsIfNoResults": "none"},
        lambda found, _: found["facets"]["language"]["en"] == found["nbHits"],
    ),
    (
        "facets_stats",
        "muxing",
        {"facets": ["weight.level"]},
        lambda found, _: (
            found["facets_stats"]["weight.level"].keys() == {"min", "max", "avg", "sum"}
            and found["facets_stats"]["weight.level"]["max"] == 100
            and "100" in found["facets"]["weight.level"]
        ),
    ),
    (
        "synonyms",
        "secrets",
        {"synonyms": False, "enableRules": False},
        lambda found, _: found["nbHits"] > 0,
    ),
    ("analytics", "secrets", {"analytics": False}, lambda found, plain: ids(found) == ids(plain)),
]


@pytest.mark.parametrize(
    ("query", "parameters", "is_as_documented"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_parameter_does_what_is_documented(
    served: Served, query: str, parameters: dict[str, Any], is_as_documented: Claim
) -> None:
    found = served.search(query, **parameters)
    assert is_as_documented(found, served.search(query)), found


@pytest.mark.parametrize(
    ("query", "parameters"),
    [
        ('"mcp server"', {"advancedSyntax": True}),
        ("secret", {"restrictSearchableAttributes": ["hierarchy.lvl1"]}),
        ("secrte", {"typoTolerance": "min"}),
    ],
    ids=["phrase", "attribute", "fewest mistakes"],
)
def test_number_of_hits_is_that_of_the_hits_where_not_all_matches_are_hits(
    served: Served, query: str, parameters: dict[str, Any]
) -> None:
    found = served.search(query, **parameters)
    everything = served.search(query, hitsPerPage=1000, **parameters)
    assert found["exhaustiveNbHits"]
    assert found["nbHits"] == everything["nbHits"] == len(ids(everything)) > len(ids(found))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("hitsPerPage", "many"), ("page", -1), ("facetFilters", {"kind": "guide"}), ("filters", "kind:guide AND"),
        ("numericFilters", ["weight.level ~ 3"]), ("distinct", "twice"), ("typoTolerance", "often"),
        ("queryType", "infix"), ("removeWordsIfNoResults", "some"), ("attributesToSnippet", ["content:many"]),
        ("advancedSyntax", "perhaps"), ("colour", "red"), ("tagFilters", ["a"]), ("aroundLatLng", "1,2"),
        ("decompoundQuery", False), ("minProximity", 2), ("sortFacetValuesBy", "size"), ("relevancyStrictness", 5),
        ("ruleContexts", ["a"]), ("customRanking", ["desc(a)"]), ("mode", "neuralSearch"),
    ],
)  # fmt: skip
def test_error_names_the_parameter(served: Served, name: str, value: Any) -> None:
    answer = served.post(f"/1/indexes/{INDEX}/query", {"query": "a", name: value})
    assert answer.status_code == 400
    assert answer.json() == {"message": answer.json()["message"], "status": 400}
    assert name in answer.json()["message"]


@pytest.mark.parametrize(
    "parameters",
    [
        {"tagFilters": ""}, {"analyticsTags": ["a"]}, {"userToken": "a"}, {"decompoundQuery": True},
        {"enableABTest": False}, {"minProximity": 1}, {"ruleContexts": []}, {"aroundLatLngViaIP": False},
    ],
)  # fmt: skip
def test_parameter_that_asks_for_what_is_done_anyway_is_accepted(served: Served, parameters: dict[str, Any]) -> None:
    assert ids(served.search("secrets", **parameters)) == ids(served.search("secrets"))


def test_encoded_parameters_are_those_of_the_object(served: Served) -> None:
    encoded = urlencode(
        {"query": "secrets", "hitsPerPage": 4, "facetFilters": '[["kind:guide"]]', "facets": '["kind"]'}
    )
    answer = served.post(f"/1/indexes/{INDEX}/query", {"params": encoded}).json()
    plain = served.search("secrets", hitsPerPage=4, facetFilters=[["kind:guide"]], facets=["kind"])
    assert (ids(answer), answer["facets"]) == (ids(plain), plain["facets"])
