"""Two languages, two versions: the switches, the banners, and what a page says about its siblings."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.support.serving import Served

from .conftest import OpenReader
from .pages import PHONE, Reader, settings
from .searching import SEARCHES, open_dialog


def choose(reader: Reader, switch: str, label: str) -> None:
    reader.bar.get_by_role("button", name=switch).hover()
    entry(reader, label).click()


def entry(reader: Reader, label: str) -> Locator:
    return reader.bar.locator(".dropdown-menu:visible").get_by_role("link", name=label)


def test_shipped_site_has_no_switches(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing")
    for name in ("Language", "Version"):
        expect(reader.page.get_by_role("button", name=name)).to_have_count(0)


def test_switch_names_what_is_shown(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/de/1.0/install")
    bar = reader.page.get_by_role("navigation", name="Hauptnavigation")
    expect(bar.get_by_role("button", name="Sprache")).to_contain_text("Deutsch")
    expect(bar.get_by_role("button", name="Version")).to_contain_text("1.0")


def test_other_language_of_the_same_page_is_shown(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install")
    choose(reader, "Language", "Deutsch")
    reader.expect_at("/de/install")
    reader.wait_until_alive()
    reader.expect_heading("Einrichten")
    expect(reader.page.locator("html")).to_have_attribute("lang", "de")


def test_query_and_anchor_are_kept_between_languages(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs?heat=high#tabs")
    choose(reader, "Language", "Deutsch")
    reader.expect_at("/de/constructs?heat=high#tabs")
    reader.wait_until_alive()


def test_untranslated_page_is_shown_in_the_default_language(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/de/tall")
    reader.expect_heading("Tall")


def test_links_stay_in_the_language_of_the_reader(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/de/")
    addresses = reader.page.locator("a[href^='/']").evaluate_all(
        """links => links.filter((link) => !link.closest(".dropdown-menu:has([hreflang])")).map(({ pathname }) => pathname)"""
    )
    # The Markdown of the page itself has its address without the final slash.
    assert [address for address in addresses if not address.startswith("/de/")] == ["/de.md"]


def test_other_version_of_the_same_page_is_shown(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install")
    choose(reader, "Version", "1.0")
    reader.expect_at("/1.0/install")
    reader.wait_until_alive()
    reader.expect_heading("Install the old kiln")


def test_page_that_the_other_version_lacks_leads_to_its_main_page_and_says_so(
    editions: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(editions, "/only-new")
    reader.bar.get_by_role("button", name="Version").hover()
    expect(entry(reader, "1.0")).to_contain_text("since 2.0")
    entry(reader, "1.0").click()
    reader.expect_at("/1.0/")
    reader.wait_until_alive()
    reader.expect_heading("Kiln one")


def test_older_version_says_so_and_leads_to_the_latest(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/1.0/install")
    note = reader.article.get_by_role("note")
    expect(note).to_contain_text("no longer maintained")
    # The menu of the page is beside the title: it covered the notice.
    expect(reader.article.locator("[role=note] ~ .page-menu")).to_have_count(1)
    note.get_by_role("link").click()
    reader.expect_at("/install")
    reader.wait_until_alive()
    expect(reader.article.get_by_role("note")).to_have_count(0)


def test_chosen_version_is_remembered(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install")
    choose(reader, "Version", "1.0")
    reader.expect_at("/1.0/install")
    reader.wait_until_alive()
    reader.expect_stored("docs-preferred-version-default", "1.0")
    reader.article.get_by_role("note").get_by_role("link").click()
    reader.expect_at("/install")
    reader.wait_until_alive()
    reader.expect_stored("docs-preferred-version-default", "2.0")


def test_chosen_version_that_is_no_more_is_forgotten(editions: Served, open_reader: OpenReader) -> None:
    stored = {"docs-preferred-version-default": "0.9"}
    reader = open_reader(editions, "/install", settings(stored=stored))
    reader.expect_stored("docs-preferred-version-default", None)


def test_sidebar_and_pager_stay_in_the_version(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/1.0/")
    addresses = reader.page.locator("nav.sidebar a, nav.pager a, main .prose a").evaluate_all(
        "links => links.map(link => link.pathname)"
    )
    assert addresses
    assert [address for address in addresses if not address.startswith("/1.0/")] == []


@pytest.mark.parametrize("is_static", [False, True], ids=["server", "static"])
def test_search_counts_the_hits_of_other_versions(
    editions: Served, open_reader: OpenReader, *, is_static: bool
) -> None:
    dialog = open_dialog(open_reader, editions, "/1.0/")
    if is_static:
        dialog.reader.context.route(SEARCHES, lambda route: route.abort())
        dialog.reader.watch.forgive(r"ERR_FAILED|1/indexes")
    dialog.ask("kiln")
    expect(dialog.options.first).to_have_attribute("href", re.compile(r"^/1\.0/"))
    others = dialog.root.get_by_role("group", name="Other versions")
    others.get_by_role("button", name=re.compile(r"^2\.0 \d+$")).click()
    chosen = dialog.filters.get_by_role("button", name="2.0")
    expect(chosen).to_have_attribute("aria-pressed", "true")
    expect(dialog.options.first).not_to_have_attribute("href", re.compile(r"^/1\.0/"))
    expect(dialog.field).to_be_focused()
    chosen.click()
    expect(dialog.options.first).to_have_attribute("href", re.compile(r"^/1\.0/"))


def test_page_names_its_languages_to_search_engines(editions: Served) -> None:
    document = editions.html("/de/install")
    for line in (
        '<link rel="alternate" hreflang="en" href="https://docs.example.org/install">',
        '<link rel="alternate" hreflang="de" href="https://docs.example.org/de/install">',
        '<link rel="alternate" hreflang="x-default" href="https://docs.example.org/install">',
    ):
        assert line in document


def test_switches_stand_in_the_drawer_on_a_phone(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install", PHONE)
    drawer = reader.open_drawer()
    back = drawer.get_by_role("button", name="Back to main menu")
    back.click()
    drawer.get_by_role("button", name="Language").click()
    drawer.get_by_role("link", name="Deutsch").click()
    reader.expect_at("/de/install")
    reader.wait_until_alive()


def test_not_found_page_speaks_the_language_of_its_address(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/de/gibt/es/nicht")
    reader.watch.forgive("404")
    expect(reader.page.locator("html")).to_have_attribute("lang", "de")
    reader.expect_heading("Seite nicht gefunden")
