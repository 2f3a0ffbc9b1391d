"""No page kind and no state of a page breaks a rule of axe, in either mode, at desk or on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.support.serving import Served

from .axe import find_violations, find_violations_in_both_modes, find_weak_text_in_both_modes
from .conftest import OpenReader
from .pages import DESKTOP, PHONE, Settings, settings

KINDS = {
    "landing": "/",
    "doc": "/codegate/features/muxing",
    "category": "/category/using-the-toolhive-cli",
    "search": "/search",
    "not found": "/no/such/page",
    "theme preview": "/theme-preview",
}

widths = pytest.mark.parametrize("base", [DESKTOP, PHONE], ids=["1440", "390"])


@widths
@pytest.mark.parametrize("kind", KINDS)
def test_page_kind(kind: str, base: Settings, shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, KINDS[kind], base)
    if kind == "not found":
        reader.watch.forgive("404")
    assert find_violations_in_both_modes(reader.page) == []
    # A button without a type submits the form that it may be moved into later.
    expect(reader.page.locator("button:not([type])")).to_have_count(0)
    if kind == "search":
        # The source of this page is not what its reader has found.
        expect(reader.page.get_by_role("group", name="Was this page helpful?")).to_have_count(0)
        expect(reader.page.get_by_text("Last updated")).to_have_count(0)


@widths
def test_all_constructs_and_switches(base: Settings, editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs", base)
    reader.page.locator("summary", has_text="More").click()
    assert find_violations_in_both_modes(reader.page) == []


def test_page_of_an_older_version(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/1.0/")
    assert find_violations_in_both_modes(reader.page) == []


def test_open_dropdown(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install")
    reader.bar.get_by_role("button", name="Version").hover()
    expect(reader.bar.get_by_role("link", name="1.0")).to_be_visible()
    assert find_violations_in_both_modes(reader.page) == []
    expect(reader.bar.get_by_role("link", name="1.0")).to_be_visible()


def test_open_drawer(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing", PHONE)
    drawer = reader.open_drawer()
    assert find_violations_in_both_modes(reader.page) == []
    drawer.get_by_role("button", name="Back to main menu").click()
    expect(drawer.get_by_role("link", name="ToolHive")).to_be_visible()
    assert find_violations_in_both_modes(reader.page) == []


@widths
def test_open_search_dialog(base: Settings, shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/", base)
    reader.press("Control+k")
    expect(reader.page.get_by_role("dialog", name="Search")).to_be_visible()
    assert find_violations_in_both_modes(reader.page) == []


@widths
def test_page_without_scripts(base: Settings, editions: Served, open_reader: OpenReader) -> None:
    """The scripts are cut out of the page on its way: axe needs a browser in which scripts run."""

    def cut_scripts(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=re.sub(r"<script.*?</script>", "", answer.text(), flags=re.DOTALL))

    reader = open_reader(editions, "/install", base, {"**/constructs": cut_scripts})
    reader.page.goto(editions.url("/constructs"))
    assert find_violations(reader.page) == []


def test_page_enlarged_four_times(shipped: Served, open_reader: OpenReader) -> None:
    """WCAG 1.4.10: 1280 px at 400 % are 320 px."""
    reader = open_reader(shipped, "/codegate/features/muxing", settings(width=320, height=256))
    reader.expect_no_sideways_scroll()
    assert find_violations(reader.page) == []


def test_forced_colors_keep_controls_visible(shipped: Served, open_reader: OpenReader) -> None:
    """Icons are strokes in the text's color, which is one of the system."""
    reader = open_reader(shipped, "/")
    reader.emulate(forced_colors="active")
    picture = reader.color_mode.button.locator(".icon > path:visible")
    stroke, ink, page = picture.evaluate(
        """path => [
          getComputedStyle(path).stroke,
          getComputedStyle(path.closest("button")).color,
          getComputedStyle(document.documentElement).backgroundColor,
        ]"""
    )
    assert stroke == ink
    assert stroke != page


@pytest.mark.parametrize("route", ["/theme-preview", "/codegate/reference/api"])
def test_reader_who_prefers_more_contrast_has_it(route: str, shipped: Served, open_reader: OpenReader) -> None:
    """WCAG 1.4.6."""
    reader = open_reader(shipped, route)
    assert find_weak_text_in_both_modes(reader.page) == []
