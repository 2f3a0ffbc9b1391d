"""Settings written in Python: the values of assignments are read, and nothing is run."""

from __future__ import annotations

import ast
import contextlib
from pathlib import Path
from typing import Any

from octavo.importing.settings.files import UnreadableError, read_text

_LONGEST = 100_000
"""Characters of a text that is put together from others."""
_FAULTS = (ValueError, TypeError, SyntaxError, MemoryError, RecursionError)


class _ComputedError(ValueError):
    """A value is the result of a program."""


def read_values(path: Path) -> tuple[dict[str, Any], list[str]]:
    """Read the assignments of a Python file.

    Values are literals, texts put together from literals and from names above, and mappings without their computed entries.

    Returns:
        (name → value, names whose values are computed, in whole or in part).

    Raises:
        UnreadableError: it is no Python.
    """
    try:
        tree = ast.parse(read_text(path))
    except SyntaxError as error:
        raise UnreadableError(f"{path}:{error.lineno or 1}: This is not Python: {error.msg}.") from error
    except (ValueError, MemoryError, RecursionError) as error:
        raise UnreadableError(f"{path} cannot be read: {error}.") from error
    found: dict[str, Any] = {}
    computed: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            found.pop(name, None)
            computed.discard(name)
            try:
                found[name] = _value(node.value, found)
            except _FAULTS:
                computed.add(name)
                if isinstance(node.value, ast.Dict) and (written := dict(_entries(node.value, found))):
                    found[name] = written
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Tuple)
            and isinstance(node.value, ast.Tuple)
        ):
            for target, value in zip(node.targets[0].elts, node.value.elts, strict=False):
                if isinstance(target, ast.Name):
                    with contextlib.suppress(*_FAULTS):
                        found[target.id] = _value(value, found)
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            with contextlib.suppress(*_FAULTS):
                found[node.target.id] = _value(node.value, found)
    inner = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return found, sorted(computed | (inner - found.keys()))


def _value(node: ast.expr, names: dict[str, Any]) -> Any:
    if isinstance(node, ast.Name) and node.id in names:
        return names[node.id]
    if isinstance(node, ast.JoinedStr):
        return _bounded("".join(_piece(part, names) for part in node.values))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _value(node.left, names), _value(node.right, names)
        if isinstance(left, str) and isinstance(right, str):
            return _bounded(left + right)
        if isinstance(left, list) and isinstance(right, list):
            return [*left, *right]
        raise _ComputedError
    if isinstance(node, (ast.List, ast.Tuple)):
        return [_value(one, names) for one in node.elts]
    if isinstance(node, ast.Dict):
        entries = dict(_entries(node, names))
        if len(entries) < len(node.keys):
            raise _ComputedError
        return entries
    return ast.literal_eval(node)


def _entries(node: ast.Dict, names: dict[str, Any]) -> list[tuple[Any, Any]]:
    """List the entries of a mapping that are written out."""
    found = []
    for key, value in zip(node.keys, node.values, strict=True):
        try:
            if key is not None:
                found.append((ast.literal_eval(key), _value(value, names)))
        except _FAULTS:
            continue
    return found


def _piece(part: ast.expr, names: dict[str, Any]) -> str:
    if isinstance(part, ast.FormattedValue):
        value = _value(part.value, names)
        if part.format_spec is not None or part.conversion != -1 or not isinstance(value, (str, int, float)):
            raise _ComputedError
        return str(value)
    return str(_value(part, names))


def _bounded(text: str) -> str:
    if len(text) > _LONGEST:
        raise _ComputedError
    return text
