"""Links replace the page without loading a document, and still behave as links do in a browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.support.serving import Served, publish_site, serve_folder

from .conftest import OpenReader
from .gate import Gate
from .pages import METERED, NEXT_FRAME, PHONE, Reader, settings


def hold_back(reader: Reader, address: str) -> Gate:
    """Let requests wait."""
    gate = Gate()
    reader.context.route(address, gate)
    return gate


def test_link_shows_the_next_page_in_the_same_document(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing")
    reader.mark_document()
    reader.follow("Workspaces", within=reader.sidebar)
    reader.expect_at("/codegate/features/workspaces")
    reader.expect_heading("Workspaces")
    expect(reader.page).to_have_title("Workspaces | Stacklok Docs")
    reader.expect_same_document()


def test_head_and_sidebar_follow_the_page(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing")
    reader.follow("Workspaces", within=reader.sidebar)
    reader.expect_heading("Workspaces")
    expect(reader.page.locator('meta[property="og:title"]')).to_have_attribute("content", "Workspaces | Stacklok Docs")
    description = reader.page.locator("meta[name=description]").get_attribute("content")
    assert f'content="{description}"' in shipped.html("/codegate/features/workspaces")
    current = reader.sidebar.locator("[aria-current=page]")
    expect(current).to_have_text("Workspaces")
    expect(current).to_have_count(1)


def test_page_shown_by_a_link_is_the_page_that_is_loaded(editions: Served, open_reader: OpenReader) -> None:
    """Word for word: the same text and the same links, whichever way a reader came."""
    describe = """() => ({
      text: document.querySelector("main").innerText,
      links: [...document.querySelectorAll("main a")].map((link) => link.href),
      title: document.title,
      description: document.querySelector("meta[name=description]")?.content,
      robots: document.querySelector("meta[name=robots]")?.content ?? null,
    })"""
    reader = open_reader(editions, "/")
    reader.follow("Constructs", within=reader.sidebar)
    reader.expect_heading("Constructs")
    expect(reader.tabs(0).tab("Bash")).to_have_attribute("aria-controls", re.compile("."))
    by_link = reader.page.evaluate(describe)
    reader.visit("/constructs")
    expect(reader.tabs(0).tab("Bash")).to_have_attribute("aria-controls", re.compile("."))
    assert reader.page.evaluate(describe) == by_link


def test_focus_goes_to_the_start_and_the_title_is_announced(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing")
    reader.follow("Workspaces", within=reader.sidebar)
    expect(reader.announcer).to_have_text("Workspaces")
    reader.press("Tab")
    expect(reader.page.get_by_role("link", name="Skip to main content")).to_be_focused()


def test_top_bar_marks_the_section_of_the_new_page(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/")
    expect(reader.bar.get_by_role("link", name="CodeGate", exact=True)).to_have_attribute("aria-current", "true")
    reader.mark_document()
    reader.follow("ToolHive", within=reader.bar)
    reader.expect_at("/toolhive/")
    expect(reader.bar.get_by_role("link", name="ToolHive", exact=True)).to_have_attribute("aria-current", "true")
    expect(reader.bar.locator("[aria-current]")).to_have_count(1)
    expect(reader.sidebar.locator("[aria-current=page]")).to_have_count(1)
    reader.expect_same_document()


def test_page_is_shown_from_its_top(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/theme-preview")
    reader.scroll_to(1500)
    reader.follow("What ToolHive is", within=reader.footer)
    reader.expect_at("/toolhive/")
    reader.expect_scrolled(0)


def test_back_and_forward_restore_page_and_position(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/theme-preview")
    reader.mark_document()
    reader.scroll_to(1700)
    reader.page.evaluate("document.querySelector('main a[href$=\"/toolhive/quickstart\"]').click()")
    reader.expect_at("/toolhive/quickstart")
    reader.expect_scrolled(0)
    reader.scroll_to(300)
    reader.page.go_back()
    reader.expect_heading("Theme preview")
    reader.expect_scrolled(1700)
    expect(reader.page).to_have_title("Theme preview | Stacklok Docs")
    reader.page.go_forward()
    reader.expect_at("/toolhive/quickstart")
    reader.expect_scrolled(300)
    reader.expect_same_document()


def test_position_is_restored_after_a_full_load(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/theme-preview")
    reader.scroll_to(1200)
    reader.page.reload()
    reader.wait_until_alive()
    reader.expect_scrolled(1200)


def test_link_with_anchor_shows_the_heading_below_the_bar(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install", settings(height=600))
    reader.mark_document()
    reader.follow("tall kilns")
    reader.expect_at("/tall#heading-20")
    reader.expect_below_bar(reader.page.locator("#heading-20"), most=80)
    reader.expect_same_document()


def test_address_with_anchor_shows_the_heading_below_the_bar(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/tall#heading-20", settings(height=600))
    reader.expect_below_bar(reader.page.locator("#heading-20"), most=80)


def test_anchor_of_the_same_page_is_an_entry_of_the_history(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/tall")
    reader.mark_document()
    reader.follow("Heading 12", within=reader.toc)
    reader.expect_at("/tall#heading-12")
    reader.page.wait_for_function("() => window.scrollY > 500")
    reader.page.go_back()
    reader.expect_at("/tall")
    reader.expect_scrolled(0)
    reader.expect_same_document()


def test_anchor_inside_closed_details_is_revealed(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs#inside")
    expect(reader.page.get_by_text("Hidden at first.")).to_be_visible()
    expect(reader.page.locator("#inside")).to_be_in_viewport()


def test_route_with_letters_outside_ascii_works_both_ways(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install")
    reader.mark_document()
    reader.follow("Größe & Maß", within=reader.sidebar)
    reader.expect_heading("Größe & Maß")
    expect(reader.sidebar.locator("[aria-current=page]")).to_have_text("Größe & Maß")
    reader.expect_same_document()
    reader.visit("/größe#über-die-höhe")
    reader.expect_heading("Größe & Maß")
    expect(reader.sidebar.locator("[aria-current=page]")).to_have_text("Größe & Maß")


def test_page_that_cannot_be_fetched_is_loaded_in_full(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing", METERED)
    reader.watch.forgive(r"workspaces\.json|ERR_FAILED")
    reader.context.route("**/_octavo/pages/**", lambda route: route.abort())
    reader.mark_document()
    reader.follow("Workspaces", within=reader.sidebar)
    reader.expect_at("/codegate/features/workspaces")
    reader.wait_until_alive()
    reader.expect_heading("Workspaces")
    reader.expect_other_document()


def test_new_deployment_is_loaded_in_full(shipped: Served, open_reader: OpenReader) -> None:
    """The payload names another site file than the one this document was made with."""

    def answer_as_later_build(route: Route) -> None:
        payload = route.fetch().json()
        route.fulfill(json=payload | {"site": "/_octavo/site.ffffffffffff.json"})

    # Before the visit: links in view are fetched ahead.
    reader = open_reader(shipped, "/codegate/features/muxing", answers={"**/_octavo/pages/**": answer_as_later_build})
    reader.mark_document()
    reader.follow("Workspaces", within=reader.sidebar)
    reader.expect_heading("Workspaces")
    reader.wait_until_alive()
    reader.expect_other_document()


def test_progress_is_shown_while_a_page_takes_long(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing", METERED)
    waiting = hold_back(reader, "**/_octavo/pages/codegate/features/workspaces.json")
    reader.link("Workspaces", within=reader.sidebar).click()
    bar = reader.page.locator(".progress")
    expect(bar).to_have_attribute("data-state", "loading")
    reader.expect_heading("Model muxing")
    waiting.open()
    reader.expect_heading("Workspaces")
    expect(bar).to_have_attribute("data-state", "done")


def test_page_with_a_style_sheet_of_its_own_is_shown_once_the_sheet_is_there(
    shipped: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing", METERED)
    reader.mark_document()
    before = reader.page.locator("h1").inner_text()
    waiting = hold_back(reader, "**/_octavo/assets/landing-*.css")
    reader.page.locator(".navbar .brand").click()
    waiting.wait_until(reader.page, lambda held: len(held) == 1)
    reader.page.evaluate(NEXT_FRAME)
    reader.expect_heading(before)
    waiting.open()
    expect(reader.page.locator(".hero-examples")).to_be_visible()
    reader.expect_at("/")
    assert reader.page.locator(".hero").evaluate("hero => getComputedStyle(hero).display") == "grid"
    reader.expect_same_document()


def test_style_sheet_that_does_not_come_leaves_the_page_to_the_browser(
    shipped: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing", METERED)
    reader.watch.forgive("ERR_FAILED")
    failed: list[str] = []

    def fail_once(route: Route) -> None:
        failed.append(route.request.url)
        route.abort() if len(failed) == 1 else route.continue_()

    reader.context.route("**/_octavo/assets/landing-*.css", fail_once)
    reader.page.locator(".navbar .brand").click()
    expect(reader.page.locator(".hero-examples")).to_be_visible()
    reader.expect_at("/")
    assert len(failed) == 2
    assert reader.page.locator(".hero").evaluate("hero => getComputedStyle(hero).display") == "grid"


def test_last_of_two_quick_clicks_wins(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing", METERED)
    waiting = hold_back(reader, "**/_octavo/pages/codegate/features/workspaces.json")
    reader.link("Workspaces", within=reader.sidebar).click()
    waiting.wait_until(reader.page, lambda held: len(held) == 1)
    reader.follow("Security reviews", within=reader.sidebar)
    reader.expect_heading("Security reviews")
    with reader.page.expect_request_finished(lambda request: request.url.endswith("/workspaces.json")):
        waiting.open()
    reader.page.evaluate(NEXT_FRAME)
    reader.expect_heading("Security reviews")
    reader.expect_at("/codegate/features/security-reviews")


def test_modified_click_opens_a_tab(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing")
    link = reader.sidebar.get_by_role("link", name="Workspaces", exact=True)
    with reader.context.expect_page() as opened:
        link.click(modifiers=["ControlOrMeta"])
    expect(opened.value).to_have_url(shipped.url("/codegate/features/workspaces"))
    reader.expect_at("/codegate/features/muxing")


def test_download_is_left_to_the_browser(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install")
    reader.page.evaluate(
        "document.querySelector('main .prose').insertAdjacentHTML('beforeend', '<a href=/constructs download=all.html>Save</a>')"
    )
    with reader.page.expect_download() as saved:
        reader.link("Save").click()
    assert saved.value.suggested_filename == "all.html"
    reader.expect_at("/install")
    reader.expect_heading("Install")


def test_link_out_opens_a_tab_and_keeps_this_page_to_itself(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/")
    for name in ("GitHub", "LinkedIn", "Discord", "YouTube"):
        link = reader.bar.get_by_role("link", name=f"Stacklok on {name}")
        expect(link).to_have_attribute("target", "_blank")
        expect(link).to_have_attribute("rel", "noopener noreferrer")


def test_address_is_normalised(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing/index.html", METERED)
    reader.expect_at("/codegate/features/muxing")
    for typed, shown in (
        ("/codegate/features/muxing.html", "/codegate/features/muxing"),
        ("/codegate/index.html", "/codegate/"),
        ("/index.html", "/"),
        ("/codegate", "/codegate/"),
        ("/codegate/features/muxing/", "/codegate/features/muxing"),
    ):
        reader.visit(typed)
        reader.expect_at(shown)


def test_link_to_a_file_name_is_normalised_by_the_client(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install")
    reader.mark_document()
    reader.page.evaluate("""() => {
      const link = document.createElement("a");
      link.href = "/guide/dry.html";
      link.textContent = "By file name";
      document.querySelector("main .prose").append(link);
    }""")
    reader.follow("By file name")
    reader.expect_heading("Dry")
    reader.expect_at("/guide/dry")
    reader.expect_same_document()


def test_link_to_a_file_of_a_page_that_is_no_folder_is_normalised_by_the_client(
    editions: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(editions, "/install")
    reader.watch.forgive("404")
    for typed, shown in (
        ("/guide/dry/index.html", "/guide/dry"),
        ("/guide/dry/", "/guide/dry"),
        ("/guide/dry/index.html?a=b#c", "/guide/dry?a=b#c"),
    ):
        # In full, so that nothing is known of the page.
        reader.visit("/install")
        reader.mark_document()
        reader.page.evaluate(
            "href => document.querySelector('main .prose').insertAdjacentHTML('beforeend', `<a href=${href}>File</a>`)",
            typed,
        )
        reader.follow("File")
        reader.expect_heading("Dry")
        reader.expect_at(shown)
        expect(reader.sidebar.locator("[aria-current=page]")).to_have_text("Dry")
        reader.expect_same_document()


def test_page_is_fetched_ahead_on_hover_and_on_focus(shipped: Served, open_reader: OpenReader) -> None:
    """Pages that the article does not link to, so that no link in view fetches them."""
    reader = open_reader(shipped, "/codegate/features/muxing")
    with reader.page.expect_response("**/_octavo/pages/codegate/features/security-reviews.json"):
        reader.sidebar.get_by_role("link", name="Security reviews", exact=True).hover()
    with reader.page.expect_response("**/_octavo/pages/codegate/quickstart.json"):
        reader.sidebar.get_by_role("link", name="Quickstart").first.focus()


PAGES_FETCHED = """performance.getEntriesByType("resource").filter(({ name, responseEnd }) =>
  responseEnd > 0 && name.includes("/_octavo/pages/"))"""


def test_pages_in_view_are_fetched_ahead_within_limits(shipped: Served, open_reader: OpenReader) -> None:
    """A window so high that it shows the links to all of the 35 commands."""
    reader = open_reader(shipped, "/toolhive/reference/cli/thv", settings(height=3000))
    reader.page.wait_for_function(f"() => {PAGES_FETCHED}.length >= 12")
    # The end of one request is the beginning of the next.
    reader.page.evaluate(NEXT_FRAME)
    fetched = reader.watch.requested(lambda path: path.startswith("/_octavo/pages/"))
    assert len(fetched) == len(set(fetched)) == 12


@pytest.mark.parametrize(
    "connection", ["{ saveData: true }", "{ effectiveType: '2g' }", "{ effectiveType: 'slow-2g' }"]
)
def test_nothing_is_fetched_ahead_on_slow_or_metered_lines(
    connection: str, shipped: Served, open_reader: OpenReader
) -> None:
    slow = f"Object.defineProperty(Navigator.prototype, 'connection', {{ get: () => ({connection}) }});"
    reader = open_reader(shipped, "/codegate/features/", settings(init_script=slow))
    reader.sidebar.get_by_role("link", name="Workspaces", exact=True).hover()
    reader.page.wait_for_load_state("networkidle")
    assert reader.watch.requested(lambda path: path.startswith("/_octavo/pages/")) == []


def test_navigation_works_on_a_phone(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing", PHONE)
    reader.mark_document()
    reader.pager.get_by_role("link").last.click()
    expect(reader.page.locator("h1")).not_to_have_text("Model muxing")
    reader.expect_same_document()


def test_previous_and_next_lead_there_and_back(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing")
    reader.pager.locator("[rel=next]").click()
    expect(reader.page.locator("h1")).not_to_have_text("Model muxing")
    reader.pager.locator("[rel=prev]").click()
    reader.expect_heading("Model muxing")


def test_page_whose_address_ends_in_html_replaces_another_one(open_reader: OpenReader, tmp_path: Path) -> None:
    """As where addresses of an older site are kept: no request fails, and the address stays as the site writes it."""
    files = {
        "octavo.toml": 'title = "Kiln"\nurl = "https://example.org"\n[routing]\nending = ".html"\n',
        "docs/index.md": "# Home\n\n[First](a/first.md)\n",
        "docs/a/first.md": "# First\n\n[Second](second.md)\n",
        "docs/a/second.md": "# Second\n\nText.\n",
    }
    for path, content in files.items():
        (tmp_path / "site" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / path).write_text(content)
    publish_site(tmp_path / "site", tmp_path / "out")
    with serve_folder(tmp_path / "out", tmp_path / "log") as served:
        reader = open_reader(served, "/")
        reader.mark_document()
        for name in ("First", "Second"):
            reader.follow(name)
            reader.expect_heading(name)
            reader.expect_at(f"/a/{name.lower()}.html")
        reader.page.go_back()
        reader.expect_heading("First")
        reader.expect_same_document()
        assert reader.watch.complaints() == []
