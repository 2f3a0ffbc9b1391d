"""Versions of an API and of commands, compared."""

from __future__ import annotations

from typing import Any

from octavo.reference.changes import (
    ChangesOf,
    MemberChange,
    Since,
    api_surface,
    command_surface,
    compare,
    find_since,
    write_changes,
)
from octavo.reference.command_line import Argument, Command, Option
from octavo.words import words_of


def api(**operation: Any) -> dict[str, Any]:
    schemas = {"Kiln": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}}
    return {"paths": {"/kilns": {"get": operation}}, "components": {"schemas": schemas}}


def parameter(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": {"type": "integer", "default": 10}, **more}


KILNS = {"content": {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Kiln"}}}}}


def test_what_users_of_an_operation_depend_on_is_compared() -> None:
    old = api(parameters=[parameter("limit"), parameter("page")], responses={"200": KILNS})
    new = api(
        parameters=[parameter("limit", required=True), parameter("after")],
        responses={"200": KILNS, "404": {}},
        deprecated=True,
    )
    (change,) = compare(api_surface(old), api_surface(new))
    assert (change.kind, change.name) == ("changed", "GET /kilns")
    assert set(change.details) == {
        ("changed", "query limit", "integer, default 10", "integer, default 10, required"),
        ("added", "query after", "", "integer, default 10"),
        ("removed", "query page", "integer, default 10", ""),
        ("added", "404", "", ""),
        ("added", "deprecated", "", ""),
    }
    assert compare(api_surface(new), api_surface(new)) == []


def test_fields_of_bodies_are_compared_through_references() -> None:
    old, new = api(responses={"200": KILNS}), api(responses={"200": KILNS})
    new["components"]["schemas"]["Kiln"]["properties"]["heat"] = {"type": ["integer", "null"], "enum": [1, 2]}
    (change,) = compare(api_surface(old), api_surface(new))
    assert change.details == [("added", "200 heat", "", "integer or null, one of 1, 2")]


def body_of(schema: Any, **schemas: Any) -> dict[str, Any]:
    root = api(responses={"200": {"content": {"application/json": {"schema": schema}}}})
    root["components"]["schemas"] |= schemas
    return root


def changes(old: dict[str, Any], new: dict[str, Any]) -> dict[str, set[tuple[str, str, str, str]]]:
    """Compare two descriptions, as name of a changed member → what became of its parts."""
    return {one.name: set(one.details) for one in compare(api_surface(old), api_surface(new))}


def test_fields_of_alternatives_and_of_objects_without_a_name_are_compared() -> None:
    base = {"type": "object", "properties": {"id": {"type": "string"}}}
    inner = {"type": "object", "required": ["street"], "properties": {"street": {"type": "string"}}}
    body = {"allOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {"home": inner}}]}
    more = {"type": "object", "properties": {"id": {"type": "integer"}, "late": {"type": "array", "items": base}}}
    roomier = {"properties": {"street": {"type": "string", "maxLength": 80}, "town": {"type": "string"}}}
    new = {"anyOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {"home": roomier}}]}
    assert changes(body_of(body, Base=base), body_of(new, Base=more)) == {
        "GET /kilns": {
            ("changed", "200 id", "string", "integer"),
            ("added", "200 late", "", "array of object"),
            ("changed", "200 home.street", "string, required", "string, at most 80 characters"),
            ("added", "200 home.town", "", "string"),
        }
    }


def test_an_object_that_gets_a_name_keeps_its_fields() -> None:
    status = {"type": "object", "properties": {"at": {"type": "string"}}}
    named = {"properties": {"status": {"$ref": "#/components/schemas/Status"}}}
    assert changes(body_of({"properties": {"status": status}}), body_of(named, Status=status)) == {
        "GET /kilns": {("changed", "200 status", "object", "Status")}
    }


def test_a_field_of_several_alternatives_is_compared_in_each_of_them() -> None:
    def target(*kinds: str) -> dict[str, Any]:
        return {"oneOf": [{"properties": {"type": {"const": kind}}} for kind in kinds]}

    assert changes(body_of(target("a", "b")), body_of(target("a", "c"))) == {
        "GET /kilns": {("changed", "200 type", "one of a or one of b", "one of a or one of c")}
    }


def test_named_schemas_below_a_body_are_compared_once() -> None:
    page = {"properties": {"items": {"type": "array", "items": {"$ref": "#/components/schemas/Piece"}}}}
    piece = {"type": "object", "properties": {"glaze": {"$ref": "#/components/schemas/Glaze"}}}
    glaze = {"type": "object", "properties": {"color": {"type": "string"}}}
    old = body_of(page, Piece=piece, Glaze=glaze)
    new = body_of(
        page, Piece=piece, Glaze={"type": "object", "properties": {"color": {"type": "string", "enum": ["red", None]}}}
    )
    old["paths"]["/pieces"] = new["paths"]["/pieces"] = old["paths"]["/kilns"]
    assert changes(old, new) == {"Glaze": {("changed", "color", "string", "string, one of null, red")}}
    # One that is itself the body is compared with its operations.
    assert list(api_surface(body_of({"$ref": "#/components/schemas/Piece"}, Piece=piece, Glaze=glaze))) == [
        "GET /kilns",
        "Glaze",
    ]


def test_reference_into_a_schema_makes_no_schema_of_its_own() -> None:
    def with_ref(ref: str) -> list[str]:
        root = api(parameters=[parameter("x", schema={"$ref": f"#/components/schemas/{ref}"})])
        root["components"]["schemas"]["My Kiln"] = {"type": "object", "properties": {"a": {"type": "string"}}}
        return list(api_surface(root))

    assert with_ref("Kiln/properties/name") == ["GET /kilns"]
    assert with_ref("My%20Kiln") == ["GET /kilns", "My Kiln"]


def test_the_same_contract_in_other_words_is_no_change() -> None:
    ref = {"$ref": "#/components/schemas/Kiln"}
    pairs = [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        ({"type": "string", "nullable": True}, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        ({"allOf": [ref]}, ref),
        ({"type": "string", "enum": ["a"]}, {"type": "string", "const": "a"}),
        ({"enum": ["a", "b"]}, {"enum": ["b", "a"]}),
        ({"type": "integer", "minimum": 0, "exclusiveMinimum": True}, {"type": "integer", "exclusiveMinimum": 0}),
        (
            {"type": "string", "title": "One", "description": "Old.", "example": "a"},
            {"type": "string", "examples": ["b"]},
        ),
    ]
    for old, new in pairs:
        assert changes(body_of({"properties": {"x": old}}), body_of({"properties": {"x": new}})) == {}, old


def test_limits_defaults_and_flags_of_a_type_are_compared() -> None:
    def words(**schema: Any) -> str:
        surface = api_surface(api(parameters=[{"name": "x", "in": "query", "schema": schema}]))
        return surface["GET /kilns"].parts["query x"]

    assert words(type="boolean", default=False) == "boolean, default false"
    assert words(type="string", pattern="^a", minLength=1) == "string, at least 1 characters, pattern ^a"
    assert words(type="object", additionalProperties={"type": "string"}) == "map of string"
    assert words(type="string", readOnly=True, deprecated=True) == "string, read-only, deprecated"
    assert words(oneOf=[{"type": "string"}, {"type": "integer", "minimum": 1}]) == "string or integer, at least 1"


def test_headers_security_and_content_of_parameters_are_compared() -> None:
    old = api(
        parameters=[{"name": "X-Trace", "in": "header", "schema": {"type": "string"}}],
        responses={"200": {"headers": {"X-Left": {"schema": {"type": "integer"}}}}},
    )
    new = api(
        parameters=[
            {"name": "x-trace", "in": "header", "schema": {"type": "string"}},
            {"name": "filter", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}}},
        ],
        responses={"200": {"headers": {"x-left": {"schema": {"type": "string"}}}}},
        security=[{"key": []}, {"login": ["read"]}],
    )
    assert changes(old, new) == {
        "GET /kilns": {
            ("changed", "200 header x-left", "integer", "string"),
            ("added", "query filter", "", "object"),
            ("added", "security", "", "key or login (read)"),
        }
    }


def test_another_name_for_a_parameter_in_the_path_is_no_other_operation() -> None:
    def kiln(name: str, **more: Any) -> dict[str, Any]:
        place = {"name": name, "in": "path", "required": True, "schema": {"type": "string", **more}}
        return {"paths": {f"/kilns/{{{name}}}": {"get": {"parameters": [place]}}}}

    surfaces = [
        ("1", api_surface(kiln("id"))),
        ("2", api_surface(kiln("kiln"))),
        ("3", api_surface(kiln("kiln_id", maxLength=9))),
    ]
    assert compare(surfaces[0][1], surfaces[1][1]) == [
        MemberChange("changed", "GET /kilns/{kiln}", [], "GET /kilns/{id}")
    ]
    since = find_since(surfaces)["GET /kilns/{kiln_id}"]
    assert (since.version, since.parts, since.changed, since.removed) == ("", {}, {"path kiln_id": "3"}, {})
    # Where both are there, they are two operations.
    both = kiln("id")
    both["paths"] |= kiln("kiln")["paths"]
    assert compare(surfaces[0][1], api_surface(both)) == [MemberChange("added", "GET /kilns/{kiln}")]


def test_schemas_that_lead_to_themselves_are_described() -> None:
    ref = {"$ref": "#/components/schemas/Value"}
    value = {
        "oneOf": [{"type": "string"}, {"type": "array", "items": ref}, {"type": "object", "additionalProperties": ref}]
    }
    names = [f"S{number}" for number in range(12)]
    dense = {name: {"oneOf": [{"$ref": f"#/components/schemas/{one}"} for one in names]} for name in names}
    surface = api_surface(
        body_of({"properties": {"value": ref, "all": {"$ref": "#/components/schemas/S0"}}}, Value=value, **dense)
    )
    assert surface["Value"].parts == {"Value": "string or array or map"}
    assert list(surface) == ["GET /kilns", "Value", "S0"]


def test_broken_descriptions_are_compared_as_far_as_they_go() -> None:
    odd: list[dict[str, Any]] = [
        {},
        {
            "paths": {
                "/a": {"get": {"parameters": [{}], "requestBody": [], "responses": {"200": None, "x": {"content": []}}}}
            }
        },
        {"paths": {"/a": {"get": {"requestBody": {"$ref": "#/none"}, "responses": []}}}},
        api(
            parameters=[
                parameter("x", schema={"$ref": ref}) for ref in ("", "#", "#/", "other.json", "#/components/schemas/")
            ]
        ),
    ]
    for root in odd:
        assert compare(api_surface(root), api_surface(root)) == []


def test_commands_are_compared_by_their_options_and_arguments() -> None:
    heat = Option(name="heat", type="int", default_value=900)
    old = [Command(name="pot fire", options=[heat], arguments=[Argument(name="PIECE")]), Command(name="pot old")]
    new = [
        Command(
            name="pot fire",
            options=[Option(name="heat", type="int", default_value=1000), Option(name="x", type="bool")],
        ),
        Command(name="pot new"),
    ]
    assert compare(command_surface(old), command_surface(new)) == [
        MemberChange("added", "pot new"),
        MemberChange(
            "changed",
            "pot fire",
            [
                ("changed", "--heat", "int, default 900", "int, default 1000"),
                ("added", "-x", "", ""),
                ("removed", "PIECE", "required", ""),
            ],
        ),
        MemberChange("removed", "pot old"),
    ]


def test_short_names_of_options_and_other_names_of_commands_are_compared() -> None:
    old = [Command(name="pot fire", options=[Option(name="heat", type="int")])]
    new = [Command(name="pot fire", aliases=["burn"], options=[Option(name="heat", shorthand="t", type="int")])]
    (change,) = compare(command_surface(old), command_surface(new))
    assert set(change.details) == {("changed", "--heat", "int", "-t, int"), ("added", "aliases", "", "burn")}


def test_since_is_the_version_from_which_on_there_was_no_gap() -> None:
    heat, loud = Option(name="heat"), Option(name="loud")
    versions = [
        ("1", command_surface([Command(name="pot"), Command(name="gap")])),
        ("2", command_surface([Command(name="pot", options=[heat])])),
        ("3", command_surface([Command(name="pot", options=[heat, loud]), Command(name="gap"), Command(name="late")])),
    ]
    assert find_since(versions) == {
        "pot": Since("", {"--heat": "2", "--loud": "3"}, {}, {}, "3"),
        "gap": Since("3", {}, {}, {}, ""),
        "late": Since("3", {}, {}, {}, ""),
    }
    assert find_since([]) == {}


def test_last_change_and_removal_of_a_part_are_known() -> None:
    def pot(*options: Option) -> dict[str, Any]:
        return dict(command_surface([Command(name="pot", options=list(options))]))

    heat, hotter, loud = Option(name="heat"), Option(name="heat", default_value="9"), Option(name="loud")
    versions = [("1", pot(heat, loud)), ("2", pot(hotter)), ("3", pot(hotter, loud)), ("4", pot(hotter))]
    assert find_since(versions)["pot"] == Since("", {}, {"--heat": "2"}, {"--loud": "4"}, "4")
    # What was gone for a version is compared with nothing before.
    assert find_since([("1", pot(heat)), ("2", {}), ("3", pot(hotter))])["pot"] == Since(
        "3", {"--heat": "3"}, {}, {}, ""
    )


def test_page_lists_versions_and_escapes_what_they_say() -> None:
    changes = [
        MemberChange("added", "GET /a|b"),
        MemberChange("changed", "x", [("changed", "<p>", "", "a*b*")]),
        MemberChange("removed", "y"),
        MemberChange("changed", "GET /{b}", [], "GET /{a}"),
    ]
    found = [ChangesOf("2.0", "1.1", changes), ChangesOf("1.1", "1.0", [])]
    text = write_changes("Kilns", found, "1.0", {"x": "/x", "y": "/y"}, words_of("en"))
    assert '"title": "Changes in Kilns"' in text
    assert "The oldest version that is compared is 1.0." in text
    assert "| Added | `GET /a\\|b` | – |" in text
    assert r"| Changed | [`x`](/x) | `<p>`: – → a\*b\* |" in text
    assert "| Removed | `y` | – |" in text
    assert "| Changed | `GET /{b}` | `GET /{a}` → `GET /{b}` |" in text
    assert text.endswith("## 1.1\n\nThe same as in 1.1.\n".replace("in 1.1", "in 1.0"))
