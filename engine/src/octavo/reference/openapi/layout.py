"""Which page shows which part of a description: one page for all, a page for each tag, or one for each operation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from octavo.reference.openapi.bounds.weights import PAGE
from octavo.reference.openapi.names import Unique, anchor_part, file_part, portable
from octavo.reference.openapi.operation import UNTAGGED, Operation, tag_name

Layout = Literal["page", "tags", "operations", "auto"]

SECTIONS = "x-tagGroups"
"""Key of the groups of tags, in the root of a description."""
_ONE_PAGE_OPERATIONS = 6
_ONE_PAGE_SCHEMAS = 12
"""Descriptions that are no larger are read on one page."""
_TAG_OPERATIONS = 12
"""Most operations that the page of a tag holds in the layout `auto`."""
_SCHEMAS = 60
"""Most schemas on the only page of schemas."""
_GROUP = 40
"""Most schemas on a shared page, where their names are unique."""


class Group(msgspec.Struct, frozen=True):
    """The operations of a tag."""

    name: str
    title: str
    """Its name for readers."""
    slug: str
    anchor: str
    """Unique in the description."""
    description: str
    docs: Any
    data: dict[str, Any]
    """Object of the tag; empty where the document only names it."""
    operations: list[Operation]
    """Those of which it is the first tag."""
    others: list[Operation]
    """Those that have it among their further tags; they are shown with their first."""
    has_pages: bool
    """Each operation has a page of its own."""
    section: str = ""
    """Title of what it is listed in with other tags; empty where nothing says it."""
    section_anchor: str = ""


def choose_layout(wish: str, operations: int, schemas: int) -> Layout:
    """Choose by size, unless the configuration does."""
    if wish != "auto":
        return "page" if wish == "page" else "tags" if wish == "tags" else "operations"
    return "page" if operations <= _ONE_PAGE_OPERATIONS and schemas <= _ONE_PAGE_SCHEMAS else "auto"


def group_operations(
    root: dict[str, Any],
    operations: Sequence[Operation],
    layout: Layout,
    is_large: Callable[[str, Sequence[Operation]], bool],
) -> list[Group]:
    """Group operations by their first tag: declared tags in their order, then the others.

    Args:
        root: The document.
        operations: Its operations.
        layout: As chosen.
        is_large: Name of a tag and its operations → they are too large for one page; asked in the layout `auto` only.
    """
    declared = _parents_first(_declared_tags(root))
    sections = tag_sections(root) or _sections_of_parents(declared)
    by_tag: dict[str, list[Operation]] = {name: [] for name in declared}
    further: dict[str, list[Operation]] = {}
    for operation in operations:
        by_tag.setdefault(operation.tags[0], []).append(operation)
        for tag in operation.tags[1:]:
            further.setdefault(tag, []).append(operation)
    for tag in further:
        by_tag.setdefault(tag, [])
    untagged = by_tag.pop(UNTAGGED, [])
    by_tag |= {UNTAGGED: untagged} if untagged else {}
    if isinstance(root.get(SECTIONS), list):
        # What is in no section goes first: behind the others it would seem to be in the last one.
        titles = list(dict.fromkeys(sections.values()))
        places = {name: (1 + titles.index(title), index) for index, (name, title) in enumerate(sections.items())}
        by_tag = dict(sorted(by_tag.items(), key=lambda item: places.get(item[0], (0, 0))))
    slugs, anchors = Unique(), Unique()
    section_slugs = Unique()
    section_anchors = {
        title: section_slugs.name(f"section-{file_part(title)}") for title in dict.fromkeys(sections.values())
    }
    return [
        Group(
            name=name,
            title=_tag_title(declared.get(name, {})) or name,
            slug=slugs.name(_tag_slug(name)),
            anchor=anchors.name(f"tag/{anchor_part(name)}"),
            description=str(declared.get(name, {}).get("description") or ""),
            docs=declared.get(name, {}).get("externalDocs"),
            data=declared.get(name, {}),
            operations=found,
            others=further.get(name, []),
            has_pages=layout == "operations" or (layout == "auto" and is_large(name, found)),
            section=sections.get(name, ""),
            section_anchor=section_anchors.get(sections.get(name, ""), ""),
        )
        for name, found in by_tag.items()
        if found or further.get(name) or any(declared.get(name, {}).get(key) for key in ("description", "externalDocs"))
    ]


def tag_sections(root: dict[str, Any]) -> dict[str, str]:
    """Read the groups of tags that Redoc introduced (`x-tagGroups`), as tag → title of its first group, in their order."""
    found: dict[str, str] = {}
    groups = root.get(SECTIONS)
    for group in groups if isinstance(groups, list) else []:
        title = group.get("name") if isinstance(group, dict) else None
        tags = group.get("tags") if isinstance(group, dict) else None
        if isinstance(title, str) and title.strip() and isinstance(tags, list):
            for tag in tags:
                found.setdefault(tag_name(str(tag)), " ".join(title.split()))
    return found


def _sections_of_parents(declared: Mapping[str, dict[str, Any]]) -> dict[str, str]:
    """Map tags that have a parent (OpenAPI 3.2), or are one, to the title of the outermost."""
    found: dict[str, str] = {}
    for name in declared:
        line = [name]
        while (parent := declared[line[-1]].get("parent")) and tag_name(str(parent)) in declared:
            if tag_name(str(parent)) in line:
                break
            line.append(tag_name(str(parent)))
        if len(line) > 1:
            title = _tag_title(declared[line[-1]]) or line[-1]
            found |= dict.fromkeys(line, title)
    return found


def _declared_tags(root: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Collect the declared tags by their names; of two with one name, each gives what the first lacks."""
    found: dict[str, dict[str, Any]] = {}
    for tag in root.get("tags") or []:
        if isinstance(tag, dict) and isinstance(tag.get("name"), str) and (name := tag_name(tag["name"])):
            found[name] = {**tag, **found.get(name, {})}
    return found


def _tag_title(tag: dict[str, Any]) -> str:
    """Give the title of a tag: its `summary` (OpenAPI 3.2), or what Redoc calls `x-displayName`; empty where it has none."""
    titles = (tag.get(key) for key in ("summary", "x-displayName"))
    return next((" ".join(one.split()) for one in titles if isinstance(one, str) and one.strip()), "")


def _parents_first(declared: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Put tags behind the one that they name as their parent (OpenAPI 3.2); else they stay in their order."""
    inner: dict[str, list[str]] = {}
    for name, tag in declared.items():
        parent = tag.get("parent")
        is_known = isinstance(parent, str) and tag_name(parent) in declared
        inner.setdefault(tag_name(str(parent)) if is_known else "", []).append(name)
    found: dict[str, dict[str, Any]] = {}
    waiting = inner.get("", [])[::-1]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = declared[name]
            waiting += inner.get(name, [])[::-1]
    # Those that are their own parents, by whatever way.
    return found | {name: tag for name, tag in declared.items() if name not in found}


def _tag_slug(name: str) -> str:
    slug = file_part(name)
    # The first is the address of the schemas; the second would be taken for the index of a folder.
    return f"{slug}-operations" if slug in ("schemas", "index", "readme") else slug


def is_large_tag(operations: Sequence[Operation], weigh: Callable[[Operation], int]) -> bool:
    """Say whether the operations of a tag are too many for one page, or too large together.

    Args:
        operations: Those of the tag.
        weigh: Operation → what it takes of a page (`weights.PAGE`).
    """
    if len(operations) > _TAG_OPERATIONS:
        return True
    # One alone would be no lighter on a page of its own.
    return len(operations) > 1 and sum(map(weigh, operations)) > PAGE


def group_schemas(weights: Mapping[str, int]) -> dict[str, list[str]]:
    """Share schemas out among pages by how their names begin, so that a new schema leaves the others where they are.

    Args:
        weights: Name of a schema → what it takes of a page (`weights.PAGE`), in the document's order.

    Returns:
        Part of the page's address → names, in the document's order; the part is empty where one page holds all.
    """
    if 0 < len(weights) <= _SCHEMAS and sum(weights.values()) <= PAGE:
        return {"": list(weights)}
    groups: dict[str, list[str]] = {}
    _split(list(weights), 1, weights, groups)
    return groups


def _split(names: list[str], length: int, weights: Mapping[str, int], groups: dict[str, list[str]]) -> None:
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(file_part(name)[:length], []).append(name)
    for beginning, members in found.items():
        fits = len(members) <= _GROUP and sum(weights[name] for name in members) <= PAGE
        if fits or len({file_part(name) for name in members}) == 1:
            groups.setdefault(portable(beginning.strip("-") or "other"), []).extend(members)
        else:
            exact = [name for name in members if len(file_part(name)) <= length]
            if exact:
                groups.setdefault(portable(beginning.strip("-") or "other"), []).extend(exact)
            _split([name for name in members if name not in set(exact)], length + 1, weights, groups)
