"""Links that components have written, on pages in other languages."""

from __future__ import annotations

import msgspec

from octavo.content import COMPONENT_KIND
from octavo.rendering.authored import Drawn, LinksOfComponents
from octavo.rendering.page_record import PageJob
from octavo.site import AssetStore, LinkResolver
from tests.support.each import each
from tests.support.sites import TWO_LOCALES, MakeSite, page

FILES = {"docs/index.md": page("Home", slug="/"), "docs/a.md": page("A"), "i18n/fr/docs/a.md": page("A")}


def led(make_site: MakeSite, html: str, locale: str, *, has_component: bool = True, config: str = "") -> str:
    folder = make_site(FILES, config + TWO_LOCALES)
    site = folder.assemble()
    links = LinksOfComponents(site, LinkResolver(site, AssetStore(folder.root, "static")))
    edition = next(one for one in site.editions if one.locale.id == locale)
    shown = next(one for one in edition.pages.values() if one.doc_id == "a")
    assert shown.summary is not None
    kinds = [f"{COMPONENT_KIND}Box"] if has_component else []
    shown = msgspec.structs.replace(shown, summary=msgspec.structs.replace(shown.summary, island_kinds=kinds))
    job = PageJob(shown.route, edition, shown, "")
    assert (links.key(job) != "") is (locale == "fr" and has_component)
    return links.led({3: Drawn(html)}, job)[3].html


@each(
    "html, written",
    [
        ('<a href="/a">A</a>', '<a href="/fr/a">A</a>'),
        ('<a class="x" href="/a#b">A</a>', '<a class="x" href="/fr/a#b">A</a>'),
        ('<a href="/">Home</a>', '<a href="/fr/">Home</a>'),
        ('<a href="/a?b=1&amp;c=2">A</a>', '<a href="/fr/a?b=1&amp;c=2">A</a>'),
        ('<a href="/gone">A</a>', '<a href="/gone">A</a>'),
        ('<a href="https://a.example/a">A</a>', '<a href="https://a.example/a">A</a>'),
        ('<a hreflang="en" href="/a">A</a>', '<a hreflang="en" href="/a">A</a>'),
        ('<a href="//a.example">A</a>', '<a href="//a.example">A</a>'),
        ('<img src="/a">', '<img src="/a">'),
    ],
)
def test_links_lead_to_pages_in_the_language_of_the_reader(make_site: MakeSite, html: str, written: str) -> None:
    assert led(make_site, html, "fr") == written
    assert led(make_site, html, "en") == html
    assert led(make_site, html, "fr", has_component=False) == html


def test_links_within_the_base_of_a_site_are_led(make_site: MakeSite) -> None:
    base = 'base_url = "/docs/"\n'
    assert led(make_site, '<a href="/docs/a">A</a> <a href="/a">B</a>', "fr", config=base) == (
        '<a href="/docs/fr/a">A</a> <a href="/a">B</a>'
    )
