"""The sidebar: where the reader is, what is open, and how to move in it."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.support.serving import Served

from .conftest import OpenReader
from .gate import Gate
from .pages import NEXT_FRAME, Reader, settings


def caret(reader: Reader, label: str) -> Locator:
    return reader.sidebar.get_by_role("button", name=f"sidebar category '{label}'")


def test_section_of_the_page_is_open_and_others_are_as_configured(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/guide/dry")
    expect(caret(reader, "Firing")).to_have_attribute("aria-expanded", "true")
    expect(reader.sidebar.get_by_role("link", name="Heat", exact=True)).to_be_visible()
    expect(reader.sidebar.get_by_role("button", name="Deep heat")).to_have_attribute("aria-expanded", "false")
    expect(reader.sidebar.get_by_role("link", name="Bisque")).to_have_count(0)


def test_only_the_page_itself_is_current(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/guide/dry")
    current = reader.sidebar.locator("[aria-current=page]")
    expect(reader.sidebar.locator("[aria-current]")).to_have_text("Dry")
    color = current.evaluate("entry => getComputedStyle(entry).color")
    reader.visit("/category/firing")
    expect(current).to_have_text("Firing")
    expect(current).to_have_css("color", color)


def test_caret_opens_and_closes_without_navigating(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install")
    expect(caret(reader, "Firing")).to_have_accessible_name("Expand sidebar category 'Firing'")
    caret(reader, "Firing").click()
    expect(reader.sidebar.get_by_role("link", name="Heat", exact=True)).to_be_visible()
    expect(caret(reader, "Firing")).to_have_accessible_name("Collapse sidebar category 'Firing'")
    caret(reader, "Firing").click()
    expect(reader.sidebar.get_by_role("link", name="Heat", exact=True)).to_be_hidden()
    reader.expect_at("/install")


def test_label_with_a_page_navigates_and_opens_then_only_toggles(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install")
    label = reader.sidebar.get_by_role("link", name="Firing", exact=True)
    label.click()
    reader.expect_at("/category/firing")
    expect(caret(reader, "Firing")).to_have_attribute("aria-expanded", "true")
    label.click()
    expect(caret(reader, "Firing")).to_have_attribute("aria-expanded", "false")
    reader.expect_at("/category/firing")


def test_label_without_a_page_is_a_button(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/guide/dry")
    button = reader.sidebar.get_by_role("button", name="Deep heat")
    button.focus()
    for key in ("Enter", "Space"):
        reader.press(key)
        expect(button).to_have_attribute("aria-expanded", "true")
        expect(reader.sidebar.get_by_role("link", name="Bisque")).to_be_visible()
        reader.press(key)
        expect(button).to_have_attribute("aria-expanded", "false")
    reader.expect_at("/guide/dry")


def test_opening_one_category_leaves_others_open(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/guide/deep/bisque")
    expect(caret(reader, "Firing")).to_have_attribute("aria-expanded", "true")
    reader.follow("Install", within=reader.sidebar)
    reader.expect_heading("Install")
    expect(reader.sidebar.get_by_role("link", name="Bisque")).to_be_visible()


def test_category_opens_when_a_link_leads_into_it(editions: Served, open_reader: OpenReader) -> None:
    """Also one that the reader has closed while standing on its own page."""
    reader = open_reader(editions, "/category/firing")
    caret(reader, "Firing").click()
    expect(reader.sidebar.get_by_role("link", name="Heat", exact=True)).to_be_hidden()
    reader.follow("Heat")
    reader.expect_at("/guide/heat")
    expect(reader.sidebar.get_by_role("link", name="Heat", exact=True)).to_be_visible()
    expect(reader.sidebar.locator("[aria-current=page]")).to_have_text("Heat")


def test_unlisted_page_is_shown_only_while_it_is_read(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install")
    expect(reader.sidebar.get_by_text("Hidden page")).to_have_count(0)
    reader.visit("/hidden")
    expect(reader.article.get_by_role("note")).to_contain_text("Unlisted page")


def test_sidebar_cannot_be_hidden_on_desktop(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install")
    expect(reader.sidebar.get_by_role("button", name="hide")).to_have_count(0)


ANIMATION = """async (caret) => {
  const find = () => document.getAnimations().find(({ effect }) => effect.target.closest("nav.sidebar")
    && effect.getKeyframes().some((frame) => "height" in frame));
  caret.click();
  let animation = find();
  while (animation === undefined) {
    await new Promise((done) => requestAnimationFrame(done));
    animation = find();
  }
  return { duration: animation.effect.getTiming().duration, height: animation.effect.target.scrollHeight };
}"""


def test_opening_lasts_as_long_as_the_height_requires(editions: Served, open_reader: OpenReader) -> None:
    """36 px take 192 ms, 100 px 239 ms, 300 px 312 ms."""
    reader = open_reader(editions, "/install")
    measured = caret(reader, "Firing").evaluate(ANIMATION)
    part = measured["height"] / 36
    assert measured["duration"] == round((4 + 15 * part**0.25 + part / 5) * 10)


def test_opening_takes_1_ms_where_motion_is_not_wanted(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install", settings(reduces_motion=True))
    assert caret(reader, "Firing").evaluate(ANIMATION)["duration"] == 1


def test_arrows_home_and_end_move_between_items(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install")
    reader.sidebar.get_by_role("link", name="Install", exact=True).focus()
    reader.press("ArrowDown")
    expect(reader.focused()).to_have_text("Only in the new version")
    reader.press("ArrowUp", "ArrowUp")
    expect(reader.focused()).to_have_text("Kiln")
    reader.press("End")
    last = reader.sidebar.locator("a, button").and_(reader.page.locator(":visible")).last
    expect(last).to_be_focused()
    reader.press("Home")
    expect(reader.focused()).to_have_text("Kiln")


def test_current_item_of_a_long_sidebar_is_in_view_after_loading(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/integrations/open-interpreter", settings(height=420))
    expect(reader.sidebar.locator("[aria-current=page]")).to_be_in_viewport()
    reader.expect_scrolled(0)


def test_current_item_is_in_view_before_any_code_has_come(shipped: Served, open_reader: OpenReader) -> None:
    route = "/codegate/integrations/open-interpreter"
    answers = {"**/assets/client-*.js": Gate()}
    reader = open_reader(shipped, route, settings(height=420), answers, alive=False)
    expect(reader.sidebar.locator("[aria-current=page]")).to_be_in_viewport()
    reader.expect_true("() => document.querySelector('nav.sidebar').scrollTop > 0")
    assert not reader.page.evaluate("document.documentElement.dataset.hydrated")


def test_current_item_is_in_the_window_below_an_announcement(shipped: Served, open_reader: OpenReader) -> None:
    route = "/codegate/reference/api/workspaces/v1-create-workspace"
    tall = open_reader(shipped, route, settings(height=2400))
    place = tall.sidebar.locator("[aria-current=page]").bounding_box()
    assert place is not None
    # The box of the sidebar ends below this window, by the height of the announcement.
    low = open_reader(shipped, route, settings(height=int(place["y"] + place["height"]) - 5))
    expect(low.sidebar.locator("[aria-current=page]")).to_be_in_viewport(ratio=1)


def test_scroll_position_is_kept_within_a_sidebar(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/integrations/cline", settings(height=420))
    link = reader.sidebar.get_by_role("link", name="Continue", exact=True)
    link.scroll_into_view_if_needed()
    reader.page.evaluate(NEXT_FRAME)
    before = reader.sidebar.evaluate("box => box.scrollTop")
    link.click()
    reader.expect_at("/codegate/integrations/continue")
    expect(reader.sidebar.locator("[aria-current=page]")).to_be_in_viewport()
    assert before > 0
    reader.expect_true("before => document.querySelector('nav.sidebar').scrollTop === before", before)


def test_other_sidebar_begins_at_its_top(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/integrations/open-interpreter", settings(height=420))
    reader.follow("ToolHive", within=reader.bar)
    reader.expect_at("/toolhive/")
    reader.expect_true("() => document.querySelector('nav.sidebar').scrollTop === 0")


def test_closed_items_cannot_be_reached_by_keyboard(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/guide/dry", settings(reduces_motion=True))
    caret(reader, "Firing").click()
    expect(reader.sidebar.get_by_role("link", name="Heat", exact=True)).to_be_hidden()
    reader.press("Tab")
    expect(reader.focused()).to_have_count(1)
    expect(reader.sidebar.locator(".collapsible :focus")).to_have_count(0)
