"""What readers see when something fails: the page stays readable, the reason is shown, and they can try again."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.support.serving import Served

from .axe import find_violations, find_violations_in_both_modes
from .conftest import OpenReader
from .folders import serve_folder
from .pages import DESKTOP, METERED, PHONE, Reader, Settings, settings

widths = pytest.mark.parametrize("base", [DESKTOP, PHONE], ids=["1440", "390"])

BROKEN_CALENDAR = """
const made = Intl.DateTimeFormat;
Intl.DateTimeFormat = function () {
  if (!window.isMended) {
    throw new Error("There is no calendar.", { cause: new Error("The <b>clock</b> stopped.", { cause: "Sand." }) });
  }
  return new made(...arguments);
};
Object.defineProperty(HTMLTimeElement.prototype, "dateTime", { get: () => "" });
"""
"""What draws the date of the last change throws, until the test mends it; the text that came as HTML is not recognized."""

CRASH = "There is no calendar|The above error|hydrat|occurred in"


def crash(open_reader: OpenReader, site: Served, habits: Settings, route: str = "/") -> Reader:
    """Open a page that cannot be rendered, or a page that links to it."""
    reader = open_reader(site, route, settings(habits, init_script=BROKEN_CALENDAR))
    reader.watch.forgive(CRASH)
    return reader


@widths
def test_page_that_crashes_says_so_with_its_causes(base: Settings, editions: Served, open_reader: OpenReader) -> None:
    reader = crash(open_reader, editions, base)
    reader.expect_heading("This page crashed.")
    messages = reader.article.locator("pre.chunk-error")
    expect(messages).to_have_text(["There is no calendar.", "Cause: The <b>clock</b> stopped.", "Cause: Sand."])
    expect(reader.bar).to_be_visible()
    expect(reader.footer).to_be_visible()
    assert find_violations_in_both_modes(reader.page) == []


def test_page_that_came_as_html_is_whole_again_after_another_try(editions: Served, open_reader: OpenReader) -> None:
    reader = crash(open_reader, editions, DESKTOP)
    reader.expect_heading("This page crashed.")
    reader.page.evaluate("window.isMended = true")
    reader.article.get_by_role("button", name="Try again").click()
    reader.expect_heading("Kiln")
    expect(reader.article).to_contain_text("stands here once and only once")
    expect(reader.article).to_contain_text("Mar 4, 2025")


def test_page_shown_by_a_link_is_whole_again_after_another_try(editions: Served, open_reader: OpenReader) -> None:
    reader = crash(open_reader, editions, PHONE, "/install")
    reader.follow("the start")
    reader.expect_heading("This page crashed.")
    reader.article.get_by_role("button", name="Try again").click()
    reader.expect_heading("This page crashed.")
    reader.page.evaluate("window.isMended = true")
    reader.article.get_by_role("button", name="Try again").click()
    reader.expect_heading("Kiln")
    expect(reader.article).to_contain_text("stands here once and only once")


def test_crash_is_gone_on_the_next_page(editions: Served, open_reader: OpenReader) -> None:
    reader = crash(open_reader, editions, DESKTOP, "/install")
    reader.follow("the start")
    reader.expect_heading("This page crashed.")
    reader.follow("Constructs", within=reader.sidebar)
    reader.expect_heading("Constructs")


def test_crash_of_the_frame_itself_leaves_a_page_that_says_so(editions: Served, open_reader: OpenReader) -> None:
    def lose_the_columns(route: Route) -> None:
        site = route.fetch().json()
        route.fulfill(json=site | {"footer": {"logo": None, "copyright": ""}})

    reader = open_reader(editions, "/install", answers={"**/_octavo/site.*.json": lose_the_columns})
    reader.watch.forgive("Cannot read properties|The above error|hydrat|occurred in")
    reader.expect_heading("This page crashed.")
    expect(reader.article.get_by_role("button", name="Try again")).to_be_visible()
    assert find_violations_in_both_modes(reader.page) == []


@widths
def test_block_whose_code_does_not_come_says_so_and_can_be_tried_again(
    base: Settings, editions: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(editions, "/constructs", base, {"**/Mermaid-*.js": lambda route: route.abort()})
    reader.watch.forgive("ERR_FAILED|Failed to load")
    alert = reader.article.get_by_role("alert")
    expect(alert).to_contain_text("Failed to fetch dynamically imported module")
    expect(reader.article.locator(".mermaid-source")).to_contain_text("Shelf")
    assert find_violations(reader.page) == []
    reader.context.unroute_all()
    with reader.page.expect_navigation():
        alert.get_by_role("button", name="Retry").click()
    reader.wait_until_alive()
    diagram = reader.article.locator("[data-island=mermaid]")
    diagram.scroll_into_view_if_needed()
    reader.page.mouse.move(300, 300)
    expect(diagram.locator("iframe")).to_be_visible()


def test_page_without_scripts_of_its_own_still_reads_and_leads_on(editions: Served, open_reader: OpenReader) -> None:
    """The client does not come at all: nothing is said, for nothing is missing."""
    reader = open_reader(editions, "/install")
    reader.watch.forgive("ERR_FAILED|Failed to (load|fetch)")
    reader.context.route("**/client-*.js", lambda route: route.abort())
    reader.page.goto(editions.url("/constructs"))
    reader.follow("Install", within=reader.sidebar)
    reader.expect_at("/install")
    reader.expect_heading("Install")


FORBID_STORAGE = """
const refuse = { get() { throw new DOMException("The operation is insecure.", "SecurityError"); } };
Object.defineProperty(window, "localStorage", refuse);
Object.defineProperty(window, "sessionStorage", refuse);
"""

FULL_STORAGE = """
Storage.prototype.setItem = () => { throw new DOMException("The quota has been exceeded.", "QuotaExceededError"); };
"""


@pytest.mark.parametrize("trouble", [FORBID_STORAGE, FULL_STORAGE], ids=["forbidden", "full"])
def test_everything_works_without_storage_after_one_warning(
    trouble: str, editions: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(editions, "/constructs", settings(init_script=trouble))
    reader.tabs(0).choose("Fish")
    reader.tabs(0).expect_chosen("Fish")
    reader.tabs(1).expect_chosen("Fish")
    announcement = reader.page.get_by_role("region", name="Announcement", exact=True)
    announcement.get_by_role("button", name="Close").click()
    expect(announcement).to_be_hidden()
    reader.color_mode.button.click()
    reader.color_mode.expect_shown("light", choice="light")
    reader.bar.get_by_role("button", name="Version").hover()
    reader.follow("Install", within=reader.sidebar)
    reader.expect_heading("Install")
    reader.scroll_to(100)
    reader.page.go_back()
    reader.expect_heading("Constructs")
    expect(announcement).to_be_hidden()
    reader.color_mode.expect_shown("light", choice="light")
    warnings = [line for line in reader.watch.complaints() if "console warning" in line]
    assert len(warnings) == 1
    assert "Browser storage is not available" in warnings[0]
    reader.watch.forgive("console warning: Browser storage is not available")


@contextmanager
def serve_one_folder_up(out: Path, folder: Path) -> Iterator[str]:
    """Publish a site at another path than its own, on a server that knows nothing of it; gives the address."""
    shutil.copytree(out, folder / "docs")
    with serve_folder(folder) as origin:
        yield f"{origin}/docs/"


@widths
def test_home_page_at_the_wrong_path_names_the_right_base_url(
    base: Settings, editions: Served, browser: Browser, tmp_path: Path
) -> None:
    """Neither script nor style of the site can be loaded there."""
    with serve_one_folder_up(editions.out, tmp_path) as address:
        page = browser.new_page(viewport={"width": base.width, "height": base.height})
        page.goto(address)
        banner = page.get_by_role("alert")
        expect(banner).to_contain_text("This site did not load properly.")
        expect(banner).to_contain_text('Configured is base_url = "/".')
        expect(banner).to_contain_text('suggests base_url = "/docs/".')
        expect(banner).to_be_in_viewport()
        page.close()


def test_home_page_in_its_place_warns_of_nothing(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/")
    expect(reader.page.get_by_role("alert")).to_have_count(0)
    reader.visit("/de/")
    expect(reader.page.get_by_role("alert")).to_have_count(0)


def test_page_stays_when_the_site_does_not_answer(editions: Served, open_reader: OpenReader) -> None:
    """A link, and the search whose code has not come yet: neither gives the reader to the browser's error page."""
    reader = open_reader(editions, "/constructs", METERED)
    reader.watch.forgive(r"ERR_INTERNET_DISCONNECTED|dynamically imported")
    reader.mark_document()
    reader.context.set_offline(True)
    reader.link("Install", within=reader.sidebar).click()
    notice = reader.page.get_by_role("alert")
    expect(notice).to_contain_text("the site does not answer")
    notice.evaluate("notice => { notice.id = 'of-the-link'; }")
    reader.press("Control+k")
    # The search has failed too, before the network is back: otherwise its page opens in the middle of what follows.
    expect(notice).to_have_count(2)
    reader.page.evaluate("document.getElementById('of-the-link').remove()")
    expect(notice).to_contain_text("the site does not answer")
    reader.expect_same_document()
    reader.expect_heading("Constructs")
    reader.context.set_offline(False)
    reader.follow("Install", within=reader.sidebar)
    reader.expect_heading("Install")
    expect(notice).to_have_count(0)


def test_act_whose_code_does_not_come_is_answered(editions: Served, open_reader: OpenReader) -> None:
    """Without an answer the page stays; with one it is loaded anew, once, and says then what is missing."""
    reader = open_reader(editions, "/constructs", METERED, {"**/helpDialog-*.js": lambda route: route.abort()})
    reader.watch.forgive("ERR_FAILED|ERR_INTERNET_DISCONNECTED|Failed to load")
    notice = reader.page.get_by_role("alert").filter(has=reader.page.get_by_role("button", name="Retry"))
    reader.mark_document()
    reader.context.set_offline(True)
    reader.press("?")
    expect(notice).to_contain_text("the site does not answer")
    reader.expect_same_document()
    reader.context.set_offline(False)
    with reader.page.expect_navigation():
        notice.get_by_role("button", name="Retry").click()
    reader.wait_until_alive()
    reader.press("?")
    expect(notice).to_contain_text("Failed to fetch dynamically imported module")
    reader.page.unroute_all()
    reader.context.unroute_all()
    with reader.page.expect_navigation():
        notice.get_by_role("button", name="Retry").click()
    reader.wait_until_alive()
    reader.press("?")
    expect(reader.page.get_by_role("dialog")).to_be_visible()
