"""Read an API description as plain JSON values, and refuse what would cost too much, such as nested YAML aliases."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import yaml

from octavo.reference.openapi.source import MAX_BYTES
from octavo.reference.openapi.source.problems import Problem
from octavo.text_files import without_nul

_MAX_VALUES = 3_000_000
"""Most values in a description. With aliases, a few lines of YAML can expand to more than memory can hold."""
_MAX_DEPTH = 200

Json = Any
"""dict with string keys, list, str, int, float, bool or None."""


def parse_description(data: bytes) -> tuple[str, dict[str, Any]]:
    """Read a description in JSON or YAML.

    Returns:
        Its text, and its root as plain values.

    Raises:
        Problem: it is too large, no JSON or YAML, or no mapping.
    """
    if len(data) > MAX_BYTES:
        raise Problem(
            f"The description has {len(data) / 1e6:.1f} MB; at most {MAX_BYTES // 1_000_000} MB are read.",
            suggestion="Split it into several descriptions.",
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Problem(f"The description is not UTF-8: {error.reason} at byte {error.start}.") from error
    root = without_nul(_Plain().value(_decode(text, data), ()), text)
    if not isinstance(root, dict):
        raise Problem("The description is not a mapping; expected one that begins with `openapi: 3.1.0`.")
    return text, root


def _decode(text: str, data: bytes) -> Any:
    if text.lstrip()[:1] == "{":
        try:
            return msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"))
        except (msgspec.DecodeError, RecursionError):
            pass  # perhaps YAML in braces; if not, YAML's message names the line
    try:
        return yaml.load(text, Loader=_Loader)  # noqa: S506 - made of the safe loader
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise Problem(f"This is neither JSON nor YAML: {error.problem or error.context}.", line=line) from error
    except (yaml.YAMLError, ValueError) as error:
        raise Problem(f"This is neither JSON nor YAML: {error}.") from error
    except RecursionError:
        raise Problem(f"The description is nested more than {_MAX_DEPTH} deep.") from None


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """YAML as JSON knows it: dates stay text."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in _Loader.yaml_implicit_resolvers.items()
}


class _Plain:
    """Copies values into plain ones, and counts them: aliases that point at each other come to an end here."""

    def __init__(self) -> None:
        self._count = 0

    def value(self, value: Any, pointer: tuple[str, ...]) -> Json:
        self._count += 1
        if self._count > _MAX_VALUES:
            raise Problem(f"The description contains more than {_MAX_VALUES:,} values, aliases counted each time.")
        if len(pointer) > _MAX_DEPTH:
            raise Problem(f"The description is nested more than {_MAX_DEPTH} deep.", pointer[:8])
        if isinstance(value, dict):
            return {_key(key): self.value(item, (*pointer, _key(key))) for key, item in value.items()}
        if isinstance(value, list):
            return [self.value(item, (*pointer, str(index))) for index, item in enumerate(value)]
        if isinstance(value, float) and not math.isfinite(value):
            raise Problem(f'"{value}" is not a number that JSON knows.', pointer)
        if value is None or isinstance(value, str | int | float):
            return value
        raise Problem(f"A value of type {type(value).__name__} is not possible in a description.", pointer)


def _key(key: Any) -> str:
    # Statuses are written as numbers in YAML; `on` and `null` are words there.
    if isinstance(key, bool):
        return "true" if key else "false"
    return "null" if key is None else str(key)
