"""What the users of an API depend on: parameters, bodies, statuses and headers of its operations, and its named schemas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from octavo.lazy import regex as re
from octavo.reference.changes.schemas import SchemaWords
from octavo.reference.comparing import Member, Surface
from octavo.reference.openapi.operation import Operation, find_operations
from octavo.reference.openapi.security import ways_in
from octavo.reference.openapi.source.references import as_mapping, resolve

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def api_surface(root: dict[str, Any]) -> Surface:
    """Describe the operations of a bundled description, and the named schemas that their fields lead to."""
    words = SchemaWords(root)
    surface = {
        f"{one.method} {one.path}": Member(
            dict(_parts(root, words, one)),
            identity=f"{one.method} {_PLACEHOLDER.sub('{}', one.path)}",
            placeholders=_PLACEHOLDER.findall(one.path),
        )
        for one in find_operations(root)
    }
    described: set[str] = set()
    # A schema leads to more of them.
    while names := [name for name in words.named if name not in described]:
        described.update(names)
        for name in names:
            ref = {"$ref": words.named[name]}
            fields = words.fields(ref)
            # A list of values without fields is compared wherever it is used.
            if fields or "enum" not in as_mapping(resolve(root, ref)):
                surface.setdefault(name, Member({name: words.shape_of(ref)} | fields, is_part=True))
    return surface


def _parts(root: dict[str, Any], words: SchemaWords, operation: Operation) -> Iterator[tuple[str, str]]:
    data = operation.data
    if data.get("deprecated") is True:
        yield "deprecated", ""
    if ways := ways_in(root, data):
        yield "security", " or ".join(ways)
    for parameter in operation.parameters:
        flags = [word for word in ("required", "deprecated") if parameter.get(word) is True]
        content = next(iter(as_mapping(parameter.get("content")).values()), None)
        schema = parameter.get("schema", as_mapping(content).get("schema"))
        settled = ", ".join(filter(None, (words.type_of(schema), *flags)))
        yield f"{parameter.get('in')} {parameter.get('name')}", settled
    body = resolve(root, data.get("requestBody"))
    yield from _content(words, "body", body, "required" if as_mapping(body).get("required") is True else "")
    for status, raw in as_mapping(data.get("responses")).items():
        answer = resolve(root, raw)
        yield from _content(words, str(status), answer, "")
        for name, header in as_mapping(as_mapping(answer).get("headers")).items():
            yield f"{status} header {name}", words.type_of(as_mapping(resolve(root, header)).get("schema"))
    for callback in operation.callbacks:
        for part, settled in _parts(root, words, callback):
            yield f"callback {callback.id} {part}", settled


def _content(words: SchemaWords, name: str, holder: Any, settled: str) -> Iterator[tuple[str, str]]:
    """Describe a body by its media types with their types, and its fields."""
    if not isinstance(holder, dict):
        return
    contents = {
        media: as_mapping(content).get("schema") for media, content in as_mapping(holder.get("content")).items()
    }
    media = [": ".join(filter(None, (media, words.shape_of(schema)))) for media, schema in contents.items()]
    yield name, ", ".join(filter(None, (settled, *media)))
    for schema in contents.values():
        yield from words.fields(schema, f"{name} ").items()
