"""Light, dark and system: applied before the first paint, remembered, followed everywhere."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.support.serving import Served

from .conftest import OpenReader
from .pages import Reader, Settings, settings

RECORD_FRAMES = """
window.framesSeen = [];
const record = () => {
  if (document.body) {
    const root = document.documentElement;
    window.framesSeen.push(root.dataset.theme + " " + getComputedStyle(document.documentElement).backgroundColor);
  }
  requestAnimationFrame(record);
};
requestAnimationFrame(record);
"""


def background(reader: Reader) -> str:
    color: str = reader.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return color


@pytest.mark.parametrize("system", ["light", "dark"])
def test_first_visit_follows_the_system(
    system: Literal["light", "dark"], shipped: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(shipped, "/", settings(system=system))
    reader.color_mode.expect_shown(system, choice="system")
    reader.expect_stored("theme", None)


def test_first_visit_shows_the_default_where_the_system_does_not_count(
    handbook: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(handbook, "/", settings(system="dark"))
    reader.color_mode.expect_shown("light", choice="light")


def test_button_cycles_through_light_dark_and_system(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/", settings(system="dark"))
    button = reader.color_mode.button
    for mode, choice, stored in (("light", "light", "light"), ("dark", "dark", "dark"), ("dark", "system", None)):
        button.click()
        reader.color_mode.expect_shown(mode, choice=choice)
        reader.expect_stored("theme", stored)
        expect(button).to_have_accessible_name(f"Switch between dark and light mode (currently {choice} mode)")


def test_button_flips_where_the_system_does_not_count(handbook: Served, open_reader: OpenReader) -> None:
    reader = open_reader(handbook, "/", settings(system="dark"))
    for mode in ("dark", "light", "dark"):
        reader.color_mode.button.click()
        reader.color_mode.expect_shown(mode, choice=mode)
        reader.expect_stored("theme", mode)


def test_choice_is_remembered_on_the_next_visit(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/", settings(system="dark"))
    dark = background(reader)
    reader.color_mode.button.click()
    reader.color_mode.expect_shown("light", choice="light")
    assert background(reader) != dark
    reader.visit("/toolhive/")
    reader.color_mode.expect_shown("light", choice="light")


HABITS = {
    "system light": settings(system="light"),
    "system dark": settings(system="dark"),
    "stored light": settings(system="dark", stored={"theme": "light"}),
    "stored dark": settings(system="light", stored={"theme": "dark"}),
}


@pytest.mark.parametrize("habit", HABITS)
def test_no_other_mode_is_painted_while_a_page_loads(habit: str, shipped: Served, open_reader: OpenReader) -> None:
    """From the first frame until scripts have taken over, mode and background never change."""
    before: Settings = HABITS[habit]
    mode = before.stored.get("theme", before.system)
    reader = open_reader(shipped, "/codegate/features/muxing", settings(before, init_script=RECORD_FRAMES))
    frames: list[str] = reader.page.evaluate("window.framesSeen")
    assert set(frames) == {f"{mode} {background(reader)}"}


def test_choice_in_another_tab_is_followed_and_not_written_back(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/", settings(system="light"))
    other = reader.open_tab("/toolhive/")
    other.page.evaluate("""() => {
      window.writes = 0;
      const write = Storage.prototype.setItem;
      Storage.prototype.setItem = function (...values) { window.writes += 1; write.apply(this, values); };
    }""")
    reader.color_mode.button.click()
    reader.color_mode.button.click()
    other.color_mode.expect_shown("dark", choice="dark")
    reader.color_mode.button.click()
    other.color_mode.expect_shown("light", choice="system")
    assert other.page.evaluate("window.writes") == 0


def test_change_of_the_system_is_followed_only_without_a_choice(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/", settings(system="light"))
    reader.emulate(color_scheme="dark")
    reader.color_mode.expect_shown("dark", choice="system")
    reader.color_mode.button.click()
    reader.color_mode.expect_shown("light", choice="light")
    reader.emulate(color_scheme="light")
    reader.emulate(color_scheme="dark")
    reader.color_mode.expect_shown("light", choice="light")


def test_query_parameter_overrides_and_is_not_stored(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/?docusaurus-theme=dark", settings(stored={"theme": "light"}))
    reader.color_mode.expect_shown("dark", choice="dark")
    reader.expect_stored("theme", "light")
    reader.visit("/")
    reader.color_mode.expect_shown("light", choice="light")


def test_stored_value_that_is_no_mode_counts_as_none(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/", settings(system="dark", stored={"theme": "purple"}))
    reader.color_mode.expect_shown("dark", choice="system")
    for value in ("", '"><script>alert(1)</script>', "undefined"):
        reader.page.evaluate("value => localStorage.setItem('theme', value)", value)
        reader.visit("/")
        reader.color_mode.expect_shown("dark", choice="system")
        reader.expect_stored("theme", value)


def test_query_value_that_is_no_mode_counts_as_none(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/?docusaurus-theme=purple", settings(stored={"theme": "dark"}))
    reader.color_mode.expect_shown("dark", choice="dark")


def test_pictures_follow_the_mode(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs", settings(system="dark"))
    shown = reader.article.get_by_alt_text("The mark").and_(reader.page.locator(":visible"))
    expect(shown).to_have_count(1)
    dark = shown.get_attribute("src")
    reader.color_mode.button.click()
    reader.color_mode.expect_shown("light", choice="light")
    expect(shown).to_have_count(1)
    assert shown.get_attribute("src") != dark


def test_form_controls_and_first_frame_know_the_mode(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/", settings(system="light", stored={"theme": "dark"}))
    assert reader.page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    expect(reader.page.locator("meta[name=color-scheme]")).to_have_attribute("content", "light dark")


def test_mode_survives_a_navigation(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing", settings(system="dark"))
    reader.color_mode.button.click()
    reader.follow("Workspaces", within=reader.sidebar)
    reader.expect_heading("Workspaces")
    reader.color_mode.expect_shown("light", choice="light")


def test_forbidden_storage_gives_one_warning_and_the_button_works(shipped: Served, open_reader: OpenReader) -> None:
    forbid = """
    const refuse = { get() { throw new DOMException("The operation is insecure.", "SecurityError"); } };
    Object.defineProperty(window, "localStorage", refuse);
    Object.defineProperty(window, "sessionStorage", refuse);
    """
    reader = open_reader(shipped, "/", settings(system="light", init_script=forbid))
    reader.color_mode.button.click()
    reader.color_mode.button.click()
    reader.color_mode.expect_shown("dark", choice="dark")
    warnings = [line for line in reader.watch.complaints() if "console warning" in line]
    assert len(warnings) == 1
    assert "storage" in warnings[0].lower()
    reader.watch.forgive("console warning: .*storage")
