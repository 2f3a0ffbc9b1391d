"""A description of an API that contradicts itself: what pages leave out, or show twice, is a finding at its place."""

from __future__ import annotations

from typing import Any

from octavo.reference.openapi.source.check import check_description
from tests.support.each import each

RESPONSES = {"responses": {"200": {"description": "x"}}}


def described(**parts: Any) -> dict[str, Any]:
    return {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {}, **parts}


def query(name: str, **schema: Any) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": {"type": "string", **schema}}


# name → (description, place, part of the message)
CONTRADICTIONS: dict[str, tuple[dict[str, Any], tuple[str | int, ...], str]] = {
    "tag declared twice": (
        described(tags=[{"name": "a"}, {"name": "b"}, {"name": "a"}]),
        ("tags", 2, "name"),
        'The tag "a" is declared twice',
    ),
    "parameter given twice": (
        described(paths={"/a": {"get": {**RESPONSES, "parameters": [query("q"), query("r"), query("q")]}}}),
        ("paths", "/a", "get", "parameters", 2),
        'The query parameter "q" is given twice',
    ),
    "security without a scheme": (
        described(
            security=[{"gone": []}], components={"securitySchemes": {"goon": {"type": "http", "scheme": "basic"}}}
        ),
        ("security", 0, "gone"),
        'No security scheme is called "gone"',
    ),
    "security of an operation without a scheme": (
        described(paths={"/a": {"get": {**RESPONSES, "security": [{}, {"gone": []}]}}}),
        ("paths", "/a", "get", "security", 1, "gone"),
        'No security scheme is called "gone"',
    ),
    "variable of a server that is not declared": (
        described(servers=[{"url": "https://{host}/{v}", "variables": {"v": {"default": "1"}}}]),
        ("servers", 0, "url"),
        'the variable "host"',
    ),
    "variable of a server that is not used": (
        described(servers=[{"url": "https://a.example", "variables": {"v": {"default": "1"}}}]),
        ("servers", 0, "variables", "v"),
        'the variable "v"',
    ),
    "scheme of a server": (described(servers=[{"url": "htp://a.example"}]), ("servers", 0, "url"), '"htp:"'),
    "two paths for one address": (
        described(
            paths={
                f"/a/{{{name}}}": {
                    "get": {**RESPONSES, "parameters": [{"name": name, "in": "path", "required": True, "schema": {}}]}
                }
                for name in ("b", "c")
            }
        ),
        ("paths", "/a/{c}"),
        'differs from "/a/{b}" only in the names of its parameters',
    ),
    "default that is not a choice": (
        described(paths={"/a": {"get": {**RESPONSES, "parameters": [query("q", enum=["x", "y"], default="z")]}}}),
        ("paths", "/a", "get", "parameters", 0, "schema", "default"),
        'The default "z" is none of the values',
    ),
    "mapping of a discriminator that leads nowhere": (
        described(
            components={
                "schemas": {
                    "A": {
                        "oneOf": [{"$ref": "#/components/schemas/B"}],
                        "discriminator": {"propertyName": "k", "mapping": {"b": "#/components/schemas/C"}},
                    },
                    "B": {"type": "object"},
                }
            }
        ),
        ("components", "schemas", "A", "discriminator", "mapping", "b"),
        '"#/components/schemas/C", leads nowhere',
    ),
}


@each("name", CONTRADICTIONS)
def test_contradiction_is_found_at_its_place(name: str) -> None:
    root, pointer, message = CONTRADICTIONS[name]
    [found] = check_description(root)
    assert (found.pointer, found.level) == (pointer, "warn")
    assert message in found.message
    assert found.suggestion


def test_what_agrees_has_no_finding() -> None:
    root = described(
        tags=[{"name": "a"}, {"name": "A"}],
        servers=[
            {"url": "/v1"},
            {"url": "https://{v}.example", "variables": {"v": {"default": "1"}}},
            {"url": "wss://a"},
        ],
        security=[{}, {"key": []}],
        components={
            "securitySchemes": {"key": {"type": "http", "scheme": "basic"}},
            "schemas": {
                "A": {"discriminator": {"propertyName": "k", "mapping": {"b": "B", "c": "./c.yaml"}}},
                "B": {"enum": ["x", None], "default": None},
                "C": {"type": "array", "items": {"enum": ["x"]}, "default": ["x"]},
                "default": {
                    "type": "object",
                    "properties": {"default": {"type": "string"}, "enum": {"type": "string"}},
                },
            },
        },
        paths={
            "/a": {"parameters": [query("q")], "get": {**RESPONSES, "parameters": [query("q")]}},
            "/a/b": {"get": RESPONSES},
            "/A": {"get": RESPONSES},
        },
    )
    assert list(check_description(root)) == []
