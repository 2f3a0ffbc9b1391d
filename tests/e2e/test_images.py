"""Images that are larger than their column can be looked at in full size."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.support.serving import Served

from .axe import find_violations
from .conftest import OpenReader
from .pages import DESKTOP, NEXT_FRAME, PHONE, Reader, Settings

SHELF = "A shelf that is wider than any column"

widths = pytest.mark.parametrize("habits", [DESKTOP, PHONE], ids=["1440", "390"])


def shelf(reader: Reader) -> Locator:
    # It is fetched when it comes near.
    reader.article.get_by_alt_text(SHELF).scroll_into_view_if_needed()
    image = reader.article.get_by_role("button", name=f"Enlarge the image: {SHELF}")
    expect(image).to_be_visible()
    return image


@widths
def test_click_shows_an_image_in_full_size(habits: Settings, editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs", habits)
    shelf(reader).click()
    dialog = reader.page.get_by_role("dialog", name=SHELF)
    expect(dialog).to_be_visible()
    reader.page.wait_for_function(
        "image => image.complete && image.naturalWidth > 0 && image.clientWidth === image.naturalWidth",
        arg=dialog.locator("img").element_handle(),
    )
    assert find_violations(reader.page, within="dialog.zoom") == []
    dialog.locator("img").click(position={"x": 20, "y": 20})
    expect(dialog).to_have_count(0)


def test_key_shows_it_and_escape_returns_the_focus(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs")
    image = shelf(reader)
    image.focus()
    reader.page.evaluate(NEXT_FRAME)
    before = reader.scroll_y
    for key in ("Enter", "Space"):
        reader.press(key)
        expect(reader.page.get_by_role("dialog", name=SHELF)).to_be_visible()
        reader.press("Escape")
        expect(reader.page.get_by_role("dialog", name=SHELF)).to_have_count(0)
        expect(image).to_be_focused()
        reader.expect_scrolled(before, within=1)


def test_close_button_closes(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs", PHONE)
    shelf(reader).click()
    reader.page.get_by_role("dialog", name=SHELF).get_by_role("button", name="Close").click()
    expect(reader.page.get_by_role("dialog", name=SHELF)).to_have_count(0)


@widths
def test_close_button_is_in_sight_while_a_wide_image_is_looked_at(
    habits: Settings, editions: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(editions, "/constructs", habits)
    shelf(reader).click()
    dialog = reader.page.get_by_role("dialog", name=SHELF)
    reader.page.wait_for_function(
        "image => image.complete && image.naturalWidth > 0", arg=dialog.locator("img").element_handle()
    )
    for place in (0, 1e6):
        outside = """(dialog, place) => {
          dialog.scrollTo({ left: place, top: place, behavior: "instant" });
          const [box, view] = [dialog.querySelector("button"), dialog].map((one) => one.getBoundingClientRect());
          const right = view.left + dialog.clientLeft + dialog.clientWidth;
          return [view.left - box.left, view.top - box.top, box.right - right, box.bottom - view.bottom]
            .filter((length) => length > 0);
        }"""
        assert dialog.evaluate(outside, place) == []


def test_image_that_fits_is_only_an_image(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs")
    shelf(reader)
    expect(reader.article.get_by_role("button", name="chequered")).to_have_count(0)
    expect(reader.article.get_by_role("img", name="A chequered square")).to_be_visible()


def test_image_can_be_enlarged_after_the_window_became_narrow(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs", Settings(width=2400))
    reader.resize(390, 844)
    shelf(reader).click()
    expect(reader.page.get_by_role("dialog", name=SHELF)).to_be_visible()


def test_decoration_is_no_button(shipped: Served, open_reader: OpenReader) -> None:
    """The marks of the products on the landing page, which is not a place to look at pictures."""
    reader = open_reader(shipped, "/", PHONE)
    mark = reader.article.locator("img[alt='']").first
    mark.scroll_into_view_if_needed()
    reader.page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=mark.element_handle())
    expect(reader.article.get_by_role("button", name="Enlarge the image")).to_have_count(0)


FRAME = """attributes => {
  const frame = Object.assign(document.createElement("iframe"), attributes);
  const text = document.querySelector("article p").parentElement;
  text.append(frame);
  const { width, height } = frame.getBoundingClientRect();
  return { width, height, room: text.clientWidth };
}"""


@widths
def test_frame_of_a_video_has_the_width_of_the_text(
    habits: Settings, editions: Served, open_reader: OpenReader
) -> None:
    """Without a size a browser makes it 300 by 150 pixels; with one it stays as it is, and within the text."""
    reader = open_reader(editions, "/constructs", habits)
    free = reader.page.evaluate(FRAME, {})
    assert abs(free["width"] - free["room"]) < 1
    assert abs(free["width"] / free["height"] - 16 / 9) < 0.01
    sized = reader.page.evaluate(FRAME, {"width": "560", "height": "315"})
    assert (sized["width"], sized["height"]) == (min(560, sized["room"]), 315)
