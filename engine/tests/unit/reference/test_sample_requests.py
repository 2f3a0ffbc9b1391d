"""The request that samples send: what must be given, with credentials as words."""

from __future__ import annotations

from typing import Any

import pytest

from octavo.reference.command_line import read_commands
from octavo.reference.openapi.operation import Operation
from octavo.reference.openapi.write.examples import Examples
from octavo.reference.openapi.write.requests import make_request

SCHEMES = {
    "basic": {"type": "http", "scheme": "Basic"},
    "bearer": {"type": "http", "scheme": "bearer"},
    "oauth": {"type": "oauth2", "flows": {}},
    "header": {"type": "apiKey", "in": "header", "name": "X-Key"},
    "query": {"type": "apiKey", "in": "query", "name": "key"},
    "cookie": {"type": "apiKey", "in": "cookie", "name": "sid"},
}
ROOT: dict[str, Any] = {
    "components": {
        "securitySchemes": SCHEMES,
        "schemas": {"Pot": {"type": "object", "properties": {"glaze": {"type": "string", "example": "celadon"}}}},
    },
    "security": [{"bearer": []}],
}


def operation(**data: Any) -> Operation:
    return Operation(
        "a", "a", "POST", "/pots/{id}", (), [], data, data.pop("parameters", []), ["https://a.example/v1/"]
    )


@pytest.mark.parametrize(
    ("scheme", "query", "headers"),
    [
        ("basic", [], [("Authorization", "Basic YOUR_CREDENTIALS")]),
        ("bearer", [], [("Authorization", "Bearer YOUR_TOKEN")]),
        ("oauth", [], [("Authorization", "Bearer YOUR_TOKEN")]),
        ("header", [], [("X-Key", "YOUR_KEY")]),
        ("query", [("key", "YOUR_KEY")], []),
        ("cookie", [], []),
        ("unknown", [], []),
    ],
)
def test_credentials(scheme: str, query: list[tuple[str, str]], headers: list[tuple[str, str]]) -> None:
    made = make_request(Examples(ROOT), operation(security=[{scheme: []}]))
    assert (made.query, made.headers) == (query, headers)


def test_only_what_must_be_given_and_what_the_path_needs() -> None:
    parameters = [
        {"in": "path", "name": "id", "schema": {"type": "string", "example": "a/b"}},
        {"in": "query", "name": "all", "required": True, "schema": {"type": "boolean", "default": True}},
        {"in": "query", "name": "tags", "required": True, "example": ["x", "y"]},
        {"in": "query", "name": "page", "schema": {"type": "integer"}},
        {"in": "header", "name": "X-Kiln", "required": True, "schema": {"type": "string"}},
        {"in": "header", "name": "X-Other", "schema": {"type": "string"}},
        {"in": "cookie", "name": "sid", "required": True, "schema": {"type": "string"}},
    ]
    made = make_request(Examples(ROOT), operation(parameters=parameters, security=[]))
    assert made.url == "https://a.example/v1/pots/a%2Fb"
    assert made.query == [("all", "true"), ("tags", "x,y")]
    assert made.headers == [("X-Kiln", "X-Kiln")]
    assert (made.media_type, made.body, made.is_stream) == ("", None, False)


def test_body_is_an_example_of_its_named_schema() -> None:
    content = {"text/plain": {}, "application/json": {"schema": {"$ref": "#/components/schemas/Pot"}}}
    answers = {"200": {"content": {"text/event-stream": {}}}}
    made = make_request(Examples(ROOT), operation(requestBody={"content": content}, responses=answers))
    assert (made.media_type, made.body, made.is_stream) == ("application/json", {"glaze": "celadon"}, True)
    # That of the whole document, where an operation says nothing of its own.
    assert made.headers == [("Authorization", "Bearer YOUR_TOKEN")]


def test_mistake_in_a_later_command_of_a_file_has_its_line() -> None:
    text = "name: pot\nsynopsis: Throw\n---\nname: kiln\nsynopsis: Fire\noptions: 3\n"
    entries, [problem] = read_commands([("pot.yaml", text)])
    assert [one.command.name for one in entries] == ["pot", "kiln"]
    assert (problem.span.path, problem.span.line) == ("pot.yaml", 6)
