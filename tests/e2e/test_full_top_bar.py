"""A top bar with more entries than there is room for: nothing leaves the page, and the drawer has what does not fit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.serving import Served, publish_site, serve_folder

from .axe import find_violations_in_both_modes
from .conftest import OpenReader

NAMES = [f"Section {name}" for name in ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")]

CONFIG = """title = "A library of many parts"
url = "https://example.org"
{locale}
[navbar]
items = [
  {{ label = "Releases", items = [{{ label = "First release", href = "/one/" }}] }},
{items}
  {{ label = "At the end", href = "/two/", position = "right" }},
]
"""

INSIDE = """() => [...document.querySelectorAll(".navbar > *, .navbar .nav-items > li")]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }))
  .filter((element) => !element.matches("ul"))
  .map((element) => element.getBoundingClientRect())
  .every(({ left, right, width }) => width > 20 && left >= 0 && right <= document.documentElement.clientWidth)"""

APART = """() => {
  const shown = [...document.querySelectorAll(".brand, .navbar > button, .search-open, .nav-items > li")]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .map((element) => element.getBoundingClientRect())
    .sort((one, other) => one.left - other.left);
  return shown.every(({ left }, index) => index === 0 || left >= shown[index - 1].right - 1);
}"""


@pytest.fixture(params=["en", "fa"])
def full(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Served]:
    locale = f'[[locales]]\nid = "{request.param}"\nlabel = "Language"\n'
    items = "\n".join(f'  {{ label = "{name}", href = "/one/" }},' for name in NAMES)
    files = {
        "octavo.toml": CONFIG.format(locale=locale, items=items),
        "docs/index.md": "# Home\n",
        "docs/one.md": "# One\n",
        "docs/two.md": "# Two\n",
    }
    for path, content in files.items():
        (tmp_path / "site" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / path).write_text(content)
    publish_site(tmp_path / "site", tmp_path / "out")
    with serve_folder(tmp_path / "out", tmp_path / "log") as served:
        yield served


def test_entries_that_do_not_fit_are_in_the_drawer(full: Served, open_reader: OpenReader) -> None:
    reader = open_reader(full, "/")
    button = reader.page.locator(".drawer-button")
    last = reader.page.locator(".navbar").get_by_text(NAMES[-1])
    for width in (996, 1280, 1440):
        reader.resize(width)
        reader.expect_no_sideways_scroll()
        reader.expect_true(INSIDE)
        reader.expect_true(APART)
        expect(button).to_be_visible()
        expect(last).to_be_hidden()
        expect(reader.page.locator(".navbar").get_by_text("At the end")).to_be_visible()
    assert find_violations_in_both_modes(reader.page) == []
    button.click()
    expect(reader.page.locator(".drawer").get_by_text(NAMES[-1])).to_be_visible()


def test_bar_with_room_for_all_has_no_button(full: Served, open_reader: OpenReader) -> None:
    reader = open_reader(full, "/")
    for width in (996, 2560):
        reader.resize(width)
    reader.page.evaluate("() => void (document.querySelector('.navbar').style.maxInlineSize = 'none')")
    expect(reader.page.locator(".navbar").get_by_text(NAMES[-1])).to_be_visible()
    expect(reader.page.locator(".drawer-button")).to_be_hidden()
    reader.expect_true(APART)


def test_menu_of_an_entry_is_not_cut(full: Served, open_reader: OpenReader) -> None:
    reader = open_reader(full, "/")
    reader.resize(996)
    reader.page.locator(".navbar").get_by_role("button", name="Releases").hover()
    menu = reader.page.locator(".navbar .dropdown-menu").first
    expect(menu).to_be_visible()
    reader.expect_true(
        "() => { const box = document.querySelector('.navbar .dropdown-menu').getBoundingClientRect();"
        " return document.elementFromPoint((box.left + box.right) / 2, box.top + 20)?.closest('.dropdown-menu') !== null }"
    )
