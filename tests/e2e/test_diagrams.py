"""Diagrams are pictures in the page: in the colors of the mode, no wider than their container, never clipped, and large on demand."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.support.serving import Served

from .axe import find_violations, find_violations_in_both_modes
from .conftest import OpenReader
from .pages import PHONE, settings

INK = "() => getComputedStyle(document.querySelector('.diagram-drawing text')).fill"


def test_diagram_is_drawn_and_redrawn_in_the_other_mode(editions: Served, open_reader: OpenReader) -> None:
    """The library's `neutral` theme in light mode and `dark` in dark."""
    reader = open_reader(editions, "/constructs", settings(system="light"))
    drawing = reader.article.locator(".diagram-drawing").first
    expect(drawing).to_contain_text("Cold")
    assert reader.page.evaluate(INK) == "rgb(0, 0, 0)"
    reader.emulate(color_scheme="dark")
    reader.expect_true(f"() => ({INK})() === 'rgb(204, 204, 204)'")
    reader.emulate(color_scheme="dark", media="print")
    reader.expect_true(f"() => ({INK})() === 'rgb(0, 0, 0)'")
    expect(reader.article.locator(".diagram-source").first).to_be_hidden()
    reader.emulate(media="screen", forced_colors="active")
    outline = "() => getComputedStyle(document.querySelector('.diagram-drawing .node rect')).stroke"
    reader.expect_true(f"() => ({outline})() === ({INK})()")


def test_wide_diagram_scrolls_on_a_phone_before_its_words_become_too_small_and_opens_large(
    shipped: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(shipped, "/codegate/integrations/", PHONE)
    box = reader.article.locator(".diagram").first
    box.scroll_into_view_if_needed()
    drawing = box.locator(".diagram-drawing")
    reader.expect_true(
        "svg => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width >= 0.59", drawing.element_handle()
    )
    view = box.get_by_role("group", name="Diagram, scrolls sideways")
    expect(view).to_have_attribute("tabindex", "0")
    view.focus()
    reader.page.keyboard.press("ArrowRight")
    reader.page.wait_for_function("() => document.activeElement.scrollLeft > 0")
    reader.expect_no_sideways_scroll()
    assert find_violations(reader.page) == []

    enlarge = box.get_by_role("button", name="Enlarge the diagram")
    enlarge.press("Enter")
    large = reader.page.get_by_role("dialog").locator(".diagram-drawing")
    expect(large).to_be_visible()
    reader.expect_true(
        "svg => svg.getBoundingClientRect().width + 1 >= svg.viewBox.baseVal.width", large.element_handle()
    )
    assert find_violations(reader.page) == []
    reader.press("Escape")
    expect(drawing).to_be_visible()
    expect(enlarge).to_be_focused()


def test_words_of_a_drawing_can_be_read_in_both_modes(shipped: Served, open_reader: OpenReader) -> None:
    """Those beside its lines too."""
    reader = open_reader(shipped, "/codegate/integrations/")
    expect(reader.article.locator(".diagram-drawing text").first).to_be_visible()
    assert find_violations_in_both_modes(reader.page, within=".diagram") == []


def test_diagram_that_the_build_cannot_draw_is_drawn_in_a_frame_that_reaches_nothing(
    editions: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(editions, "/constructs")
    box = reader.article.locator("[data-island=mermaid]")
    box.scroll_into_view_if_needed()
    reader.page.mouse.move(300, 300)
    frame = box.locator("iframe")
    expect(frame).to_have_attribute("sandbox", "allow-scripts")
    drawing = frame.content_frame.locator("svg").first
    expect(drawing).to_contain_text("Shelf")
    expect(box.locator(".mermaid-source")).to_have_count(0)
    # The frame sends its height when it has rendered.
    reader.expect_true("frame => Number(frame.getAttribute('height')) > 20", frame.element_handle())
    assert drawing.evaluate("() => window.origin") == "null"
