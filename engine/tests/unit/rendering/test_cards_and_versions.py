"""Cards of categories, and pages of several versions that are drawn once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from octavo.rendering.article import Fillings
from octavo.rendering.common_drawing import CommonDrawing, PageDrawing, join_found
from octavo.rendering.page_record import PageJob, category_body, has_cards, has_own_image, name_in_versions
from octavo.rendering.payloads import PayloadMaker
from octavo.site import AssetStore, LinkResolver, Site
from tests.support.sites import NEXT_VERSION, TWO_LOCALES, TWO_VERSIONS, MakeSite, SiteFolder, edition_of, page, page_at

BASE = 'base_url = "/docs/"\n'
GUIDES = {
    "docs/index.md": page("Home"),
    "docs/guides/_category_.yaml": "label: Guides\nlink: {type: generated-index, description: <All> of them.}",
    "docs/guides/a.md": page("A", description="About A.", icon="rocket", sidebar_position=1),
    "docs/guides/b.md": page("B", unlisted=True),
    "docs/guides/deep/_category_.yaml": "label: Deep\nposition: 2",
    "docs/guides/deep/c.md": page("C"),
    "docs/guides/deep/d.md": page("D"),
    "docs/guides/own/_category_.yaml": "label: Own\nposition: 3\nlink: {type: doc, id: guides/own/index}",
    "docs/guides/own/index.md": page("Own", description="About its own."),
    "docs/guides/own/e.md": page("E"),
}


def made(folder: SiteFolder) -> tuple[Site, PayloadMaker]:
    site = folder.assemble()
    return site, PayloadMaker(site, LinkResolver(site, AssetStore(folder.root, site.config.static)))


def cards(folder: SiteFolder, route: str) -> list[Any]:
    site, maker = made(folder)
    return [
        (one.kind, one.label, one.href, one.description, one.count, "icon-rocket" in one.icon)
        for one in maker.cards(page_at(site, route))
    ]


def test_cards_show_what_a_category_holds(make_site: MakeSite) -> None:
    assert cards(make_site(GUIDES, BASE), "/category/guides") == [
        ("doc", "A", "/docs/guides/a", "About A.", 0, True),
        ("category", "Deep", "/docs/guides/deep/c", "", 2, False),
        ("category", "Own", "/docs/guides/own/", "About its own.", 0, False),
    ]


def test_pages_that_a_category_names_besides_have_cards_with_their_icons(make_site: MakeSite) -> None:
    files = {
        "docs/more/_category_.yaml": "label: More\nlink: {type: generated-index, also: [guides/a, guides/own/index, guides/deep/c]}",
        "docs/more/z.md": page("Z"),
    }
    assert cards(make_site({**GUIDES, **files}, BASE), "/category/more") == [
        ("doc", "Z", "/docs/more/z", "Text.", 0, False),
        ("doc", "A", "/docs/guides/a", "About A.", 0, True),
        ("category", "Own", "/docs/guides/own/", "About its own.", 0, False),
        ("doc", "C", "/docs/guides/deep/c", "Text.", 0, False),
    ]


def test_page_of_a_category_is_no_card_of_its_own(make_site: MakeSite) -> None:
    assert [one[1] for one in cards(make_site(GUIDES, BASE), "/guides/own/")] == ["E"]


def test_cards_lead_to_addresses_of_the_sidebar_too(make_site: MakeSite) -> None:
    items = (
        '{ href = "https://example.org/", label = "Web" }, { href = "/guides/a", label = "Here" }, { doc = "guides/a" }'
    )
    settings = f'[[sidebars]]\nid = "docs"\nitems = [{{ category = "All", link = {{ type = "generated-index", slug = "/all" }}, items = [{items}] }}]\n'
    assert [one[:3] for one in cards(make_site(GUIDES, BASE + settings), "/all")] == [
        ("link", "Web", "https://example.org/"),
        ("link", "Here", "/docs/guides/a"),
        ("doc", "A", "/docs/guides/a"),
    ]


def test_category_of_nothing_but_links_has_a_card_that_leads_to_the_first(make_site: MakeSite) -> None:
    links = '{ category = "Inner", items = [{ href = "https://example.org/", label = "Web" }] }, { href = "/b", label = "B" }'
    settings = f'[[sidebars]]\nid = "docs"\nitems = [{{ category = "All", link = {{ type = "generated-index", slug = "/all" }}, items = [{{ category = "Elsewhere", items = [{links}] }}, {{ category = "Nothing", items = [] }}, {{ doc = "index" }}] }}]\n'
    assert [one[:3] for one in cards(make_site(GUIDES, BASE + settings), "/all")] == [
        ("category", "Elsewhere", "https://example.org/"),
        ("doc", "Home", "/docs/"),
    ]


def test_very_many_cards_are_in_ranges(make_site: MakeSite) -> None:
    docs = ", ".join(f'{{ href = "/a", label = "A{number:04}" }}' for number in range(1, 1302))
    settings = f'[[sidebars]]\nid = "docs"\nitems = [{{ category = "All", link = {{ type = "generated-index", slug = "/all" }}, items = [{docs}] }}]\n'
    found = cards(make_site(GUIDES, BASE + settings), "/all")
    assert [(one[0], one[1], one[4]) for one in found] == [
        ("category", "A0001 – A1250", 1250),
        ("category", "A1251 – A1301", 51),
    ]
    few = make_site(GUIDES, BASE + settings.replace(docs, ", ".join(docs.split(", {")[:1])), "few")
    assert [one[:2] for one in cards(few, "/all")] == [("link", "A0001")]


def test_generated_page_shows_its_description_and_its_cards(make_site: MakeSite) -> None:
    site, _ = made(make_site(GUIDES, BASE))
    index = page_at(site, "/category/guides")
    body = category_body(index)
    assert body.html.startswith("<p>&lt;All&gt; of them.</p>\n")
    assert [(one.kind, one.props) for one in body.islands] == [("card-list", {"items": None})]
    assert name_in_versions(PageJob("", index.edition, index, "")) == (index.doc_id, "en")
    assert name_in_versions(PageJob("", index.edition, None, "")) == ("", "en")


def test_contents_list_has_the_headings_of_its_levels(make_site: MakeSite) -> None:
    body = "## One\n\n### Two `code`\n\n#### Three\n\n## a_very_long_name_of_a_setting.withCapitals"
    files = {
        "docs/a.md": page("A", body),
        "docs/b.md": page("B", body, toc_min_heading_level=3, toc_max_heading_level=4),
        "docs/c.md": page("C", body, hide_table_of_contents=True),
    }
    site, maker = made(make_site(files))
    toc = {name: [(one.level, one.anchor) for one in maker.page(page_at(site, f"/{name}")).toc] for name in "abc"}
    long = "a_very_long_name_of_a_settingwithcapitals"
    assert toc == {"a": [(2, "one"), (3, "two-code"), (2, long)], "b": [(3, "two-code"), (4, "three")], "c": []}
    assert "a_<wbr>very_<wbr>long" in maker.page(page_at(site, "/a")).toc[-1].html


def test_pages_say_whether_they_show_cards_and_a_picture_of_their_own(make_site: MakeSite) -> None:
    files = GUIDES | {"docs/own.md": page("Own", image="k.png")}
    site, _ = made(make_site(files, BASE))
    assert (has_own_image(page_at(site, "/own")), has_own_image(page_at(site, "/guides/a"))) == (True, False)
    shows = {route: has_cards(page_at(site, route)) for route in ("/category/guides", "/guides/a")}
    assert shows == {"/category/guides": True, "/guides/a": False}


def test_page_that_another_language_lacks_leads_to_its_first_page(make_site: MakeSite) -> None:
    files = {"docs/index.md": page("Home"), "docs/a.md": page("A"), "i18n/fr/docs/index.md": page("Accueil")}
    settings = BASE + TWO_LOCALES + TWO_VERSIONS
    site, maker = made(make_site({**files, "docs-v1/z.md": page("Z")}, settings))
    old = {one.id: (one.href, one.note) for one in maker.page(page_at(site, "/v1/z")).versions}
    assert old["2"] == ("/docs/", "until 1.0")
    assert all(one.is_exact and not one.note for one in maker.page(page_at(site, "/a")).locales)


VERSIONED = {f"{folder}/{name}.md": page(name.upper()) for folder in ("docs", "docs-next", "docs-v1") for name in "ab"}


class Versions:
    """A site with versions, of whose pages the common drawing is asked for."""

    def __init__(self, folder: SiteFolder) -> None:
        self.site, self.maker = made(folder)
        self.common = CommonDrawing(self.site.config, self.maker.shared)

    def opened(self, route: str, body: str = "body") -> Any:
        one = page_at(self.site, route)
        fillings = Fillings([f"/docs{route}", "/docs/elsewhere"], [], [], [], has_files=False)
        return self.common.open(one.edition, self.maker.page(one), fillings, body)


def test_equal_pages_of_versions_are_drawn_once(make_site: MakeSite) -> None:
    versions = Versions(make_site(VERSIONED, BASE + NEXT_VERSION + TWO_VERSIONS.replace("unmaintained", "unreleased")))
    following, old = versions.opened("/next/a"), versions.opened("/v1/a")
    assert following.key == old.key
    assert versions.opened("/next/b").key != following.key
    assert versions.opened("/next/a", "other").key != following.key
    assert versions.opened("/a") is None  # the version at the root has nothing of its own to be replaced
    assert "/next/" not in json.dumps(following.fillings.links)
    assert following.fillings.links[1] == "/docs/elsewhere"
    link, label = following.fillings.links[0], following.payload.version_banner.version_label
    drawing = PageDrawing(f"{link} {label}", link, link, {"x": "/v1/"}, link, "a", "n")
    closed = old.close(drawing)
    assert closed == PageDrawing("/docs/v1/a 1.0", "/docs/v1/a", "/docs/v1/a", {"x": "/v1/"}, "/docs/v1/a", "a", "n")
    assert following.close(drawing).skeleton == "/docs/next/a Next"
    site = versions.common.site(edition_of(versions.site, "/v1"))
    assert site is not None
    assert site.address == following.payload.site
    assert b"/docs/v1" not in site.content


@pytest.mark.parametrize(
    "settings",
    [
        TWO_VERSIONS,
        NEXT_VERSION + TWO_VERSIONS.replace('"1.0"', '"1 & 2"'),
        NEXT_VERSION + TWO_VERSIONS.replace('path = "v1"', 'path = "é1"'),
    ],
    ids=["one version apart", "label that HTML escapes", "path that addresses escape"],
)
def test_pages_are_drawn_by_themselves_where_a_mark_could_be_seen(make_site: MakeSite, settings: str) -> None:
    versions = Versions(make_site(VERSIONED, BASE + settings))
    old = next(one for one in versions.site.pages if one.edition.version.name == "1")
    assert versions.opened(old.route) is None


def test_what_is_found_twice_is_listed_once() -> None:
    mark = "\ufdd0"
    assert join_found(["a"], "") == ["a"]
    assert [one for one in join_found(["a", "b"], "b") if mark not in one] == ["a", "b"]
