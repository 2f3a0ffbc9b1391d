"""What the search dialog remembers: recent searches and favorites."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Locator, expect

from tests.support.serving import Served

from .axe import find_violations
from .conftest import OpenReader
from .pages import settings
from .searching import Dialog, open_dialog, reopen_dialog

INDEX = "stacklok-docs"


def stored(recent: int, favorites: int, index: str = INDEX) -> dict[str, str]:
    """Make what a browser keeps after so many searches."""

    def entries(what: str, count: int) -> str:
        made = [
            {
                "href": f"/codegate/features/muxing#{what}-{number}",
                "title": f"{what} {number}",
                "place": "",
                "kind": "guide",
            }
            for number in range(count)
        ]
        return json.dumps(made)

    return {
        f"octavo.search.recent.{index}": entries("recent", recent),
        f"octavo.search.favorites.{index}": entries("favorite", favorites),
    }


def kept(dialog: Dialog, what: str) -> Locator:
    return dialog.root.get_by_role("region", name=what).get_by_role("option")


def test_chosen_hits_are_recent_searches_and_may_become_favorites(shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped)
    expect(dialog.root.get_by_text("No recent searches")).to_be_visible()
    dialog.ask("permission profiles")
    dialog.reader.press("Enter")
    dialog.reader.expect_at("/toolhive/how-to/custom-permissions")
    dialog = reopen_dialog(dialog.reader)
    expect(dialog.root.get_by_role("option", name="Permission profiles")).to_be_visible()
    dialog.root.get_by_role("button", name="Save this search").click()
    expect(dialog.root.get_by_role("region", name="Favorites").get_by_role("option")).to_have_count(1)
    assert find_violations(dialog.reader.page) == []
    dialog.root.get_by_role("button", name="Remove this search from favorites").click()
    expect(dialog.root.get_by_text("No recent searches")).to_be_visible()


def test_keys_lead_to_recent_searches(shipped: Served, open_reader: OpenReader) -> None:
    entry = '[{"href":"/toolhive/quickstart","title":"Quickstart","place":"ToolHive","kind":"guide"}]'
    habits = settings(stored={"octavo.search.recent.stacklok-docs": entry})
    dialog = open_dialog(open_reader, shipped, settings=habits)
    dialog.reader.press("ArrowDown")
    dialog.expect_at(0)
    dialog.reader.press("Enter")
    dialog.reader.expect_at("/toolhive/quickstart")


@pytest.mark.parametrize(("favorites", "shown"), [(0, 7), (1, 4), (12, 4)])
def test_so_many_are_remembered(favorites: int, shown: int, shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped, settings=settings(stored=stored(9, favorites)))
    expect(kept(dialog, "Recent")).to_have_count(shown)
    expect(kept(dialog, "Favorites")).to_have_count(min(favorites, 10))


def test_oldest_favorite_gives_way_to_the_eleventh(shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped, settings=settings(stored=stored(1, 10)))
    dialog.root.get_by_role("button", name="Save this search").click()
    expect(kept(dialog, "Favorites")).to_have_count(10)
    expect(kept(dialog, "Favorites").first).to_contain_text("recent 0")
    expect(kept(dialog, "Recent")).to_have_count(0)


def test_what_is_removed_stays_away(shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped, settings=settings(stored=stored(3, 0)))
    dialog.root.get_by_role("button", name="Remove this search from history: recent 1").click()
    expect(kept(dialog, "Recent")).to_contain_text(["recent 0", "recent 2"])
    dialog.reader.visit("/codegate/")
    dialog = reopen_dialog(dialog.reader)
    expect(kept(dialog, "Recent")).to_contain_text(["recent 0", "recent 2"])


@pytest.mark.parametrize(
    "habits",
    [
        stored(3, 3, index="another"),
        {f"octavo.search.recent.{INDEX}": '[{"href": "/a", "title"'},
        {f"octavo.search.recent.{INDEX}": '[{"href":"javascript:alert(1)","title":"A","place":"","kind":"guide"}]'},
    ],
    ids=["another index", "half a value", "script for an address"],
)
def test_what_is_not_of_this_search_is_left_out(
    habits: dict[str, str], shipped: Served, open_reader: OpenReader
) -> None:
    dialog = open_dialog(open_reader, shipped, settings=settings(stored=habits))
    expect(dialog.root.get_by_text("No recent searches")).to_be_visible()


def test_search_opened_in_a_new_tab_is_remembered_as_well(shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped)
    dialog.ask("permission profiles")
    with dialog.reader.context.expect_page() as opened:
        dialog.reader.press("Control+Enter")
    opened.value.wait_for_url("**/toolhive/how-to/custom-permissions")
    dialog.field.fill("")
    expect(kept(dialog, "Recent")).to_have_count(1)
