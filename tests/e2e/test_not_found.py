"""An address without a page."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import OpenReader
from .pages import DESKTOP, PHONE, Reader, Settings, settings
from .serving import Served
from .test_hydration import MEASURE_SHIFTS, SETTLE


@pytest.fixture
def lost(shipped: Served, open_reader: OpenReader) -> Reader:
    reader = open_reader(shipped, "/codegate/")
    reader.watch.forgive("404")
    return reader


def test_page_says_what_happened(lost: Reader) -> None:
    response = lost.page.goto(lost.site.url("/codegate/features/muxin"))
    lost.wait_until_alive()
    assert response
    assert response.status == 404
    lost.expect_heading("Page Not Found")
    expect(lost.article).to_contain_text("We could not find what you were looking for.")
    expect(lost.page).to_have_title("Page Not Found | Stacklok Docs")
    expect(lost.sidebar).to_have_count(0)
    expect(lost.page.locator("meta[name=robots]")).to_have_attribute("content", "noindex, nofollow")


def test_page_has_a_search_box(lost: Reader) -> None:
    lost.visit("/codegate/features/muxin")
    lost.article.get_by_role("searchbox").fill("muxing")
    lost.press("Enter")
    lost.page.wait_for_url("**/search?q=muxing")


def test_page_offers_the_nearest_pages(lost: Reader) -> None:
    lost.visit("/codegate/features/muxin")
    lost.article.get_by_role("link", name="Model muxing").click()
    lost.expect_at("/codegate/features/muxing")


@pytest.mark.parametrize("habits", [DESKTOP, PHONE], ids=["1440", "390"])
def test_nearest_pages_move_nothing_when_they_come(habits: Settings, shipped: Served, open_reader: OpenReader) -> None:
    lost = open_reader(shipped, "/", settings(habits, init_script=MEASURE_SHIFTS))
    lost.watch.forgive("404")
    lost.visit("/codegate/features/muxin")
    expect(lost.article.get_by_role("link", name="Model muxing")).to_be_visible()
    lost.page.evaluate(SETTLE)
    assert lost.page.evaluate("[window.shiftOfLayout, window.shifted]") == [0, []]


def test_links_of_the_page_navigate(lost: Reader) -> None:
    lost.visit("/no/such/page")
    lost.mark_document()
    lost.follow("Go to the home page")
    lost.expect_at("/")
    assert lost.is_same_document()


def test_link_to_a_missing_page_ends_on_the_not_found_page(lost: Reader) -> None:
    lost.page.evaluate("""() => {
      const link = document.createElement("a");
      link.href = "/codegate/gone";
      link.textContent = "Gone";
      document.querySelector("main .prose").append(link);
    }""")
    lost.follow("Gone")
    lost.expect_heading("Page Not Found")
    lost.wait_until_alive()
    lost.page.go_back()
    lost.wait_until_alive()
    lost.expect_at("/codegate/")


@pytest.mark.parametrize("route", ["/codegate/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/_recto/manifest.json"])
def test_no_address_leaves_the_site(route: str, lost: Reader) -> None:
    answer = lost.context.request.get(f"{lost.site.origin}{route}", max_redirects=0)
    assert answer.status == 404
