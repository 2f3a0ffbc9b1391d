"""The first frame lays out what is seen; the rest of an article follows before anybody can miss it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.support.serving import Served, publish_site, serve_folder

from .conftest import OpenReader
from .pages import DESKTOP, settings

PAGE = "/codegate/features/muxing"
API = "/codegate/reference/api"
"""One block of groups of operations."""

FILTERED = "/toolhive/reference/registry-servers"
"""The first screen of a tablet shows a table that gets a field by script."""

# Counts, when the page is about to be painted and again when asked, the blocks that may wait.
COUNT = """
window.countWaiting = () => [...document.querySelectorAll(".prose > *, .prose section, .footer")]
  .filter((block) => getComputedStyle(block).contentVisibility === "auto").length;
new MutationObserver((records, observer) => {
  observer.disconnect();
  window.waitingAtFirst = window.countWaiting();
}).observe(document, { subtree: true, attributeFilter: ["data-shown"] });
"""
READER = settings(DESKTOP, init_script=COUNT)


@pytest.mark.parametrize(("route", "least"), [(PAGE, 10), (API, 4)])
def test_blocks_far_below_wait_at_first_and_are_laid_out_soon(
    route: str, least: int, shipped: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(shipped, route, READER)
    assert reader.page.evaluate("window.waitingAtFirst") > least
    reader.page.wait_for_function("() => window.countWaiting() === 0")


STEPS = """
new MutationObserver((records, observer) => {
  if (document.documentElement.dataset.shown === undefined) return;
  observer.disconnect();
  const visibility = (element) => getComputedStyle(element).contentVisibility;
  const near = [...document.querySelectorAll(".navbar, .prose > *")]
    .filter((block) => block.getBoundingClientRect().top < 2 * innerHeight);
  window.atFirst = [near.length, near.filter((block) => visibility(block) !== "visible").length,
    visibility(document.querySelector(".sidebar")), visibility(document.querySelector(".toc"))];
}).observe(document, { subtree: true, attributeFilter: ["data-shown"] });
"""


def test_article_is_laid_out_before_it_is_painted_and_what_is_beside_it_after(
    shipped: Served, open_reader: OpenReader
) -> None:
    """One frame for both would be a long task on a slow machine."""
    reader = open_reader(shipped, PAGE, settings(DESKTOP, init_script=STEPS))
    near, waiting, *beside = reader.page.evaluate("window.atFirst")
    assert (near > 6, waiting, beside) == (True, 0, ["hidden", "hidden"])
    for part in (".sidebar", ".toc"):
        expect(reader.page.locator(part)).to_have_css("content-visibility", "visible")
    expect(reader.page.locator("[data-laid='0']")).to_have_count(0)


SHIFTS = """
window.shifts = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shifts += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


@pytest.mark.parametrize(("route", "width"), [("/", 1440), (PAGE, 1440), (FILTERED, 820)])
def test_nothing_moves_while_the_rest_is_laid_out(
    route: str, width: int, shipped: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(shipped, route, settings(width=width, init_script=SHIFTS))
    reader.page.wait_for_function("() => document.documentElement.dataset.unfolded !== undefined")
    assert reader.page.evaluate("window.shifts") == 0


LONG = "\n".join(f"| `key-{row}` | What key {row} of the first list means. |" for row in range(60))
"""Rows of a table that is longer than any screen."""

HEAD = "\n| Name | Meaning |\n|---|---|\n"


@pytest.fixture(scope="module")
def lists(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A site of one page, whose fifth block is a table far below the first screen."""
    folder = tmp_path_factory.mktemp("lists")
    site = folder / "site"
    (site / "docs").mkdir(parents=True)
    (site / "octavo.toml").write_text('title = "Lists"\n')
    page = f"# Lists\n\n## First\n{HEAD}{LONG}\n\n## Second\n{HEAD}{LONG}\n\n## Third\n{HEAD}{LONG}\n"
    (site / "docs" / "index.md").write_text(page)
    publish_site(site, folder / "out")
    with serve_folder(folder / "out", folder / "server.log") as served:
        yield served


@pytest.mark.parametrize("width", [412, 1440])
def test_blocks_that_were_held_back_do_not_move_when_they_may_be_laid_out(
    width: int, lists: Served, open_reader: OpenReader
) -> None:
    """A browser counts a table that was hidden in the first frame as moved once it waits like the others."""
    reader = open_reader(lists, "/", settings(width=width, init_script=SHIFTS))
    reader.page.wait_for_function("() => document.documentElement.dataset.unfolded !== undefined")
    assert reader.page.evaluate("window.shifts") == 0


# What the inline script measures with, the first time.
FAILING = """
const { getBoundingClientRect } = Element.prototype;
Element.prototype.getBoundingClientRect = () => {
  Element.prototype.getBoundingClientRect = getBoundingClientRect;
  throw new Error("out of order");
};
"""
STOPPED = "window.setTimeout = () => 0;"


@pytest.mark.parametrize("fault", [FAILING, STOPPED], ids=["fails", "stops"])
def test_page_is_shown_where_the_inline_script_cannot_lay_it_out(shipped: Served, browser: Browser, fault: str) -> None:
    page = browser.new_page()
    page.add_init_script(fault)
    page.goto(shipped.url(PAGE))
    expect(page.locator("#octavo")).to_have_css("content-visibility", "visible")
    if fault == FAILING:
        expect(page.locator("html")).to_have_attribute("data-place", "1")
    page.close()


MISTAKEN = """
window.mistaken = 0;
new MutationObserver((records) => {
  for (const { target, oldValue } of records) if (oldValue !== null && !target.hasAttribute("data-fits")) mistaken += 1;
}).observe(document, { subtree: true, attributeFilter: ["data-fits"], attributeOldValue: true });
"""


def test_wide_table_is_never_taken_for_one_that_fits(shipped: Served, open_reader: OpenReader) -> None:
    """It waits to be laid out at first; in the frame in which it was, the page was as wide as the table."""
    reader = open_reader(shipped, "/codegate/how-to/configure", settings(width=390, init_script=MISTAKEN))
    reader.page.wait_for_function("() => document.documentElement.dataset.unfolded !== undefined")
    expect(reader.page.locator(".table-wrap[role=group]").first).to_be_attached()
    assert reader.page.evaluate("window.mistaken") == 0


def test_page_entered_at_an_anchor_is_whole_from_the_start(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, f"{PAGE}#when-it-helps", READER)
    assert reader.page.evaluate("window.waitingAtFirst") == 0


def test_page_that_is_loaded_again_is_whole_from_the_start(shipped: Served, open_reader: OpenReader) -> None:
    """The browser goes back to where the reader was, for which it needs all that is above."""
    reader = open_reader(shipped, PAGE, READER)
    reader.page.reload()
    reader.wait_until_alive()
    assert reader.page.evaluate("window.waitingAtFirst") == 0


def test_printed_page_holds_everything(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, PAGE, READER)
    reader.emulate(media="print")
    assert reader.page.evaluate("window.countWaiting()") == 0


def test_page_without_scripts_holds_everything(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, PAGE, settings(has_scripts=False))
    visibilities = reader.page.locator(".prose > *").evaluate_all(
        "blocks => [...new Set(blocks.map((block) => getComputedStyle(block).contentVisibility))]"
    )
    assert visibilities == ["visible"]
