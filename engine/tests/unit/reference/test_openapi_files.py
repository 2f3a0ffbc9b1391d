"""Descriptions in several files: what is put where it is named, and what becomes a schema."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from octavo.reference.openapi.source.bundle import bundle
from octavo.reference.openapi.source.problems import DescriptionText, Problem

FILES: dict[str, dict[str, Any]] = {
    "api/kilns/list.json": {
        "operationId": "list_kilns",
        "x-codeSamples": [{"$ref": "samples/curl.json"}],
        "parameters": [{"$ref": "../parameters.json#/heat"}],
        "responses": {"200": {"$ref": "../answers.json#/kilns"}},
    },
    "api/kilns/samples/curl.json": {"lang": "cURL", "source": "curl kilns"},
    "api/parameters.json": {"heat": {"name": "heat", "in": "query", "schema": {"$ref": "schemas.json#/Heat"}}},
    "api/answers.json": {
        "kilns": {
            "description": "Kilns",
            "content": {
                "application/json": {
                    "schema": {"type": "array", "items": {"$ref": "schemas.json#/Kiln"}},
                    "examples": {
                        "two": {"$ref": "examples.json#/two"},
                        "own": {"value": {"$ref": "is data"}},
                        "odd": "a text",
                    },
                }
            },
        }
    },
    "api/examples.json": {"two": {"value": [{"$ref": "is data"}]}},
    "api/schemas.json": {
        "Heat": {"type": "integer"},
        "Kiln": {
            "properties": {"heat": {"$ref": "#/Heat"}, "schema": {"anyOf": [{"$ref": "#/Kiln"}, {"type": "null"}]}},
            "additionalProperties": {"$ref": "#/Heat"},
        },
    },
    "api/paths.json": {"kilns": {"get": {"$ref": "kilns/list.json"}, "summary": "Kilns"}},
}


def load(path: str) -> bytes | None:
    return json.dumps(FILES[path]).encode() if path in FILES else None


def test_everything_but_schemas_is_put_where_it_is_named() -> None:
    root = {
        "openapi": "3.0.3",
        "paths": {
            "/kilns": {"get": {"$ref": "kilns/list.json"}},
            "/all": {"$ref": "paths.json#/kilns"},
        },
    }
    made = bundle(root, "api/main.json", load)
    operation = made["paths"]["/kilns"]["get"]
    assert operation == made["paths"]["/all"]["get"]
    assert operation["x-codeSamples"] == [{"lang": "cURL", "source": "curl kilns"}]
    assert operation["parameters"] == [{"name": "heat", "in": "query", "schema": {"$ref": "#/components/schemas/Heat"}}]
    answer = operation["responses"]["200"]["content"]["application/json"]
    assert answer["schema"] == {"type": "array", "items": {"$ref": "#/components/schemas/Kiln"}}
    assert answer["examples"] == {
        "two": {"value": [{"$ref": "is data"}]},
        "own": {"value": {"$ref": "is data"}},
        "odd": "a text",
    }
    assert made["components"]["schemas"] == {
        "Heat": {"type": "integer"},
        "Kiln": {
            "properties": {
                "heat": {"$ref": "#/components/schemas/Heat"},
                "schema": {"anyOf": [{"$ref": "#/components/schemas/Kiln"}, {"type": "null"}]},
            },
            "additionalProperties": {"$ref": "#/components/schemas/Heat"},
        },
    }


def test_description_may_have_thousands_of_files() -> None:
    number = 3_000
    root = {"paths": {f"/{one}": {"get": {"$ref": f"operations/{one}.json"}} for one in range(number)}}
    content = json.dumps({"operationId": "x", "responses": {}}).encode()
    made = bundle(root, "main.json", lambda _: content)
    assert made["paths"][f"/{number - 1}"]["get"]["operationId"] == "x"


def test_lines_of_many_problems_are_found_in_one_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    compose = yaml.compose
    monkeypatch.setattr(yaml, "compose", lambda *given, **named: read.append(1) or compose(*given, **named))
    text = "openapi: 3.1.0\ninfo:\n  title: Kites\npaths: {}\n"
    problems = [Problem("a", ("info", "title")), Problem("b", ("info", "none")), Problem("c", line=9), Problem("d")]
    found = DescriptionText("api.yaml", text).diagnostics(problems)
    assert [(one.span.line, one.message) for one in found] == [
        (3, "#/info/title: a"),
        (2, "#/info/none: b"),
        (9, "c"),
        (1, "d"),
    ]
    assert len(read) == 1
