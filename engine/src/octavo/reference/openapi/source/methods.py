"""Operations of a path: those of the methods that OpenAPI knows, and others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

METHODS = ("get", "query", "put", "post", "delete", "options", "head", "patch", "trace")
"""In the order in which they are shown; `query` since OpenAPI 3.2."""
OTHERS = "additionalOperations"
"""Key of a path that holds the operations of other methods, since OpenAPI 3.2."""


class PathOperation(NamedTuple):
    """An operation as a path holds it."""

    method: str
    """In capitals, but for methods that OpenAPI does not know, which are as they are written."""
    place: tuple[str, ...]
    """From the path."""
    data: dict[str, Any]


def operations_of(item: dict[str, Any]) -> Iterator[PathOperation]:
    """List the operations of a path; what is none is left out."""
    others = item.get(OTHERS)
    known = (PathOperation(method.upper(), (method,), item[method]) for method in METHODS if method in item)
    more = others.items() if isinstance(others, dict) else ()
    for found in (*known, *(PathOperation(str(method), (OTHERS, str(method)), data) for method, data in more)):
        if isinstance(found.data, dict):
            yield found
