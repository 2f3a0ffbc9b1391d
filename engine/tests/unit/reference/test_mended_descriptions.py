"""Descriptions in which something is wrong: what is said of it, and what of the rest is drawn."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from octavo.reference.openapi import Problem, check_description, read_what_is_right, write_pointer

RIGHT: dict[str, Any] = {"description": "All"}


def described(version: str = "3.0.3", **parts: Any) -> dict[str, Any]:
    operation = {
        "parameters": [
            {"name": "size", "in": "query", "schema": {"type": "integer"}},
            {"name": "heat", "in": "query", "schema": {"$ref": "#/components/schemas/Heat"}},
        ],
        "responses": {"200": copy.deepcopy(RIGHT)},
    }
    root = {
        "openapi": version,
        "info": {"title": "Kilns", "version": "1"},
        "paths": {"/kilns": {"get": operation}},
        "components": {"schemas": {"Heat": {"type": "integer"}}},
    }
    return {**root, **parts}


def put(root: dict[str, Any], pointer: str, value: Any) -> dict[str, Any]:
    """Put a value to the place of a pointer."""
    *keys, last = [key.replace("~1", "/") for key in pointer.split("/")]
    holder: Any = root
    for key in keys:
        holder = holder[int(key)] if isinstance(holder, list) else holder[key]
    if isinstance(holder, list):
        holder.insert(int(last), value)
    else:
        holder[last] = value
    return root


def said(problems: list[Problem]) -> list[tuple[str, str]]:
    return [(write_pointer(problem.pointer), problem.message) for problem in problems]


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
def test_nothing_is_wrong_with_a_right_description(version: str) -> None:
    root, problems = read_what_is_right(described(version))
    assert (root, problems) == (described(version), [])


@pytest.mark.parametrize(
    ("pointer", "value", "place", "message"),
    [
        ("team", "wind", "#", 'OpenAPI does not know "team" here.'),
        ("info/description", 5, "#/info/description", "5 is a number, not text."),
        ("paths/~1kilns/get/parameters/0", {"in": "query"}, "#/paths/~1kilns/get/parameters/0", '"name" is missing.'),
        (
            "paths/~1kilns/get/parameters/1/schema",
            {"properties": {"a": {"type": "string", "readOnly": "yes"}}},
            "#/paths/~1kilns/get/parameters/1/schema/properties/a/readOnly",
            '"yes" is text, not true or false.',
        ),
        (
            "components/schemas/Heat/items",
            {"$ref": "#/components/schemas/Heet"},
            "#/components/schemas/Heat/items/$ref",
            '"$ref" "#/components/schemas/Heet" leads nowhere.',
        ),
    ],
)  # fmt: skip
def test_mistake_is_said_at_its_own_place_and_taken_out(pointer: str, value: Any, place: str, message: str) -> None:
    given = put(described(), pointer, value)
    first = said(check_description(given))
    root, problems = read_what_is_right(given)
    assert (place, message) in first
    assert said(problems) == first
    assert check_description(root) == []
    assert root["paths"]["/kilns"]["get"]["parameters"][-1]["name"] == "heat"


def test_item_that_is_taken_out_moves_no_place_of_what_is_found_later() -> None:
    """The reference is looked at once the form is right, when the parameter before it has gone."""
    given = put(described(), "paths/~1kilns/get/parameters/0", {"in": "query", "schema": {}})
    put(given, "paths/~1kilns/get/parameters/2/schema", {"$ref": "#/components/schemas/None"})
    root, problems = read_what_is_right(given)
    parameters = "#/paths/~1kilns/get/parameters"
    assert said(problems) == [
        (f"{parameters}/0", '"name" is missing.'),
        (f"{parameters}/2/schema/$ref", '"$ref" "#/components/schemas/None" leads nowhere.'),
    ]
    assert [one["name"] for one in root["paths"]["/kilns"]["get"]["parameters"]] == ["size", "heat"]


def test_what_follows_from_a_mistake_is_not_reported_as_another() -> None:
    """A parameter that is taken out leaves references to it, and these leave parameters without names."""
    given = described()
    given["components"]["parameters"] = {"cone": {"name": "cone", "in": "query", "schema": {"type": 4}}}
    given["paths"]["/kilns"]["get"]["parameters"].insert(0, {"$ref": "#/components/parameters/cone"})
    given["components"]["parameters"]["glaze"] = {"in": "query", "schema": {}}
    given["paths"]["/kilns"]["get"]["parameters"].insert(0, {"$ref": "#/components/parameters/glaze"})
    root, problems = read_what_is_right(given)
    assert [*dict.fromkeys(place for place, _ in said(problems))] == [
        "#/components/parameters/cone/schema/type",
        "#/components/parameters/glaze",
    ]
    parameters = root["paths"]["/kilns"]["get"]["parameters"]
    assert [one.get("name", one.get("$ref")) for one in parameters] == ["#/components/parameters/cone", "size", "heat"]
    assert check_description(root) == []


def test_part_in_two_places_loses_what_is_wrong_once() -> None:
    """Aliases of YAML are one object in Python."""
    given = described()
    shared = [{"in": "query", "schema": {}}, *given["paths"]["/kilns"]["get"]["parameters"]]
    given["paths"]["/kilns"]["get"]["parameters"] = shared
    given["paths"]["/cones"] = {"get": {"parameters": shared, "responses": {"200": RIGHT}}}
    root, problems = read_what_is_right(given)
    assert [place for place, _ in said(problems)] == [
        "#/paths/~1kilns/get/parameters/0",
        "#/paths/~1cones/get/parameters/0",
    ]
    for item in root["paths"].values():
        assert [one["name"] for one in item["get"]["parameters"]] == ["size", "heat"]
    assert len(shared) == 3


def test_response_without_a_description_stays() -> None:
    content = {"application/json": {"schema": {"type": "string"}}}
    root, problems = read_what_is_right(put(described(), "paths/~1kilns/get/responses/200", {"content": content}))
    assert [problem.message for problem in problems] == ['"description" is missing.']
    assert root["paths"]["/kilns"]["get"]["responses"]["200"] == {"content": content, "description": ""}


def test_name_in_a_path_gets_the_parameter_that_it_lacks() -> None:
    given = described()
    given["paths"]["/kilns/{id}"] = given["paths"].pop("/kilns")
    root, (problem,) = read_what_is_right(given)
    assert problem.message == 'The path names "id", which no path parameter declares.'
    assert root["paths"]["/kilns/{id}"]["get"]["parameters"][-1]["name"] == "id"
    assert check_description(root) == []


@pytest.mark.parametrize(
    ("version", "pointer", "value"),
    [
        ("3.0.3", "tags", [{"name": "a"}, {"name": "a"}]),
        ("3.1.0", "components/schemas/A kiln", {"type": "string"}),
    ],
)
def test_what_can_be_drawn_stays_although_it_is_wrong(version: str, pointer: str, value: Any) -> None:
    given = put(described(version), pointer, value)
    root, problems = read_what_is_right(copy.deepcopy(given))
    assert len(problems) == 1
    assert root == given
    strict, _ = read_what_is_right(given, is_strict=True)
    assert check_description(strict) == []


def test_pattern_of_another_language_is_no_mistake() -> None:
    root = put(described(), "components/schemas/Heat", {"type": "string", "pattern": "(?i)^[a-z_-.]+$"})
    assert check_description(root) == []


@pytest.mark.parametrize("properties", [[{}], "size", 5, True])
def test_properties_in_another_form_are_left_out(properties: Any) -> None:
    """The schema of OpenAPI 3.1 allows anything in a schema; the page ended in an exception."""
    given = put(described("3.1.0"), "components/schemas/Heat", {"type": "object", "properties": properties})
    root, problems = read_what_is_right(given)
    assert said(problems) == [
        ("#/components/schemas/Heat/properties", "properties is not a mapping of names to schemas.")
    ]
    assert root["components"]["schemas"]["Heat"] == {"type": "object"}


def test_swagger_is_mended_by_its_own_places() -> None:
    given = {
        "swagger": "2.0",
        "info": {"title": "Kilns", "version": "1"},
        "team": "wind",
        "paths": {"/kilns": {"get": {"responses": {"200": {"schema": {"$ref": "#/definitions/None"}}}}}},
    }
    root, problems = read_what_is_right(given)
    assert sorted(place for place, _ in said(problems)) == [
        "#",
        "#/paths/~1kilns/get/responses/200",
        "#/paths/~1kilns/get/responses/200/schema/$ref",
    ]
    assert check_description(root) == []


@pytest.mark.parametrize("root", [{"openapi": "9"}, {"swagger": "1.2"}, {"openapi": "3.0.3", "info": 5, "paths": 7}])
def test_what_cannot_be_mended_is_refused_or_empty(root: dict[str, Any]) -> None:
    """Of the last one nothing remains but its version; what it lacks is put in."""
    if root.get("info") == 5:
        assert read_what_is_right(root)[0] == {"openapi": "3.0.3", "info": {"title": "", "version": ""}, "paths": {}}
    else:
        with pytest.raises(Problem):
            read_what_is_right(root)


def test_problems_are_bounded_in_number() -> None:
    given = described()
    given["components"]["schemas"] = {f"S{number}": {"odd": 1} for number in range(500)} | {"Heat": {}}
    root, problems = read_what_is_right(given)
    assert len(problems) == 20
    assert check_description(root) == []
