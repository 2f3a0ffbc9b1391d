"""What further matching records of a page add to each match of it."""

from __future__ import annotations

from engine.tests.unit.search.conftest import MakeIndex
from octavo.search.query.parameters import parse_parameters
from octavo.search.ranking.rank import Rank
from octavo.search.ranking.worth import SUPPORT, supported

RANK = Rank(3000, 1, 0, -2, 0, 0, 1, 100, -2, 1, (0, 0, 0, 0))


def test_match_is_worth_more_the_more_records_of_its_page_match() -> None:
    order = [supported(RANK, records).missing for records in range(1, len(SUPPORT) + 1)]
    assert order[0] == RANK.missing
    assert order == sorted(set(order), reverse=True)


def test_match_that_is_not_counted_or_has_more_records_than_the_table_stays_within_it() -> None:
    assert supported(RANK, 0) == RANK
    assert supported(RANK, 99) == supported(RANK, len(SUPPORT))


def test_match_never_becomes_a_full_match_of_another_query() -> None:
    assert supported(RANK._replace(missing=5), 4).missing == 1


def test_match_beside_others_of_its_page_is_worth_more_than_alone(make_index: MakeIndex) -> None:
    beside = {"Glaze": "It drips in the cold.\nA shelf drips.\nThe cold comes in."}
    index = make_index(
        beside | {"Wax": "It drips in the cold."} | {f"Shed {number}": "A door." for number in range(30)}
    )
    found = index.engine.search(parse_parameters({"query": "drips cold door"})).ranked
    titles = [
        hit.candidate.record.hierarchy[1] for hit in found if hit.candidate.record.content == "It drips in the cold."
    ]
    assert titles == ["Glaze", "Wax"]
