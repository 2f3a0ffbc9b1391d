"""What readers are offered beside the text: a question, explanations of terms, help with keys, smaller pictures."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from tests.support.serving import Served

from .axe import find_violations_in_both_modes
from .conftest import OpenReader
from .pages import DESKTOP, PHONE, Settings, settings

MEANING = "An oven that fires clay."


def test_answer_is_sent_and_thanked_for_without_leaving(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install")
    form = reader.article.get_by_role("group", name="Was this page helpful?")
    reader.mark_document()
    with reader.page.expect_response("**/_octavo/feedback") as sent:
        form.get_by_role("button", name="Yes").click()
    assert (sent.value.status, sent.value.request.post_data) == (204, "page=%2Finstall&answer=yes")
    expect(reader.article.get_by_text("Thank you for your answer.")).to_be_visible()
    expect(reader.announcer).to_have_text("Thank you for your answer.")
    expect(form).to_have_count(0)
    reader.expect_same_document()
    reader.follow("Constructs", within=reader.sidebar)
    expect(form).to_be_visible()


def test_page_is_copied_as_markdown_and_the_menu_works_by_keys(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install")
    reader.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    copy = reader.article.get_by_role("button", name="Copy as Markdown")
    copy.click()
    expect(reader.announcer).to_have_text("Copied")
    copied = reader.page.evaluate("navigator.clipboard.readText()")
    assert copied == reader.page.request.get(editions.url("/install.md")).text()
    menu = reader.article.locator(".page-menu summary")
    menu.focus()
    reader.press("Enter")
    entry = reader.article.get_by_role("link", name="View as Markdown")
    expect(entry).to_be_visible()
    reader.press("Tab")
    expect(entry).to_be_focused()
    reader.press("Escape")
    expect(entry).to_be_hidden()
    expect(menu).to_be_focused()
    menu.click()
    expect(entry).to_be_visible()
    reader.article.get_by_role("heading", level=1).click()
    expect(entry).to_be_hidden()
    reader.follow("Constructs", within=reader.sidebar)
    expect(reader.article.locator(".page-menu a")).to_have_attribute("href", "/constructs.md")
    expect(reader.page.locator('link[type="text/markdown"]')).to_have_attribute("href", "/constructs.md")


def test_menu_of_a_page_takes_no_line_of_a_phone_and_copies(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install", PHONE)
    reader.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    menu = reader.article.locator(".page-menu summary")
    place, title = menu.bounding_box(), reader.article.get_by_role("heading", level=1).bounding_box()
    assert place is not None
    assert title is not None
    assert abs(place["y"] - title["y"]) < 12
    expect(reader.article.get_by_role("button", name="Copy as Markdown")).to_have_count(0)
    menu.click()
    entry, other = (reader.article.get_by_text(f"{verb} as Markdown") for verb in ("Copy", "View"))
    shown = entry.locator("visible=true").bounding_box()
    below, place = other.bounding_box(), menu.bounding_box()
    assert shown is not None
    assert below is not None
    assert place is not None
    assert shown["height"] < 40
    assert shown["x"] == pytest.approx(below["x"], abs=2)
    assert shown["y"] >= place["y"] + place["height"]
    reader.article.get_by_role("button", name="Copy as Markdown").click()
    expect(reader.announcer).to_have_text("Copied")
    assert "# " in reader.page.evaluate("navigator.clipboard.readText()")


def test_answer_that_did_not_arrive_can_be_given_again(editions: Served, open_reader: OpenReader) -> None:
    def refuse(route: Route) -> None:
        route.fulfill(status=503)

    reader = open_reader(editions, "/install", answers={"**/_octavo/feedback": refuse})
    reader.watch.forgive("503")
    form = reader.article.get_by_role("group", name="Was this page helpful?")
    form.get_by_role("button", name="No").click()
    expect(reader.article.get_by_text("could not be sent")).to_be_visible()
    expect(reader.announcer).to_contain_text("could not be sent")
    expect(form.get_by_role("button", name="No")).to_be_visible()


def test_question_and_terms_work_without_script(handbook: Served, open_reader: OpenReader) -> None:
    reader = open_reader(handbook, "/install", settings(has_scripts=False))
    term = reader.article.get_by_role("button", name="kiln", exact=True)
    term.click()
    expect(reader.article.get_by_text(MEANING)).to_be_visible()
    reader.press("Escape")
    expect(reader.article.get_by_text(MEANING)).to_be_hidden()
    thanks = reader.article.get_by_text("Thank you for your answer.")
    expect(thanks).to_be_hidden()
    reader.article.get_by_role("button", name="Yes").click()
    expect(thanks).to_be_visible()
    reader.expect_at("/install#feedback-thanks")


@pytest.mark.parametrize("habits", [DESKTOP, PHONE], ids=["1440", "390"])
def test_term_is_explained_by_key_and_pointer(habits: Settings, editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install", habits)
    term = reader.article.get_by_role("button", name="kiln", exact=True)
    meaning = reader.article.get_by_text(MEANING)
    term.focus()
    reader.press("Enter")
    expect(meaning).to_be_visible()
    expect(meaning).to_be_in_viewport()
    assert find_violations_in_both_modes(reader.page) == []
    reader.press("Escape")
    expect(meaning).to_be_hidden()
    expect(term).to_be_focused()
    term.hover()
    expect(meaning).to_be_visible()
    meaning.hover()
    expect(meaning).to_be_visible()
    reader.press("Escape")
    expect(meaning).to_be_hidden()


def test_keys_are_shown_and_those_of_one_letter_can_be_turned_off(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install")
    link = reader.sidebar.get_by_role("link", name="Constructs")
    link.focus()
    reader.press("?")
    help_ = reader.page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(help_).to_contain_text("Search")
    expect(help_.locator("kbd").first).to_have_css("border-top-style", "solid")
    assert find_violations_in_both_modes(reader.page) == []
    help_.get_by_role("checkbox").uncheck()
    reader.press("Escape")
    expect(help_).to_have_count(0)
    expect(link).to_be_focused()
    reader.press("?")
    reader.press("/")
    button = reader.page.get_by_role("contentinfo").get_by_role("button", name="Keyboard shortcuts")
    button.click()
    help_.get_by_role("button", name="Close").click()
    expect(help_).to_have_count(0)
    expect(button).to_be_focused()
    reader.press("Control+k")
    expect(reader.page.get_by_role("dialog", name="Search")).to_be_visible()
    expect(help_).to_have_count(0)


def test_smaller_form_of_a_picture_is_loaded_and_the_whole_one_shown_large(
    editions: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(editions, "/constructs", PHONE)
    image = reader.article.locator("img[srcset]").first
    image.scroll_into_view_if_needed()
    reader.page.wait_for_function("image => image.complete && image.currentSrc !== ''", arg=image.element_handle())
    shown = image.evaluate("image => image.currentSrc")
    assert "/_octavo/images/" in shown
    reader.article.get_by_role("button", name="Enlarge the image").first.click()
    large = reader.page.get_by_role("dialog").locator("img")
    expect(large).to_be_visible()
    assert "/_octavo/images/" not in large.evaluate("image => image.currentSrc || image.src")


COUNT_FADES = """
window.fades = 0;
const fade = document.startViewTransition;
document.startViewTransition = function (...values) { window.fades++; return fade.apply(this, values); };
"""


@pytest.mark.parametrize(("reduces_motion", "fades"), [(False, 1), (True, 0)])
def test_pages_fade_where_the_site_wants_it_and_the_reader_allows_motion(
    reduces_motion: bool, fades: int, editions: Served, open_reader: OpenReader
) -> None:
    def wants_fades(route: Route) -> None:
        route.fulfill(json={**route.fetch().json(), "hasTransitions": True})

    habits = settings(init_script=COUNT_FADES, reduces_motion=reduces_motion)
    reader = open_reader(editions, "/install", habits, answers={"**/_octavo/site.*.json": wants_fades})
    reader.mark_document()
    reader.follow("Constructs", within=reader.sidebar)
    reader.expect_heading("Constructs")
    reader.expect_same_document()
    reader.expect_true("fades => window.fades === fades", fades)
