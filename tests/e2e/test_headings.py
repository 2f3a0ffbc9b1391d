"""The mark beside a heading leads to it, and gives its address to take along."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.support.serving import Served

from .conftest import OpenReader
from .pages import PHONE, settings

_NO_CLIPBOARD = """
Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined });
Document.prototype.execCommand = () => false;
"""


def test_click_copies_the_absolute_address_and_says_so(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install?lang=x", settings(grants=["clipboard-read", "clipboard-write"]))
    reader.mark_document()
    reader.hold_clock()
    heading = reader.page.locator("#second-step")
    heading.hover()
    heading.locator("+ .hash-link").click()
    expect(reader.announcer).to_have_text("Link copied")
    copied = reader.page.evaluate("navigator.clipboard.readText()")
    assert copied == editions.url("/install?lang=x#second-step")
    reader.expect_at("/install?lang=x#second-step")
    reader.expect_same_document()


def test_key_copies_too(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install", settings(PHONE, grants=["clipboard-read", "clipboard-write"]))
    reader.hold_clock()
    reader.page.locator("#second-step + a.hash-link").focus()
    reader.press("Enter")
    expect(reader.announcer).to_have_text("Link copied")
    assert reader.page.evaluate("navigator.clipboard.readText()") == editions.url("/install#second-step")


def test_link_works_where_copying_is_refused(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install", settings(init_script=_NO_CLIPBOARD))
    heading = reader.page.locator("#second-step")
    heading.hover()
    heading.locator("+ .hash-link").click()
    reader.expect_at("/install#second-step")
    expect(reader.announcer).to_have_text("")


def test_name_of_a_heading_is_its_text(editions: Served, open_reader: OpenReader) -> None:
    """The link to it is beside it: inside, screen readers would read its name behind each heading."""
    reader = open_reader(editions, "/install")
    expect(reader.page.get_by_role("heading", name="Second step", exact=True)).to_have_count(1)
    expect(reader.page.get_by_role("link", name="Direct link to Second step")).to_have_count(1)
    expect(reader.article.locator(":is(h1, h2, h3, h4, h5, h6) .hash-link")).to_have_count(0)
