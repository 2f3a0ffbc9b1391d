from __future__ import annotations

from typing import Any

import pytest

from engine.tests.unit.search.conftest import Index, MakeIndex, records
from octavo.search.errors import ProtocolError
from octavo.search.query.parameters import decode_params, parse_parameters


@pytest.fixture
def index(make_index: MakeIndex) -> Index:
    return make_index(
        [
            records("Glaze", "Glaze is glass.\n    glaze()", version="1.0"),
            records("Kiln", "The kiln fires glaze.", section="Tools", lvl0="Tools / Hot"),
            records("Wheel", "Throw on the wheel.\n## Deep\nGlaze of depth.", kind="reference"),
        ]
    )


def found(index: Index, query: str = "glaze", **parameters: Any) -> set[str]:
    return {hit["hierarchy"]["lvl1"] for hit in index.answer(query, **parameters)["hits"]}


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ("kind:reference", {"Wheel"}),
        ("NOT kind:reference", {"Glaze", "Kiln"}),
        ('version:"1.0" OR section:Tools', {"Glaze", "Kiln"}),
        ("(version:1.0 OR section:Tools) AND NOT section:Tools", {"Glaze"}),
        ("weight.level > 50", {"Glaze"}),
        ("weight.level:0 TO 0", {"Glaze", "Kiln", "Wheel"}),
        ("'hierarchy.lvl0':'Tools / Hot'", {"Kiln"}),
        ("unknown:facet", set()),
    ],
)
def test_filters_keep_what_meets_them(index: Index, filters: str, expected: set[str]) -> None:
    assert found(index, filters=filters) == expected


@pytest.mark.parametrize(
    ("facet_filters", "expected"),
    [
        (["kind:reference"], {"Wheel"}),
        ([["kind:reference", "section:Tools"]], {"Kiln", "Wheel"}),
        (["kind:-reference", "section:Pottery"], {"Glaze"}),
        ('["kind:reference"]', {"Wheel"}),
        ("kind:reference", {"Wheel"}),
    ],
)
def test_facet_filters_are_and_outside_or_inside(index: Index, facet_filters: Any, expected: set[str]) -> None:
    assert found(index, facetFilters=facet_filters) == expected


@pytest.mark.parametrize("broken", ["kind:", "AND", "(kind:a", "kind:a OR", "a b", "kind:a)", "NOT", "(" * 100])
def test_broken_filters_are_named(broken: str) -> None:
    with pytest.raises(ProtocolError, match="filters"):
        parse_parameters({"filters": broken})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("hitsPerPage", "many"), ("hitsPerPage", 1001), ("page", -1), ("query", 5), ("facets", {"a": 1}),
        ("attributesToSnippet", ["content:x"]), ("queryType", "prefixSome"), ("typoTolerance", "maybe"),
        ("distinct", 9), ("facetFilters", [1]), ("numericFilters", ["a"]), ("ignorePlurals", "x"), ("unheardOf", 1),
    ],
)  # fmt: skip
def test_wrong_parameters_are_named(name: str, value: Any) -> None:
    with pytest.raises(ProtocolError, match=name) as caught:
        parse_parameters({name: value})
    assert caught.value.status == 400


def test_encoded_parameters_are_read(index: Index) -> None:
    raw = decode_params("query=glaze&hitsPerPage=1&facets=%5B%22kind%22%5D&facetFilters=%5B%22kind%3Areference%22%5D")
    answer = index.answer(raw.pop("query"), **raw)
    assert (len(answer["hits"]), answer["facets"]) == (1, {"kind": {"reference": 1}})


def test_facets_may_be_one_string(index: Index) -> None:
    assert index.answer("glaze", facets="kind")["facets"]["kind"]["code"] == 1


def test_pages_follow_each_other(index: Index) -> None:
    pages = [index.found("", hitsPerPage=2, page=page) for page in range(3)]
    assert [len(page) for page in pages] == [2, 2, 0]
    assert index.found("", offset=1, length=2) == [pages[0][1], pages[1][0]]


def test_quotes_and_minus_have_a_meaning_when_asked_for(index: Index) -> None:
    assert found(index, '"is glass"', advancedSyntax=True) == {"Glaze"}
    assert found(index, '"glass is"', advancedSyntax=True) == set()
    assert found(index, "glaze -kiln", advancedSyntax=True) == {"Glaze", "Wheel"}


def test_search_can_be_restricted_to_attributes(index: Index) -> None:
    assert found(index, "wheel", restrictSearchableAttributes=["content"]) == {"Wheel"}
    assert found(index, "deep ", restrictSearchableAttributes=["content"]) == set()


def test_all_words_must_be_in_the_attributes_that_are_searched(make_index: MakeIndex) -> None:
    both = make_index({"Deep bowl": "Turn the wheel.", "Wheel": "Of a deep bowl."})
    content = {"restrictSearchableAttributes": ["content"], "removeWordsIfNoResults": "none"}
    assert both.found("deep wheel ", **content) == []
    assert both.found("deep bowl ", **content) == ["Of a deep bowl."]


def test_words_are_dropped_as_asked(index: Index) -> None:
    assert found(index, "glass unheard", removeWordsIfNoResults="none") == set()
    assert found(index, "glass unheard", removeWordsIfNoResults="lastWords") == {"Glaze"}
    assert found(index, "glass unheard", removeWordsIfNoResults="firstWords") == set()
    assert found(index, "glass unheard", optionalWords=["unheard"], removeWordsIfNoResults="none") == {"Glaze"}


def test_long_query_is_cut_and_said(index: Index) -> None:
    answer = index.answer("glaze " * 200)
    assert answer["message"] == "The query was cut to 512 characters."
    assert len(answer["query"]) == 512


def test_attributes_are_retrieved_as_asked(index: Index) -> None:
    (hit,) = index.answer("kiln fires", attributesToRetrieve=["hierarchy.lvl1", "url"], attributesToHighlight=[])[
        "hits"
    ]
    assert set(hit) == {"hierarchy", "url", "objectID", "_distinctSeqID"}
    assert hit["hierarchy"] == {"lvl1": "Kiln"}


def test_typing_mistakes_are_forgiven_as_asked(make_index: MakeIndex) -> None:
    index = make_index({"A": "porcelain", "B": "porcelane"})
    nothing_else = {"removeWordsIfNoResults": "none"}
    assert set(index.found("porcelaim", **nothing_else)) == {"porcelain"}
    assert index.found("porcelaim", typoTolerance=False, **nothing_else) == []
    assert index.found("porcelain ", typoTolerance="min", **nothing_else) == ["porcelain"]


@pytest.mark.parametrize(
    ("query_type", "expected"),
    [
        ("prefixLast", {"confi kil": 0, "kiln confi": 1}),
        ("prefixAll", {"confi kil": 1}),
        ("prefixNone", {"kiln confi": 0}),
    ],
)
def test_words_may_be_unfinished_as_asked(make_index: MakeIndex, query_type: str, expected: dict[str, int]) -> None:
    index = make_index({"A": "Kiln configuration."})
    given = {"queryType": query_type, "removeWordsIfNoResults": "none"}
    assert {query: len(index.found(query, **given)) for query in expected} == expected


def test_other_forms_count_as_asked(make_index: MakeIndex) -> None:
    index = make_index({"A": "Two glazes."})
    assert index.found("glaze ", typoTolerance=False) == ["Two glazes."]
    assert index.found("glaze ", typoTolerance=False, ignorePlurals=False) == []


@pytest.mark.parametrize(
    ("numeric", "expected"),
    [
        (["weight.level>50"], {"Glaze"}),
        ([["weight.level>50", "weight.position=1"]], {"Glaze", "Kiln"}),
        ("weight.position:0 TO 0", {"Glaze"}),
        (["weight.level!=100", "weight.level!=0"], set()),
    ],
)
def test_numeric_filters_keep_what_meets_them(index: Index, numeric: Any, expected: set[str]) -> None:
    assert found(index, numericFilters=numeric) == expected


def test_optional_filters_lift_hits(index: Index) -> None:
    (first, *_) = index.answer("glaze", optionalFilters=["section:Tools"])["hits"]
    assert first["section"] == "Tools"


def test_ranking_is_explained_when_asked(index: Index) -> None:
    (hit, *_) = index.answer("glase fires", getRankingInfo=True)["hits"]
    info = hit["_rankingInfo"]
    assert (info["nbTypos"], info["words"]) == (1, 2)


def test_facet_values_are_limited_as_asked(index: Index) -> None:
    assert len(index.answer("", facets=["section"], maxValuesPerFacet=1)["facets"]["section"]) == 1


def test_ellipsis_is_the_one_asked_for(index: Index) -> None:
    (hit,) = index.answer("kiln fires", attributesToSnippet=["content:2"], snippetEllipsisText="[more]")["hits"]
    assert "[more]" in hit["_snippetResult"]["content"].value


def test_attributes_without_a_match_are_left_out_when_asked(index: Index) -> None:
    (hit,) = index.answer("kiln fires", restrictHighlightAndSnippetArrays=True)["hits"]
    assert "lvl0" not in hit["_highlightResult"].get("hierarchy", {})


def test_hits_of_a_phrase_are_estimated_where_too_many_records_hold_its_words(make_index: MakeIndex) -> None:
    pages = {f"Page {number}": "Kiln door." if number % 10 == 0 else "Door of a kiln." for number in range(1200)}
    answer = make_index(pages).answer('"kiln door"', advancedSyntax=True, facets=["kind"])
    assert not answer["exhaustiveNbHits"]
    assert not answer["exhaustiveFacetsCount"]
    assert 100 <= answer["nbHits"] <= 150
    assert {hit["content"] for hit in answer["hits"]} == {"Kiln door."}


@pytest.mark.parametrize("value", [False, "false"])
def test_small_words_are_needed_where_a_client_says_so(index: Index, value: object) -> None:
    asked = {"query": "the glaze", "removeWordsIfNoResults": "none"}
    assert found(index, **asked) == {"Glaze", "Kiln", "Wheel"}
    assert (
        found(index, **asked, removeStopWords=["en"])
        == found(index, **asked, removeStopWords=True)
        == found(index, **asked)
    )
    assert found(index, **asked, removeStopWords=value) == {"Kiln"}


@pytest.mark.parametrize("name", ["removeStopWords", "ignorePlurals"])
def test_switch_is_a_boolean_or_a_list_of_languages(name: str) -> None:
    for value in ("perhaps", 3, [1]):
        with pytest.raises(ProtocolError, match=name):
            parse_parameters({name: value})


DEEP = "[" * 50_000
"""Text that begins like JSON and is nested too deeply to be read."""


@pytest.mark.parametrize(
    "name",
    [
        "hitsPerPage", "page", "offset", "distinct", "typoTolerance", "ignorePlurals", "removeStopWords",
        "facetFilters", "numericFilters", "optionalFilters", "analytics", "mode", "tagFilters", "minProximity",
        "advancedSyntaxFeatures", "minWordSizefor1Typo", "getRankingInfo",
    ],
)  # fmt: skip
def test_deep_text_is_a_wrong_value(name: str) -> None:
    with pytest.raises(ProtocolError, match=name) as refused:
        parse_parameters({name: DEEP})
    assert refused.value.status == 400


@pytest.mark.parametrize("name", ["facets", "attributesToSnippet", "optionalWords"])
def test_deep_text_is_a_name_that_nothing_has(index: Index, name: str) -> None:
    assert found(index, **{name: DEEP}) == {"Glaze", "Kiln", "Wheel"}


def test_too_many_encoded_parameters_are_an_error_of_the_client() -> None:
    with pytest.raises(ProtocolError, match="200 parameters") as refused:
        decode_params("&".join(f"a{number}=1" for number in range(300)))
    assert refused.value.status == 400


@pytest.mark.parametrize(
    ("wishes", "first"),
    [
        (["section:Tools<score=2>", "kind:reference"], "Kiln"),
        (["section:Tools", "kind:reference<score=2>"], "Wheel"),
        ([["section:Tools<score=3>", "kind:reference<score=4>"]], "Wheel"),
        (["kind:-reference<score=2>", "kind:reference"], "Glaze"),
        (["section:Tools<score=0>", "kind:reference"], "Wheel"),
    ],
)
def test_scores_weigh_optional_filters(index: Index, wishes: list[Any], first: str) -> None:
    assert index.answer("glaze", optionalFilters=wishes)["hits"][0]["hierarchy"]["lvl1"] == first


@pytest.mark.parametrize("score", ["", "many", "-1", "1.5", "1000000", "٣"])
def test_scores_are_whole_numbers(score: str) -> None:
    with pytest.raises(ProtocolError, match="optionalFilters") as refused:
        parse_parameters({"optionalFilters": [f"kind:guide<score={score}>"]})
    assert refused.value.status == 400


@pytest.mark.parametrize(
    ("name", "value"), [("filters", "kind:guide<score=2>"), ("facetFilters", ["kind:guide<score=2>"])]
)
def test_scores_elsewhere_are_refused(name: str, value: object) -> None:
    with pytest.raises(ProtocolError, match=f"{name}: scores"):
        parse_parameters({name: value})


def test_nothing_is_given_beyond_the_hits_that_paging_reaches(make_index: MakeIndex) -> None:
    index = make_index({f"Page {number}": "Door of a kiln.\n## Door\nKiln." for number in range(700)})
    answers = [index.answer("door", distinct=0, hitsPerPage=7, page=page) for page in (141, 142, 143, 144)]
    assert [len(answer["hits"]) for answer in answers] == [7, 6, 0, 0]
    assert {answer["nbPages"] for answer in answers} == {143}
    assert len(index.answer("door", distinct=0, offset=995, length=20)["hits"]) == 5
