"""A walk through the site in Firefox and WebKitGTK, and what only they have shown; other tests run in Chromium alone."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest

from octavo.publish.offline import write_offline
from tests.support.engines import Browser, wait_for
from tests.support.serving import Served

from .engines import ENGINES, SIZE, open_engine, visit
from .folders import serve_folder

# Where an icon's pixels differ from its ground: the middle of their extent, as a part of the box, in both directions.
_MEASURE_INK = """
const [data, selector] = arguments;
const box = document.querySelector(selector).getBoundingClientRect();
window.inkMiddle = null;
const picture = new Image();
picture.onload = () => {
  const scale = picture.width / innerWidth;
  const place = [box.left, box.top, box.width, box.height].map((length) => Math.round(length * scale));
  const canvas = document.createElement("canvas");
  [, , canvas.width, canvas.height] = place;
  const context = canvas.getContext("2d");
  context.drawImage(picture, ...place, 0, 0, canvas.width, canvas.height);
  const { data: pixels } = context.getImageData(0, 0, canvas.width, canvas.height);
  const xs = [];
  const ys = [];
  for (let at = 0; at < pixels.length; at += 4) {
    const difference = [0, 1, 2].reduce((sum, part) => sum + Math.abs(pixels[at + part] - pixels[part]), 0);
    if (difference < 100) continue;
    xs.push((at / 4) % canvas.width);
    ys.push(Math.floor(at / 4 / canvas.width));
  }
  const middle = (values, length) => (Math.min(...values) + Math.max(...values) + 1) / 2 / length;
  window.inkMiddle = [middle(xs, canvas.width), middle(ys, canvas.height)];
};
picture.src = `data:image/png;base64,${data}`;
"""


@pytest.fixture(scope="module", params=ENGINES)
def browser(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with open_engine(request.param, tmp_path_factory.mktemp(request.param)) as window:
        yield window


def ink_middle(browser: Browser, selector: str) -> tuple[float, float]:
    """Measure where the picture of an icon is in its box; 0.5, 0.5 is the middle."""
    browser.run(
        "document.querySelector(arguments[0]).scrollIntoView({ block: 'center', behavior: 'instant' })", selector
    )
    # What was put off until it comes near the view has its place in a later frame.
    wait_for(browser, "document.querySelector(arguments[0]).checkVisibility()", selector)
    browser.run("window.isPainted = false; requestAnimationFrame(() => setTimeout(() => { window.isPainted = true; }))")
    wait_for(browser, "window.isPainted")
    browser.run(_MEASURE_INK, base64.b64encode(browser.screenshot()).decode(), selector)
    x, y = wait_for(browser, "window.inkMiddle")
    return x, y


@pytest.mark.parametrize(
    "selector",
    [
        ".breadcrumbs .icon",
        ".sidebar .icon-chevron",
        ".admonition-note .admonition-icon",
        ".admonition-info .admonition-icon",
        ".admonition-warning .admonition-icon",
    ],
)
def test_icon_is_one_whole_picture(browser: Browser, shipped: Served, selector: str) -> None:
    visit(browser, shipped, "/theme-preview")
    assert ink_middle(browser, selector) == (pytest.approx(0.5, abs=0.13), pytest.approx(0.5, abs=0.13))


def test_page_opens_in_place_and_back_restores_the_scroll_position(browser: Browser, shipped: Served) -> None:
    visit(browser, shipped, "/codegate/features/muxing")
    browser.run("window.markOfTheTest = true; window.scrollTo({ top: 400, behavior: 'instant' })")
    browser.click("nav.sidebar a[href='/codegate/features/workspaces']")
    wait_for(
        browser, "location.pathname === '/codegate/features/workspaces' && document.querySelector('h1')?.textContent"
    )
    assert browser.run("return [window.markOfTheTest, scrollY]") == [True, 0]
    assert "Workspaces" in browser.run("return document.title")
    browser.back()
    wait_for(browser, "location.pathname === '/codegate/features/muxing' && Math.abs(scrollY - 400) < 2")
    assert browser.run("return window.markOfTheTest") is True


def test_tabs_change_by_click_and_by_key(browser: Browser, editions: Served) -> None:
    visit(browser, editions, "/constructs")
    wait_for(browser, "document.querySelector('.tabs')?.hasAttribute('data-live')")
    chosen = "document.querySelector('.tabs [aria-selected=true]').dataset.value"
    first = browser.run(f"return {chosen}")
    browser.click(".tabs [role=tab]:not([aria-selected=true])")
    wait_for(browser, f"{chosen} !== arguments[0]", first)
    browser.run("document.querySelector('.tabs [role=tab]').focus()")
    browser.press("ArrowRight")
    wait_for(browser, "document.activeElement === document.querySelectorAll('.tabs [role=tab]')[1]")


def test_header_of_a_table_that_scrolls_to_the_side_stays_below_the_bar(browser: Browser, editions: Served) -> None:
    visit(browser, editions, "/constructs")
    browser.run("""
        const row = (cell) => `<tr>${`<${cell}>supercalifragilistic</${cell}>`.repeat(16)}</tr>`;
        const table = document.querySelector(".table-wrap table");
        table.innerHTML = `<thead>${row("th")}</thead><tbody>${row("td").repeat(60)}</tbody>`;
    """)
    wrap = "document.querySelector('.table-wrap')"
    wait_for(browser, f"{wrap}.role === 'group'")
    distance = f"""{wrap}.querySelector("thead").getBoundingClientRect().top
      - document.querySelector("header.top-bar").getBoundingClientRect().bottom"""
    for passed in (400, 1200):
        browser.run(
            f"scrollTo({{ top: {wrap}.getBoundingClientRect().top + scrollY + arguments[0], behavior: 'instant' }})",
            passed,
        )
        wait_for(browser, f"-1 <= {distance} && {distance} <= 2")
    browser.run(f"scrollTo({{ top: {wrap}.getBoundingClientRect().top + scrollY - 200, behavior: 'instant' }})")
    wait_for(
        browser, f"{wrap}.querySelector('thead').getBoundingClientRect().top - {wrap}.getBoundingClientRect().top < 3"
    )


def test_formula_wider_than_the_page_does_not_widen_it(browser: Browser, editions: Served) -> None:
    browser.resize(600, 900)
    visit(browser, editions, "/constructs")
    wait_for(browser, "document.querySelector('.formula')?.role === 'group'")
    wait_for(browser, "document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    browser.resize(*SIZE)


def test_search_dialog_finds_and_closes(browser: Browser, shipped: Served) -> None:
    visit(browser, shipped, "/codegate/features/muxing")
    browser.press("Control", "k")
    wait_for(browser, "document.activeElement?.getAttribute('role') === 'combobox'")
    browser.press("workspace")
    wait_for(browser, "document.querySelectorAll('[role=option]').length > 0")
    browser.press("Escape")
    if browser.run("return document.querySelector('dialog[open]') !== null"):
        browser.press("Escape")  # the first has emptied the field
    wait_for(browser, "document.querySelector('dialog[open]') === null")


def test_color_mode_changes(browser: Browser, shipped: Served) -> None:
    visit(browser, shipped, "/codegate/")
    choice = "document.documentElement.dataset.themeChoice"
    before = browser.run(f"return {choice}")
    browser.click(".color-mode-toggle")
    wait_for(browser, f"{choice} !== arguments[0]", before)
    theme, scheme = browser.run(
        "const root = document.documentElement; return [root.dataset.theme, getComputedStyle(root).colorScheme]"
    )
    assert theme == scheme


def test_anchor_is_below_the_bar(browser: Browser, shipped: Served) -> None:
    visit(browser, shipped, "/theme-preview#admonitions")
    # The text above gets its height while the browser scrolls.
    top = "document.getElementById('admonitions').getBoundingClientRect().top"
    wait_for(browser, f"{top} > 55 && {top} < 110")


def test_diagram_is_drawn(browser: Browser, editions: Served) -> None:
    visit(browser, editions, "/constructs")
    wait_for(browser, "document.querySelector('.diagram-drawing').getBoundingClientRect().width > 0")
    fill = "getComputedStyle(document.querySelector('.diagram-drawing .node rect')).fill"
    assert browser.run(f"return {fill}") in {"rgb(238, 238, 238)", "rgb(31, 32, 32)"}
    # Colors without a name of the theme's are pairs in attributes.
    pair = "document.querySelector('.diagram-drawing .node rect').setAttribute('fill', 'light-dark(#010203, #040506)')"
    assert browser.run(f"{pair}; return {fill}") in {"rgb(1, 2, 3)", "rgb(4, 5, 6)"}


def test_names_in_a_diagram_are_in_the_middle_of_their_boxes(browser: Browser, shipped: Served) -> None:
    visit(browser, shipped, "/codegate/features/secrets-redaction")
    offsets = browser.run("""
        const middle = ({ y, height }) => y + height / 2;
        return [...document.querySelectorAll("text.actor")].map((name) => {
          const at = middle(name.getBBox());
          const boxes = [...name.ownerSVGElement.querySelectorAll("rect")].map((box) => Math.abs(middle(box.getBBox()) - at));
          return Math.min(...boxes);
        });""")
    assert offsets
    assert max(offsets) < 2


def test_drawer_opens_and_closes_on_a_narrow_window(browser: Browser, shipped: Served) -> None:
    browser.resize(520, SIZE[1])
    try:
        visit(browser, shipped, "/codegate/")
        wait_for(browser, "innerWidth < 996")
        browser.click(".drawer-button")
        wait_for(browser, "document.querySelector('dialog.drawer[open]')?.checkVisibility()")
        browser.press("Escape")
        wait_for(browser, "document.querySelector('dialog.drawer[open]') === null")
        wait_for(browser, "document.documentElement.scrollWidth <= innerWidth")
    finally:
        browser.resize(*SIZE)


def expect_search_in_files(browser: Browser) -> None:
    """Type into the dialog, and follow the first hit by the keyboard."""
    wait_for(browser, "document.documentElement.dataset.hydrated")
    browser.press("Control", "k")
    wait_for(browser, "document.activeElement?.getAttribute('role') === 'combobox'")
    browser.press("instal")
    wait_for(browser, "document.querySelector('[role=option]')?.textContent.includes('Install')")
    assert browser.run("return document.querySelector('.search-frame').dataset.answeredBy") == "static"
    browser.press("Enter")
    wait_for(browser, "/install/.test(location.pathname) && document.querySelector('h1')?.textContent === 'Install'")


def test_offline_copy_opens_from_disk_with_links_tabs_and_search(
    browser: Browser, editions: Served, tmp_path: Path
) -> None:
    folder = write_offline(editions.out, tmp_path / "copy").folder
    browser.visit((folder / "index.html").as_uri())
    expect_search_in_files(browser)
    browser.visit((folder / "search/index.html").as_uri() + "?q=instlal")
    wait_for(browser, "document.querySelector('.found-count')?.textContent.includes('found')")
    browser.visit((folder / "constructs/index.html").as_uri())
    wait_for(browser, "document.querySelector('.tabs')?.hasAttribute('data-live')")
    browser.click(".tabs [role=tab]:not([aria-selected=true])")
    wait_for(browser, "document.querySelectorAll('.tabs [role=tab]')[1].getAttribute('aria-selected') === 'true'")
    wait_for(browser, "document.querySelector('.diagram-drawing').getBoundingClientRect().width > 0")


def test_host_of_files_is_searched(browser: Browser, editions: Served) -> None:
    with serve_folder(editions.out) as origin:
        browser.visit(f"{origin}/")
        expect_search_in_files(browser)
