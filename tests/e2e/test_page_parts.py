"""Parts around an article: breadcrumbs, edit link, last update, the button back to the top, the footer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.serving import Served

from .conftest import OpenReader
from .pages import DESKTOP, PHONE, Reader, Settings, settings

widths = pytest.mark.parametrize("habits", [DESKTOP, PHONE], ids=["1440", "390"])


def structured_data(reader: Reader) -> dict[str, Any]:
    scripts = reader.page.locator("script[type='application/ld+json']")
    expect(scripts).not_to_have_count(0)
    found: list[dict[str, Any]] = [json.loads(text) for text in scripts.all_text_contents()]
    return next(data for data in found if data["@type"] == "BreadcrumbList")


@widths
def test_breadcrumbs_lead_from_home_to_the_page(habits: Settings, editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/guide/deep/bisque", habits)
    steps = reader.breadcrumbs.get_by_role("listitem")
    expect(steps).to_have_text(["", "Firing", "Deep heat", "Bisque"])
    expect(reader.breadcrumbs.locator("[aria-current=page]")).to_have_text("Bisque")
    expect(reader.breadcrumbs.get_by_role("link", name="Deep heat")).to_have_count(0)
    reader.follow("Firing", within=reader.breadcrumbs)
    reader.expect_at("/category/firing")
    reader.follow("Home page", within=reader.breadcrumbs)
    reader.expect_at("/")


def test_breadcrumbs_with_a_page_are_structured_data(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/guide/deep/bisque")
    data = structured_data(reader)
    assert data["@context"] == "https://schema.org"
    assert data["@type"] == "BreadcrumbList"
    steps = [(step["position"], step["name"], step["item"]) for step in data["itemListElement"]]
    assert steps == [
        (1, "Firing", "https://docs.example.org/category/firing"),
        (2, "Bisque", "https://docs.example.org/guide/deep/bisque"),
    ]


def test_structured_data_is_that_of_the_page_that_is_shown(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/guide/deep/bisque")
    reader.follow("Dry", within=reader.sidebar)
    reader.expect_heading("Dry")
    shown = structured_data(reader)
    reader.visit("/guide/dry")
    assert shown == structured_data(reader)
    reader.page.evaluate(
        "document.querySelector('main .prose').insertAdjacentHTML('beforeend', '<a href=/search>Find</a>')"
    )
    reader.follow("Find")
    reader.expect_at("/search")
    expect(reader.page.locator("script[type='application/ld+json']")).to_have_count(0)


@widths
def test_page_can_be_edited_and_tells_its_age(habits: Settings, editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/", habits)
    edit = reader.article.get_by_role("link", name="Edit this page")
    expect(edit).to_have_attribute("href", "https://example.org/edit/docs/index.mdx")
    expect(edit).to_have_attribute("rel", "noopener noreferrer")
    expect(reader.article.get_by_text("Last updated on")).to_have_text("Last updated on Mar 4, 2025 by Ada")
    expect(reader.article.locator("time")).to_have_attribute("datetime", "2025-03-04")


def test_date_is_written_in_the_language_of_the_page(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/de/")
    expect(reader.article.locator("time")).to_have_text("04.03.2025")


def test_site_that_is_not_edited_in_public_offers_nothing(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing")
    expect(reader.article.get_by_role("link", name="Edit this page")).to_have_count(0)
    expect(reader.article.get_by_text("Last updated")).to_have_count(0)


SCROLL_UP = """async () => {
  window.scrollTo({ top: 2000, behavior: "instant" });
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  window.scrollBy({ top: -100, behavior: "instant" });
}"""

CLICK_AND_MEASURE = "button => { button.click(); return window.scrollY; }"


@widths
def test_way_back_to_the_top_is_offered_to_who_scrolls_up(
    habits: Settings, editions: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(editions, "/tall", habits)
    button = reader.page.get_by_role("button", name="Scroll back to top")
    reader.scroll_to(2000)
    expect(button).to_be_hidden()
    reader.page.evaluate(SCROLL_UP)
    expect(button).to_be_visible()
    reader.scroll_to(2500)
    expect(button).to_be_hidden()
    reader.page.evaluate(SCROLL_UP)
    assert button.evaluate(CLICK_AND_MEASURE) > 0
    reader.expect_scrolled(0)
    expect(button).to_be_hidden()


def test_way_back_to_the_top_is_a_jump_where_motion_is_not_wanted(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/tall", settings(reduces_motion=True))
    button = reader.page.get_by_role("button", name="Scroll back to top")
    reader.scroll_to(2000)
    reader.page.evaluate(SCROLL_UP)
    expect(button).to_be_visible()
    assert button.evaluate(CLICK_AND_MEASURE) == 0


@widths
def test_footer_has_columns_logo_copyright_and_links_out(
    habits: Settings, shipped: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing", habits)
    for column in ("CodeGate", "ToolHive", "Community", "This site"):
        expect(reader.footer.get_by_text(column, exact=True)).to_be_visible()
    expect(reader.footer).to_contain_text("Copyright © 2025 Stacklok")
    expect(reader.footer.get_by_role("img", name="Stacklok Docs")).to_be_visible()
    for name, address in (
        ("GitHub", "https://github.com/stacklok"),
        ("LinkedIn", "https://linkedin.com/company/stacklok/"),
        ("Discord", "https://discord.gg/stacklok"),
        ("YouTube", "https://youtube.com/@stacklok"),
    ):
        for link in (
            reader.footer.get_by_role("link", name=name),
            reader.bar.get_by_role("link", name=f"Stacklok on {name}", include_hidden=True),
        ):
            expect(link).to_have_attribute("href", address)
            expect(link).to_have_attribute("target", "_blank")


def test_landmarks_have_names(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install")
    landmarks = reader.page.locator("nav, section[aria-label], [role=search]").evaluate_all(
        "elements => elements.map(element => element.getAttribute('aria-label'))"
    )
    assert None not in landmarks
    assert len(set(landmarks)) == len(landmarks)
    assert {"Main", "Docs sidebar", "Breadcrumbs", "On this page", "Docs pages"} <= set(landmarks)
    expect(reader.page.get_by_role("main")).to_have_count(1)
    expect(reader.page.get_by_role("banner")).to_have_count(1)
    expect(reader.footer).to_have_count(1)
