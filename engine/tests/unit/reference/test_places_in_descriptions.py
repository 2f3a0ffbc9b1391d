"""Problems of API descriptions are shown at line and column, in the file that has them."""

from __future__ import annotations

import json

from octavo.reference.openapi.source.bundle import Origins, bundle
from octavo.reference.openapi.source.places import Place, Pointer, places_of
from octavo.reference.openapi.source.problems import DescriptionText, Problem
from tests.support.each import each

YAML = """\
openapi: 3.1.0
paths:
  /kilns/{id}:
    get:
      parameters:
        - name: id
        -   name: heat
      responses:
        200: {description: "ok"}
"""
JSON = """\
{
\t"openapi": "3.1.0",
\t"paths": {"\\/kilns": {"get": {"tags": [ "a, }", {"x": [1, 2,\t3]}, null ], "\\u0061b": 1}}},
\t"empty": [],
\t"last": {"b": "\x9f"}
}
"""


def place_of(text: str, *pointer: str | int) -> Place:
    return places_of(text, [pointer])[pointer]


@each(
    ("pointer", "place"),
    [
        ((), (1, 1)),
        (("openapi",), (1, 1)),
        (("paths", "/kilns/{id}"), (3, 3)),
        (("paths", "/kilns/{id}", "get", "parameters", 1), (7, 13)),
        (("paths", "/kilns/{id}", "get", "parameters", "0", "name"), (6, 11)),
        (("paths", "/kilns/{id}", "get", "responses", "200", "description"), (9, 15)),
        (("paths", "/kilns/{id}", "get", "summary"), (4, 5)),
        (("paths", "/kilns/{id}", "get", "parameters", 2, "name"), (5, 7)),
        (("nothing",), (1, 1)),
    ],
)
def test_place_in_yaml(pointer: Pointer, place: tuple[int, int]) -> None:
    assert place_of(YAML, *pointer) == place


@each(
    ("pointer", "found"),
    [
        ((), "{"),
        (("openapi",), '"openapi"'),
        (("paths", "/kilns"), '"\\/kilns"'),
        (("paths", "/kilns", "get", "tags", 0), '"a, }"'),
        (("paths", "/kilns", "get", "tags", 1), '{"x"'),
        (("paths", "/kilns", "get", "tags", 1, "x", 1), "2,"),
        (("paths", "/kilns", "get", "tags", 1, "x", "2"), "3]"),
        (("paths", "/kilns", "get", "tags", 2), "null"),
        (("paths", "/kilns", "get", "ab"), '"\\u0061b"'),
        (("paths", "/kilns", "post"), '"\\/kilns"'),
        (("empty", 0), '"empty"'),
        (("last", "b", "c"), '"b"'),
        (("nothing",), "{"),
    ],
)
def test_place_in_json_that_is_no_yaml(pointer: Pointer, found: str) -> None:
    line, column = place_of(JSON, *pointer)
    assert JSON.split("\n")[line - 1][column - 1 :].startswith(found)


def test_places_of_several_pointers_are_found_at_once() -> None:
    wanted: list[Pointer] = [("paths",), ("last", "b"), ("paths", "/kilns", "get")]
    assert places_of(JSON, wanted) == {wanted[0]: (3, 2), wanted[1]: (5, 11), wanted[2]: (3, 24)}
    assert places_of(JSON, []) == {}


def test_text_that_is_neither_is_shown_at_its_first_line() -> None:
    assert place_of('{"a": [1,}', "a") == (1, 1)
    assert place_of("a: [", "a") == (1, 1)


def test_problem_in_a_file_that_is_taken_in_is_shown_there() -> None:
    files = {
        "api/paths.yaml": b"get:\n  responses: {}\n  tags:\n    - $ref: tag.json\n",
        "api/pet.json": b'{\n  "Pet": {"type": "animal",\n   "properties": {"owner": {"$ref": "owner.yaml"}}}\n}',
        "api/owner.yaml": b"type: human\n",
    }
    root = {
        "openapi": "3.1.0",
        "paths": {"/pets": {"$ref": "api/paths.yaml"}},
        "components": {"schemas": {"Pet": {"$ref": "api/pet.json#/Pet"}}},
    }
    origins: Origins = {}
    problems: list[Problem] = []
    bundle(root, "root.json", files.get, problems, origins)
    pointers: list[Pointer] = [
        ("paths", "/pets", "get", "responses"),
        ("components", "schemas", "Pet-2", "type"),
        ("components", "schemas", "owner", "type"),
        ("paths",),
    ]
    text = DescriptionText("root.json", json.dumps(root, indent=1), origins, files)
    spans = [
        str(one.span) for one in text.diagnostics([*(Problem("Wrong.", pointer) for pointer in pointers), *problems])
    ]
    assert spans == [
        "api/paths.yaml:2:3",
        "api/pet.json:2:11",
        "api/owner.yaml:1:1",
        "root.json:3:2",
        "api/paths.yaml:4:7",
    ]


def test_line_of_a_problem_is_kept() -> None:
    [one] = DescriptionText("a.json", "{}").diagnostics([Problem("No JSON.", line=3)])
    assert str(one.span) == "a.json:3:1"
