"""Without scripts every page reads, and links, search and colors work."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.support.serving import Served

from .conftest import OpenReader
from .pages import DESKTOP, PHONE, Settings, settings

NO_SCRIPT = settings(has_scripts=False)

KINDS = {
    "landing": ("/", "Code with AI. Keep what is yours."),
    "doc": ("/codegate/features/muxing", "Model muxing"),
    "category": ("/category/using-the-toolhive-cli", "CLI"),
    "search": ("/search", "Search the documentation"),
    "theme preview": ("/theme-preview", "Theme preview"),
}


def test_contents_promise_no_folding(shipped: Served, open_reader: OpenReader) -> None:
    """They are open, and nothing closes them."""
    reader = open_reader(shipped, "/codegate/features/muxing", settings(PHONE, has_scripts=False))
    expect(reader.toc.locator("ul")).to_be_visible()
    expect(reader.toc.locator(".icon")).to_be_hidden()


@pytest.mark.parametrize("base", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_page_reads(base: Settings, shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/", settings(base, has_scripts=False))
    for route, heading in KINDS.values():
        reader.visit(route)
        expect(reader.page.locator("h1")).to_be_visible()
        expect(reader.page.locator("h1")).to_contain_text(heading)
        expect(reader.article.locator(".prose p").first).to_be_visible()
        expect(reader.footer).to_be_visible()


def test_not_found_page_reads_and_leads_home(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/no/such/page", NO_SCRIPT)
    reader.watch.forgive("404")
    reader.expect_heading("Page Not Found")
    reader.follow("Go to the home page")
    reader.expect_at("/")


def test_sidebar_leads_to_every_page_of_the_open_branch(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing", NO_SCRIPT)
    reader.follow("Workspaces", within=reader.sidebar)
    reader.expect_at("/codegate/features/workspaces")


def test_closed_category_without_a_page_leads_to_its_first_page(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install", NO_SCRIPT)
    reader.sidebar.locator("a", has_text="Firing").click()
    reader.expect_at("/category/firing")
    reader.sidebar.locator("a", has_text="Deep heat").click()
    reader.expect_at("/guide/deep/bisque")


@pytest.mark.parametrize("base", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_every_tab_panel_reads_under_its_label(base: Settings, editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs", settings(base, has_scripts=False))
    panels = reader.article.get_by_role("tabpanel", include_hidden=True)
    expect(panels).to_have_count(7)
    for panel in panels.all():
        expect(panel).to_be_visible()
    labels = panels.evaluate_all(
        "panels => panels.map(panel => getComputedStyle(panel, '::before').content.replaceAll('\"', ''))"
    )
    assert labels == ["Bash", "Fish", "Zsh", "Bash", "Fish", "High", "Low"]
    expect(reader.article.get_by_role("tablist")).to_have_count(0)


def test_details_open_and_a_diagram_shows_its_source(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs", NO_SCRIPT)
    expect(reader.page.get_by_text("Hidden at first.")).to_be_hidden()
    reader.page.locator(".prose details:not(.diagram-source, .code-fold) > summary").click()
    expect(reader.page.get_by_text("Hidden at first.")).to_be_visible()
    expect(reader.article.locator(".diagram-drawing")).to_be_visible()
    reader.article.get_by_text("Diagram as text").click()
    expect(reader.article.get_by_text("Cold --> Hot --> Cold")).to_be_visible()


def test_search_form_leads_to_the_results_page(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/search", NO_SCRIPT)
    reader.article.get_by_role("searchbox").fill("muxing")
    reader.press("Enter")
    reader.expect_at("/search?q=muxing")


def test_search_button_leads_to_the_results_page(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/", NO_SCRIPT)
    reader.bar.get_by_role("button", name="Search").click()
    reader.page.wait_for_url("**/search*")
    reader.expect_heading("Search the documentation")


@pytest.mark.parametrize(
    ("site", "system", "mode", "other"),
    [
        ("editions", "light", "light", "dark"),
        ("editions", "dark", "dark", "light"),
        ("handbook", "dark", "light", "dark"),
    ],
    ids=["light system", "dark system", "system without a say"],
)
def test_color_mode_is_that_of_the_system_or_of_the_site(
    site: str, system: Literal["light", "dark"], mode: str, other: str, request, open_reader: OpenReader
) -> None:
    """The site's own where the system has no say; pictures with two variants included."""
    reader = open_reader(request.getfixturevalue(site), "/constructs", settings(has_scripts=False, system=system))
    ground = "root => getComputedStyle(root).getPropertyValue('background-color')"
    expected = {"light": "rgb(253, 252, 250)", "dark": "rgb(22, 23, 27)"}[mode]
    assert reader.page.locator("html").evaluate(ground) == expected
    picture = reader.article.get_by_alt_text("The mark")
    expect(picture.and_(reader.page.locator(f".themed-{mode}"))).to_be_visible()
    expect(reader.article.locator(f".themed-{other}")).to_be_hidden()


def test_phone_can_reach_the_sidebar(editions: Served, open_reader: OpenReader) -> None:
    """The drawer needs scripts; without them the links of the sidebar must be reachable all the same."""
    reader = open_reader(editions, "/guide/dry", settings(PHONE, has_scripts=False))
    reader.page.get_by_role("link", name="Heat", exact=True).first.click()
    reader.expect_at("/guide/heat")


def test_controls_that_need_scripts_are_not_shown(editions: Served, open_reader: OpenReader) -> None:
    """A button that does nothing is worse than none."""
    reader = open_reader(editions, "/install", settings(PHONE, has_scripts=False))
    for name in ("Toggle navigation bar", "Switch between dark and light mode", "Close"):
        expect(reader.page.get_by_role("button", name=name)).to_have_count(0)


def test_operation_has_no_empty_row_of_buttons(shipped: Served, open_reader: OpenReader) -> None:
    route = "/codegate/reference/api/workspaces/v1-create-workspace"
    reader = open_reader(shipped, route, settings(PHONE, has_scripts=False))
    expect(reader.article.locator(".api-tools")).to_be_hidden()


def test_menu_of_the_page_has_a_label(shipped: Served, open_reader: OpenReader) -> None:
    """Without its button an arrow was left, which says nothing."""
    reader = open_reader(shipped, "/codegate/features/muxing", settings(has_scripts=False))
    menu = reader.page.locator(".page-menu summary")
    label = menu.evaluate("menu => getComputedStyle(menu, '::before').content")
    assert label.startswith('"Markdown"')
    menu.click()
    reader.page.get_by_role("link", name="View as Markdown").click()
    reader.expect_at("/codegate/features/muxing.md")
