"""The top bar: brand, entries, dropdowns, search, and hiding while one scrolls."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.support.serving import Served

from .conftest import OpenReader
from .pages import NEXT_FRAME, Reader, settings


def dropdown(reader: Reader) -> tuple[Locator, Locator]:
    """Give the button of the dropdown and the first link in it."""
    button = reader.bar.get_by_role("button", name="More")
    return button, reader.bar.get_by_role("link", name="Installation")


def test_brand_leads_home(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing")
    reader.mark_document()
    reader.follow("Stacklok Docs", within=reader.bar)
    reader.expect_at("/")
    expect(reader.sidebar).to_have_count(0)
    reader.expect_same_document()


def test_dropdown_opens_on_hover_and_says_so(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/tall")
    button, link = dropdown(reader)
    expect(link).to_be_hidden()
    button.hover()
    expect(link).to_be_visible()
    expect(button).to_have_attribute("aria-expanded", "true")
    reader.page.mouse.move(700, 700)
    expect(link).to_be_hidden()
    expect(button).to_have_attribute("aria-expanded", "false")


def test_click_keeps_a_dropdown_open_that_hover_has_opened(editions: Served, open_reader: OpenReader) -> None:
    """Who points and clicks wants to see it; only a second click closes it."""
    reader = open_reader(editions, "/tall")
    button, link = dropdown(reader)
    button.hover()
    expect(button).to_have_attribute("aria-expanded", "true")
    button.click()
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(link).to_be_visible()


def test_tap_opens_and_closes_a_dropdown(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/tall", settings(is_touch=True))
    button, link = dropdown(reader)
    button.tap()
    expect(link).to_be_visible()
    button.tap()
    expect(link).to_be_hidden()


def test_dropdown_opens_and_closes_by_key(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/tall")
    button, link = dropdown(reader)
    for key in ("Enter", "Space"):
        button.focus()
        reader.press(key)
        expect(link).to_be_visible()
        expect(button).to_have_attribute("aria-expanded", "true")
        reader.press("Escape")
        expect(link).to_be_hidden()
        expect(button).to_be_focused()


def test_arrows_move_in_the_dropdown(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/tall")
    button, link = dropdown(reader)
    button.focus()
    reader.press("ArrowDown")
    expect(link).to_be_focused()
    reader.press("ArrowDown")
    expect(reader.focused()).to_have_text("Constructs")
    reader.press("ArrowUp")
    expect(link).to_be_focused()
    reader.press("Escape")
    expect(button).to_be_focused()


def test_dropdown_closes_when_the_focus_leaves_it(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/tall")
    button, link = dropdown(reader)
    button.focus()
    reader.press("Enter", "Shift+Tab")
    expect(link).to_be_hidden()


def test_choice_in_the_dropdown_navigates_and_closes_it(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/tall")
    button, link = dropdown(reader)
    button.focus()
    reader.press("Enter")
    link.click()
    reader.expect_heading("Install")
    reader.page.mouse.move(700, 700)
    expect(link).to_be_hidden()


@pytest.mark.parametrize("key", ["Control+k", "Meta+k", "/"])
def test_search_opens_by_key_and_closes_by_escape(key: str, shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/")
    reader.press(key)
    dialog = reader.page.get_by_role("dialog", name="Search")
    expect(dialog).to_be_visible()
    expect(dialog.locator("input")).to_be_focused()
    reader.press("Escape")
    expect(dialog).to_be_hidden()


def test_search_opens_by_click_and_returns_the_focus(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/")
    button = reader.bar.get_by_role("button", name="Search")
    button.click()
    expect(reader.page.get_by_role("dialog", name="Search")).to_be_visible()
    reader.press("Escape")
    expect(button).to_be_focused()


def test_slash_in_a_text_field_is_a_slash(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/search")
    field = reader.article.get_by_role("searchbox")
    field.press_sequentially("/v1/mux")
    expect(field).to_have_value("/v1/mux")
    expect(reader.page.get_by_role("dialog", name="Search")).to_have_count(0)


def test_search_code_is_loaded_only_when_wanted(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/")
    reader.page.wait_for_load_state("networkidle")
    before = len(reader.watch.requests)
    reader.press("/")
    expect(reader.page.get_by_role("dialog", name="Search")).to_be_visible()
    assert any(path.endswith(".js") for path in reader.watch.requests[before:])


def test_bar_stays_in_view(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/theme-preview")
    reader.scroll_to(2000)
    expect(reader.bar).to_be_in_viewport(ratio=1)


def test_bar_hides_while_one_scrolls_down_where_it_is_configured(handbook: Served, open_reader: OpenReader) -> None:
    reader = open_reader(handbook, "/tall")
    reader.page.mouse.move(700, 500)
    reader.page.mouse.wheel(0, 1500)
    # A wheel that turns back before would only shorten the way down.
    reader.page.wait_for_function("() => window.scrollY === 1500")
    expect(reader.bar).not_to_be_in_viewport()
    reader.page.mouse.wheel(0, -300)
    expect(reader.bar).to_be_in_viewport(ratio=1)


def test_bar_that_hides_shows_itself_when_the_focus_enters_it(handbook: Served, open_reader: OpenReader) -> None:
    reader = open_reader(handbook, "/tall")
    reader.scroll_to(1500)
    expect(reader.bar).not_to_be_in_viewport()
    reader.bar.get_by_role("link").first.focus()
    expect(reader.bar).to_be_in_viewport(ratio=1)


def test_focus_in_the_bar_does_not_scroll_the_page(shipped: Served, open_reader: OpenReader) -> None:
    """The bar is in view already; a scroll padding of the root must not pull the page up to it."""
    reader = open_reader(shipped, "/theme-preview")
    reader.scroll_to(1400)
    reader.color_mode.button.focus()
    reader.press("Shift+Tab")
    reader.page.evaluate(NEXT_FRAME)
    reader.expect_scrolled(1400, within=1)
