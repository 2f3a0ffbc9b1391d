"""Searches of sites with several versions and languages, with settings of their own, with hostile pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.support.serving import Served, copy_site, publish_site, serve_folder

from .conftest import FIXTURES, OpenReader
from .searching import open_dialog

SETTINGS = """
[search]
results_per_group = 2
missing_results_url = "https://example.org/report?q={query}"
"""

RULES = """
[[rules]]
queries = ["broken pots"]
redirect = "/install"
"""

HOSTILE = """---
title: 'Glaze <img src=x onerror="window.isHurt = true">'
---

## Raku `<script>window.isHurt = true</script>`

Crackle &lt;img src=x onerror="window.isHurt = true"&gt; all over, `<svg onload="window.isHurt = true">`.
"""


@pytest.fixture(scope="module")
def kiln(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("kiln")
    site = copy_site(FIXTURES / "editions", folder / "site")
    config = site / "octavo.toml"
    config.write_text(config.read_text() + SETTINGS)
    (site / "docs" / "hostile.md").write_text(HOSTILE)
    (site / "search.toml").write_text(RULES)
    publish_site(site, folder / "out")
    with serve_folder(folder / "out", folder / "server.log") as served:
        yield served


HOSTILE_TEXTS = ["glaze img", "raku script", "crackle onerror", "svg onload"]
HOSTILE_QUERIES = ['<img src=x onerror="window.isHurt=true">', "<script>window.isHurt=true</script>", '"><b>x</b>']


def test_markup_in_records_is_shown_as_text(kiln: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, kiln, "/install")
    for query in HOSTILE_TEXTS:
        dialog.ask(query)
        expect(dialog.root.get_by_text("<").first).to_be_visible()
        assert dialog.root.locator("img, script, svg:not(.icon)").count() == 0
        assert dialog.reader.page.evaluate("window.isHurt") is None
    for query in HOSTILE_TEXTS:
        dialog.reader.visit(f"/search?q={quote(query)}")
        place = dialog.reader.article.get_by_role("list")
        expect(place.get_by_text("<").first).to_be_visible()
        assert place.locator("img, script, svg:not(.icon)").count() == 0
        assert dialog.reader.page.evaluate("window.isHurt") is None


def test_markup_in_a_query_is_shown_as_text(kiln: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, kiln, "/install")
    for query in HOSTILE_QUERIES:
        dialog.ask(f"qwxzyk{query}"[:64])
        assert dialog.root.locator("img, script, b").count() == 0
    for query in HOSTILE_QUERIES:
        dialog.reader.visit(f"/search?q={quote(query)}")
        dialog.reader.expect_heading(f'Search results for "{query}"')
        assert dialog.reader.article.locator("h1 :not(wbr)").count() == 0
        assert dialog.reader.page.evaluate("window.isHurt") is None


def test_filter_on_the_version_never_empties_the_list_in_silence(kiln: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, kiln, "/1.0/install")
    dialog.ask('"nothing like it"')
    expect(dialog.root.get_by_text("hidden by the filter on this language and version")).to_be_visible()
    dialog.root.get_by_role("button", name="Search everywhere").click()
    expect(dialog.options.first).to_contain_text("2.0")
    dialog.root.get_by_role("button", name="All versions and languages").click()
    expect(dialog.options).to_have_count(0)


def test_readers_find_the_version_that_they_read(kiln: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, kiln, "/1.0/install")
    dialog.ask("install")
    for option in dialog.options.all():
        assert (option.get_attribute("href") or "").startswith("/1.0/")


def test_groups_hold_as_many_hits_as_configured(kiln: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, kiln, "/install")
    dialog.ask("kiln")
    assert max(group.get_by_role("option").count() for group in dialog.root.get_by_role("group").all()) == 2


def test_enter_leads_to_the_page_that_a_query_is_redirected_to(kiln: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, kiln, "/hostile")
    dialog.ask("broken pots")
    dialog.expect_at(0)
    expect(dialog.active).to_have_attribute("href", "/install")
    dialog.reader.press("Enter")
    dialog.reader.page.wait_for_url("**/install")
    expect(dialog.root).to_have_count(0)


def test_missing_results_can_be_reported(kiln: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, kiln, "/install")
    dialog.ask("qwxzyk & qyzzwx")
    expect(dialog.root.get_by_text("Believe this query should return results?")).to_be_visible()
    link = dialog.root.get_by_role("link", name="Let us know.")
    expect(link).to_have_attribute("href", "https://example.org/report?q=qwxzyk%20%26%20qyzzwx")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A site whose server also searches another one."""
    sites = {"shop": 'other_sites = { potters = "For potters" }', "potters": ""}
    for name, more in sites.items():
        (tmp_path / name / "docs").mkdir(parents=True)
        (tmp_path / name / "octavo.toml").write_text(
            f'title = "{name}"\nurl = "https://{name}.example.org"\n[search]\nindex_name = "{name}"\n{more}\n'
        )
        text = f"# The {name}\n\nGlazes of the {name}.\n"
        (tmp_path / name / "docs" / "index.md").write_text(text + ("\nRaku.\n" if name == "potters" else ""))
        publish_site(tmp_path / name, tmp_path / f"{name}-out")
    monkeypatch.setenv("OCTAVO_ALSO_SEARCH", str(tmp_path / "potters-out"))
    with serve_folder(tmp_path / "shop-out", tmp_path / "server.log") as served:
        yield served


def test_hits_of_another_site_follow_under_its_name_and_lead_there(shop: Served, open_reader: OpenReader) -> None:
    dialog = open_dialog(open_reader, shop, "/")
    dialog.ask("glazes")
    labels = dialog.root.locator(".hit-group-label")
    expect(labels.last).to_contain_text("For potters")
    expect(dialog.options.last).to_have_attribute("href", "https://potters.example.org/")
    expect(dialog.options.first).to_have_attribute("href", "/")
    dialog.ask("raku")
    expect(dialog.options).to_have_count(1)
    expect(dialog.announcer).to_contain_text("1 result")
    dialog.field.press("ArrowDown")
    dialog.expect_at(0)
