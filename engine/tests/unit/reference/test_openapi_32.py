"""What OpenAPI 3.2 adds: methods, streams of items, answers with a summary."""

from __future__ import annotations

from typing import Any

from octavo.reference.openapi import as_openapi_31, check_description
from octavo.reference.openapi.layout import group_operations
from octavo.reference.openapi.operation import find_operations


def described(version: str = "3.2.0") -> dict[str, Any]:
    answer = {"200": {"description": "All"}}
    return {
        "openapi": version,
        "info": {"title": "Kilns", "version": "1"},
        "paths": {
            "/kilns": {
                "query": {"operationId": "findKilns", "responses": answer},
                "get": {"responses": answer},
                "additionalOperations": {"LINK": {"operationId": "linkKiln", "responses": answer}, "odd": 1},
            }
        },
    }


def test_methods_of_a_path_are_those_of_openapi_and_its_own() -> None:
    root = described()
    del root["paths"]["/kilns"]["additionalOperations"]["odd"]
    assert check_description(root) == []
    assert [(one.method, one.pointer[2:], one.id) for one in find_operations(root)] == [
        ("GET", ("get",), "get-kilns"),
        ("QUERY", ("query",), "findKilns"),
        ("LINK", ("additionalOperations", "LINK"), "linkKiln"),
    ]


def test_names_in_paths_and_ids_of_other_methods_are_checked() -> None:
    root = described()
    item = root["paths"]["/kilns/{id}"] = root["paths"].pop("/kilns")
    item["additionalOperations"] = {"LINK": {**item["query"]}}
    messages = [problem.message for problem in check_description(root)]
    assert messages.count('The path names "id", which no path parameter declares.') == 3
    assert 'operationId "findKilns" is already that of QUERY /kilns/{id}.' in messages


def test_methods_of_the_new_version_are_no_part_of_the_old_ones() -> None:
    assert [one.message for one in check_description(described("3.1.0"))] == [
        'OpenAPI does not know "query", "additionalOperations" here.'
    ]


def test_stream_of_items_is_drawn_as_a_list_of_them() -> None:
    root = described()
    item = {"type": "object"}
    responses: dict[str, Any] = {
        "200": {"summary": "Lines", "content": {"application/jsonl": {"itemSchema": item}}},
        "404": {},
    }
    root["paths"] = {"/kilns": {"get": {"responses": responses}}}
    assert check_description(root) == []
    drawn = as_openapi_31(root)["paths"]["/kilns"]["get"]["responses"]
    assert drawn["200"] == {
        "summary": "Lines",
        "description": "Lines",
        "content": {"application/jsonl": {"schema": {"type": "array", "items": item}}},
    }
    assert drawn["404"] == {"description": ""}
    assert "itemSchema" in responses["200"]["content"]["application/jsonl"]


def test_examples_and_other_versions_stay_as_they_are() -> None:
    root = described("3.1.0")
    assert as_openapi_31(root) is root
    example = {"content": {"a": {"itemSchema": 1}}, "responses": {"200": {}}}
    root = {"openapi": "3.2.0", "components": {"schemas": {"Kiln": {"default": example}}}}
    assert as_openapi_31(root) == root


def test_tags_have_titles_and_stand_behind_their_parents() -> None:
    root = described()
    names = ("ovens", "kilns", "gas", "beta", "odd")
    root["tags"] = [
        {"name": "gas", "summary": "By  gas", "parent": "kilns"},
        {"name": "ovens", "x-displayName": "Ovens!"},
        {"name": "kilns", "summary": " "},
        {"name": "beta", "kind": "badge"},
        {"name": "odd", "parent": "gone", "kind": "nav"},
    ]
    operation = {"responses": {"200": {"description": "All"}}}
    root["paths"] = {f"/{name}": {"get": {**operation, "tags": [name]}} for name in names}
    assert [(one.message, one.pointer, one.level) for one in check_description(root)] == [
        (
            'The tag "beta" is of the kind "badge"; it is drawn as one for navigation.',
            ("tags", 3, "kind"),
            "warn",
        ),
        ('The tag "odd" is part of "gone", which no tag declares.', ("tags", 4, "parent"), "warn"),
    ]
    groups = group_operations(root, find_operations(root), "page", lambda *_: False)
    assert [(one.name, one.title, one.section) for one in groups] == [
        ("ovens", "Ovens!", ""),
        ("kilns", "kilns", "kilns"),
        ("gas", "By gas", "kilns"),
        ("beta", "beta", ""),
        ("odd", "odd", ""),
    ]


def test_tags_that_are_their_own_parents_are_kept() -> None:
    root = described()
    root["tags"] = [{"name": "a", "parent": "b"}, {"name": "b", "parent": "a"}, {"name": "c", "parent": "c"}]
    root["paths"]["/kilns"]["get"]["tags"] = ["a", "b", "c"]
    groups = group_operations(root, find_operations(root), "page", lambda *_: False)
    assert sorted(one.name for one in groups) == ["Other operations", "a", "b", "c"]


def test_tag_without_operations_is_shown_if_it_says_something() -> None:
    root = described()
    root["tags"] = [
        {"name": "bare"},
        {"name": "described", "description": "Text."},
        {"name": "linked", "externalDocs": {"url": "https://kiln.example/docs"}},
    ]
    groups = group_operations(root, find_operations(root), "page", lambda *_: False)
    assert [one.name for one in groups] == ["described", "linked", "Other operations"]


def tagged(*names: str) -> dict[str, Any]:
    """Describe an API with an operation for each of some tags."""
    operation = {"responses": {"200": {"description": "All"}}}
    root = described()
    root["paths"] = {f"/{name}": {"get": {**operation, "tags": [name]}} for name in names}
    return root


def test_groups_of_tags_give_their_order_and_their_sections() -> None:
    root = tagged("a", "b", "c", "d", "e")
    root["tags"] = [{"name": "d", "parent": "e"}, {"name": "e"}, {"name": "b"}]
    root["x-tagGroups"] = [{"name": " The  first", "tags": ["c", "a"]}, {"name": "Else", "tags": ["e"]}]
    assert check_description(root) == []
    groups = group_operations(root, find_operations(root), "page", lambda *_: False)
    assert [(one.name, one.section, one.section_anchor) for one in groups] == [
        ("d", "", ""),
        ("b", "", ""),
        ("c", "The first", "section-the-first"),
        ("a", "The first", "section-the-first"),
        ("e", "Else", "section-else"),
    ]


def test_sections_have_ids_of_their_own() -> None:
    root = tagged("a", "b")
    root["x-tagGroups"] = [{"name": "All!", "tags": ["a"]}, {"name": "all", "tags": ["b"]}]
    groups = group_operations(root, find_operations(root), "page", lambda *_: False)
    assert [one.section_anchor for one in groups] == ["section-all", "section-all-2"]


def test_groups_of_one_name_are_one_section() -> None:
    root = tagged("a", "b", "c")
    root["x-tagGroups"] = [{"name": "A", "tags": ["a"]}, {"name": "B", "tags": ["b"]}, {"name": "A", "tags": ["c"]}]
    groups = group_operations(root, find_operations(root), "page", lambda *_: False)
    assert [(one.name, one.section) for one in groups] == [("a", "A"), ("c", "A"), ("b", "B")]


def test_mistakes_in_groups_of_tags_are_found() -> None:
    root = tagged("kilns", "ovens")
    root["x-tagGroups"] = [
        {"name": "All", "tags": ["kilns", "kilm", {}]},
        {"name": "More", "tags": ["ovens", "kilns", "zzz"]},
        {"name": "", "tags": []},
        {"name": "None"},
        "x",
    ]
    left_out = "This group of tags has no name, or no list of tags; it is left out."
    assert [(one.message, one.pointer[1:], one.suggestion, one.level) for one in check_description(root)] == [
        (
            'The group "All" has the tag "kilm", which no operation has.',
            (0, "tags", 1),
            'Did you mean "kilns"?',
            "warn",
        ),
        (
            'The group "All" has the tag "{}", which no operation has.',
            (0, "tags", 2),
            "Take it out of this list.",
            "warn",
        ),
        (
            'The group "More" has the tag "kilns", which is in "All" already, where it is shown.',
            (1, "tags", 1),
            "Take it out of this list.",
            "warn",
        ),
        (
            'The group "More" has the tag "zzz", which no operation has.',
            (1, "tags", 2),
            "Take it out of this list.",
            "warn",
        ),
        *((left_out, (index,), 'Write a list of {"name": "…", "tags": ["…"]}.', "warn") for index in (2, 3, 4)),
    ]
    root["x-tagGroups"] = {}
    [found] = check_description(root)
    assert found.message == "x-tagGroups is not a list: tags are shown without groups."
