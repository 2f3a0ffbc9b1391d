"""The table of contents follows the reader."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.support.serving import Served

from .conftest import OpenReader
from .pages import settings

LOW = settings(height=700)


def test_contents_hold_levels_2_and_3(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/theme-preview")
    expect(reader.toc.get_by_role("link", name="Inline marks")).to_be_visible()
    expect(reader.toc.get_by_role("link", name="Level four")).to_have_count(0)
    anchors = reader.toc.get_by_role("link").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    headings = reader.article.evaluate(
        "main => [...main.querySelectorAll('.prose h2[id], .prose h3[id]')].map(heading => `#${heading.id}`)"
    )
    assert anchors == headings


def test_nothing_is_current_above_the_first_heading(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/theme-preview", settings(height=500))
    expect(reader.toc.locator("[aria-current]")).to_have_count(0)


def test_heading_that_is_read_is_current(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/tall", LOW)
    for number in (5, 14, 3):
        place = "([id, offset]) => document.getElementById(id).getBoundingClientRect().top + window.scrollY - offset"
        reader.scroll_to(round(reader.page.evaluate(place, [f"heading-{number}", 120])))
        current = reader.toc.locator("[aria-current=location]")
        expect(current).to_have_text(f"Heading {number}")


def test_last_heading_is_current_at_the_end_of_the_page(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/tall", LOW)
    reader.page.evaluate("window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })")
    expect(reader.toc.locator("[aria-current=location]")).to_have_text("Heading 24")


def test_current_entry_of_long_contents_is_in_view(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/tall", settings(height=400))
    place = "document.getElementById('heading-20').getBoundingClientRect().top + window.scrollY - 120"
    reader.scroll_to(round(reader.page.evaluate(place)))
    current = reader.toc.locator("[aria-current=location]")
    expect(current).to_have_text("Heading 20")
    expect(current).to_be_in_viewport(ratio=1)


def test_entry_leads_to_its_heading(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/tall", LOW)
    reader.follow("Heading 9", within=reader.toc)
    reader.expect_at("/tall#heading-9")
    expect(reader.page.locator("#heading-9")).to_be_in_viewport()
    expect(reader.toc.locator("[aria-current=location]")).to_have_text("Heading 9")


def test_contents_follow_a_navigation(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/tall", LOW)
    reader.follow("Install", within=reader.sidebar)
    reader.expect_heading("Install")
    expect(reader.toc.get_by_role("link")).to_have_text(["First step", "Second step"])


def test_heading_has_a_link_to_itself(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install")
    heading = reader.page.locator("#second-step")
    heading.hover()
    link = reader.article.get_by_role("link", name="Direct link to Second step")
    link.click()
    reader.expect_at("/install#second-step")


def test_page_without_headings_has_no_contents(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/guide/dry")
    expect(reader.toc).to_have_count(0)
