"""Pages of a site that get other texts, without a new site being assembled."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from octavo.content import Link
from octavo.diagnostics import Span
from octavo.site import DocumentSummary, Site, with_summaries
from octavo.site.sidebar import is_group, page_links
from tests.support.sites import TWO_LOCALES, MakeSite, SiteFolder, edition_of, page, page_at

FILES: dict[str, str | bytes] = {
    "docs/a.md": page("A", "Old.\n\n## One"),
    "docs/b.md": page("B"),
    "docs/guides/c.md": page("C"),
    "docs/guides/hidden.md": page("D", unlisted=True),
    "docs/empty/index.md": page("E"),
    "docs/empty/f.md": page("F", unlisted=True),
    "i18n/fr/docs/a.md": page("A en français", "Texte."),
}


@pytest.fixture
def folder(make_site: MakeSite) -> SiteFolder:
    return make_site(FILES, TWO_LOCALES)


def changed(folder: SiteFolder, path: str = "docs/a.md", site: Site | None = None, **changes: Any) -> Site | None:
    """Give a page a summary with some fields changed."""
    site = site or folder.assemble()
    summary = next(one.summary for one in site.pages if one.origin == path)
    assert summary is not None
    return with_summaries(site, {path: msgspec.structs.replace(summary, **changes)})


def test_page_gets_another_summary_and_the_rest_is_shared(folder: SiteFolder) -> None:
    site = folder.assemble()
    found = changed(folder, site=site, excerpt="New.")
    assert found is not None
    assert (page_at(found, "/a").description, page_at(site, "/a").description) == ("New.", "Old.")
    assert edition_of(found).pages["a"] is page_at(found, "/a")
    assert page_at(found, "/b") is page_at(site, "/b")
    assert edition_of(found, "/fr") is edition_of(site, "/fr")


def test_page_that_shows_an_original_gets_its_summary_too(folder: SiteFolder) -> None:
    found = changed(folder, "docs/b.md", excerpt="New.")
    assert found is not None
    assert [page_at(found, route).description for route in ("/b", "/fr/b", "/fr/a")] == ["New.", "New.", "Texte."]


def test_translation_keeps_the_place_that_its_original_gives_it(make_site: MakeSite) -> None:
    files = FILES | {"docs/a.md": page("A", sidebar_position=3)}
    found = changed(make_site(files, TWO_LOCALES), "i18n/fr/docs/a.md", excerpt="Neuf.")
    assert found is not None
    summary = page_at(found, "/fr/a").summary
    assert summary is not None
    assert (summary.excerpt, summary.front_matter.sidebar_position) == ("Neuf.", 3)


@pytest.mark.parametrize(
    "changes",
    [{"icon": "star"}, {"island_kinds": ["mermaid"]}, {"island_kinds": ["component:Kiln"]}],
    ids=["icon", "diagram", "component"],
)
def test_change_that_concerns_other_pages_needs_a_new_site(folder: SiteFolder, changes: dict[str, Any]) -> None:
    assert changed(folder, **changes) is None


def test_other_islands_and_ids_concern_their_page_alone(folder: SiteFolder) -> None:
    assert changed(folder, island_kinds=["tabs"]) is not None
    assert changed(folder, names=["place"]) is not None


@pytest.mark.parametrize("field", ["names", "headings"])
def test_other_ids_need_a_new_site_where_links_name_places_by_them(folder: SiteFolder, field: str) -> None:
    link = Link("ref:one", Span("docs/b.md"), is_markup=True)
    site = changed(folder, "docs/b.md", links=[link])
    assert site is not None
    assert changed(folder, site=site, excerpt="New.") is not None
    assert changed(folder, site=site, **{field: ["place"] if field == "names" else []}) is None


def test_other_front_matter_needs_a_new_site(folder: SiteFolder) -> None:
    site = folder.assemble()
    summary = page_at(site, "/a").summary
    assert isinstance(summary, DocumentSummary)
    front = msgspec.structs.replace(summary.front_matter, sidebar_position=2)
    assert changed(folder, site=site, front_matter=front) is None


def test_file_that_is_no_page_of_the_site_needs_a_new_one(folder: SiteFolder) -> None:
    site = folder.assemble()
    summary = page_at(site, "/a").summary
    assert summary is not None
    assert with_summaries(site, {"docs/a.md": summary, "docs/new.md": summary}) is None


def test_links_of_a_sidebar_are_in_its_order_with_those_of_categories(folder: SiteFolder) -> None:
    nodes = edition_of(folder.assemble()).sidebars["docs"]
    assert [one.route for one in page_links(nodes)] == [
        "/a",
        "/b",
        "/empty/",
        "/empty/f",
        "/guides/c",
        "/guides/hidden",
    ]
    assert [getattr(node, "label", "") for node in nodes if is_group(node)] == ["Guides"]
