"""The drawer of narrow windows: a dialog with the sidebar and the main menu."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.serving import Served

from .conftest import OpenReader
from .pages import NEXT_FRAME, PHONE, Reader, settings


@pytest.fixture
def reader(shipped: Served, open_reader: OpenReader) -> Reader:
    return open_reader(shipped, "/codegate/features/muxing", PHONE)


def test_opens_on_the_sidebar_and_takes_the_focus(reader: Reader) -> None:
    drawer = reader.open_drawer()
    expect(reader.hamburger.or_(reader.page.locator(".drawer-button"))).to_have_attribute("aria-expanded", "true")
    expect(drawer.get_by_role("link", name="Workspaces", exact=True)).to_be_visible()
    expect(drawer.locator(":focus")).to_have_count(1)


NOTE_FOCUS = """() => {
  window.isFocusBehind = false;
  addEventListener("focusin", ({ target }) => { window.isFocusBehind ||= target.closest("main, footer") !== null; });
}"""


def test_page_behind_is_inert(reader: Reader) -> None:
    reader.open_drawer()
    reader.page.evaluate(NOTE_FOCUS)
    reader.press(*["Tab"] * 60)
    assert reader.page.evaluate("window.isFocusBehind") is False
    reader.page.mouse.wheel(0, 2000)
    # The browser scrolls in a later frame, and must have done so while the drawer is open.
    reader.page.evaluate(NEXT_FRAME)
    reader.press("Escape")
    expect(reader.drawer).to_be_hidden()
    reader.expect_scrolled(0)


def test_escape_closes_and_returns_the_focus(reader: Reader) -> None:
    reader.open_drawer()
    reader.press("Escape")
    expect(reader.drawer).to_be_hidden()
    expect(reader.hamburger).to_be_focused()
    expect(reader.hamburger).to_have_attribute("aria-expanded", "false")


def test_focus_returns_where_the_browser_does_not_give_it_back(reader: Reader) -> None:
    """WebKit takes the page for inert until it is drawn without the dialog: attempts to focus its elements do nothing before."""
    reader.page.evaluate("""() => {
      const { close } = HTMLDialogElement.prototype;
      const { focus } = HTMLElement.prototype;
      let refused = 0;
      HTMLDialogElement.prototype.close = function () {
        close.call(this);
        document.activeElement.blur();
        refused = 3;
      };
      HTMLElement.prototype.focus = function (...given) {
        if (refused-- <= 0) focus.apply(this, given);
      };
    }""")
    reader.open_drawer()
    reader.press("Escape")
    expect(reader.hamburger).to_be_focused()


def test_close_button_and_click_beside_it_close(reader: Reader) -> None:
    reader.open_drawer().get_by_role("button", name="Close navigation bar").click()
    expect(reader.drawer).to_be_hidden()
    reader.open_drawer()
    reader.page.mouse.click(350, 500)
    expect(reader.drawer).to_be_hidden()


def swipe(reader: Reader, start: tuple[int, int], end: tuple[int, int]) -> None:
    """Move a finger over the screen."""
    touch = reader.context.new_cdp_session(reader.page)
    point = {"touchStart": start, "touchMove": end}
    for kind, (x, y) in point.items():
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_swipe_to_its_side_closes_and_others_do_not(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing", settings(PHONE, is_touch=True))
    reader.open_drawer()
    swipe(reader, (200, 600), (230, 300))
    swipe(reader, (200, 500), (170, 500))
    expect(reader.drawer).to_be_visible()
    swipe(reader, (250, 500), (100, 520))
    expect(reader.drawer).to_be_hidden()
    expect(reader.hamburger).to_have_attribute("aria-expanded", "false")


def test_back_button_closes_without_navigating(reader: Reader) -> None:
    reader.visit("/codegate/")
    reader.visit("/codegate/features/muxing")
    reader.open_drawer()
    reader.page.go_back()
    expect(reader.drawer).to_be_hidden()
    reader.expect_at("/codegate/features/muxing")
    reader.page.go_back()
    reader.expect_at("/codegate/")
    reader.wait_until_alive()


def test_link_closes_it_and_navigates(reader: Reader) -> None:
    reader.mark_document()
    reader.follow("Workspaces", within=reader.open_drawer())
    reader.expect_heading("Workspaces")
    expect(reader.drawer).to_be_hidden()
    reader.expect_same_document()
    expect(reader.open_drawer().locator("[aria-current=page]").first).to_have_text("Workspaces")


def test_main_menu_is_one_step_back(reader: Reader) -> None:
    drawer = reader.open_drawer()
    drawer.get_by_role("button", name="Back to main menu").click()
    expect(drawer.get_by_role("link", name="ToolHive", exact=True)).to_be_visible()
    expect(drawer.get_by_role("link", name="Workspaces", exact=True)).to_be_hidden()
    drawer.get_by_role("link", name="ToolHive", exact=True).click()
    reader.expect_at("/toolhive/")
    expect(reader.drawer).to_be_hidden()


def test_next_opening_shows_the_sidebar_again(reader: Reader) -> None:
    drawer = reader.open_drawer()
    drawer.get_by_role("button", name="Back to main menu").click()
    expect(drawer.get_by_role("link", name="Workspaces", exact=True)).to_be_hidden()
    reader.press("Escape")
    expect(reader.drawer).to_be_hidden()
    expect(reader.open_drawer().get_by_role("link", name="Workspaces", exact=True)).to_be_visible()


def test_page_without_a_sidebar_opens_on_the_main_menu(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/", PHONE)
    drawer = reader.open_drawer()
    expect(drawer.get_by_role("link", name="CodeGate", exact=True)).to_be_visible()
    expect(drawer.get_by_role("button", name="Back to main menu")).to_be_hidden()
    for name in ("GitHub", "LinkedIn", "Discord", "YouTube"):
        expect(drawer.get_by_role("link", name=f"Stacklok on {name}")).to_be_visible()


def test_closes_when_the_window_becomes_wide(reader: Reader) -> None:
    reader.open_drawer()
    reader.resize(995)
    expect(reader.drawer).to_be_visible()
    reader.resize(996)
    expect(reader.drawer).to_be_hidden()
    reader.resize(390, 844)
    expect(reader.drawer).to_be_hidden()


def test_body_scrolls_afterwards_as_before(reader: Reader) -> None:
    reader.page.evaluate("document.body.style.overflow = 'clip'")
    reader.scroll_to(400)
    reader.open_drawer()
    reader.press("Escape")
    expect(reader.drawer).to_be_hidden()
    reader.expect_true("() => document.body.style.overflow === 'clip'")
    reader.expect_scrolled(400, within=1)


def test_category_expands_without_closing(reader: Reader) -> None:
    drawer = reader.open_drawer()
    drawer.get_by_role("button", name="sidebar category 'Integrations'").click()
    expect(drawer.get_by_role("link", name="aider")).to_be_visible()


def test_mode_can_be_changed_on_a_phone(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/", settings(PHONE, system="dark"))
    button = reader.color_mode.button
    if not button.first.is_visible():
        button = reader.open_drawer().get_by_role("button", name="Switch between dark and light mode")
    button.first.click()
    reader.color_mode.expect_shown("light", choice="light")
