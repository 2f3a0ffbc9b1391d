"""The search dialog: questions, answers, keys, what is remembered, and what is said when nothing comes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.serving import Served

from .axe import find_violations
from .conftest import OpenReader
from .gate import Gate
from .pages import DESKTOP, PHONE, Settings, settings
from .searching import SEARCHES, Dialog, cut_off, hold, last_events, open_dialog, reopen_dialog, stall

widths = pytest.mark.parametrize("base", [DESKTOP, PHONE], ids=["1440", "390"])
modes = pytest.mark.parametrize("mode", ["light", "dark"])


# Answers


@widths
def test_hits_stand_in_groups_of_five_at_most(base: Settings, shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped, settings=base)
    dialog.ask("server")
    groups = dialog.root.get_by_role("listbox", name="Results").get_by_role("group")
    assert groups.count() > 1
    for group in groups.all():
        assert 1 <= group.get_by_role("option").count() <= 5


def test_titles_of_hits_begin_where_a_line_does_and_are_cut_at_its_end(
    shipped: Served, open_reader: OpenReader
) -> None:
    dialog = open_dialog(open_reader, shipped)
    dialog.ask("install")
    title = dialog.options.first.locator(".hit-title")
    expect(title).to_have_css("text-align", "start")
    expect(title).to_have_css("text-overflow", "ellipsis")
    expect(title).to_have_css("white-space", "nowrap")


def test_matches_are_marked(shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped)
    dialog.ask("permission prof")
    expect(dialog.options.first.locator("mark")).to_have_text(["Permission", "prof"])


@pytest.mark.parametrize(("width", "words"), [(1440, 10), (768, 5)])
def test_request_is_that_of_the_protocol(width: int, words: int, shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped, settings=settings(width=width))
    with dialog.reader.page.expect_request(SEARCHES) as caught:
        dialog.ask("muxing")
    request: dict[str, Any] = caught.value.post_data_json["requests"][0]
    assert caught.value.url.split("?")[0].endswith("/1/indexes/*/queries")
    assert request["query"] == "muxing"
    assert request["hitsPerPage"] == 20
    assert f"content:{words}" in request["attributesToSnippet"]
    assert "hierarchy.lvl2:10" in request["attributesToSnippet"]
    assert request["facetFilters"] == ["language:en", ["docusaurus_tag:default", "docusaurus_tag:docs-default-current"]]


def test_number_of_results_is_announced(shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped)
    dialog.ask("muxing")
    expect(dialog.announcer).to_have_text(re.compile(r'^[\d,]+ results for "muxing"$'))


def test_field_takes_64_characters(shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped)
    expect(dialog.field).to_have_attribute("placeholder", "Search docs")
    dialog.field.press_sequentially("a" * 70)
    expect(dialog.field).to_have_value("a" * 64)


def test_filters_narrow_the_hits_and_can_be_taken_back(shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped)
    dialog.ask("server")
    chip = dialog.filters.get_by_role("button", name="Commands")
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "true")
    expect(dialog.options.first).to_contain_text("Command")
    expect(dialog.options.filter(has_not_text="Command")).to_have_count(0)
    expect(dialog.field).to_be_focused()
    dialog.filters.get_by_role("button", name="Clear filters").click()
    expect(chip).to_have_attribute("aria-pressed", "false")


def test_hits_can_be_kept_to_a_product(shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped)
    dialog.ask("install")
    for product, address in (("CodeGate", "/codegate/"), ("ToolHive", "/toolhive/")):
        chip = dialog.filters.get_by_role("button", name=product)
        chip.click()
        expect(dialog.options.first).to_have_attribute("href", re.compile(f"^{address}"))
        expect(dialog.root.locator(f'[role=option]:not([href^="{address}"])')).to_have_count(0)
        chip.click()
        expect(chip).to_have_attribute("aria-pressed", "false")


def test_late_answer_does_not_replace_a_newer_one(shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped)
    searches = hold(dialog)
    dialog.field.fill("muxing")
    stall(dialog)
    searches.wait_until(dialog.reader.page, lambda held: len(held) == 1)
    dialog.field.fill("workspace")
    searches.wait_until(dialog.reader.page, lambda held: len(held) == 2)
    late, newer = searches.held
    newer.continue_()
    expect(dialog.announcer).to_contain_text('"workspace"')
    late.fulfill(json={"results": [{"hits": [], "nbHits": 0}]})
    dialog.reader.page.unroute(SEARCHES)
    dialog.reader.page.clock.resume()
    dialog.ask("workspaces")
    dialog.ask("workspace")
    expect(dialog.options.first).to_contain_text("workspace", ignore_case=True)


def test_all_results_are_on_the_search_page(shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped)
    dialog.ask("muxing rules")
    dialog.reader.mark_document()
    dialog.root.get_by_role("link", name="See all").click()
    dialog.reader.expect_at("/search?q=muxing+rules")
    expect(dialog.root).to_have_count(0)
    expect(dialog.reader.article.get_by_role("searchbox")).to_have_value("muxing rules")
    dialog.reader.expect_same_document()


# Keys


@widths
def test_keys_move_the_active_option(base: Settings, shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped, settings=base)
    dialog.ask("server")
    last = dialog.options.count() - 1
    dialog.expect_at(0)
    for key, index in [
        ("ArrowDown", 1),
        ("ArrowUp", 0),
        ("ArrowUp", last),
        ("ArrowDown", 0),
    ]:
        dialog.reader.press(key)
        dialog.expect_at(index)
    expect(dialog.field).to_be_focused()


def test_home_and_end_move_the_caret(shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped)
    dialog.ask("server")
    dialog.reader.press("ArrowDown")
    for key, caret in [("Home", 0), ("End", 6)]:
        dialog.reader.press(key)
        dialog.reader.expect_true("caret => document.activeElement.selectionStart === caret", caret)
        dialog.expect_at(1)


@pytest.mark.parametrize("way", ["keys", "click"])
@pytest.mark.parametrize("late", ["client", "openDialog"])
def test_keys_typed_while_code_is_on_its_way_are_kept(
    late: str, way: str, shipped: Served, open_reader: OpenReader
) -> None:
    """Nothing hurries the code: it is let go when all has been typed."""
    code = Gate()
    reader = open_reader(
        shipped,
        "/codegate/",
        answers={f"**/assets/{late}-*.js": code},
        alive=late != "client",
    )
    if way == "keys":
        reader.press("Control+k")
    else:
        reader.bar.get_by_role("button", name="Search docs").click()
    reader.page.keyboard.type("mutt")
    reader.press("Backspace")
    reader.press("Backspace")
    reader.page.keyboard.type("xing rules")
    dialog = Dialog(reader)
    expect(dialog.root).to_have_count(0)
    code.open()
    expect(dialog.field).to_be_focused()
    reader.page.keyboard.type("!")
    expect(dialog.field).to_have_value("muxing rules!")
    expect(dialog.announcer).to_contain_text("muxing rules")
    reader.press("Escape")
    expect(dialog.root).to_have_count(0)
    expect(reader.page.locator("#octavo-type-ahead")).to_have_count(0)


def test_character_that_is_being_composed_when_the_code_arrives_is_kept(
    shipped: Served, open_reader: OpenReader
) -> None:
    """The field that takes the keys stays until the character is finished, and Escape ends the character alone."""
    code = Gate()
    reader = open_reader(shipped, "/codegate/", answers={"**/assets/openDialog-*.js": code})
    with reader.page.expect_request("**/assets/openDialog-*.js"):
        reader.press("Control+k")
    composer = reader.context.new_cdp_session(reader.page)
    composer.send("Input.imeSetComposition", {"text": "に", "selectionStart": 1, "selectionEnd": 1})
    keys = reader.page.locator("#octavo-type-ahead")
    keys.dispatch_event("keydown", {"key": "Escape", "isComposing": True, "bubbles": True, "cancelable": True})
    with reader.page.expect_response("**/assets/openDialog-*.js"):
        code.open()
    # The browser answers an import of the same module when the one under way is done.
    source = reader.page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
    reader.page.evaluate("module => import(module)", next(name for name in source if "/assets/openDialog-" in name))
    expect(keys).to_have_value("に")
    composer.send("Input.insertText", {"text": "日本"})
    expect(Dialog(reader).field).to_have_value("日本")
    expect(keys).to_have_count(0)


def test_long_text_that_is_pasted_is_searched_for_as_a_whole(shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped)
    message = "Error: the workspace could not be activated\n  because another workspace of the same name is archived"
    whole = " ".join(message.split())
    dialog.field.evaluate(
        """(field, text) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text", text);
          field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
        }""",
        message,
    )
    expect(dialog.field).to_have_value(whole[:64])
    expect(dialog.root.get_by_text(f"Searching for {whole}")).to_be_visible()
    dialog.root.get_by_role("link", name="See all").click()
    expect(dialog.reader.article.get_by_role("searchbox")).to_have_value(whole)


def test_escape_calls_a_search_off_whose_code_is_on_its_way(shipped: Served, open_reader: OpenReader) -> None:
    code = Gate()
    reader = open_reader(shipped, "/codegate/", answers={"**/assets/openDialog-*.js": code})
    with reader.page.expect_request("**/assets/openDialog-*.js"):
        reader.press("Control+k")
    reader.page.keyboard.type("mux")
    reader.press("Escape")
    with reader.page.expect_response("**/assets/openDialog-*.js"):
        code.open()
    reader.press("Control+k")
    expect(Dialog(reader).field).to_have_value("")


def test_enter_follows_the_active_option(shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped)
    dialog.ask("permission profiles")
    dialog.reader.mark_document()
    dialog.reader.press("Enter")
    dialog.reader.expect_at("/toolhive/how-to/custom-permissions")
    expect(dialog.root).to_have_count(0)
    dialog.reader.expect_same_document()


def test_enter_before_the_answer_means_the_answer(shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped)
    searches = hold(dialog)
    dialog.field.press_sequentially("permission profiles")
    dialog.reader.press("Enter")
    stall(dialog)
    searches.open()
    dialog.reader.expect_at("/toolhive/how-to/custom-permissions")


@pytest.mark.parametrize("key", ["Control+Enter", "Shift+Enter"])
def test_enter_with_a_modifier_opens_a_new_tab(key: str, shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped)
    dialog.ask("permission profiles")
    with dialog.reader.context.expect_page() as opened:
        dialog.reader.press(key)
    opened.value.wait_for_url("**/toolhive/how-to/custom-permissions")
    expect(dialog.root).to_be_visible()
    dialog.reader.expect_at("/codegate/")


def test_enter_that_ends_a_composed_character_is_no_command(shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped)
    dialog.ask("permission profiles")
    for key in ("Enter", "ArrowDown", "Escape"):
        dialog.field.dispatch_event("keydown", {"key": key, "isComposing": True, "bubbles": True, "cancelable": True})
    dialog.expect_at(0)
    dialog.reader.expect_at("/codegate/")


def test_pointer_makes_an_option_active(shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped)
    dialog.ask("server")
    dialog.options.nth(2).hover()
    dialog.expect_at(2)


def test_click_beside_the_dialog_closes_it(shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped)
    dialog.reader.page.mouse.click(5, 890)
    expect(dialog.root).to_have_count(0)
    dialog = reopen_dialog(dialog.reader)
    dialog.root.get_by_role("button", name="Cancel").click()
    expect(dialog.root).to_have_count(0)


def test_key_right_after_the_dialog_was_closed_opens_it(shipped: Served, open_reader: OpenReader) -> None:
    """A dialog that is closed tells so by an event, which comes later."""
    dialog = open_dialog(open_reader, shipped)
    dialog.field.fill("muxing")
    dialog.reader.page.evaluate("""() => {
        document.querySelector("dialog.search-dialog").close();
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true, bubbles: true }));
    }""")
    expect(dialog.root).to_have_count(1)
    expect(dialog.field).to_have_value("")
    expect(dialog.field).to_be_focused()
    dialog.reader.press("Escape")
    expect(dialog.root).to_have_count(0)


def test_marked_text_is_the_query(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing")
    reader.article.get_by_role("heading", level=1).select_text()
    dialog = reopen_dialog(reader)
    expect(dialog.field).to_have_value("Model muxing")
    expect(dialog.announcer).to_contain_text('"Model muxing"')
    reader.page.keyboard.type("x")
    expect(dialog.field).to_have_value("x")


def test_tab_stays_in_the_dialog(shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped)
    dialog.ask("server")
    for _ in range(14):
        dialog.reader.press("Tab")
        assert dialog.reader.page.evaluate(
            "document.activeElement === document.body || document.activeElement.closest('dialog') !== null"
        )


def test_code_comes_at_the_first_sign_of_intent(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/")
    reader.page.wait_for_load_state("networkidle")
    with reader.page.expect_request("**/openDialog-*.js"):
        reader.bar.get_by_role("button", name="Search").hover()


# Nothing found, nothing heard


def test_suggestions_have_results(shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped)
    dialog.ask("qwxzyk")
    expect(dialog.root.get_by_text('No results for "qwxzyk"', exact=True)).to_be_visible()
    expect(dialog.root.get_by_text("Try searching for")).to_be_visible()
    suggestions = dialog.root.get_by_role("list").filter(has=dialog.reader.page.locator(".chip")).get_by_role("button")
    expect(suggestions.first).to_be_visible()
    assert suggestions.count() <= 3
    suggestions.first.click()
    expect(dialog.options.first).to_be_visible()
    expect(dialog.field).to_be_focused()


def test_slow_search_is_called_stalled_and_keeps_the_screen(shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped)
    dialog.ask("muxing")
    searches = hold(dialog)
    dialog.field.fill("workspace")
    box = dialog.root.locator(".search-box")
    stall(dialog)
    expect(dialog.announcer).to_have_text("Searching…")
    expect(dialog.options.first).to_contain_text("muxing", ignore_case=True)
    searches.open()
    expect(box).to_have_attribute("data-status", "idle")
    expect(dialog.options.first).to_contain_text("workspace", ignore_case=True)


@widths
@modes
def test_failure_is_said_until_there_is_an_answer(
    base: Settings, mode: Any, shipped: Served, open_reader: OpenReader
) -> None:
    dialog = open_dialog(open_reader, shipped, settings=settings(base, system=mode))
    cut_off(dialog.reader)
    dialog.field.fill("muxing")
    expect(dialog.root.get_by_text("Unable to fetch results", exact=True)).to_be_visible()
    expect(dialog.root.get_by_text("You might want to check your network connection.", exact=True)).to_be_visible()
    assert find_violations(dialog.reader.page) == []
    # The button is there from the search before: this one must have failed before the network is back.
    with dialog.reader.page.expect_event("requestfailed"):
        dialog.field.fill("muxing rules")
    expect(dialog.root.get_by_role("button", name="Retry")).to_be_visible()
    dialog.reader.context.unroute(SEARCHES)
    dialog.root.get_by_role("button", name="Retry").click()
    expect(dialog.options.first).to_be_visible()
    expect(dialog.root.get_by_role("button", name="Retry")).to_have_count(0)


def test_refusal_is_told_with_its_reason(shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped)
    body = '{"message": "Invalid Application-ID or API key", "status": 403}'
    dialog.reader.context.route(SEARCHES, lambda route: route.fulfill(status=403, body=body))
    dialog.reader.watch.forgive("403")
    dialog.field.fill("muxing")
    expect(
        dialog.root.get_by_text("The search service answered 403: Invalid Application-ID or API key")
    ).to_be_visible()


@widths
@modes
def test_no_screen_violates_a_rule_of_axe(base: Settings, mode: Any, shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped, settings=settings(base, system=mode))
    for query in ("server", "qwxzyk"):
        dialog.ask(query)
        assert find_violations(dialog.reader.page) == []
        dialog.reader.expect_no_sideways_scroll()


# Insights


def test_first_hit_is_told_with_position_one(shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped)
    dialog.ask("permission profiles")
    [event] = last_events(dialog.reader, dialog.options.first.click, "Item Selected")
    assert event["eventType"] == "click"
    assert event["positions"] == [1]
    assert len(event["queryID"]) == 32


def test_hits_that_stay_in_view_are_told(shipped: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shipped)
    [event] = last_events(dialog.reader, lambda: dialog.ask("server"), "Items Viewed")
    assert event["eventType"] == "view"
    assert len(event["objectIDs"]) == dialog.options.count()
