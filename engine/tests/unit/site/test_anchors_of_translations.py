"""Links of translations that name a heading by the id that it has in the original."""

from __future__ import annotations

import pytest

from octavo.content import Link
from octavo.diagnostics import Span
from octavo.site import AssetStore, LinkResolver, Site
from tests.support.each import each
from tests.support.sites import TWO_LOCALES, TWO_VERSIONS, MakeSite, SiteFolder, page_at


def headings(*ids: str, more: str = "") -> str:
    """Write a document with headings of these ids; two hyphens in front of one make it of the third level."""
    lines = [f"{'###' if one.startswith('--') else '##'} Title {{#{one.removeprefix('--')}}}" for one in ids]
    return "\n\n".join(["# Page", *lines, more]) + "\n"


FILES: dict[str, str | bytes] = {
    "docs/a.md": headings("install", "--ports", "ends"),
    "docs/b.md": headings("install", "--ports"),
    "docs/c.md": headings("install"),
    "docs/d.md": headings("install", more='<b id="old">x</b>'),
    "docs/e.md": headings("install", more='<b id="old">x</b>'),
    "i18n/fr/docs/a.mdx": headings("installer", "--les-ports", "été"),
    "i18n/fr/docs/b.md": headings("installer", "les-ports"),
    "i18n/fr/docs/d.md": headings("installer", more='<b id="vieux">x</b>'),
    "i18n/fr/docs/e.md": headings("installer", more='<b id="vieux">x</b> <b id="autre">y</b>'),
    "i18n/fr/docs/only.md": headings("seul"),
    "docs-v1/a.md": headings("before", "--install"),
    "i18n/fr/docs-v1/a.md": headings("avant", "--installer"),
}


@pytest.fixture
def folder(make_site: MakeSite) -> SiteFolder:
    return make_site(FILES, TWO_LOCALES + TWO_VERSIONS)


@pytest.fixture
def site(folder: SiteFolder) -> Site:
    return folder.assemble()


@each(
    "route, href, url",
    [
        ("/fr/b", "a.md#install", "/fr/a#installer"),
        ("/fr/b", "./a?x=1#ports", "/fr/a?x=1#les-ports"),
        ("/fr/b", "/a#ends", "/fr/a#%C3%A9t%C3%A9"),
        ("/fr/a", "#install", "#installer"),
        ("/fr/b", "a.md#les-ports", "/fr/a#les-ports"),
        ("/fr/b", "a.md#gone", "/fr/a#gone"),
        ("/fr/b", "a.md", "/fr/a"),
        # Headings of other levels are other headings.
        ("/fr/a", "b.md#install", "/fr/b#install"),
        ("/fr/a", "c.md#install", "/fr/c#install"),
        ("/fr/a", "only.md#install", "/fr/only#install"),
        ("/fr/a", "d.md#old", "/fr/d#vieux"),
        ("/fr/a", "e.md#install", "/fr/e#installer"),
        ("/fr/a", "e.md#old", "/fr/e#old"),
        # Each version has originals of its own.
        ("/fr/v1/a", "#before", "#avant"),
        ("/fr/v1/a", "#install", "#installer"),
        ("/b", "a.md#installer", "/a#installer"),
    ],
)
def test_link_of_a_translation_may_have_the_id_of_the_original(
    folder: SiteFolder, site: Site, route: str, href: str, url: str
) -> None:
    found = page_at(site, route)
    resolver = LinkResolver(site, AssetStore(folder.root, "static"))
    target = resolver.resolve(found, Link(href, Span(found.origin), is_markup=True))
    assert (target.url, target.kind) == (url, "page")


@pytest.mark.parametrize("route", ["/a", "/fr/a", "/fr/v1/a"])
def test_edition_of_a_page_is_found(site: Site, route: str) -> None:
    found = page_at(site, route)
    assert found in site.edition_of(found).pages.values()
