"""What a description says in two places that do not agree; its schema allows each of them alone."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Any

from octavo.lazy import regex as re
from octavo.reference.openapi.source.methods import operations_of
from octavo.reference.openapi.source.places import Pointer
from octavo.reference.openapi.source.problems import Problem
from octavo.reference.openapi.source.references import as_list, as_mapping, find, resolve

_VARIABLE = re.compile(r"\{([^{}]+)\}")
_SCHEME = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*:)//")
_SCHEMES = frozenset(["http:", "https:", "ws:", "wss:"])


def contradictions(root: dict[str, Any]) -> Iterator[Problem]:
    """Find names that are declared twice or not at all, and values that none of the allowed ones is.

    Args:
        root: The whole description.
    """
    yield from _tags(root)
    yield from _servers(root.get("servers"), ("servers",))
    known = as_mapping(as_mapping(root.get("components")).get("securitySchemes"))
    yield from _security(root.get("security"), known, ("security",))
    paths = as_mapping(root.get("paths"))
    yield from _same_paths(paths)
    for path, item in paths.items():
        if not isinstance(item, dict):
            continue
        yield from _servers(item.get("servers"), ("paths", path, "servers"))
        yield from _parameters(root, item.get("parameters"), ("paths", path, "parameters"))
        for _, place, operation in operations_of(item):
            pointer: Pointer = ("paths", path, *place)
            yield from _servers(operation.get("servers"), (*pointer, "servers"))
            yield from _security(operation.get("security"), known, (*pointer, "security"))
            yield from _parameters(root, operation.get("parameters"), (*pointer, "parameters"))


def _tags(root: dict[str, Any]) -> Iterator[Problem]:
    seen: set[str] = set()
    for index, tag in enumerate(as_list(root.get("tags"))):
        name = as_mapping(tag).get("name")
        if isinstance(name, str) and name in seen:
            message = f'The tag "{name}" is declared twice; what the second says is left out.'
            yield _warning(message, ("tags", index, "name"), "Join the two.")
        elif isinstance(name, str):
            seen.add(name)


def _servers(servers: Any, pointer: Pointer) -> Iterator[Problem]:
    for index, server in enumerate(as_list(servers)):
        url, variables = as_mapping(server).get("url"), as_mapping(as_mapping(server).get("variables"))
        if not isinstance(url, str):
            continue
        used = _VARIABLE.findall(url)
        for name in used:
            if name not in variables:
                message = f'The address of the server has the variable "{name}", which is not declared.'
                yield _warning(message, (*pointer, index, "url"), f"Declare {name} under `variables`, with a default.")
        for name in variables:
            if name not in used:
                message = f'The address of the server does not have the variable "{name}".'
                yield _warning(
                    message, (*pointer, index, "variables", name), f"Write {{{name}}} in `url`, or take it out."
                )
        if (scheme := _SCHEME.match(url)) and scheme["scheme"].lower() not in _SCHEMES:
            message = (
                f'The address of the server begins with "{scheme["scheme"]}": the console cannot send requests there.'
            )
            yield _warning(message, (*pointer, index, "url"), "Write http:// or https://.")


def _security(asked: Any, known: dict[str, Any], pointer: Pointer) -> Iterator[Problem]:
    for index, choice in enumerate(as_list(asked)):
        for name in as_mapping(choice):
            if name not in known:
                close = difflib.get_close_matches(name, known, 1)
                hint = f'Did you mean "{close[0]}"?' if close else "Describe it under components.securitySchemes."
                message = f'No security scheme is called "{name}": pages cannot say what it asks for.'
                yield _warning(message, (*pointer, index, name), hint)


def _parameters(root: dict[str, Any], given: Any, pointer: Pointer) -> Iterator[Problem]:
    seen: set[tuple[str, str]] = set()
    for index, one in enumerate(as_list(given)):
        parameter = resolve(root, one)
        if not isinstance(parameter, dict):
            continue
        key = (str(parameter.get("in")), str(parameter.get("name")))
        if key in seen:
            message = f'The {key[0]} parameter "{key[1]}" is given twice.'
            yield _warning(message, (*pointer, index), "Join the two.")
        seen.add(key)


def _same_paths(paths: dict[str, Any]) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for path in paths:
        first = seen.setdefault(_VARIABLE.sub("{}", path), path)
        if first != path:
            message = (
                f'The path "{path}" differs from "{first}" only in the names of its parameters: one request fits both.'
            )
            yield _warning(message, ("paths", path), "Join the two.")


def contradictions_of_schema(root: dict[str, Any], schema: dict[str, Any], pointer: Pointer) -> Iterator[Problem]:
    """Find a default that its schema does not allow, and choices of a discriminator that lead nowhere.

    Args:
        root: The whole description.
        schema: Part of it that may be a schema.
        pointer: Its place.
    """
    choices = schema.get("enum")
    if isinstance(choices, list) and choices and "default" in schema and schema["default"] not in choices:
        message = f"The default {_shown(schema['default'])} is none of the values in `enum`."
        yield _warning(message, (*pointer, "default"), "Add it there, or take another one.")
    mapping = as_mapping(as_mapping(schema.get("discriminator")).get("mapping"))
    for name, target in mapping.items():
        if not isinstance(target, str) or not target.startswith("#"):
            continue  # the name of a schema, or a file
        if find(root, target) is None:
            message = f'The choice "{name}" of the discriminator, "{target}", leads nowhere.'
            yield _warning(
                message, (*pointer, "discriminator", "mapping", name), "Name a schema under components.schemas."
            )


def _shown(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def _warning(message: str, pointer: Pointer, hint: str) -> Problem:
    return Problem(message, pointer, suggestion=hint, level="warn")
