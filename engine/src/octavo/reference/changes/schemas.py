"""Schemas in words, as far as the users of an API depend on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from octavo.reference.openapi.facts import write_value
from octavo.reference.openapi.names import schema_name
from octavo.reference.openapi.source.references import as_list, as_mapping, resolve

_MOST_LEVELS = 12
"""Levels of objects without a name that are described field by field; more is not an interface, or goes round in a circle."""
_LIMITS = {
    "minimum": "at least {}",
    "exclusiveMinimum": "more than {}",
    "maximum": "at most {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "multiple of {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "pattern": "pattern {}",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "minProperties": "at least {} fields",
    "maxProperties": "at most {} fields",
}
_FLAGS = {"uniqueItems": "each once", "readOnly": "read-only", "writeOnly": "write-only", "deprecated": "deprecated"}


class SchemaWords:
    """Describes schemas of one document, and collects the named ones on its way.

    The same contract gives the same words, however it is written: `nullable` of 3.0 and the type `null` of 3.1, a reference
    and an `allOf` of one reference, `const` and an `enum` of one value.
    """

    def __init__(self, root: dict[str, Any]) -> None:
        self._root = root
        self.named: dict[str, str] = {}
        """Name of a schema under `components` that a field, parameter or header leads to → its reference, in that order."""

    def type_of(self, schema: Any) -> str:
        """Name a type with its values, default and limits; empty where nothing is said of it."""
        return self._type(schema, 0)

    def shape_of(self, schema: Any) -> str:
        """Name the type of a body or of a named schema, without names: its fields are described with it."""
        return self._shape(schema, 0, set())

    def _shape(self, schema: Any, depth: int, seen: set[str]) -> str:
        schema = self._new(schema, seen)
        if depth > _MOST_LEVELS:
            return ""
        if "properties" in schema or "allOf" in schema:
            return "object"
        choices = [*as_list(schema.get("oneOf")), *as_list(schema.get("anyOf"))]
        if choices:
            return " or ".join(filter(None, dict.fromkeys(self._shape(one, depth + 1, seen) for one in choices)))
        if schema.get("type") == "array":
            return _of("array", self._shape(schema.get("items"), depth + 1, seen))
        if isinstance(schema.get("additionalProperties"), dict):
            return _of("map", self._shape(schema["additionalProperties"], depth + 1, seen))
        return self._type(schema, depth)

    def fields(self, schema: Any, prefix: str = "") -> dict[str, str]:
        """Describe the fields of an object or of the objects of a list, those of objects without a name with a dotted path.

        A field that several alternatives have can be what each of them says.
        """
        found: dict[str, list[str]] = {}
        for name, settled in self._fields(schema, prefix, 0, set()):
            if settled not in (known := found.setdefault(name, [])):
                known.append(settled)
        return {name: " or ".join(settled) for name, settled in found.items()}

    def _fields(self, schema: Any, prefix: str, depth: int, seen: set[str]) -> Iterator[tuple[str, str]]:
        schema = self._new(schema, seen)
        if depth > _MOST_LEVELS:
            return
        for part in _parts(schema):
            yield from self._fields(part, prefix, depth + 1, seen)
        yield from self._own_fields(schema, prefix, depth)

    def _new(self, schema: Any, seen: set[str]) -> dict[str, Any]:
        """Follow a reference once; nothing where it has been followed before."""
        ref = schema.get("$ref") if isinstance(schema, dict) else None
        if not isinstance(ref, str):
            return as_mapping(schema)
        if ref in seen:
            return {}
        seen.add(ref)
        return as_mapping(resolve(self._root, schema))

    def _own_fields(self, schema: dict[str, Any], prefix: str, depth: int) -> Iterator[tuple[str, str]]:
        required = as_list(schema.get("required"))
        for name, inner in as_mapping(schema.get("properties")).items():
            yield f"{prefix}{name}", _joined(self._type(inner, 0), "required" if name in required else "")
            yield from self._inner_fields(inner, f"{prefix}{name}.", depth + 1)

    def _inner_fields(self, schema: Any, prefix: str, depth: int) -> Iterator[tuple[str, str]]:
        """List the fields of a field's objects, without those of named schemas, which are described by themselves."""
        if depth > _MOST_LEVELS or not isinstance(schema, dict) or "$ref" in schema:
            return
        for part in _parts(schema):
            yield from self._inner_fields(part, prefix, depth + 1)
        yield from self._own_fields(schema, prefix, depth)

    def _type(self, schema: Any, depth: int) -> str:
        if not isinstance(schema, dict) or depth > _MOST_LEVELS:
            return ""
        kinds = dict.fromkeys(self._kinds(schema, depth))
        if schema.get("nullable") is True and kinds:
            kinds["null"] = None
        words = " or ".join(filter(None, kinds))
        if isinstance(schema.get("format"), str):
            words = f"{words} ({schema['format']})".strip()
        # A named enumeration has no fields, and so no row of its own: its values are listed wherever it is used.
        target = resolve(self._root, schema) if "$ref" in schema else None
        return _joined(words, *_settled(as_mapping(target), ("enum", "const")), *_settled(schema))

    def _kinds(self, schema: dict[str, Any], depth: int) -> Iterator[str]:
        if "$ref" in schema:
            yield self._name(schema)
            return
        whole = [self._type(one, depth + 1) for one in as_list(schema.get("allOf"))]
        if whole:
            yield " and ".join(filter(None, dict.fromkeys(whole)))
        for key in ("oneOf", "anyOf"):
            for one in as_list(schema.get(key)):
                yield self._type(one, depth + 1)
        given = schema.get("type")
        types = [str(one) for one in given] if isinstance(given, list) else [str(given)] if given else []
        if not types and "properties" in schema:
            types = ["object"]
        for one in types:
            inner = schema.get("items") if one == "array" else schema.get("additionalProperties")
            what = self._type(inner, depth + 1) if one in ("array", "object") else ""
            yield _of("map" if one == "object" else one, what) if what else one

    def _name(self, schema: dict[str, Any]) -> str:
        ref = str(schema["$ref"])
        name = schema_name(ref)
        if name is None:
            return ref.rpartition("/")[2]
        self.named.setdefault(name, ref)
        return name


def _parts(schema: dict[str, Any]) -> Iterator[Any]:
    """List the schemas whose objects are those of a schema, or are in its list or map."""
    for key in ("allOf", "oneOf", "anyOf"):
        yield from as_list(schema.get(key))
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            yield schema[key]


def _settled(
    schema: dict[str, Any], keys: Iterable[str] = ("enum", "const", "default", *_LIMITS, *_FLAGS)
) -> Iterator[str]:
    for key in keys:
        value = schema.get(key)
        if key == "enum" and isinstance(value, list):
            yield f"one of {', '.join(sorted(map(write_value, value)))}"  # their order means nothing
        elif key == "const" and key in schema:
            yield f"one of {write_value(value)}"
        elif key == "default" and value not in (None, ""):
            yield f"default {write_value(value)}"
        elif key in _FLAGS and value is True:
            yield _FLAGS[key]
        elif key in _LIMITS and key in schema:
            yield from _limit(schema, key, value)


def _limit(schema: dict[str, Any], key: str, value: Any) -> Iterator[str]:
    """Put a limit into words; in 3.0, `exclusiveMinimum` is a flag beside `minimum`."""
    base = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}.get(key)
    flag = {"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"}.get(key)
    if isinstance(value, bool):
        if base is not None and value and base in schema:
            yield _LIMITS[key].format(write_value(schema[base]))
    elif not (flag is not None and schema.get(flag) is True):
        yield _LIMITS[key].format(write_value(value))


def _joined(*parts: str) -> str:
    return ", ".join(filter(None, parts))


def _of(kind: str, inner: str) -> str:
    if not inner:
        return kind
    return f"{kind} of ({inner})" if " or " in inner or ", " in inner else f"{kind} of {inner}"
