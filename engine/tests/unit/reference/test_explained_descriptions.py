"""What is wrong with the form of a description is said in words, with what to write instead."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from octavo.reference.openapi.source.check import check_description, form_problems
from octavo.reference.openapi.source.problems import write_pointer

DESCRIPTION: dict[str, Any] = {
    "info": {"title": "T", "version": "1"},
    "paths": {
        "/a": {
            "get": {
                "parameters": [{"name": "a", "in": "query", "schema": {"type": "integer"}}],
                "responses": {"200": {"description": "Fine.", "content": {"application/json": {"schema": {}}}}},
            }
        }
    },
    "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "x"}}, "schemas": {}},
}
GET = "#/paths/~1a/get"
PARAMETER = f"{GET}/parameters/0"
SCHEMA = f"{GET}/responses/200/content/application~1json/schema"
KEY = "#/components/securitySchemes/key"


def described(version: str, place: str, changes: dict[str, Any]) -> dict[str, Any]:
    """Make a description with other keys in one place; None takes a key out."""
    made = {"openapi": version, **copy.deepcopy(DESCRIPTION)}
    target: Any = made
    for part in place.split("/")[1:]:
        target = target[int(part) if isinstance(target, list) else part.replace("~1", "/")]
    for key, value in changes.items():
        if value is None:
            del target[key]
        else:
            target[key] = value
    return made


def said(root: dict[str, Any]) -> list[str]:
    return [f"{write_pointer(one.pointer)}: {one.message} {one.suggestion}".rstrip() for one in check_description(root)]


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0", "3.2.0"])
@pytest.mark.parametrize(
    ("place", "changes", "expected"),
    [
        ("#", {"info": None}, '#: "info" is missing. Add "info".'),
        ("#", {"server": []}, '#: OpenAPI does not know "server" here. Did you mean "servers"?'),
        ("#", {"servers": {"url": "/"}}, "#/servers: This is a mapping, not a list. If one is meant, write it as the only item of a list."),
        ("#/info", {"version": 1.5}, "#/info/version: 1.5 is a number, not text. Put it in quotation marks."),
        ("#/paths", {"b": {}}, '#/paths: OpenAPI does not know "b" here. A path begins with a slash: write "/b".'),
        ("#/paths/~1a", {"pots": {}}, '#/paths/~1a: OpenAPI does not know "pots" here. Did you mean "post"?'),
        (GET, {"operationID": "a"}, f'{GET}: OpenAPI does not know "operationID" here. Did you mean "operationId"?'),
        (GET, {"name": "a"}, f'{GET}: OpenAPI does not know "name" here. Move it to where it belongs, or take it out.'),
        (GET, {"team": "a", "wiki": 1}, f'{GET}: OpenAPI does not know "team", "wiki" here. Take it out, or write "x-team", if programs of yours read it.'),
        (f"{GET}/responses", {"2000": {"description": ""}}, f'{GET}/responses: OpenAPI does not know "2000" here. Write a status of three digits, such as "200", a range such as "4XX", or default.'),
        (PARAMETER, {"in": "params"}, f'{PARAMETER}/in: "params" is not possible here; expected one of query, header, path, cookie.'),
        (PARAMETER, {"in": "Query"}, f'{PARAMETER}/in: "Query" is not possible here; expected one of query, header, path, cookie. Did you mean "query"?'),
        (PARAMETER, {"in": "body"}, f'{PARAMETER}/in: "body" is not possible here; expected one of query, header, path, cookie. The body of a request is requestBody of the operation.'),
        (PARAMETER, {"name": None}, f'{PARAMETER}: "name" is missing. Add "name".'),
        (KEY, {"type": "http", "in": None, "name": None}, f'{KEY}: "scheme" is missing. Add "scheme".'),
        (SCHEMA, {"items": [{}]}, f"{SCHEMA}/items: This is a list, not a mapping. Write one schema that all items have; for items of several kinds, oneOf within it."),
        (SCHEMA, {"required": True}, f"{SCHEMA}/required: true is not a list. List the names of required properties beside the `properties` that hold this one."),
        (SCHEMA, {"type": "int"}, f'{SCHEMA}/type: "int" is not possible here; expected one of string, number, integer, boolean, array, object. Did you mean "integer"?'),
    ],
)  # fmt: skip
def test_mistake_is_explained_once_in_each_version(
    version: str, place: str, changes: dict[str, Any], expected: str
) -> None:
    found = [
        line.replace("a mapping or true or false. It is not shown.", "a mapping.")
        .replace(" It is not shown.", "")
        .replace("array, object, null.", "array, object.")
        for line in said(described(version, place, changes))
    ]
    assert found == [expected]


@pytest.mark.parametrize(
    ("version", "place", "changes", "expected"),
    [
        ("3.0.3", SCHEMA, {"type": ["string", "null"]}, f'{SCHEMA}/type: This is not possible here; expected one of string, number, integer, boolean, array, object. Write the type of its values, and "nullable": true if it may be null, or "openapi: 3.1.0".'),
        ("3.0.3", SCHEMA, {"const": 3}, f'{SCHEMA}: OpenAPI does not know "const" here. OpenAPI 3.1 has it: write "openapi: 3.1.0", or take it out.'),
        ("3.1.0", "#/paths/~1a", {"query": {}}, '#/paths/~1a: OpenAPI does not know "query" here. OpenAPI 3.2 has it: write "openapi: 3.2.0", or take it out.'),
        ("3.0.3", SCHEMA, {"exclusiveMaximum": 3}, f'{SCHEMA}/exclusiveMaximum: 3 is a number, not true or false. Write the number as "maximum" and true here, or "openapi: 3.1.0".'),
        ("3.0.3", SCHEMA, {"minimum": "3"}, f'{SCHEMA}/minimum: "3" is text, not a number. Take the quotation marks off.'),
        ("3.0.3", SCHEMA, {"required": []}, f"{SCHEMA}/required: The list is empty. Take it out, or name the properties that are required."),
        ("3.0.3", KEY, {"type": "apikey"}, f'{KEY}/type: "apikey" is not possible here; expected one of apiKey, http, oauth2, openIdConnect. Did you mean "apiKey"?'),
        ("3.1.0", KEY, {"in": "body"}, f'{KEY}/in: "body" is not possible here; expected one of header, query, cookie. The body of a request is requestBody of the operation.'),
        ("3.0.3", PARAMETER, {"style": "matrix"}, f'{PARAMETER}/style: "matrix" is not possible here; expected one of form, spaceDelimited, pipeDelimited, deepObject.'),
        ("3.1.0", "#/components/schemas", {"a b": {}}, '#/components/schemas: "a b" does not match "^[a-zA-Z0-9._-]+$". Use letters, digits, ".", "-" and "_" alone.'),
        ("3.1.0", "#/paths", {"/{id}": {"get": {"responses": {"200": {"description": ""}}}}}, '#/paths/~1{id}/get: The path names "id", which no path parameter declares. Add {"name": "id", "in": "path", "required": true, …} to its parameters.'),
        ("3.1.0", SCHEMA, {"properties": []}, f'{SCHEMA}/properties: properties is not a mapping of names to schemas. Write it as {{"name": {{"type": "string"}}}}.'),
    ],
)  # fmt: skip
def test_mistake_of_a_version_is_explained(version: str, place: str, changes: dict[str, Any], expected: str) -> None:
    assert said(described(version, place, changes)) == [expected]


def test_schemas_of_31_may_say_what_those_of_30_may_not() -> None:
    schema = {
        "type": ["string", "null"],
        "items": False,
        "exclusiveMinimum": 3,
        "const": 1,
        "required": [],
        "examples": [1],
    }
    assert said(described("3.1.0", SCHEMA, schema)) == []


def test_mistakes_of_swagger_are_explained() -> None:
    operation = {
        "parameters": [{"name": "a", "in": "cookie", "type": "string"}],
        "responses": {"200": {"description": "", "schema": {"nullable": True, "oneOf": []}}},
    }
    root = {
        "swagger": "2.0",
        "info": {"title": "T", "version": "1"},
        "paths": {"/a": {"get": operation}},
        "securityDefinitions": {"a": {"type": "http"}},
    }
    assert [f"{one.message} {one.suggestion}".rstrip() for one in form_problems(root)] == [
        '"cookie" is not possible here; expected one of query, header, path, formData, body.',
        'OpenAPI does not know "nullable", "oneOf" here. In Swagger 2.0 it is "x-nullable".',
        '"http" is not possible here; expected one of basic, apiKey, oauth2.',
    ]


def test_long_values_are_not_repeated() -> None:
    (found,) = said(described("3.0.3", GET, {"tags": "long " * 900}))
    assert len(found) < 250
