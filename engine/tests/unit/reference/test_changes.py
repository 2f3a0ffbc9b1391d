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


def test_broken_descriptions_are_compared_as_far_as_they_go() -> None:
    odd: list[dict[str, Any]] = [
        {},
        {
            "paths": {
                "/a": {"get": {"parameters": [{}], "requestBody": [], "responses": {"200": None, "x": {"content": []}}}}
            }
        },
        {"paths": {"/a": {"get": {"requestBody": {"$ref": "#/none"}, "responses": []}}}},
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
    ]
    found = [ChangesOf("2.0", "1.1", changes), ChangesOf("1.1", "1.0", [])]
    text = write_changes("Kilns", found, "1.0", {"x": "/x", "y": "/y"}, words_of("en"))
    assert '"title": "Changes in Kilns"' in text
    assert "The oldest version that is compared is 1.0." in text
    assert "| Added | `GET /a\\|b` | – |" in text
    assert r"| Changed | [`x`](/x) | `<p>`: – → a\*b\* |" in text
    assert "| Removed | `y` | – |" in text
    assert text.endswith("## 1.1\n\nThe same as in 1.1.\n".replace("in 1.1", "in 1.0"))
