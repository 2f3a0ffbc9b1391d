"""Guides: links from tags and operations to the pages that tell how to use them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from octavo.content import nearest
from octavo.diagnostics import Span
from octavo.reference.openapi.layout import Group
from octavo.reference.openapi.operation import Operation


class PlacedGuide(msgspec.Struct, frozen=True):
    """A guide, and where the settings name it."""

    label: str
    href: str
    span: Span


Guides = Mapping[str, Sequence[PlacedGuide]]
"""Tag, operation id, or method and path → guides, in the order of the settings."""


def guides_of(operation: Operation, guides: Guides) -> list[PlacedGuide]:
    """List the guides of an operation: those of its id, then those of its method and path."""
    return [guide for key in _keys(operation) for guide in guides.get(key, ())]


def unknown_keys(guides: Guides, groups: Sequence[Group], operations: Sequence[Operation]) -> Iterator[tuple[str, str]]:
    """Find what guides are given for and the description doesn't hold.

    Returns:
        (key, the name most like it or nothing).
    """
    known = [*(group.name for group in groups), *(key for operation in operations for key in _keys(operation))]
    for key in guides:
        if key not in known:
            yield key, nearest(key, known) or ""


def _keys(operation: Operation) -> tuple[str, str]:
    return operation.id, f"{operation.method} {operation.path}"
