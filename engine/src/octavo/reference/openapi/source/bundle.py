"""References to other files of the site: what they name is taken into the description."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from octavo.lazy import regex as re
from octavo.reference.openapi.source.parse import parse_description
from octavo.reference.openapi.source.places import Pointer
from octavo.reference.openapi.source.problems import Problem, read_pointer

Load = Callable[[str], bytes | None]
"""Path from the site's folder → content; None where there is no such file, or where it is outside."""

_PLAIN_NAME = re.compile(r"[^A-Za-z0-9._-]+")
_LITERAL = {"example", "examples", "default", "enum", "const", "value"}
"""Keys whose values are data: `$ref` in them is not a reference."""
_INLINE = {"parameters", "responses", "requestBody", "headers", "examples", "links", "callbacks", "securitySchemes"}
_SCHEMAS_BY_NAME = {"schemas", "properties", "patternProperties", "dependentSchemas", "$defs", "definitions"}
_LISTS_OF_SCHEMAS = {"allOf", "anyOf", "oneOf", "prefixItems"}
_SCHEMA_KEYS = {
    "schema",
    "items",
    "additionalProperties",
    "unevaluatedItems",
    "unevaluatedProperties",
    "not",
    "contains",
    "propertyNames",
    "contentSchema",
    "if",
    "then",
    "else",
}
_MAX_FILES = 10_000
"""Descriptions of large products have a file for each operation, each schema and each sample of code."""


Origins = dict[Pointer, tuple[str, Pointer]]
"""Place in the description → file from which what is there was taken, and the place in that."""


def bundle(
    root: dict[str, Any],
    path: str,
    load: Load,
    problems: list[Problem] | None = None,
    origins: Origins | None = None,
) -> dict[str, Any]:
    """Make one document of a description and the files that it refers to.

    Schemas get a home under `#/components/schemas`; parameters, answers and paths are put where they are named.

    Args:
        root: The description; it is left as it is.
        path: Its file, from the site's folder.
        load: Reads other files.
        problems: Gets what is wrong with references; those are then left out.
        origins: Gets where what is taken in comes from.

    Raises:
        Problem: a file or a place in it does not exist, or references run in a circle, and `problems` is not given.
    """
    if not _has_external(root):
        return root
    return _Bundler(root, path, load, problems, origins if origins is not None else {}).run()


def _has_external(value: Any) -> bool:
    if isinstance(value, dict):
        ref = value.get("$ref")
        return (isinstance(ref, str) and not ref.startswith("#")) or any(map(_has_external, value.values()))
    return isinstance(value, list) and any(map(_has_external, value))


class _Bundler:
    def __init__(
        self, root: dict[str, Any], path: str, load: Load, problems: list[Problem] | None, origins: Origins
    ) -> None:
        self._path = path
        self._origins = origins
        self._problems = problems
        self._load = load
        self._files: dict[str, dict[str, Any]] = {path: root}
        self._homes: dict[tuple[str, Pointer], str] = {}
        self._schemas: dict[str, Any] = {}
        components = root.get("components")
        schemas = components.get("schemas") if isinstance(components, dict) else None
        self._taken = set(schemas) if isinstance(schemas, dict) else set()

    def run(self) -> dict[str, Any]:
        made = self._walk(self._files[self._path], self._path, (), ())
        if self._schemas:
            components = made.setdefault("components", {})
            components["schemas"] = {**components.get("schemas", {}), **self._schemas}
        return dict(made)

    def _walk(self, value: Any, path: str, pointer: Pointer, trail: tuple[tuple[str, Pointer], ...]) -> Any:
        is_data = bool(pointer) and pointer[-1] in _LITERAL and not _is_field(pointer)
        if isinstance(value, list):
            return (
                value
                if is_data
                else [self._walk(item, path, (*pointer, index), trail) for index, item in enumerate(value)]
            )
        if not isinstance(value, dict):
            return value
        ref = value.get("$ref")
        if is_data and not (isinstance(ref, str) and pointer[-1] == "examples"):
            return self._walk_examples(value, path, pointer, trail) if pointer[-1] == "examples" else value
        if isinstance(ref, str) and (path != self._path or not ref.startswith("#")):
            return self._reference(value, ref, path, pointer, trail)
        return {key: self._walk(item, path, (*pointer, key), trail) for key, item in value.items()}

    def _walk_examples(
        self, value: dict[str, Any], path: str, pointer: Pointer, trail: tuple[tuple[str, Pointer], ...]
    ) -> Any:
        return {
            name: self._reference(item, item["$ref"], path, (*pointer, name), trail)
            if isinstance(item, dict) and isinstance(item.get("$ref"), str)
            else item
            for name, item in value.items()
        }

    def _reference(
        self, value: dict[str, Any], ref: str, path: str, pointer: Pointer, trail: tuple[tuple[str, Pointer], ...]
    ) -> Any:
        try:
            return self._followed(value, ref, path, pointer, trail)
        except Problem as problem:
            if self._problems is None:
                raise
            self._problems.append(problem)
            return {key: item for key, item in value.items() if key != "$ref"}

    def _followed(
        self, value: dict[str, Any], ref: str, path: str, pointer: Pointer, trail: tuple[tuple[str, Pointer], ...]
    ) -> Any:
        file, _, fragment = ref.partition("#")
        target_path = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(file))) if file else path
        place = read_pointer(fragment)
        if target_path == self._path:
            return {**value, "$ref": f"#{fragment}"}
        if place and _is_home(pointer):
            return {**value, "$ref": f"#/components/schemas/{self._home(target_path, place, ref, pointer)}"}
        if not place and _is_home(pointer):
            return {**value, "$ref": f"#/components/schemas/{self._home(target_path, (), ref, pointer)}"}
        if (target_path, place) in trail:
            raise Problem(f'"$ref" "{ref}" leads back to itself.', pointer)
        target = self._target(target_path, place, ref, pointer)
        self._origins[pointer] = (target_path, place)
        made = self._walk(target, target_path, pointer, (*trail, (target_path, place)))
        others = {key: item for key, item in value.items() if key != "$ref"}
        return {**made, **others} if isinstance(made, dict) else made

    def _home(self, path: str, place: Pointer, ref: str, pointer: Pointer) -> str:
        key = (path, place)
        if key not in self._homes:
            target = self._target(path, place, ref, pointer)
            stem = str(place[-1]) if place else posixpath.splitext(posixpath.basename(path))[0]
            name = stem = _PLAIN_NAME.sub("-", stem).strip("-") or "schema"
            count = 1
            while name in self._taken:
                count += 1
                name = f"{stem}-{count}"
            self._taken.add(name)
            self._homes[key] = name
            self._origins["components", "schemas", name] = key
            self._schemas[name] = self._walk(target, path, ("components", "schemas", name), ())
        return self._homes[key]

    def _target(self, path: str, place: Pointer, ref: str, pointer: Pointer) -> Any:
        value: Any = self._file(path, ref, pointer)
        for key in place:
            if isinstance(value, list) and str(key).isdecimal() and int(key) < len(value):
                value = value[int(key)]
            elif isinstance(value, dict) and key in value:
                value = value[str(key)]
            else:
                raise Problem(f'"$ref" "{ref}" names a place that "{path}" does not have.', pointer)
        return value

    def _file(self, path: str, ref: str, pointer: Pointer) -> dict[str, Any]:
        if path not in self._files:
            if "://" in ref:
                raise Problem(f'"$ref" "{ref}" leads to another host; files are taken from the site only.', pointer)
            if len(self._files) > _MAX_FILES:
                raise Problem(f"The description refers to more than {_MAX_FILES} files.", pointer)
            data = self._load(path)
            if data is None:
                raise Problem(f'"$ref" "{ref}": "{path}" is not a file of this site.', pointer)
            self._files[path] = parse_description(data)[1]
        return self._files[path]


def _is_field(pointer: Pointer) -> bool:
    """Whether the last key is the name that somebody gave a field, and not a keyword."""
    return len(pointer) > 1 and pointer[-2] in ("properties", "patternProperties", "$defs", "schemas", "examples")


def _is_home(pointer: Pointer) -> bool:
    """Whether the value at a place is a schema, and not one of OpenAPI's other kinds of objects.

    Everything else, such as operations and samples of code in files of their own, is put where it is named.
    """
    last, before = (pointer[-1] if pointer else ""), (pointer[-2] if len(pointer) > 1 else "")
    if before in _INLINE or any(str(key).startswith("x-") for key in pointer):
        return False
    return before in _SCHEMAS_BY_NAME or before in _LISTS_OF_SCHEMAS or last in _SCHEMA_KEYS
