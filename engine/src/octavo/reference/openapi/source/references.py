"""References within a bundled description (`$ref`)."""

from __future__ import annotations

from typing import Any

from octavo.reference.openapi.source.problems import read_pointer


def find(root: dict[str, Any], ref: str) -> Any:
    """Find what a reference within the document names; None where there is nothing."""
    if not ref.startswith("#"):
        return None
    value: Any = root
    for key in read_pointer(ref[1:]):
        if isinstance(value, dict):
            value = value.get(str(key))
        elif isinstance(value, list) and str(key).isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return value


def resolve(root: dict[str, Any], value: Any) -> Any:
    """Follow references to a value; a circle gives an empty mapping."""
    seen: set[str] = set()
    while isinstance(value, dict) and isinstance(value.get("$ref"), str):
        if value["$ref"] in seen:
            return {}
        seen.add(value["$ref"])
        value = find(root, value["$ref"])
    return value


def as_mapping(value: Any) -> dict[str, Any]:
    """Take a part of a description for a mapping: an empty one where it is anything else."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Take a part of a description for a list: an empty one where it is anything else."""
    return value if isinstance(value, list) else []
