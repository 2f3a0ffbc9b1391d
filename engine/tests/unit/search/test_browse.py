"""Browsing: every record comes once, in parts whose cursors lead from one to the next."""

from __future__ import annotations

import base64
from typing import Any

import msgspec
import pytest

from engine.tests.unit.search.conftest import Index, MakeIndex
from octavo.search.errors import ProtocolError
from octavo.search.protocol.browse import browse
from octavo.search.query.parameters import parse_parameters


@pytest.fixture
def index(make_index: MakeIndex) -> Index:
    return make_index({f"Kiln {number}": "Fires clay." if number % 2 else "Dries clay." for number in range(5)})


def part(index: Index, cursor: object = None, **raw: Any) -> dict[str, Any]:
    return browse(index.engine, parse_parameters(raw), raw, cursor)


def read_all(index: Index, **raw: Any) -> list[list[str]]:
    """Follow the cursors, and give the ids of each part."""
    answer = part(index, **raw)
    parts = [answer]
    while "cursor" in answer:
        answer = part(index, answer["cursor"], **raw)
        parts.append(answer)
    return [[hit["objectID"] for hit in one["hits"]] for one in parts]


def test_all_records_come_once_in_parts_of_the_size_that_is_asked_for(index: Index) -> None:
    parts = read_all(index, hitsPerPage=4)
    assert [len(one) for one in parts] == [4, 4, 2]
    ids = [record for one in parts for record in one]
    assert len(set(ids)) == 10
    assert read_all(index) == [ids]


def test_part_says_where_it_is(index: Index) -> None:
    first = part(index, hitsPerPage=4)
    second = part(index, first["cursor"], hitsPerPage=4)
    shown = ("page", "nbHits", "nbPages", "hitsPerPage", "query")
    assert [first[name] for name in shown] == [0, 10, 3, 4, ""]
    assert [second[name] for name in shown] == [1, 10, 3, 4, ""]
    assert part(index, hitsPerPage=4, page=1)["hits"] == second["hits"]
    assert "cursor" not in part(index, hitsPerPage=10)


def test_words_and_filters_choose_the_records(index: Index) -> None:
    found = read_all(index, query="dries", hitsPerPage=2)
    assert [len(one) for one in found] == [2, 1]
    assert len({record for one in found for record in one}) == 3
    assert part(index, filters="type:lvl1")["nbHits"] == 5
    assert part(index, filters="type:lvl2")["hits"] == []


def test_no_size_gives_no_records_and_no_cursor(index: Index) -> None:
    answer = part(index, hitsPerPage=0)
    assert (answer["hits"], answer["page"], answer["nbPages"]) == ([], 0, 0)
    assert "cursor" not in answer


def written(*cursor: int) -> str:
    return base64.urlsafe_b64encode(msgspec.msgpack.encode(cursor)).decode()


@pytest.mark.parametrize(
    ("cursor", "message"),
    [
        (7, 'Invalid value for "cursor" parameter, expected a string'),
        ("?", 'Invalid value for "cursor" parameter, expected the cursor of an answer before'),
        ("a", 'Invalid value for "cursor" parameter, expected the cursor of an answer before'),
        (written(2), 'Invalid value for "cursor" parameter, expected the cursor of an answer before'),
        (written(2, 9), "The index has been replaced since this cursor was given; begin again"),
        (written(-1, 10), "The index has been replaced since this cursor was given; begin again"),
    ],
)
def test_cursor_of_no_answer_is_refused(index: Index, cursor: object, message: str) -> None:
    with pytest.raises(ProtocolError, match=message) as error:
        part(index, cursor)
    assert error.value.status == 400
