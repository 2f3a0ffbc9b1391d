"""What is wrong where a description does not agree with the schema of OpenAPI, in words that say what to write."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from octavo.lazy import regex as re
from octavo.reference.openapi.source.places import Pointer

_KINDS = {
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "null",
}
"""Types of JSON, in words."""
_TYPES = ("string", "number", "integer", "boolean", "array", "object")
_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_OF_31 = frozenset(
    (
        *("const", "examples", "if", "then", "else", "prefixItems", "contains", "minContains", "maxContains", "$defs"),
        *("patternProperties", "propertyNames", "dependentRequired", "dependentSchemas", "unevaluatedItems"),
        *("unevaluatedProperties", "contentEncoding", "contentMediaType", "contentSchema", "$comment", "$anchor"),
        *("webhooks", "jsonSchemaDialect", "pathItems", "summary", "identifier", "$id", "$schema"),
    )
)
"""Keys that OpenAPI 3.0 does not have, and 3.1 has."""
_OF_32 = frozenset(
    (
        *("query", "additionalOperations", "itemSchema", "itemEncoding", "prefixEncoding", "$self", "mediaTypes"),
        *("dataValue", "serializedValue", "nodeType", "defaultMapping", "deviceAuthorization", "oauth2MetadataUrl"),
        *("parent", "kind"),
    )
)
"""Keys that OpenAPI 3.1 does not have, and 3.2 has."""
_OF_30 = frozenset(
    (
        *("oneOf", "anyOf", "not", "writeOnly", "deprecated", "requestBody", "components", "servers", "links"),
        *("callbacks", "content", "style", "explode", "openapi"),
    )
)
"""Keys that Swagger 2.0 does not have, and OpenAPI 3.0 has."""
_LIMITS = ("exclusiveMinimum", "exclusiveMaximum")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


class Explanation(NamedTuple):
    """A message and its remedy."""

    message: str
    remedy: str


def explain(error: Any, version: str) -> Explanation:
    """Explain an error of the validator.

    Args:
        error: What jsonschema_rs reports.
        version: What the description says of itself: `2.0`, `3.0.3`.
    """
    pointer: Pointer = tuple(error.instance_path)
    kind = error.kind
    match kind.name:
        case "required":
            return Explanation(f'"{kind.property}" is missing.', f'Add "{kind.property}".')
        case "additionalProperties" | "unevaluatedProperties":
            return _unknown(list(kind.unexpected), pointer, version)
        case "type":
            return explain_type(error.instance, list(kind.types), pointer, version)
        case "enum":
            return _wrong_value(
                error.instance, _allowed(pointer, version) or tuple(map(str, kind.options)), pointer, version
            )
        case "propertyNames":
            return Explanation(_shortened(error.message), 'Use letters, digits, ".", "-" and "_" alone.')
        case "oneOf":
            return Explanation(
                "This fits several forms, of which one is allowed.",
                'Take one of them out, such as "schema" or "content".',
            )
        case "minItems" if pointer and pointer[-1] == "required":
            return Explanation("The list is empty.", "Take it out, or name the properties that are required.")
    return Explanation(_shortened(error.message), "")


def is_choice(error: Any, depth: int) -> bool:
    """Return whether an error says that a form is not the one that its `in` or `type` chooses.

    Args:
        error: An error of one form of several.
        depth: Length of the pointer to what may have several forms.
    """
    path = error.instance_path
    return error.kind.name in ("enum", "const") and len(path) == depth + 1 and path[-1] in ("in", "type")


def _unknown(names: Sequence[str], pointer: Pointer, version: str) -> Explanation:
    listed = ", ".join(f'"{name}"' for name in names)
    message = (
        f"OpenAPI does not know {listed} here."
        if len(names) < 9
        else f"OpenAPI does not know {len(names)} of its keys."
    )
    first = names[0]
    if pointer == ("paths",):
        return Explanation(message, f'A path begins with a slash: write "/{first}".')
    if pointer and pointer[-1] == "responses":
        return Explanation(message, 'Write a status of three digits, such as "200", a range such as "4XX", or default.')
    if version.startswith("2") and first == "nullable":
        return Explanation(message, 'In Swagger 2.0 it is "x-nullable".')
    if version.startswith("2") and first in _OF_30:
        return Explanation(message, "OpenAPI 3 has it: convert the description, or take it out.")
    if version.startswith(("3.0", "3.1")) and first in _OF_32:
        return Explanation(message, 'OpenAPI 3.2 has it: write "openapi: 3.2.0", or take it out.')
    if version.startswith("3.0") and first in _OF_31:
        return Explanation(message, 'OpenAPI 3.1 has it: write "openapi: 3.1.0", or take it out.')
    known = _METHODS if len(pointer) == 2 and pointer[0] == "paths" else _known_keys()
    others = [key for key in known if key != first]
    close = difflib.get_close_matches(first, others, n=1, cutoff=0.75)
    if not close and first.lower() in (folded := {key.lower(): key for key in others}):
        close = [folded[first.lower()]]
    if not close and first in known:
        return Explanation(message, "Move it to where it belongs, or take it out.")
    if close:
        return Explanation(message, f'Did you mean "{close[0]}"?')
    return Explanation(message, f'Take it out, or write "x-{first}", if programs of yours read it.')


def is_key(name: str) -> bool:
    """Return whether some object of some version of OpenAPI has a key."""
    return name in _known_keys()


@cache
def _known_keys() -> tuple[str, ...]:
    """List the keys that some object of some version has, from the schemas of OpenAPI."""
    from openapi_spec_validator import schemas

    found: set[str] = set()

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            properties = value.get("properties")
            found.update(properties if isinstance(properties, dict) else ())
            for item in value.values():
                walk(item)
        elif isinstance(value, list):
            for item in value:
                walk(item)

    for schema in (schemas.schema_v2, schemas.schema_v30, schemas.schema_v31):
        walk({**schema})
    return tuple(sorted(found))


def explain_type(value: Any, types: Sequence[str], pointer: Pointer, version: str) -> Explanation:
    """Explain a value of a wrong type.

    Args:
        value: The value.
        types: Names of the types that are possible.
        pointer: Where it is.
        version: See `explain`.
    """
    expected = " or ".join(_KINDS.get(name, name) for name in types)
    kind = _kind_of(value)
    message = f"{_shown(value)} is {kind}, not {expected}." if kind else f"{_shown(value)} is not {expected}."
    remedy = _remedy_of_place(value, pointer, version)
    if not remedy and types[0] in ("number", "integer") and isinstance(value, str) and _NUMBER.fullmatch(value):
        remedy = "Take the quotation marks off."
    elif not remedy and types[0] == "string" and kind not in ("a mapping", "a list") and value is not None:
        remedy = "Put it in quotation marks."
    elif not remedy and types[0] == "array" and kind:
        remedy = "If one is meant, write it as the only item of a list."
    return Explanation(message, remedy)


def _remedy_of_place(value: Any, pointer: Pointer, version: str) -> str:
    """Say what to write instead of what has another form in another version of OpenAPI or JSON Schema."""
    last = str(pointer[-1]) if pointer else ""
    is_old = version.startswith(("2", "3.0"))
    if last == "type" and is_old and (value in (None, "null") or isinstance(value, list)):
        null = '"x-nullable": true' if version.startswith("2") else '"nullable": true'
        newer = "" if version.startswith("2") else ', or "openapi: 3.1.0"'
        return f"Write the type of its values, and {null} if it may be null{newer}."
    if last == "items" and isinstance(value, list):
        return "Write one schema that all items have; for items of several kinds, oneOf within it."
    if last == "required" and isinstance(value, bool):
        return "List the names of required properties beside the `properties` that hold this one."
    if last in _LIMITS and not isinstance(value, str):
        limit = last.removeprefix("exclusive").lower()
        if is_old and not isinstance(value, bool):
            return f'Write the number as "{limit}" and true here, or "openapi: 3.1.0".'
        if isinstance(value, bool):
            return f'Write the number of "{limit}" here, in its place.'
    if last == "in" and value in ("body", "formData"):
        return "The body of a request is requestBody of the operation."
    return ""


def _allowed(pointer: Pointer, version: str) -> tuple[str, ...]:
    last, holder = pointer[-1] if pointer else "", pointer[-3] if len(pointer) > 2 else ""
    is_swagger = version.startswith("2")
    if holder in ("securitySchemes", "securityDefinitions"):
        if last == "in":
            return ("header", "query") if is_swagger else ("header", "query", "cookie")
        if last == "type" and is_swagger:
            return ("basic", "apiKey", "oauth2")
        if last == "type":
            newer = () if version.startswith("3.0") else ("mutualTLS",)
            return ("apiKey", "http", "oauth2", "openIdConnect", *newer)
    if last == "in":
        return ("query", "header", "path", *(("formData", "body") if is_swagger else ("cookie",)))
    return (*_TYPES, *(("null",) if version.startswith(("3.1", "3.2")) else ())) if last == "type" else ()


_OTHER_NAMES = {
    "int": "integer",
    "float": "number",
    "double": "number",
    "bool": "boolean",
    "str": "string",
    "dict": "object",
    "list": "array",
}
"""Names of types in programs → those of JSON."""


def explain_type_name(value: Any, pointer: Pointer, version: str) -> Explanation:
    """Explain a name that is not a type of JSON; `pointer` leads to the keyword `type`."""
    return _wrong_value(value, _allowed(pointer, version), pointer, version)


def _wrong_value(value: Any, allowed: Sequence[str], pointer: Pointer, version: str) -> Explanation:
    message = f"{_shown(value)} is not possible here; expected one of {', '.join(allowed)}."
    remedy = _remedy_of_place(value, pointer, version)
    if not remedy:
        name = str(value)
        close = [_OTHER_NAMES[name]] if _OTHER_NAMES.get(name) in allowed else []
        close = close or [one for one in allowed if one.lower() == name.lower()]
        close = close or difflib.get_close_matches(name, allowed, n=1)
        remedy = f'Did you mean "{close[0]}"?' if close else ""
    return Explanation(message, remedy)


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return f'"{_shortened(value, 60)}"'
    if isinstance(value, dict | list):
        return "This"
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _kind_of(value: Any) -> str:
    """Say what a value is; nothing for those that are said in full."""
    if value is None or isinstance(value, bool):
        return ""
    kinds = ((str, "text"), (dict, "a mapping"), (list, "a list"))
    return next((word for kind, word in kinds if isinstance(value, kind)), "a number")


def _shortened(message: str, most: int = 300) -> str:
    # The value may be the whole description.
    text = " ".join(message.split())
    if len(text) > most:
        half = (most - 20) // 2
        text = f"{text[:half]} … {text[-half:]}"
    return text if most < 300 or text.endswith(".") else f"{text}."
