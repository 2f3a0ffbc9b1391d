"""Announcements: shown until they are closed, each with a memory of its own."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.support.serving import Served

from .conftest import OpenReader
from .pages import PHONE, Reader, settings
from .test_hydration import SETTLE


def bar(reader: Reader, text: str) -> Locator:
    return reader.page.get_by_role("region", name="Announcement").filter(has_text=text)


def close(reader: Reader, text: str) -> None:
    bar(reader, text).get_by_role("button", name="Close").click()


def test_shipped_site_announces_the_end_of_life(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/quickstart")
    expect(bar(reader, "end of life").get_by_role("link")).to_have_attribute("href", "/codegate/about/")


def test_all_announcements_are_shown_with_their_links_and_colors(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install")
    expect(bar(reader, "Open day")).to_be_visible()
    expect(bar(reader, "survey")).to_be_visible()
    expect(bar(reader, "survey")).to_have_css("background-color", "rgb(11, 61, 46)")
    expect(bar(reader, "survey")).to_have_css("color", "rgb(255, 255, 255)")
    expect(bar(reader, "Open day").get_by_role("link", name="Bring your own clay.")).to_have_attribute(
        "href", "/install"
    )


def test_closed_announcement_stays_closed(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install")
    close(reader, "Open day")
    expect(bar(reader, "Open day")).to_be_hidden()
    reader.expect_stored("docusaurus.announcement.dismiss", "true")
    reader.expect_stored("docusaurus.announcement.id", "open-day")
    reader.visit("/constructs")
    expect(bar(reader, "Open day")).to_be_hidden()
    expect(bar(reader, "survey")).to_be_visible()


def test_second_announcement_has_its_own_memory(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install")
    close(reader, "survey")
    reader.visit("/install")
    expect(bar(reader, "survey")).to_be_hidden()
    expect(bar(reader, "Open day")).to_be_visible()


def test_new_id_is_shown_to_readers_who_closed_the_old_one(editions: Served, open_reader: OpenReader) -> None:
    stored = {"docusaurus.announcement.id": "last-year", "docusaurus.announcement.dismiss": "true"}
    reader = open_reader(editions, "/install", settings(stored=stored))
    expect(bar(reader, "Open day")).to_be_visible()
    reader.expect_stored("docusaurus.announcement.id", "open-day")
    reader.expect_stored("docusaurus.announcement.dismiss", "false")


# The frame that follows the click. CLS leaves out what moves within half a second of it, which a machine that was
# held up may miss; nothing but this one frame may need that leave.
SHIFTS_AROUND_CLICK = """
window.before = window.after = 0;
window.shiftsAt = [];
new PerformanceObserver((list) => {
  window.shiftsAt.push(...list.getEntries().map(({ startTime }) => startTime));
}).observe({ type: "layout-shift", buffered: true });
addEventListener("click", () => {
  window.before = performance.now();
  requestAnimationFrame(() => requestAnimationFrame(() => (window.after = performance.now())));
}, { capture: true });
"""


def test_closing_counts_as_no_layout_shift(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install", settings(init_script=SHIFTS_AROUND_CLICK))
    close(reader, "Open day")
    expect(bar(reader, "Open day")).to_be_hidden()
    # The browser reports layout shifts with a delay.
    reader.page.wait_for_function("() => window.after > 0 && window.shiftsAt.length > 0")
    reader.page.evaluate(SETTLE)
    before, after, shifts_at = reader.page.evaluate("() => [window.before, window.after, window.shiftsAt]")
    assert [time for time in shifts_at if not before <= time < after] == []


def test_closing_leaves_the_focus_in_the_page(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install")
    bar(reader, "Open day").get_by_role("button", name="Close").focus()
    reader.press("Enter")
    expect(bar(reader, "Open day")).to_be_hidden()
    reader.press("Tab")
    expect(bar(reader, "survey").get_by_role("button", name="Close")).to_be_focused()


def test_long_announcement_fits_a_phone(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install", settings(PHONE, width=320))
    expect(bar(reader, "Open day")).to_be_visible()
    reader.expect_no_sideways_scroll()
