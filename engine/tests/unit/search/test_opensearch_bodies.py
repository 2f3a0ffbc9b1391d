"""What OpenSearch is asked, and what other engines refuse; no engine is needed for that."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from octavo.search.engines.backend import Question
from octavo.search.engines.choice import EngineSettings, open_remote
from octavo.search.engines.documents import LEVELS
from octavo.search.engines.forms import joined, synonyms_of
from octavo.search.engines.interface import Order
from octavo.search.engines.opensearch import index_body, search_body, write_filter
from octavo.search.errors import ProtocolError
from octavo.search.query.filters import Filter, parse_facet_filters, parse_filters
from octavo.search.query.parameters import parse_parameters
from tests.support.each import each

from .conftest import SETTINGS

NOTHING = {"match_none": {}}


def filter_of(text: str) -> Filter:
    parsed = parse_filters(text)
    assert parsed is not None
    return parsed


@each(
    "text, written",
    [
        ("kind:guide", {"term": {"kind": {"value": "guide"}}}),
        ("lang:de", {"term": {"language": {"value": "de"}}}),
        ("hierarchy.lvl0:Clay", {"term": {"hierarchy.lvl0.whole": {"value": "Clay"}}}),
        ("weight.level:50", {"range": {"weight.level": {"gte": 50.0, "lte": 50.0}}}),
        ("weight.level:x", NOTHING),
        ("weight.level:inf", NOTHING),
        ("nosuch:1", NOTHING),
        ("weight.page_rank<5", {"range": {"weight.pageRank": {"lt": 5.0}}}),
        ("weight.page_rank<=5", {"range": {"weight.pageRank": {"lte": 5.0}}}),
        ("weight.page_rank>5", {"range": {"weight.pageRank": {"gt": 5.0}}}),
        ("weight.page_rank>=5", {"range": {"weight.pageRank": {"gte": 5.0}}}),
        ("weight.page_rank=5", {"range": {"weight.pageRank": {"gte": 5.0, "lte": 5.0}}}),
        (
            "weight.page_rank!=5",
            {"bool": {"must_not": [{"range": {"weight.pageRank": {"gte": 5.0, "lte": 5.0}}}]}},
        ),
        ("nosuch>5", NOTHING),
        ("weight.level:50 TO 90", {"range": {"weight.level": {"gte": 50.0, "lte": 90.0}}}),
        ("nosuch:1 TO 2", NOTHING),
        ("NOT nosuch:1", {"bool": {"must_not": [NOTHING]}}),
        ("nosuch:1 AND nosuch:2", {"bool": {"filter": [NOTHING, NOTHING]}}),
        ("nosuch:1 OR nosuch:2", {"bool": {"should": [NOTHING, NOTHING], "minimum_should_match": 1}}),
    ],
)
def test_filters_are_written_for_opensearch(text: str, written: dict[str, Any]) -> None:
    assert write_filter(filter_of(text)) == written


def ways(question: Question, word: int = 0) -> list[tuple[str, float]]:
    """List how a word may match: the part of the fields, or `typo`, and what it counts."""
    matches = [one["multi_match"] for one in search_body(question)["query"]["bool"]["must"][word]["dis_max"]["queries"]]
    return [
        ("typo" if "fuzziness" in one else one["fields"][0].partition("^")[0].removeprefix("content"), one["boost"])
        for one in matches
    ]


def test_word_counts_most_as_it_was_typed_then_in_other_forms_then_as_a_beginning_then_misspelt() -> None:
    question = Question(words=["kilns", "glaze"], attributes=["content"])
    assert ways(question) == [("", 1.0), (".forms", 0.8), ("typo", 0.3)]
    assert ways(question, 1) == [("", 1.0), (".forms", 0.8), (".prefix", 0.6), ("typo", 0.3)]
    boosts = [boost for _, boost in ways(question, 1)]
    assert boosts == sorted(boosts, reverse=True)
    plain = msgspec.structs.replace(question, has_forms=False, has_typos=False, open_words="none")
    assert ways(plain, 1) == [("", 1.0)]
    every = msgspec.structs.replace(plain, open_words="all")
    assert [ways(every, word) for word in (0, 1)] == [[("", 1.0), (".prefix", 0.6)]] * 2


def test_words_with_digits_are_not_taken_for_misspelt() -> None:
    assert "typo" not in dict(ways(Question(words=["v2"], attributes=["content"])))
    body = search_body(Question(words=["kiln"], typo_sizes=(5, 3)))
    fuzzy = body["query"]["bool"]["must"][0]["dis_max"]["queries"][-1]["multi_match"]
    assert (fuzzy["fuzziness"], fuzzy["operator"]) == ("AUTO:5,5", "and")


def test_search_of_opensearch_holds_what_must_may_and_must_not_occur() -> None:
    body = search_body(
        Question(
            words=["kiln"], wished=["hot"], phrases=["fired twice"], excluded=["old"], filter=filter_of("kind:guide"),
            wishes=parse_facet_filters(["type:lvl1", "lang:de"], "optionalFilters"), offset=20, length=10,
        )
    )  # fmt: skip
    query = body["query"]["bool"]
    phrase, word = query["must"]
    assert (phrase["multi_match"]["query"], phrase["multi_match"]["type"]) == ("fired twice", "phrase")
    assert "operator" not in phrase["multi_match"]
    assert word["dis_max"]["queries"][0]["multi_match"]["query"] == "kiln"
    assert query["filter"] == [{"term": {"kind": {"value": "guide"}}}]
    assert [one["multi_match"]["query"] for one in query["must_not"]] == ["old"]
    wished, *lifted = query["should"]
    assert wished["dis_max"]["queries"][0]["multi_match"]["query"] == "hot"
    assert [next(iter(one)) for one in lifted] == ["constant_score", "constant_score", "rank_feature"]
    assert (body["from"], body["size"], body["track_total_hits"]) == (20, 10, True)


def test_own_heading_counts_most_of_all_fields() -> None:
    match = search_body(Question(phrases=["kiln"]))["query"]["bool"]["must"][0]["multi_match"]
    weights = {name: float(weight) for name, _, weight in (field.partition("^") for field in match["fields"])}
    assert max(weights, key=lambda name: weights[name]) == "own_heading"
    headings = [weights[f"hierarchy.{level}"] for level in LEVELS[1:]]
    assert headings == sorted(headings, reverse=True)
    assert min(headings) > weights["content"] > weights["hierarchy.lvl0"]


def test_search_without_words_lifts_nothing() -> None:
    body = search_body(Question())
    assert body["query"]["bool"]["should"] == []
    assert "aggs" in body
    assert "aggs" not in search_body(Question(distinct=False))


@each(
    "order, first",
    [
        (None, {"_score": {"order": "desc"}}),
        (Order("title", is_descending=False), {"hierarchy.lvl1.whole": {"order": "asc"}}),
        (Order("position", is_descending=True), {"weight.position": {"order": "desc"}}),
    ],
)
def test_hits_of_opensearch_are_sorted(order: Order | None, first: dict[str, Any]) -> None:
    sort = search_body(Question(order=order))["sort"]
    assert sort[0] == first
    assert sort[-1] == {"objectID": {"order": "asc"}}


def test_facets_of_opensearch_count_addresses_where_hits_do() -> None:
    question = Question(facets=["lang", "hierarchy.lvl0", "weight.level"], most_values=7)
    counted = search_body(question)["aggs"]
    fields = {name: one["terms"]["field"] for name, one in counted.items() if "terms" in one}
    assert fields == {
        "facet lang": "language",
        "facet hierarchy.lvl0": "hierarchy.lvl0.whole",
        "facet weight.level": "weight.level",
    }
    assert {one["terms"]["size"] for one in counted.values() if "terms" in one} == {7}
    records = search_body(msgspec.structs.replace(question, counts_distinct=False))["aggs"]
    assert ("aggs" in counted["facet lang"], "aggs" in records["facet lang"]) == (True, False)


def test_index_of_opensearch_stems_the_language_of_most_records() -> None:
    documents = [{"language": language} for language in ("de-AT", "en", "de")]
    filters = index_body(documents, {})["settings"]["analysis"]["filter"]
    assert filters["octavo_stems"] == {"type": "stemmer", "language": "light_german"}
    other = index_body([{"language": "xx"}], {})["settings"]["analysis"]["filter"]
    assert other["octavo_stems"] == {"type": "lowercase"}


def test_synonyms_of_opensearch_keep_the_word_and_lose_signs_that_have_a_meaning_in_rules() -> None:
    body = index_body([], {"clay": ["loam, wet", "earth => mud"]})
    filters = body["settings"]["analysis"]["filter"]
    assert filters["octavo_synonyms"]["synonyms"] == ["clay => clay, loam wet, earth mud"]
    assert filters["octavo_stems"]["language"] == "english"


def test_tables_of_synonyms_hold_each_direction_once() -> None:
    settings = msgspec.structs.replace(
        SETTINGS, synonyms={"clay": ["loam"]}, one_way_synonyms={"clay": ["earth"], "pottery": ["clay"]}
    )
    synonyms = synonyms_of(settings)
    assert synonyms == {"clay": ["loam", "earth"], "loam": ["clay"], "pottery": ["clay"]}
    assert joined(synonyms, {"clay": ["clays", "loam"]})["clay"] == ["loam", "earth", "clays"]


@each(
    "kind, raw, name",
    [
        ("opensearch", {"typoTolerance": "min"}, "typoTolerance"),
        ("opensearch", {"removeWordsIfNoResults": "firstWords"}, "removeWordsIfNoResults"),
        ("opensearch", {"removeWordsIfNoResults": "lastWords"}, "removeWordsIfNoResults"),
        ("opensearch", {"typoTolerance": False, "queryType": "prefixAll"}, None),
        ("meilisearch", {"typoTolerance": False}, "typoTolerance"),
        ("meilisearch", {"minWordSizefor1Typo": 5}, "minWordSizefor1Typo"),
        ("meilisearch", {"minWordSizefor2Typos": 9}, "minWordSizefor1Typo"),
        ("meilisearch", {"queryType": "prefixAll"}, "queryType"),
        ("meilisearch", {"ignorePlurals": False}, "ignorePlurals"),
        ("meilisearch", {"removeWordsIfNoResults": "firstWords"}, "removeWordsIfNoResults"),
        ("meilisearch", {"optionalFilters": ["kind:guide"]}, "optionalFilters"),
        ("meilisearch", {"removeWordsIfNoResults": "lastWords", "queryType": "prefixNone"}, None),
    ],
)
def test_what_an_engine_cannot_do_is_refused_by_name(kind: Any, raw: dict[str, Any], name: str | None) -> None:
    engine = open_remote(EngineSettings(kind, "http://127.0.0.1:9"), "docs")
    if name is None:
        engine.refuse(parse_parameters(raw))
        return
    with pytest.raises(ProtocolError, match=f'"{name}"') as caught:
        engine.refuse(parse_parameters(raw))
    assert caught.value.status == 400
