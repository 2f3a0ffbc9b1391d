"""Parts that the author marks as internal (`x-internal: true`), which other tools for references leave out as well."""

from __future__ import annotations

from typing import Any

from octavo.reference.openapi.source.methods import METHODS
from octavo.reference.openapi.source.places import Pointer
from octavo.reference.openapi.source.problems import Problem
from octavo.reference.openapi.source.references import as_list, as_mapping, resolve

_HOLDERS = frozenset(
    ["paths", "webhooks", "additionalOperations", "properties", "responses", "headers", "content", "callbacks"]
)
"""Mappings whose members can be left out."""
_LISTS = frozenset(["parameters", "tags", "servers", "oneOf", "anyOf"])
_VALUES = frozenset(["example", "examples", "default", "enum", "const", "value", "dataValue"])
"""Keys whose content is data, and no part of the description."""


def without_internal(root: dict[str, Any]) -> tuple[dict[str, Any], list[Pointer]]:
    """Leave out paths, operations, parameters, fields, answers and tags that are marked, or refer to what is.

    Named components stay, for others may refer to them.

    Args:
        root: The bundled and checked description; it stays as it is.

    Returns:
        (the description without them, where they were).
    """
    pruner = _Pruner(root)
    return pruner.mapping(root, ()), pruner.found


def internal_problem(found: list[Pointer]) -> Problem:
    """Say that parts have been left out because of their mark."""
    parts = "One part is" if len(found) == 1 else f"{len(found)} parts are"
    return Problem(
        f"{parts} left out, for the author has marked {'it' if len(found) == 1 else 'them'} with `x-internal`.",
        found[0],
        suggestion='Set `internal = "hide"` beside `spec` to leave them out without a finding, or "show".',
        level="warn",
    )


class _Pruner:
    def __init__(self, root: dict[str, Any]) -> None:
        self._root = root
        self.found: list[Pointer] = []

    def mapping(self, value: dict[str, Any], pointer: Pointer) -> dict[str, Any]:
        key_here = pointer[-1] if pointer else ""
        is_path = pointer[:1] in (("paths",), ("webhooks",)) and len(pointer) == 2
        made: dict[str, Any] = {}
        for key, item in value.items():
            place = (*pointer, key)
            # What `components` holds by name stays, for others may refer to it.
            can_go = key_here in _HOLDERS and not (pointer[0] == "components" and len(pointer) == 2)
            if (can_go or (is_path and key in METHODS)) and self._is_marked(item):
                self.found.append(place)
            elif key in _VALUES and key_here not in _HOLDERS:
                made[key] = item
            else:
                made[key] = self._part(item, place)
        fields = as_mapping(value.get("properties"))
        gone = fields.keys() - as_mapping(made.get("properties")).keys()
        if gone and isinstance(made.get("required"), list):
            made["required"] = [name for name in as_list(made["required"]) if name not in gone]
        return made

    def _part(self, item: Any, place: Pointer) -> Any:
        if isinstance(item, dict):
            return self.mapping(item, place)
        if not isinstance(item, list):
            return item
        kept = []
        for index, one in enumerate(item):
            if place[-1] in _LISTS and self._is_marked(one):
                self.found.append((*place, index))
            else:
                kept.append(self._part(one, (*place, index)))
        return kept

    def _is_marked(self, item: Any) -> bool:
        if not isinstance(item, dict):
            return False
        return item.get("x-internal") is True or as_mapping(resolve(self._root, item)).get("x-internal") is True
