"""Code blocks: what is copied, and what a reader can do with long lines."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.serving import Served

from .conftest import OpenReader
from .pages import PHONE, Reader, settings

WITH_CLIPBOARD = settings(grants=["clipboard-read", "clipboard-write"])


def clipboard(reader: Reader) -> str:
    text: str = reader.page.evaluate("navigator.clipboard.readText()")
    return text


COPIED = {
    "plain": ("def fire", "def fire(degrees):\n    return degrees > 900"),
    "highlight comments": ("const heat", "const heat = 900;\nconst cool = 20;"),
    "prompts and output": ("kiln install", "kiln --version\nkiln install \\\n    --shelf 3"),
}


@pytest.mark.parametrize("case", COPIED)
def test_copy_takes_what_one_would_type(case: str, editions: Served, open_reader: OpenReader) -> None:
    inside, expected = COPIED[case]
    reader = open_reader(editions, "/install" if case == "prompts and output" else "/constructs", WITH_CLIPBOARD)
    reader.hold_clock()
    reader.code(inside).copy()
    assert clipboard(reader) == expected


def test_copy_is_announced_for_a_second(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs", WITH_CLIPBOARD)
    reader.hold_clock()
    reader.code("def fire").copy()
    expect(reader.announcer).to_have_text("Copied")
    reader.page.clock.run_for(1000)
    expect(reader.announcer).to_have_text("")
    expect(reader.code("def fire").root.get_by_role("button", name="Copy code to clipboard")).to_be_visible()


def test_copy_works_where_the_clipboard_is_refused(editions: Served, open_reader: OpenReader) -> None:
    """On plain HTTP there is no clipboard interface; the old command does it."""
    refuse = "Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined });"
    reader = open_reader(editions, "/constructs", settings(WITH_CLIPBOARD, init_script=refuse))
    reader.hold_clock()
    reader.code("def fire").copy()


def test_refused_copying_is_shown_and_the_code_is_selected(editions: Served, open_reader: OpenReader) -> None:
    refuse = """
Object.defineProperty(Navigator.prototype, "clipboard", { get: () => undefined });
document.execCommand = () => false;
"""
    reader = open_reader(editions, "/constructs", settings(init_script=refuse))
    block = reader.code("def fire").root
    block.hover()
    block.get_by_role("button", name="Copy code to clipboard").click()
    expect(reader.page.get_by_role("alert")).to_contain_text("did not allow copying")
    selected: str = reader.page.evaluate("getSelection().toString()")
    assert selected.strip() == "def fire(degrees):\n    return degrees > 900"


def test_buttons_are_reached_by_keyboard_and_seen_then(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs", WITH_CLIPBOARD)
    reader.hold_clock()
    block = reader.code("def fire").root
    block.locator("pre").focus()
    reader.press("Tab")
    button = block.get_by_role("button", name="Copy code to clipboard")
    expect(button).to_be_focused()
    expect(button.locator("..")).to_have_css("opacity", "1")
    reader.press("Enter")
    expect(block.get_by_role("button", name="Copied")).to_be_visible()


def test_blocks_of_a_page_shown_by_a_link_can_be_copied(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install", WITH_CLIPBOARD)
    reader.follow("Constructs", within=reader.sidebar)
    reader.expect_heading("Constructs")
    reader.hold_clock()
    reader.code("def fire").copy()
    assert clipboard(reader).startswith("def fire")


def test_wrap_is_offered_only_where_lines_are_too_long(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs", PHONE)
    long = reader.code("--atmosphere reduction")
    long.root.hover()
    expect(reader.code("const heat").wrap_button).to_be_hidden()
    expect(long.wrap_button).to_have_attribute("aria-pressed", "false")
    long.wrap_button.click()
    expect(long.wrap_button).to_have_attribute("aria-pressed", "true")
    fits = "element => element.scrollWidth <= element.clientWidth"
    assert long.root.locator("pre").evaluate(fits)
    long.wrap_button.click()
    expect(long.wrap_button).to_have_attribute("aria-pressed", "false")
    assert not long.root.locator("pre").evaluate(fits)


def test_wrap_appears_when_the_window_becomes_narrow(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs", settings(width=2560))
    block = reader.code("def fire")
    block.root.hover()
    expect(block.wrap_button).to_be_hidden()
    reader.resize(320, 800)
    long = reader.code("--atmosphere reduction")
    long.root.hover()
    expect(long.wrap_button).to_be_visible()


def test_title_numbers_and_highlight_are_shown(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs")
    block = reader.code("def fire").root
    expect(block.locator("figcaption")).to_have_text("fire.py")
    plain, marked = block.locator("code > span, code .line").evaluate_all(
        "lines => lines.slice(0, 2).map(line => getComputedStyle(line).backgroundColor)"
    )
    assert plain != marked


def test_folded_lines_are_numbered_and_copied(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs", WITH_CLIPBOARD)
    reader.hold_clock()
    block = reader.code("glaze = 1")
    expect(block.root.get_by_text("clay = 3")).to_be_hidden()
    block.copy()
    assert clipboard(reader) == "glaze = 1\nash = 2\nclay = 3\nwater = 4"
    block.root.get_by_text("Lines 42–43").click()
    expect(block.root.get_by_text("clay = 3")).to_be_visible()
    expect(block.root.get_by_text("Thin")).to_be_visible()
    numbers = block.root.locator(".line").evaluate_all(
        "lines => lines.map(line => getComputedStyle(line, '::before').content)"
    )
    assert numbers == ['"41"', '"42"', '"43"', '"44"']


def test_sign_of_a_change_is_shown_once(editions: Served, open_reader: OpenReader) -> None:
    """The code of a patch has the sign itself."""
    reader = open_reader(editions, "/constructs")
    signs = reader.code("degrees = 900").root.locator(".added, .removed")
    assert signs.evaluate_all("lines => lines.map(line => getComputedStyle(line, '::after').content)") == ["none"] * 2


def test_line_numbers_and_signs_of_change_are_not_selected(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs")
    selected: str = (
        reader.code("def fire")
        .root.locator("pre")
        .evaluate("""block => {
      getSelection().selectAllChildren(block);
      return getSelection().toString();
    }""")
    )
    assert selected.strip() == "def fire(degrees):\n    return degrees > 900"
