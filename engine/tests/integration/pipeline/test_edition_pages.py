"""Two languages of three versions, published: how each page names the others."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.sites import TWO_LOCALES, MakeSite, SiteFolder, page

CONFIG = (
    """
url = "https://docs.example.org"
base_url = "/docs/"
[navbar]
items = [{ label = "A", href = "/a" }, { type = "locale" }, { type = "version" }]
"""
    + TWO_LOCALES
    + """[[versions]]
name = "3"
label = "3.0"
[[versions]]
name = "2"
label = "2.0"
path = "v2"
docs = "docs-v2"
banner = "unmaintained"
[[versions]]
name = "4"
label = "Next"
path = "next"
docs = "docs-next"
banner = "unreleased"
"""
)
FILES = {
    "docs/a.md": page("A"),
    "docs/b.md": page("B", "[a](./a.md)"),
    "docs-v2/a.md": page("A"),
    "docs-v2/old.md": page("Old"),
    "docs-next/a.md": page("A"),
    "docs-next/old.md": page("Old"),
    "i18n/fr/docs/a.md": page("A français"),
    "pages/index.mdx": page("Home"),
    "i18n/fr/pages/index.mdx": page("Accueil"),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> SiteFolder:
    folder: Path = tmp_path_factory.mktemp("editions") / "site"
    site = SiteFolder(folder, FILES, CONFIG)
    assert site.build().diagnostics == []
    return site


def links(text: str, rel: str) -> list[tuple[str, str]]:
    """(hreflang, href) of the links of a kind."""
    found = []
    for tag in re.findall(rf'<link rel="{rel}"(?! type="text/markdown")[^>]*>', text):
        language = re.search(r'hreflang="([^"]*)"', tag)
        href = re.search(r' href="([^"]*)"', tag)
        found.append((language[1] if language else "", html.unescape(href[1]) if href else ""))
    return found


def alternate(
    name: str, label: str, href: str, *, current: bool = False, note: str = "", translated: bool = True
) -> dict[str, Any]:
    return {
        "id": name,
        "label": label,
        "href": href,
        "isCurrent": current,
        "isExact": not note,
        "note": note,
        "isTranslated": translated,
    }


def test_page_names_its_versions_and_languages(site: SiteFolder) -> None:
    payload = site.payload("/fr/a")
    assert payload["versions"] == [
        alternate("3", "3.0", "/docs/fr/a", current=True),
        alternate("2", "2.0", "/docs/fr/v2/a", translated=False),
        alternate("4", "Next", "/docs/fr/next/a", translated=False),
    ]
    assert payload["locales"] == [
        alternate("en", "English", "/docs/a"),
        alternate("fr", "Français", "/docs/fr/a", current=True),
    ]


def test_edition_without_the_page_is_entered_at_its_main_page(site: SiteFolder) -> None:
    assert site.payload("/b")["versions"][1:] == [
        alternate("2", "2.0", "/docs/v2/a", note="since 3.0"),
        alternate("4", "Next", "/docs/next/a", note="until 3.0"),
    ]


@pytest.mark.parametrize(
    ("route", "banner"),
    [
        ("/a", None),
        ("/v2/a", ("unmaintained", "2.0", "/docs/a")),
        ("/v2/old", ("unmaintained", "2.0", "/docs/a")),
        ("/fr/v2/a", ("unmaintained", "2.0", "/docs/fr/a")),
        ("/next/a", ("unreleased", "Next", "/docs/a")),
    ],
)
def test_banner_leads_to_the_same_page_of_the_last_version(
    site: SiteFolder, route: str, banner: tuple[str, str, str] | None
) -> None:
    expected = banner and {
        "kind": banner[0],
        "versionLabel": banner[1],
        "latestLabel": "3.0",
        "latestHref": banner[2],
    }
    assert site.payload(route)["versionBanner"] == expected


@pytest.mark.parametrize(
    ("route", "canonical"),
    [
        ("/a", "/docs/a"),
        ("/fr/a", "/docs/fr/a"),
        ("/v2/a", "/docs/a"),
        ("/fr/v2/a", "/docs/fr/a"),
        ("/v2/old", "/docs/v2/old"),
        ("/next/a", "/docs/a"),
    ],
)
def test_canonical_page_is_that_of_the_last_version_where_it_has_one(
    site: SiteFolder, route: str, canonical: str
) -> None:
    assert links(site.html(route), "canonical") == [("", f"https://docs.example.org{canonical}")]


def test_languages_are_named_to_search_engines(site: SiteFolder) -> None:
    for route in ("/a", "/fr/a"):
        assert links(site.html(route), "alternate") == [
            ("en", "https://docs.example.org/docs/a"),
            ("x-default", "https://docs.example.org/docs/a"),
            ("fr", "https://docs.example.org/docs/fr/a"),
        ]


def test_page_says_its_language_and_its_version(site: SiteFolder) -> None:
    text = site.html("/fr/v2/a")
    assert '<html lang="fr" dir="ltr"' in text
    assert '<meta property="og:locale" content="fr">' in text
    assert '<meta property="og:locale:alternate" content="en">' in text
    assert '<meta name="docsearch:language" content="fr">' in text
    assert '<meta name="docsearch:version" content="2">' in text
    assert '<meta name="docsearch:docusaurus_tag" content="docs-default-2">' in text


def test_top_bar_leads_to_pages_of_the_readers_language(site: SiteFolder) -> None:
    def first(route: str) -> Any:
        return site.shared(site.payload(route)["site"].removeprefix("/docs"))["navbar"]["items"][0]["href"]

    assert (first("/a"), first("/fr/a"), first("/fr/v2/a")) == ("/docs/a", "/docs/fr/a", "/docs/fr/a")


def test_home_and_search_are_those_of_the_language(site: SiteFolder) -> None:
    data = site.shared(site.payload("/fr/v2/a")["site"].removeprefix("/docs"))
    assert (data["home"], data["search"]["pageHref"]) == ("/docs/fr/", "/docs/fr/search")
    assert (data["versionName"], data["versionLabel"], data["locale"]) == ("2", "2.0", "fr")


def test_link_stays_in_the_language(site: SiteFolder) -> None:
    assert '<a href="/docs/fr/a">a</a>' in site.payload("/fr/b")["html"]


def test_each_language_has_a_not_found_page(site: SiteFolder) -> None:
    manifest = site.manifest()
    assert (manifest.not_found, manifest.not_found_by_locale) == ("404.html", {"fr": "fr/404.html"})
    assert '<html lang="fr"' in (site.out / "fr/404.html").read_text()


def test_sitemap_has_no_old_versions_and_no_pages_that_name_another_one_as_canonical(site: SiteFolder) -> None:
    text = (site.out / "sitemap.xml").read_text()
    routes = re.findall(r"<loc>https://docs\.example\.org/docs(/[^<]*)</loc>", text)
    assert sorted(routes) == [
        "/",
        "/a",
        "/b",
        "/fr/",
        "/fr/a",
        "/next/old",
    ]


def test_docs_version_tells_which_is_the_last(site: SiteFolder) -> None:
    def version(route: str) -> tuple[str, str, bool, str]:
        shared = site.shared(site.payload(route)["site"].removeprefix("/docs"))
        data = site.shared(shared["docsVersion"].removeprefix("/docs"))
        return data["name"], data["path"], data["isLast"], data["mainDocId"]

    assert version("/a") == ("3", "/docs/", True, "a")
    assert version("/fr/v2/old") == ("2", "/docs/fr/v2/", False, "a")
    assert version("/next/a") == ("4", "/docs/next/", False, "a")


def test_texts_of_the_settings_are_in_the_language(make_site: MakeSite) -> None:
    labels = """[labels.fr]
Site = "Le site"
Letter = "Lettre"
Next = "Prochaine"
"2.0" = "2.0 (ancienne)"
"""
    site = make_site(FILES, CONFIG.replace('label = "A"', 'label = "Letter"') + labels)
    assert site.build().diagnostics == []
    french, english = site.html("/fr/a"), site.html("/a")
    assert "Lettre" in french
    assert "Lettre" not in english
    assert "<title>A français | Le site</title>" in french
    assert "<title>A | Site</title>" in english
    assert '<meta property="og:site_name" content="Le site">' in french
    assert "Prochaine" in french
    assert "Prochaine" not in english
    assert "2.0 (ancienne)" in site.html("/fr/v2/a")


@pytest.mark.parametrize("route", ["/v2/a", "/fr/v2/a", "/next/a"])
def test_page_that_names_another_as_canonical_names_no_languages(site: SiteFolder, route: str) -> None:
    """Search engines take them of the page that is to be listed; elsewhere they contradict it."""
    assert links(site.html(route), "alternate") == []
