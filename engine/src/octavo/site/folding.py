"""Large sidebars, bounded: a level with very many items is shown in ranges, which open like categories.

A page holds the open branch of its sidebar. With thousands of items on one level of it, the output would grow with the
square of their number. A range is a category of consecutive items, `Apple – Cherry`; ranges of many ranges are put
together again. So each page holds one short range on each level; the rest is in the sidebar's shared file, and without
scripts each range leads to its first page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from octavo.site.model import CategoryNode, SidebarNode
from octavo.site.sidebar import is_group, is_shown

Item = TypeVar("Item")

MOST_IN_VIEW = 400
"""Items of a sidebar that one page may hold; sidebars in which none holds more are shown as they are."""
_FEW = 40
"""Items of a sidebar that are shown at once: with their categories open, they are two screens at most."""
_MOST_ON_LEVEL = 60
_MOST_OPEN = 100
"""Items that each page of a large sidebar may hold because their categories are open from the start."""
_RANGE, _RANGES = 50, 25
"""Items of a range, and ranges on one level: each of these has the markup of a category, four times a link's."""


def is_large(nodes: Sequence[SidebarNode]) -> bool:
    """Return whether some page would hold too many items of a sidebar."""
    return _widest_view(nodes) + _always_open(nodes) > MOST_IN_VIEW


def fits_in_view(nodes: Sequence[SidebarNode]) -> bool:
    """Return whether a sidebar is so small that its categories are open where nothing else is said."""
    return _count(nodes) <= _FEW


def opens_too_much(nodes: Sequence[SidebarNode]) -> bool:
    """Return whether the categories of a large sidebar that are open from the start must be closed."""
    return _always_open(nodes) > _MOST_OPEN


def fold_place(index: int, count: int) -> tuple[int, ...]:
    """Find an item of a level of a large sidebar: indexes of the ranges that lead to it, and its index in the last one.

    Args:
        index: Its index among the shown items.
        count: Their number.
    """
    if count <= _MOST_ON_LEVEL:
        return (index,)
    place: tuple[int, ...] = (index % _RANGE,)
    size, index = _RANGES, index // _RANGE
    count = -(-count // _RANGE)
    while count > _RANGES:
        place = (index % size, *place)
        index, count = index // size, -(-count // size)
    return (index, *place)


def fold_items(items: list[Item], make_range: Callable[[list[Item]], Item]) -> list[Item]:
    """Fold a level of a large sidebar; `make_range` makes one item of several."""
    if len(items) <= _MOST_ON_LEVEL:
        return items
    items = [make_range(items[start : start + _RANGE]) for start in range(0, len(items), _RANGE)]
    while len(items) > _RANGES:
        items = [make_range(items[start : start + _RANGES]) for start in range(0, len(items), _RANGES)]
    return items


def _widest_view(nodes: Sequence[SidebarNode]) -> int:
    """Count the items of the widest branch."""
    shown = [node for node in nodes if is_shown(node)]
    below = max((_widest_view(node.items) for node in shown if is_group(node)), default=0)
    return len(shown) + below


def _count(nodes: Sequence[SidebarNode]) -> int:
    """Count the items on all levels."""
    shown = [node for node in nodes if is_shown(node)]
    return len(shown) + sum(_count(node.items) for node in shown if is_group(node))


def _always_open(nodes: Sequence[SidebarNode]) -> int:
    """Count the items that every page holds because their categories are open."""
    return sum(
        len(node.items) + _always_open(node.items)
        for node in nodes
        if isinstance(node, CategoryNode) and node.is_collapsed is False
    )
