"""Searching in the values of a facet: what is typed begins one of their words, and is marked in them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.tests.unit.search.conftest import Index, MakeIndex, records
from octavo.search.errors import ProtocolError
from octavo.search.protocol.facets import search_facet
from octavo.search.protocol.secured_keys import Key

SECTIONS = ["Firing clay", "Fired <b>pots</b>", "Glaze fire", "Backfire", "Töpfern", "Firing clay"]


@pytest.fixture
def index(make_index: MakeIndex) -> Index:
    return make_index([records(f"Page {number}", section=section) for number, section in enumerate(SECTIONS)])


def values(index: Index, typed: str, **raw: Any) -> list[tuple[str, str, int]]:
    answer: Any = search_facet(index.engine, "section", {"facetQuery": typed, **raw}, Key())
    return [(hit["value"], hit["highlighted"], hit["count"]) for hit in answer["facetHits"]]


def test_value_is_found_by_the_beginning_of_any_of_its_words(index: Index) -> None:
    assert values(index, "fir") == [
        ("Firing clay", "<em>Fir</em>ing clay", 2),
        ("Fired <b>pots</b>", "<em>Fir</em>ed &lt;b&gt;pots&lt;/b&gt;", 1),
        ("Glaze fire", "Glaze <em>fir</em>e", 1),
    ]
    assert values(index, "topf") == [("Töpfern", "<em>Töpf</em>ern", 1)]
    assert values(index, "ire") == []


def test_without_words_the_most_frequent_values_come_first_unmarked(index: Index) -> None:
    found = values(index, "")
    assert found[0] == ("Firing clay", "Firing clay", 2)
    assert {count for _, _, count in found[1:]} == {1}
    assert len(found) == 5
    assert values(index, "", maxFacetHits=2) == found[:2]


def test_other_parameters_choose_the_records_that_are_counted(index: Index) -> None:
    assert values(index, "fir", filters='section:"Glaze fire"') == [("Glaze fire", "Glaze <em>fir</em>e", 1)]
    marked = values(index, "back", highlightPreTag="<i>", highlightPostTag="</i>")
    assert marked == [("Backfire", "<i>Back</i>fire", 1)]


def test_answer_says_that_the_counts_are_exact(index: Index) -> None:
    assert search_facet(index.engine, "section", {}, Key())["exhaustiveFacetsCount"] is True


@pytest.mark.parametrize(
    ("facet", "raw", "message"),
    [
        ("title", {}, "Cannot search in attribute `title`"),
        ("section", {"facetQuery": 7}, 'Invalid value for "facetQuery" parameter, expected a string'),
        (
            "section",
            {"maxFacetHits": 0},
            'Invalid value for "maxFacetHits" parameter, expected an integer from 1 to 100',
        ),
        (
            "section",
            {"maxFacetHits": 101},
            'Invalid value for "maxFacetHits" parameter, expected an integer from 1 to 100',
        ),
        (
            "section",
            {"maxFacetHits": True},
            'Invalid value for "maxFacetHits" parameter, expected an integer from 1 to 100',
        ),
        (
            "section",
            {"maxFacetHits": "three"},
            'Invalid value for "maxFacetHits" parameter, expected an integer from 1 to 100',
        ),
    ],
)
def test_wrong_request_is_refused(index: Index, facet: str, raw: dict[str, Any], message: str) -> None:
    with pytest.raises(ProtocolError, match=message) as error:
        search_facet(index.engine, facet, raw, Key())
    assert error.value.status == 400


def test_encoded_request_limits_its_values(index: Index) -> None:
    assert len(search_facet(index.engine, "section", {"maxFacetHits": "1"}, Key())["facetHits"]) == 1  # type: ignore[arg-type]
