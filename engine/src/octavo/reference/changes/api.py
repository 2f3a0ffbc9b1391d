"""What the users of an API depend on: parameters, bodies and statuses of its operations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from octavo.reference.comparing import Member, Surface
from octavo.reference.openapi.operation import Operation, find_operations
from octavo.reference.openapi.source.references import as_mapping, resolve


def api_surface(root: dict[str, Any]) -> Surface:
    """Describe the operations of a bundled description."""
    return {f"{one.method} {one.path}": Member(dict(_parts(root, one))) for one in find_operations(root)}


def _parts(root: dict[str, Any], operation: Operation) -> Iterator[tuple[str, str]]:
    if operation.data.get("deprecated") is True:
        yield "deprecated", ""
    for parameter in operation.parameters:
        schema = parameter.get("schema")
        flags = [word for word in ("required", "deprecated") if parameter.get(word) is True]
        yield f"{parameter.get('in')} {parameter.get('name')}", ", ".join(filter(None, (_type(root, schema), *flags)))
    body = resolve(root, operation.data.get("requestBody"))
    yield from _content(root, "body", body, "required" if as_mapping(body).get("required") is True else "")
    for status, raw in as_mapping(operation.data.get("responses")).items():
        yield from _content(root, str(status), resolve(root, raw), "")


def _content(root: dict[str, Any], name: str, holder: Any, settled: str) -> Iterator[tuple[str, str]]:
    """Describe a body by its media types, and the fields on its first level."""
    if not isinstance(holder, dict):
        return
    contents = as_mapping(holder.get("content"))
    yield name, ", ".join(filter(None, (settled, *map(str, contents))))
    for content in contents.values():
        schema = resolve(root, as_mapping(content).get("schema"))
        if isinstance(schema, dict) and isinstance(schema.get("items"), dict):
            schema = resolve(root, schema["items"])
        required = schema.get("required") if isinstance(schema, dict) else None
        for field, inner in as_mapping(as_mapping(schema).get("properties")).items():
            is_required = isinstance(required, list) and field in required
            yield f"{name} {field}", ", ".join(filter(None, (_type(root, inner), "required" if is_required else "")))


def _type(root: dict[str, Any], schema: Any) -> str:
    """Name a type in words; what a reference leads to has the name that it gives."""
    if not isinstance(schema, dict):
        return ""
    ref = schema.get("$ref")
    if isinstance(ref, str):
        target = resolve(root, schema)
        values = _enum(target) if isinstance(target, dict) else ""
        return ", ".join(filter(None, (ref.rpartition("/")[2], values)))
    given = schema.get("type")
    words = " or ".join(map(str, given)) if isinstance(given, list) else str(given or "")
    if isinstance(schema.get("items"), dict):
        words = f"array of {_type(root, schema['items'])}".strip()
    for name in ("oneOf", "anyOf"):
        if isinstance(schema.get(name), list):
            words = " or ".join(filter(None, (_type(root, one) for one in schema[name])))
    words = f"{words} ({schema['format']})" if schema.get("format") else words
    default = f"default {schema['default']}" if schema.get("default") not in (None, "") else ""
    return ", ".join(filter(None, (words, _enum(schema), default)))


def _enum(schema: dict[str, Any]) -> str:
    values = schema.get("enum")
    return f"one of {', '.join(map(str, values))}" if isinstance(values, list) else ""
