"""An address without a page."""

from __future__ import annotations

from contextlib import closing
from http.client import HTTPConnection

import pytest
from playwright.sync_api import expect

from tests.support.serving import Served

from .conftest import OpenReader
from .pages import DESKTOP, PHONE, Reader, Settings, settings
from .test_hydration import MEASURE_SHIFTS, SETTLE


@pytest.fixture
def lost(shipped: Served, open_reader: OpenReader) -> Reader:
    reader = open_reader(shipped, "/codegate/features/muxin")
    reader.watch.forgive("404")
    return reader


def status_of(site: Served, path: str) -> int:
    """Ask for a path as it is written: browsers would take its dots away."""
    connection = HTTPConnection(site.origin.removeprefix("http://"), timeout=30)
    with closing(connection):
        connection.request("GET", path)
        return connection.getresponse().status


def test_page_says_what_happened(lost: Reader) -> None:
    assert status_of(lost.site, "/codegate/features/muxin") == 404
    lost.expect_heading("Page Not Found")
    expect(lost.article).to_contain_text("We could not find what you were looking for.")
    expect(lost.page).to_have_title("Page Not Found | Stacklok Docs")
    expect(lost.sidebar).to_have_count(0)
    expect(lost.page.locator("meta[name=robots]")).to_have_attribute("content", "noindex, nofollow")


def test_page_has_a_search_box(lost: Reader) -> None:
    lost.article.get_by_role("searchbox").fill("muxing")
    lost.press("Enter")
    lost.page.wait_for_url("**/search?q=muxing")


def test_page_offers_the_nearest_pages(lost: Reader) -> None:
    lost.article.get_by_role("link", name="Model muxing").click()
    lost.expect_at("/codegate/features/muxing")


@pytest.mark.parametrize("habits", [DESKTOP, PHONE], ids=["1440", "390"])
def test_nearest_pages_move_nothing_when_they_come(habits: Settings, shipped: Served, open_reader: OpenReader) -> None:
    # The first page brings the fonts: one that comes between two frames moves the entries of the bar by some pixels.
    lost = open_reader(shipped, "/", settings(habits, init_script=MEASURE_SHIFTS))
    lost.watch.forgive("404")
    lost.page.evaluate("() => document.fonts.ready.then(() => true)")
    lost.visit("/codegate/features/muxin")
    expect(lost.article.get_by_role("link", name="Model muxing")).to_be_visible()
    lost.page.evaluate(SETTLE)
    assert lost.page.evaluate("[window.shiftOfLayout, window.shifted]") == [0, []]


def test_links_of_the_page_navigate(lost: Reader) -> None:
    lost.mark_document()
    lost.follow("Go to the home page")
    lost.expect_at("/")
    lost.expect_same_document()


def test_link_to_a_missing_page_ends_on_the_not_found_page(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/")
    reader.watch.forgive("404")
    reader.page.evaluate("""() => {
      const link = document.createElement("a");
      link.href = "/codegate/gone";
      link.textContent = "Gone";
      document.querySelector("main .prose").append(link);
    }""")
    reader.follow("Gone")
    reader.expect_heading("Page Not Found")
    reader.wait_until_alive()
    reader.page.go_back()
    reader.expect_at("/codegate/")
    reader.wait_until_alive()


@pytest.mark.parametrize("route", ["/codegate/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/_octavo/manifest.json"])
def test_no_address_leaves_the_site(route: str, shipped: Served) -> None:
    assert status_of(shipped, route) == 404
