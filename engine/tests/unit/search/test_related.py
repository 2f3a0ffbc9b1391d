from __future__ import annotations

from typing import Any

import pytest

from engine.tests.unit.search.conftest import Index, MakeIndex
from octavo.search.errors import ProtocolError
from octavo.search.protocol.related import related_pages


def ask(index: Index, query: str, **asked: Any) -> dict[str, Any]:
    """Ask for pages that are like the first hit of a query."""
    page = index.answer(query)["hits"][0]["objectID"]
    return related_pages(index.engine, {"model": "related-products", "objectID": page} | asked)


def titles(answer: dict[str, Any]) -> set[str]:
    return {hit["hierarchy"]["lvl1"] for hit in answer["hits"]}


@pytest.mark.parametrize("most", [1, 3])
def test_no_more_pages_are_given_than_are_asked_for(make_index: MakeIndex, most: int) -> None:
    index = make_index({f"Kiln {number}": "Fires clay." for number in range(6)})
    answer = ask(index, "kiln 1", maxRecommendations=most)
    assert answer["nbHits"] == most
    assert answer["hitsPerPage"] == most


@pytest.mark.parametrize("section", ["", "\n## Draft of air\nOpen the damper."])
def test_page_is_not_among_those_that_are_like_it(make_index: MakeIndex, section: str) -> None:
    index = make_index({f"Kiln {number}": f"Fires clay.{section}" for number in range(3)})
    assert titles(ask(index, "kiln 1")) == {"Kiln 0", "Kiln 2"}


def test_pages_are_like_the_page_of_a_section(make_index: MakeIndex) -> None:
    pages = {f"Kiln {name}": f"Fires clay.\n## Chimney {name}\nDraws smoke." for name in ("red", "blue", "green")}
    index = make_index(pages)
    section = next(hit for hit in index.answer("chimney red")["hits"] if hit["type"] != "lvl1")
    answer = related_pages(index.engine, {"model": "related-products", "objectID": section["objectID"]})
    assert titles(answer) == {"Kiln blue", "Kiln green"}
    assert {hit["type"] for hit in answer["hits"]} == {"lvl1"}


def test_only_pages_that_the_filters_leave_are_given(make_index: MakeIndex) -> None:
    index = make_index({f"Kiln {number}": "Fires clay." for number in range(3)})
    assert titles(ask(index, "kiln 1", queryParameters={"filters": "kind:guide"})) == {"Kiln 0", "Kiln 2"}
    assert titles(ask(index, "kiln 1", queryParameters={"filters": "kind:api"})) == set()


def test_fields_are_those_that_are_asked_for_with_falling_scores(make_index: MakeIndex) -> None:
    index = make_index({f"Kiln {number}": "Fires clay." for number in range(4)})
    hits = ask(index, "kiln 1", queryParameters={"attributesToRetrieve": ["url"]})["hits"]
    assert {frozenset(hit) for hit in hits} == {frozenset({"url", "objectID", "_score"})}
    scores = [hit["_score"] for hit in hits]
    assert scores == [100.0, 90.91, 83.33]


@pytest.mark.parametrize("model", ["trending-items", "trending-facets"])
def test_nothing_is_known_of_trends(make_index: MakeIndex, model: str) -> None:
    index = make_index({"Kiln": "Fires clay.", "Oven": "Fires clay."})
    answer = ask(index, "kiln", model=model)
    assert (answer["hits"], answer["nbHits"], answer["hitsPerPage"]) == ([], 0, 10)


@pytest.mark.parametrize(
    ("asked", "status", "named"),
    [
        ({"model": "likes"}, 400, "model"),
        ({"maxRecommendations": 31}, 400, "maxRecommendations"),
        ({"maxRecommendations": True}, 400, "maxRecommendations"),
        ({"maxRecommendations": -1}, 400, "maxRecommendations"),
        ({"maxRecommendations": "3"}, 400, "maxRecommendations"),
        ({"queryParameters": ["filters"]}, 400, "queryParameters"),
        ({"objectID": 7}, 400, "objectID"),
        ({"objectID": "nowhere"}, 404, "ObjectID does not exist"),
    ],
)
def test_wrong_request_is_refused(make_index: MakeIndex, asked: dict[str, Any], status: int, named: str) -> None:
    index = make_index({"Kiln": "Fires clay."})
    with pytest.raises(ProtocolError, match=named) as error:
        ask(index, "kiln", **asked)
    assert error.value.status == status
