"""The page of all results, and the description of the search for browsers (OpenSearch)."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.support.serving import Served

from .axe import find_violations
from .conftest import OpenReader
from .pages import DESKTOP, PHONE, Reader, Settings, settings
from .searching import cut_off, last_events

widths = pytest.mark.parametrize("base", [DESKTOP, PHONE], ids=["1440", "390"])
modes = pytest.mark.parametrize("mode", ["light", "dark"])


def found(reader: Reader) -> Locator:
    """Give the results of the page."""
    return reader.article.get_by_role("listitem").filter(has=reader.page.get_by_role("heading", level=2))


@widths
@modes
def test_typed_address_shows_results(base: Settings, mode: Any, shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/search?q=muxing", settings(base, system=mode))
    expect(found(reader).first).to_contain_text("muxing", ignore_case=True)
    reader.expect_heading('Search results for "muxing"')
    expect(reader.page).to_have_title('Search results for "muxing" | Stacklok Docs')
    expect(reader.article.get_by_role("searchbox")).to_have_value("muxing")
    expect(reader.article.get_by_text(re.compile(r"^\d+ documents found$"))).to_be_visible()
    assert find_violations(reader.page) == []
    reader.expect_no_sideways_scroll()


def test_address_follows_the_field_without_new_entries(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/")
    reader.visit("/search")
    expect(reader.page.locator("[data-status]")).to_be_attached()
    reader.article.get_by_role("searchbox").press_sequentially("muxing")
    reader.expect_at("/search?q=muxing")
    reader.article.get_by_role("searchbox").fill("")
    reader.expect_at("/search")
    reader.expect_heading("Search the documentation")
    reader.page.go_back()
    reader.expect_at("/codegate/")


def test_field_follows_the_address(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/search?q=muxing")
    expect(found(reader).first).to_be_visible()
    reader.press("Control+k")
    dialog = reader.page.get_by_role("dialog", name="Search")
    dialog.get_by_role("combobox").fill("workspace")
    dialog.get_by_role("link", name="See all").click()
    expect(reader.article.get_by_role("searchbox")).to_have_value("workspace")
    reader.expect_heading('Search results for "workspace"')
    reader.page.go_back()
    expect(reader.article.get_by_role("searchbox")).to_have_value("muxing")
    reader.expect_heading('Search results for "muxing"')


def test_filters_are_in_the_address(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/search?q=server")
    reader.article.get_by_role("button", name="Commands").click()
    reader.expect_at("/search?q=server&kind=command")
    other = reader.open_tab("/search?q=server&kind=command")
    expect(other.article.get_by_role("button", name="Commands")).to_have_attribute("aria-pressed", "true")
    expect(found(other).first).to_contain_text("Command")


def test_filter_that_hides_everything_says_so(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/search?q=muxing&section=Nowhere")
    expect(reader.article.get_by_text("hidden by the filters")).to_be_visible()
    reader.article.get_by_role("button", name="Search everywhere").click()
    expect(found(reader).first).to_be_visible()
    reader.expect_at("/search?q=muxing&scope=all")


def test_more_results_come_at_the_end_of_the_list(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/search?q=server")
    expect(found(reader)).to_have_count(20)
    found(reader).last.scroll_into_view_if_needed()
    expect(found(reader)).to_have_count(40)
    places = reader.article.locator("ol h2 a").evaluate_all("links => links.map(link => link.href)")
    assert len(set(places)) == len(places)


def test_button_brings_more_where_nothing_watches_the_list(shipped: Served, open_reader: OpenReader) -> None:
    blind = settings(init_script="IntersectionObserver = class { observe() {} unobserve() {} disconnect() {} };")
    reader = open_reader(shipped, "/search?q=server", blind)
    expect(found(reader)).to_have_count(20)
    reader.article.get_by_role("button", name="Show more results").click()
    expect(found(reader)).to_have_count(40)


def test_tab_leaves_the_list_and_the_button_leads_to_the_first_new_result(
    shipped: Served, open_reader: OpenReader
) -> None:
    """Who goes on by keyboard would otherwise never come to the end of the page: it moves away with each step."""
    reader = open_reader(shipped, "/search?q=server")
    expect(found(reader)).to_have_count(20)
    more = reader.article.get_by_role("button", name="Show more results")
    found(reader).last.get_by_role("link").focus()
    reader.press("Shift+Tab", "Tab", "Tab")
    expect(more).to_be_focused()
    reader.press("Tab")
    expect(reader.page.locator("footer :focus")).to_have_count(1)
    expect(reader.focused()).to_be_in_viewport()
    reader.press("Shift+Tab")
    expect(found(reader)).to_have_count(20)
    reader.press("Enter")
    expect(found(reader)).to_have_count(40)
    expect(found(reader).nth(20).get_by_role("link")).to_be_focused()


def test_failure_can_be_tried_again(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/search")
    cut_off(reader)
    expect(reader.page.locator("[data-status]")).to_be_attached()
    reader.article.get_by_role("searchbox").fill("muxing")
    expect(reader.article.get_by_text("Unable to fetch results", exact=True)).to_be_visible()
    assert find_violations(reader.page) == []
    reader.context.unroute("**/1/indexes/**")
    reader.article.get_by_role("button", name="Retry").click()
    expect(found(reader).first).to_be_visible()


def test_choice_is_told_with_its_position(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/search?q=muxing")
    expect(found(reader).first).to_be_visible()
    [event] = last_events(reader, lambda: found(reader).nth(2).get_by_role("link").click(), "Item Selected")
    assert event["positions"] == [3]


def test_page_reads_without_scripts(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/search?q=muxing", settings(has_scripts=False))
    expect(reader.article.get_by_text("Results are shown by a script")).to_be_visible()
    reader.article.get_by_role("link", name="ToolHive").first.click()
    reader.expect_at("/toolhive/")


def test_page_is_not_for_search_engines(shipped: Served) -> None:
    assert '<meta name="robots" content="noindex' in shipped.html("/search")
    assert "/search" not in shipped.routes()


def test_browsers_can_add_the_search(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/")
    address = reader.page.locator("link[rel=search]").get_attribute("href")
    answer = reader.context.request.get(f"{shipped.origin}{address}")
    assert "xml" in answer.headers["content-type"]
    description = ET.fromstring(answer.text())
    [template] = [element.attrib["template"] for element in description if element.tag.endswith("Url")]
    assert template.endswith("/search?q={searchTerms}")
