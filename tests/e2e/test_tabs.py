"""Tabs: one choice for a group, remembered and shareable, by mouse and by keyboard."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.support.serving import Served

from .conftest import OpenReader
from .pages import PHONE, settings


def test_first_tab_or_the_default_is_chosen_at_first(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs")
    reader.tabs(0).expect_chosen("Bash")
    reader.tabs(2).expect_chosen("Low")


def test_sets_of_a_group_follow_each_other_and_are_remembered(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs")
    reader.tabs(0).choose("Fish")
    reader.tabs(1).expect_chosen("Fish")
    reader.expect_stored("docusaurus.tab.shell", "fish")
    reader.visit("/constructs")
    reader.tabs(0).expect_chosen("Fish")
    reader.tabs(1).expect_chosen("Fish")


def test_choice_that_a_set_does_not_have_leaves_it_alone(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs")
    reader.tabs(0).choose("Zsh")
    reader.tabs(0).expect_chosen("Zsh")
    reader.tabs(1).expect_chosen("Bash")


def test_stored_value_that_no_tab_has_is_ignored(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs", settings(stored={"docusaurus.tab.shell": "powershell"}))
    reader.tabs(0).expect_chosen("Bash")


def test_choice_in_another_browser_tab_is_followed(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs")
    other = reader.open_tab("/constructs")
    reader.tabs(0).choose("Fish")
    other.tabs(0).expect_chosen("Fish")


def test_choice_stands_in_the_address_and_keeps_the_rest_of_it(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs?from=mail#tabs")
    entries = reader.page.evaluate("history.length")
    reader.tabs(2).choose("High")
    reader.expect_at("/constructs?from=mail&heat=high#tabs")
    assert reader.page.evaluate("history.length") == entries
    reader.page.reload()
    reader.wait_until_alive()
    reader.tabs(2).expect_chosen("High")


def test_address_that_names_no_tab_is_ignored(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs?heat=tepid")
    reader.tabs(2).expect_chosen("Low")


def test_clicked_tab_stays_under_the_pointer(editions: Served, open_reader: OpenReader) -> None:
    """The set above changes its height and must not push the clicked one away."""
    reader = open_reader(editions, "/constructs", settings(height=600))
    tab = reader.tabs(1).tab("Fish")
    reader.page.evaluate("window.scrollTo({ top: 200, behavior: 'instant' })")
    reader.expect_scrolled(200)
    top = tab.evaluate("tab => tab.getBoundingClientRect().top")
    tab.click()
    reader.tabs(0).expect_chosen("Fish")
    reader.expect_true(
        "([tab, top]) => Math.abs(tab.getBoundingClientRect().top - top) <= 1", [tab.element_handle(), top]
    )


def test_arrows_home_and_end_move_the_focus_and_enter_chooses(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs")
    tabs = reader.tabs(0)
    tabs.tab("Bash").focus()
    for key, label in (
        ("ArrowRight", "Fish"),
        ("ArrowRight", "Zsh"),
        ("ArrowRight", "Bash"),
        ("ArrowLeft", "Zsh"),
        ("Home", "Bash"),
        ("End", "Zsh"),
    ):
        reader.press(key)
        expect(tabs.tab(label)).to_be_focused()
    tabs.expect_chosen("Bash")
    reader.press("Enter")
    tabs.expect_chosen("Zsh")
    reader.press("Home", "Space")
    tabs.expect_chosen("Bash")


def test_list_of_tabs_is_one_stop(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs")
    reader.tabs(0).tab("Bash").focus()
    reader.press("Tab")
    expect(reader.tabs(0).tab("Fish")).not_to_be_focused()
    inside = reader.tabs(0).root.locator("[role=tabpanel]:visible :focus, [role=tabpanel]:focus")
    expect(inside).to_have_count(1)


def test_tab_and_panel_name_each_other(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs")
    pairs = reader.article.evaluate("""main => [...main.querySelectorAll("[role=tab]")].map((tab) => {
      const panel = document.getElementById(tab.getAttribute("aria-controls"));
      return panel.getAttribute("role") === "tabpanel" && panel.getAttribute("aria-labelledby") === tab.id
        && panel.dataset.label === tab.textContent;
    })""")
    assert pairs == [True] * 7
    assert reader.page.evaluate("""() => {
      const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
      return ids.length === new Set(ids).size;
    }""")


def test_tabs_inside_tabs_and_in_lists_are_their_own(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/theme-preview")
    outer = reader.article.locator(".tabs:has(.tabs)").first
    inner = outer.locator(".tabs").first
    inner.get_by_role("tab", name="Windows").click()
    expect(inner.get_by_role("tab", name="Windows")).to_have_attribute("aria-selected", "true")
    expect(inner.get_by_role("cell", name="a tab")).to_be_visible()
    expect(outer.get_by_role("tab", name="stdio")).to_have_attribute("aria-selected", "true")
    expect(reader.article.locator("ol .tabs").first.get_by_role("tab", name="Windows")).to_have_attribute(
        "aria-selected", "true"
    )


def test_tabs_work_on_a_phone_and_after_a_navigation(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs", PHONE)
    reader.tabs(0).choose("Fish")
    reader.pager.locator("[rel=next]").click()
    expect(reader.page.locator("h1")).not_to_have_text("Constructs")
    reader.page.go_back()
    reader.expect_heading("Constructs")
    reader.tabs(0).expect_chosen("Fish")
    reader.tabs(0).choose("Zsh")
    reader.tabs(0).expect_chosen("Zsh")


def test_address_of_a_place_in_a_tab_opens_the_tab(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs#in-fish")
    reader.tabs(1).expect_chosen("Fish")
    reader.tabs(0).expect_chosen("Bash")
    expect(reader.page.get_by_text("Second set: fish.")).to_be_in_viewport()
    reader.visit("/constructs")
    reader.tabs(1).expect_chosen("Bash")
    reader.page.evaluate("location.hash = 'in-fish'")
    reader.tabs(1).expect_chosen("Fish")
    expect(reader.page.get_by_text("Second set: fish.")).to_be_in_viewport()
