"""Descriptions of Swagger 2.0, drawn as OpenAPI 3."""

from __future__ import annotations

import json
from typing import Any

import pytest

from octavo.reference.openapi import Problem, as_openapi_3, check_description, in_terms_of_swagger

pytest.importorskip("openapi_spec_validator")

_BASE: dict[str, Any] = {
    "swagger": "2.0",
    "info": {"title": "Kites", "version": "1"},
    "host": "kite.example",
    "basePath": "/v1/",
    "schemes": ["https", "wss"],
    "consumes": ["application/xml"],
    "produces": ["application/json", "text/csv"],
    "tags": [{"name": "kites"}],
    "paths": {
        "/kites": {"parameters": [{"$ref": "#/parameters/Kite"}], "patch": {"responses": {"204": {"description": "Done"}}}},
        "/kites/{id}": {
            "parameters": [
                {"name": "id", "in": "path", "required": True, "type": "integer", "format": "int64", "minimum": 1},
                {"$ref": "#/parameters/Limit"},
            ],
            "get": {
                "operationId": "getKite",
                "schemes": ["http"],
                "parameters": [
                    {"name": "colors", "in": "query", "type": "array", "items": {"type": "string"}, "collectionFormat": "multi"},
                    {"name": "X-Tags", "in": "header", "type": "array", "items": {"type": "string"}},
                    {"name": "sizes", "in": "query", "type": "array", "items": {"type": "string"}, "collectionFormat": "pipes", "allowEmptyValue": True},
                ],
                "responses": {
                    "200": {
                        "description": "A kite",
                        "schema": {"$ref": "#/definitions/Kite«Red»"},
                        "headers": {"X-Rate": {"type": "integer", "description": "Left"}},
                        "examples": {"application/json": {"name": "a"}, "text/plain": "a"},
                    },
                    "404": {"$ref": "#/responses/Lost"},
                    "default": {"description": "Else", "x-more": 1},
                },
            },
            "put": {
                "consumes": ["application/json"],
                "parameters": [{"name": "body", "in": "body", "required": True, "description": "New", "schema": {"$ref": "#/definitions/Kite"}}],
                "responses": {"204": {"description": "Done"}},
            },
            "post": {
                "consumes": ["application/x-www-form-urlencoded", "multipart/form-data"],
                "parameters": [
                    {"name": "name", "in": "formData", "type": "string", "required": True, "description": "Its name"},
                    {"name": "photo", "in": "formData", "type": "file"},
                    {"name": "tags", "in": "formData", "type": "array", "items": {"type": "string"}, "collectionFormat": "multi"},
                ],
                "security": [{"key": []}],
                "produces": ["image/png"],
                "responses": {"200": {"description": "Its picture", "schema": {"type": "file"}}},
            },
        }
    },
    "parameters": {
        "Limit": {"name": "limit", "in": "query", "type": "integer", "default": 10},
        "Kite": {"name": "kite", "in": "body", "schema": {"$ref": "#/definitions/Kite"}},
    },
    "responses": {"Lost": {"description": "Lost", "schema": {"type": "object"}}},
    "definitions": {
        "Kite": {
            "type": "object",
            "discriminator": "kind",
            "required": ["kind"],
            "properties": {
                "kind": {"type": "string"},
                "discriminator": {"type": "string", "x-nullable": True},
                "type": {"type": "string", "example": {"$ref": "#/definitions/no"}},
            },
        },
        "Kite«Red»": {"allOf": [{"$ref": "#/definitions/Kite"}, {"type": "object", "additionalProperties": {"type": "string"}}]},
    },
    "securityDefinitions": {
        "basic": {"type": "basic", "description": "Name and password"},
        "key": {"type": "apiKey", "name": "X-Key", "in": "header"},
        "code": {"type": "oauth2", "flow": "accessCode", "authorizationUrl": "https://a.example", "tokenUrl": "https://t.example", "scopes": {"read": "Reads"}},
        "app": {"type": "oauth2", "flow": "application", "tokenUrl": "https://t.example", "scopes": {}},
    },
    "x-own": {"a": 1},
}  # fmt: skip


def _changed(**given: Any) -> dict[str, Any]:
    return {**json.loads(json.dumps(_BASE)), **given}


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    root, problems = as_openapi_3(_changed())
    assert problems == []
    assert check_description(root) == []
    return root


def test_other_descriptions_are_given_back() -> None:
    root = {"openapi": "3.1.0", "info": {}}
    assert as_openapi_3(root) == (root, [])


@pytest.mark.costly
def test_addresses_become_servers(made: dict[str, Any]) -> None:
    assert made["servers"] == [{"url": "https://kite.example/v1"}, {"url": "wss://kite.example/v1"}]
    assert made["paths"]["/kites/{id}"]["get"]["servers"] == [{"url": "http://kite.example/v1"}]
    assert made["x-own"] == {"a": 1}
    without_host = _changed()
    del without_host["host"], without_host["schemes"]
    assert as_openapi_3(without_host)[0]["servers"] == [{"url": "/v1/"}]


def test_parameters_have_schemas_and_styles(made: dict[str, Any]) -> None:
    path = made["paths"]["/kites/{id}"]
    assert path["parameters"] == [
        {"name": "id", "in": "path", "required": True, "schema": {"type": "integer", "format": "int64", "minimum": 1}},
        {"$ref": "#/components/parameters/Limit"},
    ]
    colors, tags, sizes = path["get"]["parameters"]
    assert (colors["style"], colors["explode"], colors["schema"]["items"]) == ("form", True, {"type": "string"})
    assert "style" not in tags
    assert (sizes["style"], sizes["explode"], sizes["allowEmptyValue"]) == ("pipeDelimited", False, True)
    assert made["components"]["parameters"]["Limit"]["schema"] == {"type": "integer", "default": 10}


def test_bodies_and_forms_become_request_bodies(made: dict[str, Any]) -> None:
    path = made["paths"]["/kites/{id}"]
    kite = {"$ref": "#/components/schemas/Kite"}
    shared = made["paths"]["/kites"]
    assert "parameters" not in shared
    assert shared["patch"]["requestBody"] == {"required": False, "content": {"application/xml": {"schema": kite}}}
    assert path["put"]["requestBody"]["content"] == {"application/json": {"schema": kite}}
    assert (path["put"]["requestBody"]["description"], path["put"]["requestBody"]["required"]) == ("New", True)
    form = path["post"]["requestBody"]
    (kind,) = form["content"]
    assert (kind, form["required"]) == ("multipart/form-data", True)
    schema = form["content"][kind]["schema"]
    assert schema["required"] == ["name"]
    assert schema["properties"]["name"] == {"type": "string", "description": "Its name"}
    assert schema["properties"]["photo"] == {"type": "string", "format": "binary"}
    assert form["content"][kind]["encoding"] == {"tags": {"style": "form", "explode": True}}


def test_answers_have_a_content_for_each_type(made: dict[str, Any]) -> None:
    answers = made["paths"]["/kites/{id}"]["get"]["responses"]
    content = answers["200"]["content"]
    assert list(content) == ["application/json", "text/csv", "text/plain"]
    assert content["application/json"] == {
        "schema": {"$ref": "#/components/schemas/Kite-Red"},
        "example": {"name": "a"},
    }
    assert content["text/plain"] == {"example": "a"}
    assert answers["200"]["headers"] == {"X-Rate": {"description": "Left", "schema": {"type": "integer"}}}
    assert answers["404"] == {"$ref": "#/components/responses/Lost"}
    assert answers["default"] == {"description": "Else", "x-more": 1}
    picture = made["paths"]["/kites/{id}"]["post"]["responses"]["200"]["content"]
    assert picture == {"image/png": {"schema": {"type": "string", "format": "binary"}}}


def test_schemas_and_security_have_their_new_forms(made: dict[str, Any]) -> None:
    kite = made["components"]["schemas"]["Kite"]
    assert kite["discriminator"] == {"propertyName": "kind"}
    assert kite["properties"]["discriminator"] == {"type": "string", "nullable": True}
    assert kite["properties"]["type"]["example"] == {"$ref": "#/definitions/no"}
    assert made["components"]["schemas"]["Kite-Red"]["allOf"][0] == {"$ref": "#/components/schemas/Kite"}
    schemes = made["components"]["securitySchemes"]
    assert schemes["basic"] == {"type": "http", "scheme": "basic", "description": "Name and password"}
    assert schemes["key"] == {"type": "apiKey", "name": "X-Key", "in": "header"}
    assert list(schemes["code"]["flows"]["authorizationCode"]) == ["authorizationUrl", "tokenUrl", "scopes"]
    assert schemes["app"]["flows"] == {"clientCredentials": {"tokenUrl": "https://t.example", "scopes": {}}}


def test_what_has_no_counterpart_is_a_finding_at_its_place() -> None:
    root = _changed()
    path = root["paths"]["/kites/{id}"]
    path["get"]["parameters"][0]["collectionFormat"] = "tsv"
    path["post"]["parameters"].append({"name": "b", "in": "body", "schema": {}})
    found = [(one.level, one.pointer) for one in as_openapi_3(root)[1]]
    assert found == [
        ("warn", ("paths", "/kites/{id}", "get", "parameters", 0, "collectionFormat")),
        ("warn", ("paths", "/kites/{id}", "post", "parameters")),
    ]


def test_mistakes_are_found_where_the_author_wrote_them() -> None:
    root, problems = as_openapi_3(_changed(info={"title": "Kites"}))
    assert [(one.level, one.pointer) for one in problems] == [("error", ("info",))]
    wrong = _changed()
    wrong["definitions"]["Kite"]["properties"]["kind"] = {"$ref": "#/definitions/Klin"}
    wrong["paths"]["/kites/{id}"]["put"]["parameters"][0]["schema"] = {"$ref": "#/definitions/Kte"}
    wrong["paths"]["/kites/{id}"]["get"]["responses"]["200"]["schema"] = {"$ref": "#/definitions/Kit"}
    root, problems = as_openapi_3(wrong)
    assert problems == []
    found = [in_terms_of_swagger(one) for one in check_description(root)]
    places = {one.pointer for one in found}
    assert ("definitions", "Kite", "properties", "kind", "$ref") in places
    assert ("paths", "/kites/{id}", "put", "parameters") in places
    assert ("paths", "/kites/{id}", "get", "responses", "200", "schema", "$ref") in places
    assert all("#/components" not in f"{one.message} {one.suggestion}" for one in found)
    assert any('"#/definitions/Klin" leads nowhere' in one.message for one in found)


def test_earlier_versions_are_refused() -> None:
    with pytest.raises(Problem, match=r"This is Swagger 1\.2; Swagger 2\.0 and OpenAPI 3\.0 to 3\.2 are drawn"):
        check_description({"swagger": "1.2"})
