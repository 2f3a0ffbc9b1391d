"""Numbers of hits and of facet values: exact up to 1,000 matches, whichever page of hits is read."""

from __future__ import annotations

import pytest

from engine.tests.unit.search.conftest import MakeIndex, records

PAGES = [
    records(f"Kiln {number}", "The kiln.\nA kiln.\n## Door\nOf the kiln.\nKiln again.", kind=kind)
    for number in range(60)
    for kind in ("guide" if number % 3 else "api",)
]


def test_count_is_the_same_on_every_page_and_no_page_is_empty(make_index: MakeIndex) -> None:
    index = make_index(PAGES)
    answers = [index.answer("kiln", page=page) for page in range(6)]
    assert {(answer["nbHits"], answer["nbPages"], answer["exhaustiveNbHits"]) for answer in answers} == {(120, 6, True)}
    assert [len(answer["hits"]) for answer in answers] == [20] * 6


def test_facets_count_hits_and_what_their_filter_finds(make_index: MakeIndex) -> None:
    index = make_index(PAGES)
    answer = index.answer("kiln", facets=["kind"], hitsPerPage=0)
    assert answer["facets"] == {"kind": {"guide": 80, "api": 40}}
    assert answer["exhaustiveFacetsCount"] is True
    assert index.answer("kiln", filters="kind:guide")["nbHits"] == 80


def test_records_are_counted_where_addresses_may_repeat(make_index: MakeIndex) -> None:
    index = make_index(PAGES)
    answer = index.answer("kiln", distinct=False, facets=["kind"], hitsPerPage=0)
    assert answer["nbHits"] == 360
    assert answer["facets"]["kind"] == {"guide": 240, "api": 120}


@pytest.mark.costly
def test_above_1000_matches_the_count_is_said_to_be_an_estimate(make_index: MakeIndex) -> None:
    pages = [records(f"Kiln {number}", "The kiln.\nA kiln.") for number in range(600)]
    index = make_index(pages)
    answer = index.answer("kiln")
    assert answer["exhaustiveNbHits"] is False
    last = index.answer("kiln", page=answer["nbPages"] - 1)
    assert last["hits"]
    assert answer["nbHits"] >= 20 * (answer["nbPages"] - 1)


def test_above_1000_matches_records_are_counted_by_each_facet(make_index: MakeIndex) -> None:
    pages = [
        records(f"Kiln {number}", "The kiln.\nA kiln.", kind=kind, language=language)
        for number in range(400)
        for kind, language in [("guide" if number % 4 else "api", "en" if number % 2 else "de")]
    ]
    answer = make_index(pages).answer("kiln", facets=["kind", "language", "version"], hitsPerPage=0)
    assert answer["exhaustiveFacetsCount"] is False
    assert answer["facets"] == {
        "kind": {"guide": 900, "api": 300},
        "language": {"de": 600, "en": 600},
        "version": {"current": 1200},
    }


@pytest.mark.parametrize(
    ("filters", "kilns"),
    [
        ("language:en", {"A", "B"}),
        ("language:en OR language:de", {"A", "B", "C"}),
        ("NOT language:fr", {"A", "B", "C"}),
        ("NOT language:de", {"A", "B"}),
        ("version:current AND kind:api", {"B"}),
        ("version:current AND weight.level>=0", {"A", "B", "C"}),
        ("version:current AND (language:fr OR NOT kind:api)", {"A", "C"}),
        ("nothing:of-the-kind", set[str]()),
        ("NOT nothing:of-the-kind", {"A", "B", "C"}),
        ("language:''", set[str]()),
    ],
)
def test_filters_that_leave_out_nothing_and_those_that_do_find_what_they_say(
    filters: str, kilns: set[str], make_index: MakeIndex
) -> None:
    """Twice: the second search takes from the cache whether all records meet the filter."""
    index = make_index(
        [records("Kiln A"), records("Kiln B", kind="api"), records("Kiln C", language="de")],
    )
    for query in ("kiln", "kilns"):
        found = index.answer(query, filters=filters)["hits"]
        assert {hit["hierarchy"]["lvl1"][-1] for hit in found} == kilns


def test_partial_matches_are_counted_on_each_page_or_on_none(make_index: MakeIndex) -> None:
    """So many full matches of so few pages that the first page of hits does not look at all of them."""
    full = [
        records(f"Kiln {number}", "\n".join(f"## Door {part}\nOf a kiln." for part in range(12))) for number in range(6)
    ]
    index = make_index([*full, *[records(f"Wheel {number}", "A door.") for number in range(20)]])
    sizes = (0, 1, 5, 20, 30, 60, 1000)
    answers = [index.answer("kiln door", hitsPerPage=size, page=page) for size in sizes for page in (0, 1, 3)]
    assert len({answer["nbHits"] for answer in answers}) == 1
    hits = [hit["objectID"] for page in range(10) for hit in index.answer("kiln door", page=page)["hits"]]
    assert len(set(hits)) == len(hits) == answers[0]["nbHits"]
