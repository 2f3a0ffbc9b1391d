"""Take out of a description what OpenAPI does not know, where nothing else keeps it from being drawn."""

from __future__ import annotations

import re
from typing import Any

from octavo.reference.openapi.source.check import check_description
from octavo.reference.openapi.source.problems import Pointer, Problem, write_pointer

_ROUNDS = 25
"""A check reports some problems only; a description with more in it is better mended by its author."""
_UNKNOWN = re.compile(
    r"\A(?:Unevaluated|Additional) properties are not allowed \((?P<names>.*?) (?:was|were) unexpected\)"
)
_NAME = re.compile(r"'([^']*)'")


def mend_description(root: dict[str, Any]) -> list[str]:
    """Take keys out that OpenAPI does not know, such as `allowEmptyValue` of a parameter in a path.

    Args:
        root: The description, which is changed.

    Returns:
        Pointers to what was taken out; empty where it cannot be drawn for another reason.
    """
    taken: list[str] = []
    for _ in range(_ROUNDS):
        try:
            problems = [one for one in check_description(root) if one.level == "error"]
        except Problem:
            return []
        if not problems:
            return taken
        found = [pointer for problem in problems for pointer in _unknown(problem) if _take_out(root, pointer)]
        if not found:
            return []
        taken += map(write_pointer, found)
    return []


def _unknown(problem: Problem) -> list[Pointer]:
    match = _UNKNOWN.match(problem.message)
    return [(*problem.pointer, name) for name in _NAME.findall(match["names"])] if match else []


def _take_out(root: dict[str, Any], pointer: Pointer) -> bool:
    value: Any = root
    for key in pointer[:-1]:
        if isinstance(value, list) and isinstance(key, int) and key < len(value):
            value = value[key]
        elif isinstance(value, dict):
            value = value.get(key)
        else:
            return False
    return isinstance(value, dict) and value.pop(pointer[-1], None) is not None
