"""Parts marked with `x-internal` are left out, where the site does not say otherwise."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from octavo.config import parse_config
from octavo.documents import read_api
from octavo.reference.openapi import without_internal

ANSWER = {"200": {"description": "All"}}


def described() -> dict[str, Any]:
    return {
        "openapi": "3.1.0",
        "info": {"title": "Kilns", "version": "1"},
        "tags": [{"name": "Fire"}, {"name": "Staff", "x-internal": True}],
        "paths": {
            "/kilns": {
                "get": {
                    "responses": ANSWER,
                    "parameters": [
                        {"name": "page", "in": "query", "schema": {"type": "integer"}},
                        {"$ref": "#/components/parameters/Trace"},
                    ],
                },
                "delete": {"responses": ANSWER, "x-internal": True},
            },
            "/staff": {"x-internal": True, "get": {"responses": ANSWER}},
        },
        "components": {
            "parameters": {"Trace": {"name": "trace", "in": "query", "schema": {}, "x-internal": True}},
            "schemas": {
                "Kiln": {
                    "type": "object",
                    "required": ["name", "cost"],
                    "properties": {"name": {"type": "string"}, "cost": {"type": "integer", "x-internal": True}},
                    "example": {"cost": {"x-internal": True}},
                },
                "Ledger": {"type": "object", "x-internal": True},
            },
        },
    }


def test_marked_parts_and_references_to_them_are_left_out() -> None:
    root = described()
    before = copy.deepcopy(root)
    made, found = without_internal(root)
    assert root == before
    assert found == [
        ("tags", 1),
        ("paths", "/kilns", "get", "parameters", 1),
        ("paths", "/kilns", "delete"),
        ("paths", "/staff"),
        ("components", "schemas", "Kiln", "properties", "cost"),
    ]
    kiln = made["components"]["schemas"]["Kiln"]
    assert (kiln["required"], list(kiln["properties"])) == (["name"], ["name"])
    assert kiln["example"] == {"cost": {"x-internal": True}}
    assert set(made["components"]["schemas"]) == {"Kiln", "Ledger"}


def test_description_without_marks_stays_the_same() -> None:
    root = described()
    made, _ = without_internal(root)
    again, found = without_internal(made)
    assert (again, found) == (made, [])


@pytest.mark.parametrize(
    ("setting", "operations", "messages"),
    [
        ("", 1, ["5 parts are left out, for the author has marked them with `x-internal`."]),
        ('internal = "hide"', 1, []),
        ('internal = "show"', 3, []),
    ],
)
def test_setting_says_what_becomes_of_them(tmp_path: Path, setting: str, operations: int, messages: list[str]) -> None:
    (tmp_path / "a.json").write_text(json.dumps(described(), indent=1), encoding="utf-8")
    config = parse_config(f'title = "T"\n[[openapi]]\nid = "a"\ndoc = "api"\nspec = "a.json"\n{setting}\n')
    description, problems = read_api(config.openapi[0], tmp_path)
    assert description is not None
    assert len(description.operations) == operations
    assert [problem.message.partition(": ")[2] for problem in problems] == messages
    assert all(problem.span.line == 11 and problem.level == "warn" for problem in problems)
