"""Blocks of an article that hold no state: admonitions, details, cards."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.serving import Served

from .conftest import OpenReader
from .pages import DESKTOP, PHONE, Settings

widths = pytest.mark.parametrize("habits", [DESKTOP, PHONE], ids=["1440", "390"])


@widths
def test_admonition_is_a_note_with_its_title_as_name(
    habits: Settings, editions: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(editions, "/constructs", habits)
    expect(reader.article.get_by_role("note", name="Note", exact=True)).to_contain_text("A note.")
    danger = reader.article.get_by_role("note", name="Mind the heat")
    expect(danger.get_by_role("listitem")).to_have_text(["Gloves", "Goggles"])
    colors = "element => [getComputedStyle(element).backgroundColor, getComputedStyle(document.body).backgroundColor]"
    ground, page = danger.evaluate(colors)
    assert ground != page


def test_details_open_and_close_by_key(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs")
    hidden = reader.article.get_by_text("Hidden at first.")
    summary = reader.article.locator("summary", has_text="More")
    expect(hidden).to_be_hidden()
    summary.focus()
    for key in ("Enter", "Space"):
        reader.press(key)
        expect(hidden).to_be_visible()
        reader.press(key)
        expect(hidden).to_be_hidden()


@widths
def test_whole_card_leads_to_its_page(habits: Settings, editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs", habits)
    card = reader.article.locator(".card").filter(has_text="Unpack and connect.")
    box = card.bounding_box()
    assert box
    reader.mark_document()
    # Click at a position within the card: a diagram rendered above it may move it.
    card.click(position={"x": box["width"] - 8, "y": box["height"] - 8})
    reader.expect_at("/install")
    reader.expect_heading("Install")
    reader.expect_same_document()


def test_buttons_and_cards_of_material_look_like_ours(editions: Served, open_reader: OpenReader) -> None:
    """Pages that come from Material for MkDocs ask for them by class; they were black text and a list with rules."""
    reader = open_reader(editions, "/constructs", Settings(width=1280))
    reader.article.locator(".prose").first.evaluate("""prose => {
      prose.insertAdjacentHTML("afterbegin", `
        <p><a href="/install" class="md-button">A</a> <a href="/install" class="md-button md-button--primary">B</a></p>
        <div class="grid cards"><ul><li><p>One</p><hr><p>first</p></li><li><p>Two</p></li></ul></div>`);
    }""")
    page = reader.page
    for button in (page.locator(".md-button").first, page.locator(".md-button--primary")):
        expect(button).to_have_css("display", "inline-flex")
        expect(button).to_have_css("border-top-style", "solid")
    background = "button => getComputedStyle(button).backgroundColor"
    assert page.locator(".md-button--primary").evaluate(background) != page.locator(".md-button").first.evaluate(
        background
    )
    first, second = (page.locator(".grid.cards li").nth(number).bounding_box() for number in range(2))
    assert first
    assert second
    assert first["y"] == second["y"]
    assert second["x"] > first["x"] + first["width"]
    expect(page.locator(".grid.cards li").first).to_have_css("border-top-style", "solid")
    expect(page.locator(".grid.cards ul")).to_have_css("list-style-type", "none")


def test_wide_formula_of_a_page_from_right_to_left_can_be_scrolled_to_its_end(
    editions: Served, open_reader: OpenReader
) -> None:
    """It stood across the sidebar."""
    reader = open_reader(editions, "/constructs", PHONE)
    formula = reader.article.locator("span.formula")
    formula.evaluate("() => { document.documentElement.dir = 'rtl'; }")
    reach = formula.evaluate(
        "box => { box.scrollLeft = 10000; return [box.scrollLeft, box.scrollWidth - box.clientWidth]; }"
    )
    assert reach[0] == reach[1] > 100
