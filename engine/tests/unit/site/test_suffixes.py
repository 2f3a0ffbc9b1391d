"""Translations that lie beside their originals: `install.de.md`."""

from __future__ import annotations

import pytest

from octavo.site import AssetStore, LinkResolver, Site
from tests.support.sites import MakeSite, edition_of, outline, page, page_at

CONFIG = """
[[locales]]
id = "en"
label = "English"
[[locales]]
id = "de-AT"
label = "Deutsch"
path = "de"
suffix = "de"
[[versions]]
name = "2"
label = "2.0"
[[versions]]
name = "1"
label = "1.0"
path = "v1"
docs = "old"
"""
FILES = {
    "docs/index.md": page("Home"),
    "docs/index.de.md": page("Start"),
    "docs/02-install.md": page("Install", "[home](./index.md)"),
    "docs/02-install.de.mdx": page("Other ending"),
    "docs/guide/_category_.yaml": "label: Guide",
    "docs/guide/_category_.de.yaml": "label: Anleitung",
    "docs/guide/x.md": page("X"),
    "docs/guide/x.de.md": page("X deutsch", "[a](../index.de.md) [b](../index.md) [c](./only.de.md)"),
    "docs/guide/only.de.md": page("Nur deutsch"),
    "docs/guide/node.js.md": page("Node"),
    "old/index.md": page("Old"),
    "old/index.de.md": page("Alt"),
    "pages/about.mdx": page("About"),
    "pages/about.de.mdx": page("Über uns"),
}


def titles(site: Site) -> dict[str, str]:
    return {route: one.title for route, one in site.by_route.items()}


def test_translation_is_at_the_place_of_its_original(make_site: MakeSite) -> None:
    assert titles(make_site(FILES, CONFIG).assemble()) == {
        "/": "Home",
        "/install": "Install",
        "/guide/x": "X",
        "/guide/node.js": "Node",
        "/about": "About",
        "/de/": "Start",
        "/de/install": "Other ending",
        "/de/guide/x": "X deutsch",
        "/de/guide/only": "Nur deutsch",
        "/de/guide/node.js": "Node",
        "/de/about": "Über uns",
        "/v1/": "Old",
        "/de/v1/": "Alt",
    }


def test_pages_without_a_translation_say_so(make_site: MakeSite) -> None:
    site = make_site(FILES, CONFIG).assemble()
    states = {one.route: one.translation for one in edition_of(site, "/de").pages.values()}
    assert states["/de/guide/node.js"] == "missing"
    assert {states["/de/"], states["/de/guide/x"], states["/de/about"]} == {""}


def test_pages_of_a_folder_that_no_language_translates_say_so_too(make_site: MakeSite) -> None:
    settings = """
docs = "docs"
pages = "pages"
[mounts]
news = "/news"
[[locales]]
id = "en"
label = "English"
[[locales]]
id = "de"
label = "Deutsch"
path = "de"
folders = { docs = "i18n/de" }
"""
    files = {
        "docs/a.md": page("A"),
        "i18n/de/a.md": page("Deutsch"),
        "news/b.md": page("B"),
        "pages/index.md": page("C"),
    }
    site = make_site(files, settings).assemble()
    states = {one.route: one.translation for one in edition_of(site, "/de").pages.values()}
    assert states == {"/de/a": "", "/de/news/b": "missing", "/de/": "missing"}


def test_category_is_labelled_in_the_language(make_site: MakeSite) -> None:
    site = make_site(FILES, CONFIG).assemble()
    assert "Anleitung" in str(outline(list(edition_of(site, "/de").sidebars["docs"])))
    assert "Anleitung" not in str(outline(list(edition_of(site, "").sidebars["docs"])))


def test_links_stay_in_the_language_whichever_file_they_name(make_site: MakeSite) -> None:
    folder = make_site(FILES, CONFIG)
    site = folder.assemble()
    resolver = LinkResolver(site, AssetStore(folder.root, "static"))
    start = page_at(site, "/de/guide/x")
    assert start.summary is not None
    found = [resolver.resolve(start, link).url for link in start.summary.links]
    assert found == ["/de/", "/de/", "/de/guide/only"]


def test_file_is_a_page_of_its_own_where_no_language_has_its_ending(make_site: MakeSite) -> None:
    site = make_site({"docs/index.md": page("Home"), "docs/index.fr.md": page("Accueil")}, CONFIG).assemble()
    assert titles(site)["/index.fr"] == "Accueil"


@pytest.mark.costly
def test_originals_may_have_the_suffix_of_their_language(make_site: MakeSite) -> None:
    """As in Hugo, where the index of a folder is `_index.en.md`; files without a suffix are originals too."""
    config = CONFIG.partition("[[versions]]")[0].replace('label = "English"\n', 'label = "English"\nsuffix = "en"\n')
    routing = '[routing]\nindex_names = ["_index", "index"]\n'
    files = {
        "docs/_index.en.md": page("Home"),
        "docs/_index.de.md": page("Start"),
        "docs/guide/_index.en.md": page("Guide", "[a](./fire.md) [b](./fire.en.md) [c](../_index.en.md)"),
        "docs/guide/_index.de.md": page("Anleitung", "[a](./fire.md)"),
        "docs/guide/fire.en.md": page("Fire"),
        "docs/guide/wood.md": page("Wood"),
        "docs/guide/wood.de.md": page("Holz"),
    }
    site = make_site(files, config + routing)
    assert titles(site.assemble()) == {
        "/": "Home",
        "/guide/": "Guide",
        "/guide/fire": "Fire",
        "/guide/wood": "Wood",
        "/de/": "Start",
        "/de/guide/": "Anleitung",
        "/de/guide/fire": "Fire",
        "/de/guide/wood": "Holz",
    }
    assert [one for one in site.check() if "broken" in one] == []
