"""Two languages of two versions: what is shared, what falls back, and the address of each page."""

from __future__ import annotations

import pytest

from octavo.site import Site
from octavo.translations import revision_of
from tests.support.sites import (
    NEXT_VERSION,
    TWO_LOCALES,
    TWO_VERSIONS,
    MakeSite,
    SiteFolder,
    edition_of,
    outline,
    page,
    page_at,
)

CONFIG = TWO_LOCALES + NEXT_VERSION + TWO_VERSIONS + 'sidebars = [{ id = "old", items = [{ doc = "a" }] }]\n'
SWITCHES = """[navbar]
items = [{ type = "locale" }, { type = "version" }]
"""
FILES = {
    "docs/a.md": page("A"),
    "docs/guides/_category_.yaml": "label: Guides\nlink: { type: generated-index }",
    "docs/guides/x.md": page("X"),
    "docs-next/a.md": page("A next"),
    "docs-v1/a.md": page("A old"),
    "i18n/fr/docs/a.md": page("A français"),
    "i18n/fr/docs/guides/_category_.yaml": "label: Le guide\nlink: { type: generated-index }",
    "i18n/fr/docs-v1/a.md": page("A ancien"),
    "pages/index.mdx": page("Home"),
    "pages/about.mdx": page("About"),
    "i18n/fr/pages/index.mdx": page("Accueil"),
}


@pytest.fixture
def folder(make_site: MakeSite) -> SiteFolder:
    return make_site(FILES, CONFIG + SWITCHES)


@pytest.fixture
def site(folder: SiteFolder) -> Site:
    return folder.assemble()


def test_routes_begin_with_language_and_version(site: Site) -> None:
    assert {route: page.title for route, page in site.by_route.items()} == {
        "/next/a": "A next",
        "/fr/next/a": "A next",
        "/a": "A",
        "/guides/x": "X",
        "/category/guides": "Guides",
        "/": "Home",
        "/about": "About",
        "/fr/a": "A français",
        "/fr/guides/x": "X",
        "/fr/category/le-guide": "Le guide",
        "/fr/": "Accueil",
        "/fr/about": "About",
        "/v1/a": "A old",
        "/fr/v1/a": "A ancien",
    }


def test_main_edition_is_the_default_language_of_the_last_version(site: Site) -> None:
    assert (site.main_edition.locale.id, site.main_edition.version.name) == ("en", "2")


def test_untranslated_page_falls_back_to_the_file_of_the_default_language(site: Site) -> None:
    assert page_at(site, "/fr/guides/x").origin == "docs/guides/x.md"
    assert page_at(site, "/fr/a").origin == "i18n/fr/docs/a.md"


def test_pages_outside_the_docs_stand_in_the_last_version_only(site: Site) -> None:
    assert [page.route for page in site.pages if page.kind == "page"] == ["/about", "/", "/fr/", "/fr/about"]


def test_sidebars_of_a_translation_are_labelled_by_its_own_files(site: Site) -> None:
    assert outline(edition_of(site, "/fr").sidebars["docs"]) == [
        "A français /fr/a",
        ("Le guide /fr/category/le-guide", ["X /fr/guides/x"]),
    ]


def test_version_may_have_sidebars_of_its_own(site: Site) -> None:
    assert {prefix: list(edition_of(site, prefix).sidebars) for prefix in ("", "/v1", "/fr/v1")} == {
        "": ["docs"],
        "/v1": ["old"],
        "/fr/v1": ["old"],
    }


@pytest.mark.parametrize(
    ("route", "prefix", "other"),
    [
        ("/a", "/fr/v1", "/fr/v1/a"),
        ("/fr/v1/a", "", "/a"),
        ("/category/guides", "/fr", "/fr/category/le-guide"),
        ("/about", "/fr", "/fr/about"),
        ("/guides/x", "/v1", None),
        ("/about", "/v1", None),
    ],
)
def test_counterpart_is_the_same_page_of_another_edition(
    site: Site, route: str, prefix: str, other: str | None
) -> None:
    found = site.counterpart(page_at(site, route), edition_of(site, prefix))
    assert (found.route if found else None) == other


def test_problem_of_a_shared_file_is_found_once(folder: SiteFolder) -> None:
    folder.write({"docs/guides/x.md": page("X", pagination_next="nothing")})
    assert folder.findings() == [
        'docs/guides/x.md:3:1: error: pagination_next is "nothing", but there is no document with that id. [pagination]'
    ]


def test_translation_that_is_a_draft_leaves_the_page_to_the_default_language(folder: SiteFolder) -> None:
    folder.write({"i18n/fr/docs/a.md": page("A français", draft=True)})
    site = folder.assemble()
    assert page_at(site, "/fr/a").title == "A"
    assert edition_of(site, "/fr").drafts == ()


def test_draft_is_named_once_in_each_edition(folder: SiteFolder) -> None:
    folder.write({"docs/b.md": page("B", draft=True), "i18n/fr/docs/b.md": page("B", draft=True)})
    site = folder.assemble()
    assert [edition_of(site, prefix).drafts for prefix in ("", "/fr", "/v1")] == [("b",), ("b",), ()]


@pytest.mark.parametrize(
    ("settings", "slot", "found"),
    [
        ("", "", ["2 languages", "3 versions"]),
        ('[navbar]\nitems = [{ type = "version" }]\n', "", ["2 languages"]),
        (SWITCHES, "", []),
        ("", "slots/top-bar-end.tsx", []),
        ("", "slots/layout.jsx", []),
    ],
)
def test_languages_and_versions_without_a_switch_are_found(
    make_site: MakeSite, settings: str, slot: str, found: list[str]
) -> None:
    files = {**FILES, slot: "export default () => null;\n"} if slot else FILES
    lines = [line for line in make_site(files, CONFIG + settings).findings() if "[missing-switch]" in line]
    assert [line.partition("has ")[2].partition(",")[0] for line in lines] == found


def test_translation_is_outdated_once_its_original_has_changed(make_site: MakeSite) -> None:
    original = page("A")
    state = revision_of(original.encode())
    site = make_site(
        {
            "docs/a.md": original,
            "docs/b.md": page("B"),
            "docs/deep/c.md": page("C"),
            "i18n/fr/docs/a.md": page("A fr", translated_from=state),
            "i18n/fr/docs/b.md": page("B fr", translated_from=state),
            "i18n/fr/docs/deep/c.md": page("C fr"),
            "i18n/fr/docs/own.md": page("Own", translated_from=state),
        },
        TWO_LOCALES,
    )
    pages = edition_of(site.assemble(), "/fr").pages
    assert {name: pages[name].translation for name in ("a", "b", "deep/c", "own")} == {
        "a": "",
        "b": "outdated",
        "deep/c": "",
        "own": "",
    }
