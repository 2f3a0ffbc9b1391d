"""The descriptions of the two local APIs: valid, complete, explained, with examples that fit their schemas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from tests.support import paths

FOLDER = paths.SITE / "openapi"
EXPECTED = {
    "gateway.json": ("CodeGate", "0.1.7", "http://localhost:8989", 36),
    "tool.yaml": ("ToolHive API", "1.0", "http://localhost:8080", 16),
}
STATUSES = """
GET /health 204
GET /api/openapi.json 200
GET /api/v1beta/version 200
GET /api/v1beta/discovery/clients 200
GET /api/v1beta/registry 200
POST /api/v1beta/registry 501
GET /api/v1beta/registry/{name} 200 404
DELETE /api/v1beta/registry/{name} 204 400 404
GET /api/v1beta/registry/{name}/servers 200 404
GET /api/v1beta/registry/{name}/servers/{serverName} 200 404
GET /api/v1beta/servers 200
POST /api/v1beta/servers 201 400 409
GET /api/v1beta/servers/{name} 200 404
DELETE /api/v1beta/servers/{name} 204 404
POST /api/v1beta/servers/{name}/stop 204 404
POST /api/v1beta/servers/{name}/restart 204 404
"""

both = pytest.mark.parametrize("name", EXPECTED)


def load(name: str) -> dict[str, Any]:
    return dict(yaml.safe_load((FOLDER / name).read_text(encoding="utf-8")))


def operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            yield f"{method.upper()} {path}", operation


@both
def test_description_is_valid(name: str) -> None:
    validate(load(name))


@both
def test_title_version_server_and_number_of_operations(name: str) -> None:
    document = load(name)
    info = document["info"]
    found = (info["title"], info["version"], document["servers"][0]["url"], len(list(operations(document))))
    assert found == EXPECTED[name]
    assert document["openapi"].startswith("3.1")


def test_tool_answers_with_the_statuses_of_its_contract() -> None:
    found = {place: set(operation["responses"]) for place, operation in operations(load("tool.yaml"))}
    expected = {" ".join(line.split()[:2]): set(line.split()[2:]) for line in STATUSES.strip().splitlines()}
    assert found.keys() == expected.keys()
    assert {place: wanted - found[place] for place, wanted in expected.items() if wanted - found[place]} == {}


def test_errors_of_the_tool_are_text_and_those_of_the_gateway_json() -> None:
    for name, media_type in (("tool.yaml", "text/plain"), ("gateway.json", "application/json")):
        wrong = [
            f"{place} {status}"
            for place, operation in operations(load(name))
            for status, response in operation["responses"].items()
            if int(status) >= 400 and set(response.get("content", {})) - {media_type}
        ]
        assert wrong == []


@both
def test_everything_is_explained(name: str) -> None:
    document = load(name)
    missing = [
        f"{place} {key}"
        for place, one in operations(document)
        for key in ("summary", "description")
        if not one.get(key)
    ]
    missing += [
        f"{place} {parameter['name']}"
        for place, one in operations(document)
        for parameter in one.get("parameters", ())
        if not parameter.get("description")
    ]
    for schema, value in document["components"]["schemas"].items():
        missing += [] if value.get("description") else [schema]
        missing += [
            f"{schema}.{field}"
            for field, of in value.get("properties", {}).items()
            if not of.get("description") and "$ref" not in of
        ]
    assert missing == []


@both
def test_examples_fit_their_schemas(name: str) -> None:
    document = load(name)
    wrong = []
    for place, schema, example in examples(document):
        whole = {"components": document["components"], **schema}
        wrong += [
            f"{place}: {error.json_path}: {error.message}" for error in Draft202012Validator(whole).iter_errors(example)
        ]
    assert wrong == []
    assert len(list(examples(document))) > 30


def examples(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], Any]]:
    for place, operation in operations(document):
        bodies = [(status, response) for status, response in operation["responses"].items()]
        bodies += [("body", operation["requestBody"])] if "requestBody" in operation else []
        for part, body in bodies:
            for content in body.get("content", {}).values():
                named = [example["value"] for example in content.get("examples", {}).values()]
                for example in [content["example"], *named] if "example" in content else named:
                    yield f"{place} {part}", content["schema"], example
    for schema, value in document["components"]["schemas"].items():
        for example in value.get("examples", ()):
            yield schema, value, example
