"""How much of a page schemas and examples take, and how they are shared out among pages."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from octavo.reference.api_views import Fact, FieldView, NamedLink, SchemaPart, SchemaView
from octavo.reference.openapi import layout
from octavo.reference.openapi.bounds import parts, weights
from octavo.reference.openapi.bounds.parts import cut_out, find_field, find_large_fields
from octavo.reference.openapi.bounds.weights import PAGE, weigh_example, weigh_field, weigh_view
from octavo.reference.openapi.layout import group_schemas, is_large_tag
from octavo.reference.openapi.operation import Operation
from tests.support.each import each

OPERATION = Operation(
    id="a",
    anchor="operation/a",
    method="GET",
    path="/a",
    pointer=("paths",),
    tags=[],
    data={},
    parameters=[],
    servers=[],
)


def field(name: str, body: SchemaView | None = None, anchor: str | None = None) -> FieldView:
    own = f"schema/A/{name}" if anchor is None else anchor
    return FieldView(name=name, anchor=own, href=f"#{own}", is_required=False, body=body or SchemaView())


@each(
    "view, weight",
    [
        (SchemaView(), 75),
        (SchemaView(html="<p>a</p>"), 83),
        (SchemaView(facts=[Fact(label="at", value="12"), Fact(label="a", value="1")]), 75 + 45 + 4 + 45 + 2),
        (SchemaView(values=["a", "bcd"]), 75 + 15 + 1 + 15 + 3),
        (SchemaView(link=NamedLink(label="Kiln", href="#schema/Kiln")), 75 + 4 + 12),
        (SchemaView(fields=[field("ab", SchemaView(html="12345"), "a/b")]), 75 + 190 + 2 * 3 + 2 + 75 + 5),
        (SchemaView(parts=[SchemaPart(label="All", html="123", schemas=[SchemaView()])]), 75 + 110 + 3 + 3 + 75 + 75),
        (SchemaView(type="object", flags=["deprecated"], inside="#a"), 75),
    ],
)
def test_weight_of_a_schema(view: SchemaView, weight: int) -> None:
    assert weigh_view(view) == weight


def test_weight_of_a_field_and_of_an_example() -> None:
    assert weigh_field(10, 3, 100) == 190 + 20 + 3 + 100
    assert [weigh_example(text) for text in ("", "{}", "{\n1\n}")] == [50, 52, 5 + 3 * 50]


@each(
    "loads, expected",
    [
        ([PAGE * 2], False),
        ([PAGE // 2, PAGE // 2], False),
        ([PAGE // 2, PAGE // 2 + 1], True),
        ([1] * 12, False),
        ([1] * 13, True),
        ([], False),
    ],
)
def test_tag_is_large_where_it_has_many_operations_or_heavy_ones(loads: list[int], expected: bool) -> None:
    operations = [msgspec.structs.replace(OPERATION, id=str(number)) for number in range(len(loads))]
    assert is_large_tag(operations, lambda one: loads[int(one.id)]) is expected


@each(
    "sizes, groups",
    [
        ({}, {}),
        ({"B": PAGE, "A": 0}, {"": ["B", "A"]}),
        ({"B": PAGE, "A": 1}, {"b": ["B"], "a": ["A"]}),
        # What no letter sets apart is kept together; a name that begins the others has a page of its own.
        ({"Ab": PAGE, "AB": 1, "C": 1}, {"a": ["Ab", "AB"], "c": ["C"]}),
        ({"A": PAGE, "Ab": PAGE, "Ac": 2}, {"a": ["A"], "ab": ["Ab"], "ac": ["Ac"]}),
        ({"Ab": 3, "B": 5, "Ac": PAGE, "Aca": 1}, {"ab": ["Ab"], "ac": ["Ac"], "aca": ["Aca"], "b": ["B"]}),
    ],
)
def test_schemas_share_pages_by_how_their_names_begin(sizes: dict[str, int], groups: dict[str, list[str]]) -> None:
    assert group_schemas(sizes) == groups


def test_schemas_that_are_many_share_pages() -> None:
    assert list(group_schemas({f"A{number}": 1 for number in range(60)})) == [""]
    found = group_schemas({f"A{number}": 1 for number in range(61)})
    assert {key: len(names) for key, names in found.items()} == {f"a{digit}": 11 for digit in range(1, 6)} | {
        "a0": 1,
        "a6": 2,
        "a7": 1,
        "a8": 1,
        "a9": 1,
    }
    assert group_schemas({f"A{number}": 1 for number in range(40)} | {f"B{number}": 1 for number in range(21)}) == {
        "a": [f"A{number}" for number in range(40)],
        "b": [f"B{number}" for number in range(21)],
    }


def heavy(count: int) -> SchemaView:
    return SchemaView(html="x" * count)


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "CARD", 2_000)


@pytest.mark.usefixtures("card")
class TestLargeFields:
    def test_schema_that_fits_is_left_whole(self) -> None:
        room = 2_000 - weigh_view(SchemaView(fields=[field("a", SchemaView())]))
        assert find_large_fields(SchemaView(fields=[field("a", heavy(room))])) == []
        assert find_large_fields(SchemaView(fields=[field("a", heavy(room + 1))])) == ["schema/A/a"]

    def test_heaviest_fields_go_first_and_no_more_than_needed(self) -> None:
        view = SchemaView(fields=[field("a", heavy(300)), field("b", heavy(900)), field("c", heavy(600))])
        assert find_large_fields(view) == ["schema/A/b"]
        larger = SchemaView(fields=[*view.fields, field("d", heavy(600))])
        assert find_large_fields(larger) == ["schema/A/b", "schema/A/c"]

    def test_fields_of_alternatives_are_cut_out_as_well(self) -> None:
        inner = SchemaView(fields=[field("x", heavy(2_000))])
        view = SchemaView(parts=[SchemaPart(label="One of", schemas=[inner, SchemaView()])])
        assert find_large_fields(view) == ["schema/A/x"]

    def test_field_within_a_field_is_cut_out_where_that_is_too_large_itself(self) -> None:
        inner = SchemaView(fields=[field("b/x", heavy(1_900)), field("b/y", heavy(200))])
        assert find_large_fields(SchemaView(fields=[field("b", inner), field("c")])) == ["schema/A/b/x"]

    def test_field_without_an_id_stays(self) -> None:
        assert find_large_fields(SchemaView(fields=[field("a", heavy(5_000), anchor="")])) == []


def test_field_is_found_by_its_id_at_any_depth() -> None:
    deep = field("b/x")
    view = SchemaView(
        parts=[SchemaPart(label="", schemas=[SchemaView(fields=[field("b", SchemaView(fields=[deep]))])])]
    )
    assert find_field(view, "schema/A/b/x") is deep
    with pytest.raises(StopIteration):
        find_field(view, "schema/A/c")


def test_what_has_a_page_of_its_own_is_left_out_but_for_a_few_values() -> None:
    def address_of(anchor: str) -> str:
        return f"/page#{anchor}" if anchor.endswith(("a", "x")) else ""

    inner = SchemaView(fields=[field("b/x", SchemaView(type="object", fields=[field("z")], values=["1"] * 20))])
    whole = SchemaView(
        fields=[
            field("a", SchemaView(html="<p>A</p>", parts=[SchemaPart(label="", schemas=[])], values=["1"] * 21)),
            field("b", inner),
            field("c", SchemaView(fields=[field("n", SchemaView(values=["1"]), anchor="")])),
        ]
    )
    shown: dict[str, Any] = {one.name: one.body for one in cut_out(whole, address_of).fields}
    assert shown["a"] == SchemaView(html="<p>A</p>", inside="/page#schema/A/a")
    assert shown["b"].fields[0].body == SchemaView(type="object", values=["1"] * 20, inside="/page#schema/A/b/x")
    assert shown["c"] == whole.fields[2].body


def test_bounds_leave_room_for_what_every_page_has() -> None:
    assert weights.CARD + weights.EXAMPLE < weights.PAGE
    assert layout.PAGE == PAGE
