"""Which page shows which part of a description: one page for all, or a page for each part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from octavo.reference.openapi.names import Unique, anchor_part, file_part
from octavo.reference.openapi.operation import UNTAGGED, Operation

SINGLE_OPERATIONS = 60
"""Most operations that one page holds."""
SINGLE_SCHEMAS = 120
"""Most named schemas that one page holds."""
_GROUP = 40
"""Most schemas on a shared page, where their names are unique."""


class Group(msgspec.Struct, frozen=True):
    """The operations of a tag."""

    name: str
    slug: str
    description: str
    docs: Any
    operations: list[Operation]

    @property
    def anchor(self) -> str:
        return f"tag/{anchor_part(self.name)}"


def choose_layout(
    wish: Literal["auto", "single", "pages"], operations: int, schemas: int
) -> Literal["single", "pages"]:
    """Choose by size, unless the configuration does."""
    if wish != "auto":
        return wish
    return "single" if operations <= SINGLE_OPERATIONS and schemas <= SINGLE_SCHEMAS else "pages"


def group_operations(root: dict[str, Any], operations: Sequence[Operation]) -> list[Group]:
    """Group operations by their first tag: declared tags in their order, then the others."""
    declared = {tag["name"]: tag for tag in root.get("tags") or [] if isinstance(tag, dict) and "name" in tag}
    by_tag: dict[str, list[Operation]] = {name: [] for name in declared}
    for operation in operations:
        by_tag.setdefault(operation.tags[0], []).append(operation)
    untagged = by_tag.pop(UNTAGGED, [])
    by_tag |= {UNTAGGED: untagged} if untagged else {}
    unique = Unique()
    return [
        Group(
            name=name,
            slug=unique.name(file_part(name)),
            description=str(declared.get(name, {}).get("description") or ""),
            docs=declared.get(name, {}).get("externalDocs"),
            operations=found,
        )
        for name, found in by_tag.items()
        if found or declared.get(name, {}).get("description")
    ]


def group_schemas(names: Sequence[str]) -> dict[str, list[str]]:
    """Share schemas out among pages by how their names begin, so that a new schema leaves the others where they are.

    Returns:
        Part of the page's address → names, in the document's order.
    """
    groups: dict[str, list[str]] = {}
    _split(list(names), 1, groups)
    return groups


def _split(names: list[str], length: int, groups: dict[str, list[str]]) -> None:
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(file_part(name)[:length], []).append(name)
    for beginning, members in found.items():
        if len(members) <= _GROUP or len({file_part(name) for name in members}) == 1:
            groups.setdefault(beginning.strip("-") or "other", []).extend(members)
        else:
            exact = [name for name in members if len(file_part(name)) <= length]
            if exact:
                groups.setdefault(beginning.strip("-") or "other", []).extend(exact)
            _split([name for name in members if name not in set(exact)], length + 1, groups)
