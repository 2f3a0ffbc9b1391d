"""A description of any size: the same operations, schemas and circles for the same numbers, and some very large schemas."""

from __future__ import annotations

from typing import Any

_PER_TAG = 25
_SIDES = ("base", "head", "fork")
"""What a large schema holds whole, as those of webhooks do."""
_FIELDS = ("id", "name", "email", "created_at", "state", "count", "is_active", "labels")


def make_description(operations: int, schemas: int) -> dict[str, Any]:
    """Describe an API.

    Args:
        operations: Their number; five to a resource.
        schemas: Their number, at least one; every third refers to itself, the others to a neighbour. For each 75 of
            them there is a very large one besides.
    """
    paths: dict[str, Any] = {}
    for index in range(operations):
        resource, kind = divmod(index, 5)
        base = f"/v1/resource-{resource}"
        path, method = ((base, "get"), (base, "post"), (one := f"{base}/{{id}}", "get"), (one, "put"), (one, "delete"))[
            kind
        ]
        paths.setdefault(path, {})[method] = _operation(index, method, "{id}" in path, schemas)
    tags = [
        {"name": f"Area {number}", "description": f"Resources of area {number}."}
        for number in range(-(-operations // _PER_TAG))
    ]
    return {
        "openapi": "3.1.0",
        "info": {"title": "A large API", "version": "1.0.0", "description": "Made to measure."},
        "servers": [{"url": "https://api.example.com"}],
        "tags": tags,
        "paths": paths,
        "components": {
            "schemas": {_name(index): _schema(index, schemas) for index in range(schemas)}
            | {f"Event{index:02d}": _large_schema() for index in range(schemas // 75)}
        },
    }


def _operation(index: int, method: str, has_id: bool, schemas: int) -> dict[str, Any]:
    ref = {"$ref": f"#/components/schemas/{_name(index * 3 // 2 % schemas)}"}
    body = {"application/json": {"schema": ref}}
    parameters: list[dict[str, Any]] = [
        {"name": "limit", "in": "query", "description": "Most items.", "schema": {"type": "integer", "maximum": 100}}
    ]
    if has_id:
        parameters.append({"name": "id", "in": "path", "required": True, "schema": {"type": "string"}})
    made = {
        "operationId": f"operation{index}",
        "tags": [f"Area {index // _PER_TAG}"],
        "summary": f"{method.capitalize()} resource {index // 5}",
        "description": f"What `{method}` does with resource {index // 5}, in *one* sentence.",
        "parameters": parameters,
        "responses": {
            "200": {"description": "It is done.", "content": body},
            "404": {"description": "There is none."},
        },
    }
    return made | ({"requestBody": {"required": True, "content": body}} if method in ("post", "put") else {})


def _schema(index: int, schemas: int) -> dict[str, Any]:
    other = index if index % 3 == 0 else (index + 1) % schemas
    fields: dict[str, Any] = {name: _field(name) for name in _FIELDS}
    fields["related"] = {"$ref": f"#/components/schemas/{_name(other)}"}
    fields["children"] = {"type": "array", "items": {"$ref": f"#/components/schemas/{_name(index)}"}}
    return {"type": "object", "description": f"Thing number {index}.", "required": ["id", "name"], "properties": fields}


def _large_schema() -> dict[str, Any]:
    """Describe a schema of some 700 fields, 90 kB of JSON."""
    part = {f"{name}_{number}": _field(name) for name in _FIELDS for number in range(10)}
    sides = {side: {"type": "object", "properties": {"owner": _object(part), **part}} for side in _SIDES}
    return _object({"action": {"type": "string", "enum": ["opened", "closed"]}, "request": _object(sides), **part})


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields}


def _field(name: str) -> dict[str, Any]:
    if name == "count":
        return {"type": "integer", "minimum": 0, "description": "How many there are."}
    if name == "is_active":
        return {"type": "boolean", "default": True}
    if name == "labels":
        return {"type": "object", "additionalProperties": {"type": "string"}}
    if name == "state":
        return {"type": "string", "enum": ["new", "open", "closed"]}
    return {"type": "string", "description": f"Its {name}.", "maxLength": 200}


def _name(index: int) -> str:
    return f"Thing{index:04d}"
