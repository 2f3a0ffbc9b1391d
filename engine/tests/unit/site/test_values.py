"""A site is a value: nothing in it changes, and a changed text makes a new one that shares the rest."""

from __future__ import annotations

import msgspec
import pytest

from octavo.site import CategoryNode, DocNode, DocumentSummary, LinkNode, Page, Site, with_summaries
from tests.support.sites import MakeSite, page, page_at

FILES = {
    "docs/guides/index.md": page("Guides", "# Guides"),
    "docs/guides/a.md": page("A", "First."),
    "docs/guides/b.md": page("B", "Second."),
    "docs/_category_.yml": "label: All",
}


def changed(one: Page, **fields: object) -> dict[str, DocumentSummary]:
    assert one.summary is not None
    assert one.source is not None
    return {one.source.path: msgspec.structs.replace(one.summary, **fields)}


@pytest.mark.parametrize("type_", [Site, Page, DocNode, CategoryNode, LinkNode])
def test_fields_cannot_be_set(type_: type[msgspec.Struct]) -> None:
    assert type_.__struct_config__.frozen


def test_no_page_refers_to_another_page(make_site: MakeSite) -> None:
    """Else a page could not be replaced without those that name it."""
    site = make_site(FILES).assemble()

    def pages_in(value: object) -> int:
        if isinstance(value, Page):
            return 1
        if isinstance(value, msgspec.Struct):
            return sum(pages_in(getattr(value, name)) for name in value.__struct_fields__)
        if isinstance(value, (tuple, list)):
            return sum(map(pages_in, value))
        if isinstance(value, dict):
            return sum(map(pages_in, value.values()))
        return 0

    for one in site.pages:
        assert sum(pages_in(getattr(one, name)) for name in one.__struct_fields__) == 0
    assert len(site.pages) == 3


def test_changed_text_makes_a_new_site_that_shares_the_rest(make_site: MakeSite) -> None:
    site = make_site(FILES).assemble()
    before, other = page_at(site, "/guides/a"), page_at(site, "/guides/b")
    after = with_summaries(site, changed(before, excerpt="Changed.", body_key="new"))
    assert after is not None
    assert page_at(after, "/guides/a").description == "Changed."
    assert page_at(after, "/guides/a") is after.main_edition.pages["guides/a"]
    assert before.description == "First."
    assert page_at(site, "/guides/a") is before
    assert page_at(after, "/guides/b") is other
    assert after.main_edition.sidebars is site.main_edition.sidebars


def test_text_that_is_shown_in_two_editions_changes_in_both(make_site: MakeSite) -> None:
    locales = '[[locales]]\nid = "en"\nlabel = "English"\n\n[[locales]]\nid = "fr"\nlabel = "Français"\npath = "fr"\n'
    site = make_site(FILES, locales).assemble()
    after = with_summaries(site, changed(page_at(site, "/guides/a"), excerpt="Changed."))
    assert after is not None
    assert [page_at(after, route).description for route in ("/guides/a", "/fr/guides/a")] == ["Changed."] * 2


@pytest.mark.parametrize("fields", [{"has_title": False}, {"island_kinds": ["mermaid"]}])
def test_change_that_other_pages_depend_on_is_refused(make_site: MakeSite, fields: dict[str, object]) -> None:
    files = FILES | {"docs/guides/a.md": "# A\n\nFirst.\n"}
    site = make_site(files).assemble()
    assert with_summaries(site, changed(page_at(site, "/guides/a"), **fields)) is None


def test_summary_of_a_file_that_is_no_page_is_refused(make_site: MakeSite) -> None:
    site = make_site(FILES).assemble()
    (summary,) = changed(page_at(site, "/guides/a")).values()
    assert with_summaries(site, {"docs/elsewhere.md": summary}) is None
