"""Large sidebars: each item is where its page looks for it, and no page holds many of them."""

from __future__ import annotations

import pytest

from octavo.site import CategoryNode, LinkNode, SidebarNode, fits_in_view, fold_items, is_large
from octavo.site.folding import fold_place, opens_too_much

Tree = int | list["Tree"]


def fold(count: int) -> list[Tree]:
    items: list[Tree] = list(range(count))
    return fold_items(items, list)


def at(tree: list[Tree], place: tuple[int, ...]) -> Tree:
    found: Tree = tree
    for index in place:
        assert isinstance(found, list)
        found = found[index]
    return found


@pytest.mark.parametrize("count", [1, 59, 60, 61, 100, 101, 1249, 1250, 1251, 1301, 20_000, 31_251])
def test_each_item_is_at_its_place(count: int) -> None:
    tree = fold(count)
    step = max(1, count // 997)
    for index in {*range(0, count, step), count - 1}:
        assert at(tree, fold_place(index, count)) == index


@pytest.mark.parametrize("count", [61, 1_000, 20_000, 1_000_000])
def test_view_is_bounded_whatever_the_number(count: int) -> None:
    for index in (0, count // 2, count - 1):
        level, in_view = fold(count), 0
        for step in fold_place(index, count):
            in_view += len(level)
            below = level[step]
            level = below if isinstance(below, list) else []
        assert in_view <= 150


def test_small_level_stays_as_it_is() -> None:
    assert fold(60) == list(range(60))
    assert fold_place(59, 60) == (59,)


def category(items: list[SidebarNode], *, is_collapsed: bool | None = True) -> CategoryNode:
    return CategoryNode("Category", None, None, is_collapsed, True, None, items)


def links(count: int) -> list[SidebarNode]:
    return [LinkNode(f"Link {number}", f"https://example.org/{number}", None) for number in range(count)]


def test_sidebar_is_large_when_one_page_would_hold_much() -> None:
    assert not is_large(links(400))
    assert is_large(links(401))
    assert not is_large([category(links(99)) for _ in range(300)])
    assert is_large([category(links(101)) for _ in range(300)])


def test_categories_that_are_always_open_count_on_every_page() -> None:
    nodes: list[SidebarNode] = [category(links(40), is_collapsed=False) for _ in range(10)]
    assert is_large(nodes)
    assert opens_too_much(nodes)
    assert not opens_too_much([category(links(40), is_collapsed=False)])


def test_categories_that_are_open_within_open_ones_count_as_well() -> None:
    def nested(count: int) -> list[SidebarNode]:
        inner = category(links(count), is_collapsed=False)
        return [category([inner, *links(49)], is_collapsed=False)]

    assert not opens_too_much(nested(50))
    assert opens_too_much(nested(51))
    assert not opens_too_much([category([category(links(500), is_collapsed=False)])])


def test_sidebar_fits_in_view_when_all_its_items_together_are_few() -> None:
    assert fits_in_view([*links(19), category(links(20))])
    assert not fits_in_view([*links(20), category(links(20))])
    assert not fits_in_view([category([category(links(39))])])


def test_categories_of_which_nothing_is_said_are_no_open_ones() -> None:
    assert not opens_too_much([category(links(101), is_collapsed=None)])
