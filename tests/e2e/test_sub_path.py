"""A site under a path of its host."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.support.serving import Served

from .conftest import OpenReader


def test_every_address_of_every_page_lies_below_the_path(handbook: Served) -> None:
    for route in handbook.routes():
        addresses = re.findall(r'(?:href|src|action)="(/[^"]*)"', handbook.html(route))
        assert addresses
        outside = [address for address in addresses if not address.startswith("/team/handbook/")]
        assert (route, outside) == (route, [])


def test_everything_a_page_asks_for_lies_below_the_path(handbook: Served, open_reader: OpenReader) -> None:
    reader = open_reader(handbook, "/constructs")
    reader.page.wait_for_load_state("networkidle")
    outside = reader.watch.requested(lambda path: not path.startswith("/team/handbook/"))
    assert [path for path in outside if path != "/favicon.ico"] == []


def test_links_navigate(handbook: Served, open_reader: OpenReader) -> None:
    reader = open_reader(handbook, "/")
    reader.mark_document()
    reader.follow("the installation")
    reader.expect_at("/install")
    reader.expect_heading("Install")
    expect(reader.sidebar.locator("[aria-current=page]")).to_have_text("Install")
    reader.page.go_back()
    reader.expect_at("/")
    reader.expect_same_document()


def test_root_without_its_slash_leads_to_the_site(handbook: Served, open_reader: OpenReader) -> None:
    reader = open_reader(handbook, "/install")
    reader.page.goto(f"{handbook.origin}/team/handbook")
    reader.wait_until_alive()
    reader.expect_at("/")


def test_not_found_page_has_its_styles_at_any_depth(handbook: Served, open_reader: OpenReader) -> None:
    reader = open_reader(handbook, "/a/b/c/d")
    reader.watch.forgive("answer 404: .*/a/b/c/d|404 .*/a/b/c/d")
    reader.expect_heading("Page Not Found")


def test_search_form_leads_to_the_results_page(handbook: Served, open_reader: OpenReader) -> None:
    reader = open_reader(handbook, "/search")
    reader.article.get_by_role("searchbox").fill("clay")
    reader.press("Enter")
    reader.expect_at("/search?q=clay")
    expect(reader.article.get_by_role("heading", level=2).first).to_be_visible()
    outside = reader.watch.requested(lambda path: not path.startswith("/team/handbook/"))
    assert [path for path in outside if path != "/favicon.ico"] == []


def test_pictures_are_shown(handbook: Served, open_reader: OpenReader) -> None:
    reader = open_reader(handbook, "/constructs")
    for picture in reader.article.locator("img:visible").all():
        picture.scroll_into_view_if_needed()
        reader.page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=picture.element_handle())
