"""Examples from schemas, where none are given: the same in every build, and such as could be real."""

from __future__ import annotations

from typing import Any, TypeGuard

import msgspec

from octavo.reference.openapi.facts import example_value
from octavo.reference.openapi.source.references import resolve

STREAM = "text/event-stream"
_MAX_DEPTH = 8
_MAX_FIELDS = 60
"""Fields of an object from which on an example has only those that are required."""
_MAX_LENGTH = 10_000
"""Characters of a text that must be long; a description may ask for any number."""
CUT = "…"
"""Marks where an example goes no deeper or leaves fields out."""
_NESTING = frozenset({"allOf", "oneOf", "anyOf", "properties", "additionalProperties", "items", "prefixItems"})

_BY_FORMAT: dict[str, Any] = {
    "date-time": "2025-05-01T10:00:00Z",
    "date": "2025-05-01",
    "time": "10:00:00Z",
    "duration": "PT15M",
    "email": "ada@example.com",
    "idn-email": "ada@example.com",
    "hostname": "api.example.com",
    "ipv4": "192.0.2.10",
    "ipv6": "2001:db8::10",
    "uri": "https://example.com/",
    "url": "https://example.com/",
    "uri-reference": "/items/1",
    "iri": "https://example.com/",
    "uuid": "3f2b8c1e-6a4d-4c1b-9e57-0d2f4a7b8c9d",
    "byte": "aGVsbG8=",
    "binary": "…",
    "password": "correct horse battery staple",
    "regex": "^[a-z]+$",
    "json-pointer": "/name",
    "int32": 1,
    "int64": 1,
    "float": 0.5,
    "double": 0.5,
}
_BY_NAME: tuple[tuple[str, str], ...] = (
    ("email", "ada@example.com"),
    ("url", "https://example.com/"),
    ("uri", "https://example.com/"),
    ("host", "api.example.com"),
    ("timestamp", "2025-05-01T10:00:00Z"),
    ("created", "2025-05-01T10:00:00Z"),
    ("updated", "2025-05-01T10:00:00Z"),
    ("description", "A short description"),
    ("version", "1.0.0"),
    ("language", "python"),
    ("path", "/srv/data"),
    ("message", "Hello"),
    ("name", "example"),
    ("id", "3f2b8c1e"),
)


class Examples:
    """Makes the examples of one document, those of named schemas once."""

    def __init__(self, root: dict[str, Any]) -> None:
        self.root = root
        self._made: dict[tuple[str, bool], Any] = {}

    def of(self, schema: Any, *, is_request: bool = False) -> Any:
        """Make an example of a schema.

        Args:
            schema: The schema.
            is_request: Leave out what only answers have (`readOnly`), else what only requests have (`writeOnly`).

        Returns:
            A JSON value, shared by all who ask; None where nothing can be said.
        """
        maker = _Maker(self.root, is_request=is_request)
        ref = schema.get("$ref") if isinstance(schema, dict) and len(schema) == 1 else None
        if not isinstance(ref, str):
            return maker.make(schema, "", (), 0)
        key = (ref, is_request)
        if key not in self._made:
            self._made[key] = maker.make(schema, "", (), 0)
        return self._made[key]


class _Maker:
    def __init__(self, root: dict[str, Any], *, is_request: bool) -> None:
        self._root = root
        self._hidden = "readOnly" if is_request else "writeOnly"
        self._is_answer = not is_request

    def make(self, schema: Any, name: str, trail: tuple[str, ...], depth: int) -> Any:
        if not isinstance(schema, dict):
            return None
        ref = schema.get("$ref")
        if isinstance(ref, str):
            if ref in trail:
                return None
            trail = (*trail, ref)
            target = resolve(self._root, schema)
            siblings = {key: value for key, value in schema.items() if key != "$ref"}
            schema = {**target, **siblings} if isinstance(target, dict) else {}
            schema.pop("$ref", None)
        given, found = _given(schema)
        if found:
            return given
        if depth > _MAX_DEPTH and not _NESTING.isdisjoint(schema):
            return CUT
        return self._of_parts(schema, name, trail, depth)

    def _of_parts(self, schema: dict[str, Any], name: str, trail: tuple[str, ...], depth: int) -> Any:
        if isinstance(schema.get("allOf"), list):
            made: dict[str, Any] = {}
            for part in (*schema["allOf"], {key: value for key, value in schema.items() if key != "allOf"}):
                value = self.make(part, name, trail, depth + 1)
                if isinstance(value, dict):
                    made |= value
                elif value is not None and not made:
                    return value
            return made
        for keyword in ("oneOf", "anyOf"):
            options = schema.get(keyword)
            if isinstance(options, list) and options:
                best = next((one for one in options if one != {"type": "null"}), options[0])
                return self.make(best, name, trail, depth + 1)
        return self._of_type(schema, name, trail, depth)

    def _of_type(self, schema: dict[str, Any], name: str, trail: tuple[str, ...], depth: int) -> Any:
        type_ = schema.get("type")
        if isinstance(type_, list):
            type_ = next((one for one in type_ if one != "null"), "null")
        if type_ == "object" or (type_ is None and ("properties" in schema or "additionalProperties" in schema)):
            return self._object(schema, trail, depth)
        if type_ == "array" or (type_ is None and ("items" in schema or "prefixItems" in schema)):
            return self._array(schema, name, trail, depth)
        if type_ in ("integer", "number"):
            return _number(schema, is_whole=type_ == "integer")
        if type_ == "boolean":
            return True
        return _string(schema, name) if type_ == "string" else None

    def _object(self, schema: dict[str, Any], trail: tuple[str, ...], depth: int) -> dict[str, Any]:
        given = schema.get("required")
        required = given if isinstance(given, list) else []
        made: dict[str, Any] = {}
        for index, (name, field) in enumerate(_fields(schema).items()):
            if index >= _MAX_FIELDS and name not in required:
                continue
            shown = resolve(self._root, field)
            if isinstance(shown, dict) and shown.get(self._hidden) is True:
                continue
            value = self.make(field, name, trail, depth + 1)
            # A circle ends where nothing is required of it.
            if value is not None or name in required or not isinstance(field, dict):
                made[name] = value
        # A request is sent as it is shown: it has what is required, and no field that nobody knows.
        if self._is_answer and len(made) < len(schema.get("properties") or {}) > _MAX_FIELDS:
            made[CUT] = CUT
        extra = schema.get("additionalProperties")
        if isinstance(extra, dict) and extra and not made:
            made["key"] = self.make(extra, "", trail, depth + 1)
        return made

    def _array(self, schema: dict[str, Any], name: str, trail: tuple[str, ...], depth: int) -> list[Any]:
        if isinstance(schema.get("prefixItems"), list):
            return [self.make(one, name, trail, depth + 1) for one in schema["prefixItems"]]
        value = self.make(schema.get("items"), name.removesuffix("s"), trail, depth + 1)
        return [] if value is None else [value]


def _given(schema: dict[str, Any]) -> tuple[Any, bool]:
    """Take the value that the schema itself names, if it names one."""
    for key in ("example", "const", "default"):
        if key in schema and (key != "default" or schema[key] not in (None, [], {})):
            return schema[key], True
    for key in ("examples", "enum"):
        if isinstance(schema.get(key), list) and schema[key]:
            return schema[key][0], True
    return None, False


def _number(schema: dict[str, Any], *, is_whole: bool) -> int | float:
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    value: int | float = 1 if is_whole else 1.5
    if _is_number(low) and value <= low:
        value = low if "minimum" in schema and schema.get("exclusiveMinimum") is not True else low + 1
    if _is_number(high) and value > high:
        value = high if "maximum" in schema else high - 1
    step = schema.get("multipleOf")
    if _is_number(step) and step > 0 and value % step:
        value = (value // step + 1) * step
    return int(value) if is_whole else value


def _is_number(value: Any) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _string(schema: dict[str, Any], name: str) -> str:
    format_ = schema.get("format")
    text = str(_BY_FORMAT[format_]) if isinstance(format_, str) and format_ in _BY_FORMAT else ""
    if not text:
        lower = name.lower()
        text = next((value for part, value in _BY_NAME if lower.endswith(part)), "text")
    shortest, longest = schema.get("minLength"), schema.get("maxLength")
    if isinstance(shortest, int) and len(text) < shortest:
        least = min(shortest, _MAX_LENGTH)
        text = f"{text}-{'x' * least}"[:least] + (CUT if shortest > _MAX_LENGTH else "")
    return text[:longest] if isinstance(longest, int) and longest >= 0 else text


def find_examples(
    examples: Examples, media_type: str, content: dict[str, Any], *, is_request: bool
) -> list[tuple[str, Any]]:
    """List the examples of a body as (label, value): those that are given, else one made from the schema."""
    if "example" in content:
        return [("Example", content["example"])]
    given = content.get("examples")
    found = []
    for name, raw in (given if isinstance(given, dict) else {}).items():
        example = resolve(examples.root, raw)
        if isinstance(example, dict) and (value := example_value(example)) is not msgspec.UNSET:
            found.append((str(example.get("summary") or name), value))
    if found or media_type == STREAM:
        return found
    made = examples.of(content.get("schema"), is_request=is_request)
    return [] if made is None else [("Example", made)]


def _fields(schema: dict[str, Any]) -> dict[str, Any]:
    fields = schema.get("properties")
    return fields if isinstance(fields, dict) else {}
