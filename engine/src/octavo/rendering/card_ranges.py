"""Ranges of cards: the index page of a category with thousands of items shows them as its sidebar does."""

from __future__ import annotations

from typing import TypeGuard

from octavo.site import CategoryNode, SidebarNode, is_shown

_CLASS = "sidebar-range"


def make_range(nodes: list[SidebarNode]) -> SidebarNode:
    """Make one item of several, named by the first and the last of them; ranges of ranges by those of all."""
    label = f"{_ends(nodes[0])[0]} – {_ends(nodes[-1])[1]}"
    return CategoryNode(label, None, None, True, True, _CLASS, tuple(nodes))


def count_items(node: CategoryNode) -> int:
    """Count the shown items of a category; of a range of ranges those of all of them."""
    return sum(count_items(item) if _is_range(item) else is_shown(item) for item in node.items)


def _ends(node: SidebarNode) -> tuple[str, str]:
    return (_ends(node.items[0])[0], _ends(node.items[-1])[1]) if _is_range(node) else (node.label, node.label)


def _is_range(node: SidebarNode) -> TypeGuard[CategoryNode]:
    return isinstance(node, CategoryNode) and node.class_name == _CLASS
