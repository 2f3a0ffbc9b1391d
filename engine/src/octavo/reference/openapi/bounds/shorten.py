"""Examples that would be too long: without their deepest levels, and in the end without their last fields."""

from __future__ import annotations

from typing import Any

from octavo.reference.openapi.write.blocks import write_json
from octavo.reference.openapi.write.examples import CUT

_LEVELS = 6


def shorten(value: Any, most: int) -> Any:
    """Give a value that takes at most so many characters as JSON, `…` where something is left out.

    Texts and numbers are given as they are.
    """
    found = value
    for levels in range(_LEVELS, 0, -1):
        if len(write_json(found)) <= most:
            return found
        found = _shallow(value, levels)
    return found if len(write_json(found)) <= most else _short(found, most)


def _shallow(value: Any, levels: int) -> Any:
    if isinstance(value, dict):
        return {name: _shallow(item, levels - 1) for name, item in value.items()} if levels else CUT
    if isinstance(value, list):
        return [_shallow(item, levels - 1) for item in value] if levels else CUT
    return value


def _short(value: Any, most: int) -> Any:
    """Keep the first fields or items of a flat value."""
    room = most
    if isinstance(value, list):
        kept: list[Any] = []
        for item in value:
            room -= len(write_json(item)) + 8
            if room < 0:
                return [*kept, CUT]
            kept.append(item)
        return kept
    if not isinstance(value, dict):
        return value
    fields: dict[str, Any] = {}
    for name, item in value.items():
        room -= len(name) + len(write_json(item)) + 10
        if room < 0:
            return fields | {CUT: CUT}
        fields[name] = item
    return fields
