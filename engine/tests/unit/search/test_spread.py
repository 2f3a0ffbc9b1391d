from __future__ import annotations

import pytest

from engine.tests.unit.search.conftest import MakeIndex, records
from octavo.search.ranking.rank import Rank
from octavo.search.ranking.spread import HitPlace, spread


def place(page: str, *, typo: int = 0, attribute: int = 100, is_generated: bool = False) -> HitPlace:
    rank = Rank(
        missing=0,
        identifiers=0,
        typo=typo,
        words=-1,
        filters=0,
        is_last=0,
        proximity=0,
        attribute=attribute,
        exact=0,
        adjacency=0,
        custom=(0, 0, 0, 0),
    )
    return HitPlace(rank, page, is_generated)


def test_fifth_hit_of_a_page_stands_behind_other_pages() -> None:
    assert spread([*[place("a")] * 6, place("b")]) == [0, 1, 2, 3, 6, 4, 5]


def test_better_match_stays_above_whatever_page_it_is_of() -> None:
    assert spread([*[place("a")] * 6, place("b", typo=1)]) == [0, 1, 2, 3, 4, 5, 6]


def test_guide_stands_after_three_hits_of_generated_reference() -> None:
    generated = [place(f"api-{number}", is_generated=True) for number in range(7)]
    assert spread([*generated, place("guide"), place("other")]) == [0, 1, 2, 7, 3, 4, 5, 8, 6]


def test_guide_whose_heading_answers_leads() -> None:
    generated = [place(f"api-{number}", attribute=2, is_generated=True) for number in range(5)]
    assert spread([*generated, place("guide", attribute=41)])[:2] == [5, 0]


def test_title_that_is_the_query_stays_before_a_guide() -> None:
    assert spread([place("api", attribute=0, is_generated=True), place("guide", attribute=1)]) == [0, 1]


def test_reference_alone_keeps_its_order() -> None:
    assert spread([place(f"api-{number}", is_generated=True) for number in range(9)]) == list(range(9))


def test_nothing_is_lost_or_doubled() -> None:
    places = [place(f"page-{number % 3}", is_generated=number % 2 == 0) for number in range(40)]
    assert sorted(spread(places)) == list(range(40))


@pytest.mark.parametrize("size", [30, 300])
def test_guide_is_among_the_first_hits_beside_a_large_reference(make_index: MakeIndex, size: int) -> None:
    operations = [records(f"Kiln operation {number}", kind="api") for number in range(size)]
    index = make_index([*operations, records("Firing", "Warm the kiln first.")])
    assert "Warm the kiln first." in index.found("kiln")[:5]


def test_pages_of_hits_hold_each_hit_once(make_index: MakeIndex) -> None:
    pages = [
        records(f"Kiln {number}", "The kiln.\n## Door\nOpen the kiln.\n## Heat\nOf a kiln.", kind=kind)
        for number in range(60)
        for kind in ("guide" if number % 3 else "api",)
    ]
    index = make_index(pages)
    read = [hit["objectID"] for page in range(9) for hit in index.answer("kiln", page=page)["hits"]]
    assert len(read) == len(set(read)) == 180


def test_text_of_a_guide_precedes_code_in_which_words_are_nearer(make_index: MakeIndex) -> None:
    examples = [records(f"Example {number}", "    warm kiln") for number in range(12)]
    text = "Warm the clay on the wheel in the yard behind the house where our teacher has a kiln."
    index = make_index([*examples, records("Firing", text)])
    assert [hit["kind"] for hit in index.answer("warm kiln")["hits"]][:3] == ["guide", "code", "code"]
