"""Everything can be reached and used by keyboard, and the focus can be seen."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.serving import Served

from .conftest import OpenReader
from .pages import PHONE, Reader

STOP = """() => {
  const stop = document.activeElement;
  if (stop === null || stop === document.body) return null;
  window.stops ??= [];
  if (window.stops.at(-1) !== stop) window.stops.push(stop);
  const { outlineStyle, outlineWidth, outlineOffset, outlineColor, boxShadow } = getComputedStyle(stop);
  const box = stop.getBoundingClientRect();
  const parents = [];
  for (let parent = stop.parentElement; parent !== null; parent = parent.parentElement) parents.push(parent);
  // A ring around the stop is cut off by what scrolls or hides what is outside of it.
  const reach = parseFloat(outlineOffset) + parseFloat(outlineWidth);
  const isCut = stop.closest(".skip") === null && parents.some((parent) => {
    if (/^visible/.test(getComputedStyle(parent).overflowX) || parent === document.documentElement) return false;
    const { left, right } = parent.getBoundingClientRect();
    return box.left - reach < left - 1 || box.right + reach > right + 1;
  });
  const light = (color) => {
    const [red, green, blue, alpha = 1] = color.match(/[\\d.]+/g).map(Number);
    const part = (value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return alpha < 1 ? null : 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
  };
  const grounds = [...(reach > 0 ? [] : [stop]), ...parents].map((each) => light(getComputedStyle(each).backgroundColor));
  const [ring, ground] = [light(outlineColor), grounds.find((one) => one !== null)];
  const contrast = (Math.max(ring, ground) + 0.05) / (Math.min(ring, ground) + 0.05);
  const bar = document.querySelector("header.top-bar");
  const { top, bottom } = bar.getBoundingClientRect();
  const middle = (box.top + box.bottom) / 2;
  const isCovered = middle > top && middle < bottom && !bar.contains(stop) && stop.closest(".skip") === null;
  return {
    name: stop.getAttribute("aria-label") ?? stop.textContent.trim().slice(0, 60),
    hasRing:
      (outlineStyle !== "none" && parseFloat(outlineWidth) >= 1 && contrast >= 3 && !isCut) || boxShadow !== "none",
    isSeen: box.width > 0 && box.height > 0 && box.right > 0 && box.left < innerWidth
      && box.bottom > 0 && box.top < innerHeight && !isCovered,
    html: stop.outerHTML.slice(0, 120),
  };
}"""

LATER_STOP = f"""async () => {{
  const tell = {STOP};
  for (let frame = 0; frame < 300 && !(tell()?.isSeen && tell()?.hasRing); frame += 1) {{
    await new Promise((done) => requestAnimationFrame(done));
  }}
  return tell();
}}"""

FOCUSABLE = """[...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")]
  .filter((element) => element.tabIndex >= 0 && !element.disabled && element.checkVisibility({ visibilityProperty: true })
    && element.closest("[inert]") === null)"""

MISSED = f"""() => {FOCUSABLE}.filter((element) => !window.stops.includes(element))
  .map((element) => element.outerHTML.slice(0, 120))"""

OUT_OF_ORDER = """() => window.stops.filter((stop, index) => index > 0
    && (window.stops[index - 1].compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING) === 0)
  .map((element) => element.outerHTML.slice(0, 120))"""


def walk(reader: Reader, limit: int = 400) -> list[dict[str, object]]:
    """Press Tab from the start of the page until the focus leaves it or comes round."""
    stops: list[dict[str, object]] = []
    for _ in range(limit):
        reader.press("Tab")
        stop = reader.page.evaluate(STOP)
        if stop is None:
            return stops
        if not (stop["isSeen"] and stop["hasRing"]):
            # The browser scrolls and paints in a later frame; a stop that stays as it is is reported by the test.
            stop = reader.page.evaluate(LATER_STOP)
        stops.append(stop)
    raise AssertionError(f"The focus did not leave the page after {limit} stops.")


def test_skip_link_is_the_first_stop_and_leads_to_the_content(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing")
    reader.press("Tab")
    link = reader.page.get_by_role("link", name="Skip to main content")
    expect(link).to_be_focused()
    expect(link).to_be_in_viewport(ratio=1)
    reader.press("Enter")
    expect(reader.article).to_be_focused()
    reader.press("Tab")
    expect(reader.article.locator(":focus")).to_have_count(1)


def test_skip_link_is_not_seen_before_it_has_the_focus(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/")
    expect(reader.page.get_by_role("link", name="Skip to main content")).not_to_be_in_viewport()


@pytest.mark.parametrize("route", ["/", "/codegate/features/muxing", "/search", "/theme-preview"])
def test_tab_reaches_everything_in_order_and_the_focus_is_seen(
    route: str, shipped: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(shipped, route)
    stops = walk(reader)
    assert reader.page.evaluate(MISSED) == []
    assert reader.page.evaluate(OUT_OF_ORDER) == []
    assert [stop for stop in stops if not stop["hasRing"]] == []
    assert [stop for stop in stops if not stop["isSeen"]] == []


@pytest.mark.parametrize(
    "route", ["/codegate/features/muxing", "/toolhive/reference/registry-servers", "/codegate/reference/glossary"]
)
def test_tab_reaches_everything_on_a_phone(route: str, shipped: Served, open_reader: OpenReader) -> None:
    """Also in a table whose rows are higher than half of the window, and in one with links at its edges."""
    reader = open_reader(shipped, route, PHONE)
    stops = walk(reader)
    assert reader.page.evaluate(MISSED) == []
    assert reader.page.evaluate(OUT_OF_ORDER) == []
    assert [stop for stop in stops if not (stop["hasRing"] and stop["isSeen"])] == []


def test_focus_is_seen_on_every_construct(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs")
    # The other diagram is drawn by the browser, in a frame.
    reader.article.get_by_role("heading", name="Raw HTML").scroll_into_view_if_needed()
    expect(reader.page.frame_locator(".diagram-frame").locator("svg")).to_be_visible()
    reader.page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    stops = walk(reader)
    assert reader.page.evaluate(MISSED) == []
    assert reader.page.evaluate(OUT_OF_ORDER) == []
    assert [stop for stop in stops if not (stop["hasRing"] and stop["isSeen"])] == []


def test_mouse_shows_no_focus_ring_on_buttons(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/")
    reader.color_mode.button.click()
    assert reader.page.evaluate(STOP)["hasRing"] is False


def test_code_that_is_too_wide_can_be_scrolled_by_keyboard(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs")
    block = reader.code("--atmosphere reduction").root.locator("pre")
    block.focus()
    reader.press("ArrowRight", "ArrowRight")
    reader.page.wait_for_function("() => document.activeElement.scrollLeft > 0")


def test_wide_table_can_be_scrolled_by_keyboard(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs", PHONE)
    box = reader.article.locator("[tabindex='0']:has(> table)")
    box.focus()
    reader.press("ArrowRight", "ArrowRight")
    reader.page.wait_for_function("() => document.activeElement.scrollLeft > 0")


def test_footnote_leads_there_and_back(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs")
    reader.article.locator(".footnote-ref a").focus()
    reader.press("Enter")
    note = reader.article.get_by_text("The note.")
    expect(note).to_be_in_viewport()
    reader.press("Tab")
    expect(reader.focused()).to_have_attribute("href", "#fnref-1")
    reader.press("Enter")
    expect(reader.article.locator(".footnote-ref")).to_be_in_viewport()
