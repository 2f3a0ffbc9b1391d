"""What pages and shared files hand to React."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from octavo._version import __version__
from octavo.words import CONSOLE_WORDS, PAGE_WORDS, SERVER_WORDS, words_of
from tests.support.sites import HOME, MakeSite, SiteFolder, page

FILES: dict[str, str | bytes] = {
    **HOME,
    "docs/intro.md": page("Intro", "## One\n\n### Two\n\n#### Three\n\n## Four `code`", sidebar_position=1),
    "docs/guides/_category_.yaml": (
        "label: Guides\nposition: 2\nlink: { type: generated-index, description: All of them. }"
    ),
    "docs/guides/a.md": page("A", sidebar_label="First", description="About A.", tags=["ports"]),
    "docs/guides/b.md": page("B", unlisted=True),
    "docs/guides/deep/_category_.yaml": "label: Deep",
    "docs/guides/deep/x.md": page("X"),
    "docs/guides/deep/y.md": page("Y"),
}


@pytest.fixture
def site(make_site: MakeSite) -> SiteFolder:
    site = make_site(FILES)
    assert site.build().diagnostics == []
    return site


def data_in_page(text: str) -> dict[str, Any]:
    match = re.search(r'<script type="application/json" id="octavo-page">(.*?)</script>', text)
    assert match is not None
    return dict(json.loads(match[1]))


def without(payload: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in payload.items() if name not in names}


def test_payload_of_a_document_is_complete(site: SiteFolder) -> None:
    payload = site.payload("/guides/a")
    assert payload["html"] == "<p>Text.</p>"
    assert without(payload, "html", "site", "sidebar") == {
        "path": "/guides/a",
        "layout": "doc",
        "title": "A",
        "documentTitle": "A | Site",
        "description": "About A.",
        "showsTitle": True,
        "toc": [],
        "breadcrumbs": [{"label": "Guides", "href": "/category/guides"}, {"label": "First", "href": "/guides/a"}],
        "previous": {"label": "Guides", "href": "/category/guides"},
        "next": {"label": "X", "href": "/guides/deep/x"},
        "sidebarPath": "/guides/a",
        "announcements": [],
        "editUrl": None,
        "lastUpdated": None,
        "isUnlisted": False,
        "tags": ["ports"],
        "islands": [],
        "versions": [],
        "locales": [],
        "versionBanner": None,
        "translation": None,
        "markdown": "/guides/a.md",
    }


def test_page_holds_its_payload_without_the_article(site: SiteFolder) -> None:
    assert data_in_page(site.html("/guides/a")) == site.payload("/guides/a") | {"html": ""}


def test_article_stands_once_in_the_page(site: SiteFolder) -> None:
    assert site.html("/intro").count('id="four-code"') == 1


def test_shared_files_bear_the_hash_of_their_content(site: SiteFolder) -> None:
    payload = site.payload("/guides/a")
    assert re.fullmatch(r"/_octavo/site\.[0-9a-f]{12}\.json", payload["site"])
    assert re.fullmatch(r"/_octavo/sidebar-docs\.[0-9a-f]{12}\.json", payload["sidebar"])


def test_sidebar_shows_what_is_listed(site: SiteFolder) -> None:
    def link(label: str, href: str) -> dict[str, Any]:
        return {"type": "link", "label": label, "href": href, "isUnlisted": False, "className": None, "icon": ""}

    def category(label: str, href: str | None, items: list[dict[str, Any]]) -> dict[str, Any]:
        look = {"isCollapsed": True, "isCollapsible": True, "className": None, "icon": ""}
        return {"type": "category", "label": label, "href": href, **look, "items": items}

    assert site.shared(site.payload("/guides/a")["sidebar"]) == {
        "id": "docs",
        "label": "",
        "items": [
            link("Intro", "/intro"),
            category(
                "Guides",
                "/category/guides",
                [
                    link("First", "/guides/a"),
                    category("Deep", None, [link("X", "/guides/deep/x"), link("Y", "/guides/deep/y")]),
                ],
            ),
        ],
    }


def test_html_of_a_page_holds_only_its_open_branch(site: SiteFolder) -> None:
    assert "/guides/deep/y" in site.html("/guides/deep/x")
    assert "/guides/deep/y" not in site.html("/intro")


def test_current_page_is_marked_once_in_the_sidebar(site: SiteFolder) -> None:
    sidebar = site.html("/guides/a").partition('class="sidebar"')[2].partition("</nav>")[0]
    assert re.findall(r'<a href="([^"]*)"[^>]*aria-current="page"', sidebar) == ["/guides/a"]


def test_generated_index_has_a_card_for_each_item(site: SiteFolder) -> None:
    payload = site.payload("/category/guides")
    assert (payload["layout"], payload["title"], payload["islands"]) == ("category", "Guides", ["card-list"])
    assert payload["description"] == "All of them."
    assert payload["sidebarPath"] == "/category/guides"
    text = site.html("/category/guides")
    assert "<p>All of them.</p>" in text
    article = text.partition("<article")[2].partition("</article>")[0]
    # The first link is that of the page's menu, to its Markdown.
    assert re.findall(r'href="([^"]+)"', article) == ["/category/guides.md", "/guides/a", "/guides/deep/x"]
    assert "About A." in article
    assert "2 items" in article


@pytest.mark.parametrize(
    ("front", "levels"),
    [
        ({}, [2, 3, 2]),
        ({"toc_max_heading_level": 4}, [2, 3, 4, 2]),
        ({"toc_max_heading_level": 2}, [2, 2]),
        ({"toc_min_heading_level": 3}, [3]),
        ({"hide_table_of_contents": True}, []),
    ],
)
def test_contents_show_the_levels_that_are_asked_for(
    make_site: MakeSite, front: dict[str, int], levels: list[int]
) -> None:
    site = make_site({**HOME, "docs/a.md": page("A", "## One\n\n### Two\n\n#### Three\n\n## Four", **front)})
    site.build()
    assert [entry["level"] for entry in site.payload("/a")["toc"]] == levels


def test_entry_of_the_contents_is_inline_html(site: SiteFolder) -> None:
    assert site.payload("/intro")["toc"][-1] == {"level": 2, "anchor": "four-code", "html": "Four <code>code</code>"}


@pytest.mark.parametrize(
    ("text", "shows_title"),
    [
        (page("A"), True),
        (page("A", hide_title=True), False),
        (page("A", "# Own heading"), False),
        ("# Own heading\n", False),
        ("Text.\n", True),
    ],
)
def test_title_is_drawn_where_the_article_has_none(make_site: MakeSite, text: str, shows_title: bool) -> None:
    site = make_site({**HOME, "docs/a.md": text})
    site.build()
    assert site.payload("/a")["showsTitle"] is shows_title
    assert site.html("/a").count("<h1") == (0 if "hide_title" in text else 1)


@pytest.mark.parametrize(
    ("front", "edit_url"),
    [
        ({}, "https://example.org/edit/docs/a.md"),
        ({"custom_edit_url": "https://example.org/other"}, "https://example.org/other"),
        ({"custom_edit_url": None}, None),
    ],
)
def test_edit_link_leads_to_the_source(make_site: MakeSite, front: dict[str, str | None], edit_url: str | None) -> None:
    site = make_site({**HOME, "docs/a.md": page("A", **front)}, 'edit_url = "https://example.org/edit/"\n')
    site.build()
    assert site.payload("/a")["editUrl"] == edit_url


@pytest.mark.parametrize(
    ("file", "layout"),
    [
        ("pages/x.mdx", "page"),
        ("docs/x.md", "doc"),
    ],
)
def test_layout_is_that_of_the_folder(make_site: MakeSite, file: str, layout: str) -> None:
    site = make_site({**HOME, file: page("X")})
    site.build()
    assert site.payload("/x")["layout"] == layout
    assert site.payload("/")["layout"] == "landing"


NAVBAR = """
base_url = "/base/"
tagline = "All of it"
site_version = "1.2.3"
[navbar]
title = "Bar"
hide_on_scroll = true
logo = { src = "/img/x.svg", alt = "Logo", href = "/guides/a" }
items = [
  { label = "Docs", sidebar = "docs" },
  { label = "More", position = "right", items = [{ label = "A", href = "/guides/a/#x" }] },
  { label = "Code", href = "https://example.org", icon = "github", position = "right" },
  { type = "locale" },
]
[footer]
copyright = "Copyright"
columns = [{ title = "Column", items = [{ label = "A", href = "/guides/a" }] }]
[[announcements]]
id = "one"
content = 'See <a href="/guides/a">it</a> or <a class="x" href="https://example.org/?a=1&amp;b">that</a>.'
[[announcements]]
id = "off"
content = "Nothing"
is_enabled = false
[diagnostics]
broken_anchors = "ignore"
"""


def test_bar_without_a_name_and_a_logo_has_the_title_of_the_site(make_site: MakeSite) -> None:
    """Else its link to the start page would have no words at all."""
    site = make_site({"docs/index.md": "# Start"})
    site.build()
    page = site.payload("/")
    assert site.shared(page["site"])["navbar"]["title"] == "Site"


def test_site_data_holds_what_all_pages_share(make_site: MakeSite) -> None:
    site = make_site({**FILES, "static/img/x.svg": '<svg viewBox="0 0 80 20"/>'}, NAVBAR)
    assert site.build().diagnostics == []
    payload = site.payload("/guides/a")
    assert payload["site"].startswith("/base/_octavo/")
    data = site.shared(payload["site"].removeprefix("/base"))
    logo: dict[str, Any] = {
        "src": "/base/img/x.svg",
        "srcDark": "/base/img/x.svg",
        "alt": "Logo",
        "href": "/base/guides/a",
    }
    logo |= {"width": 80, "height": 20}

    def link(label: str, href: str, icon: str | None = None, position: str = "left") -> dict[str, Any]:
        return {"type": "link", "label": label, "href": href, "icon": icon, "position": position}

    assert without(data, "docsVersion", "search") == {
        "analytics": None,
        "feedback": None,
        "hasTransitions": False,
        "offlineWorker": None,
        "title": "Site",
        "tagline": "All of it",
        "url": "http://localhost:3000",
        "baseUrl": "/base/",
        "locale": "en",
        "dir": "ltr",
        "versionName": "current",
        "versionLabel": "Next",
        "siteVersion": "1.2.3",
        "generator": f"Octavo {__version__}",
        "navbar": {
            "title": "Bar",
            "logo": logo,
            "hidesOnScroll": True,
            "items": [
                {
                    "type": "section",
                    "label": "Docs",
                    "href": "/base/intro",
                    "sidebarId": "docs",
                    "sidebar": payload["sidebar"],
                    "position": "left",
                },
                {
                    "type": "dropdown",
                    "label": "More",
                    "href": None,
                    "items": [link("A", "/base/guides/a#x")],
                    "position": "right",
                },
                link("Code", "https://example.org", "github", "right"),
                {"type": "switch", "what": "locale", "position": "left"},
            ],
        },
        "footer": {
            "logo": None,
            "copyright": "Copyright",
            "columns": [{"title": "Column", "items": [link("A", "/base/guides/a")]}],
        },
        "colorMode": {"default": "dark", "respectsSystem": True, "hasSwitch": True},
        "announcements": [
            {
                "id": "one",
                "html": 'See <a href="/base/guides/a">it</a> or '
                '<a class="x" href="https://example.org/?a=1&amp;b">that</a>.',
                "background": None,
                "color": None,
                "isCloseable": True,
            }
        ],
        "words": {
            key: word
            for key, word in words_of("en").items()
            if not key.startswith((SERVER_WORDS, CONSOLE_WORDS, *PAGE_WORDS))
        },
        "home": "/base/",
        "copiesPages": True,
        "assistants": [],
    }
    assert data["search"] == {
        "mode": "auto",
        "base": "/base/",
        "appId": "octavo",
        "apiKey": "public-search-key",
        "indexName": "docs",
        "hosts": ["/base/"],
        "placeholder": "Search docs",
        "pageHref": "/base/search",
        "resultsPerGroup": 5,
        "otherSites": {},
        "missingResultsUrl": None,
        "insights": None,
    }


def test_docs_version_is_published_in_the_form_of_the_specification(make_site: MakeSite) -> None:
    site = make_site({**FILES, "docs/draft.md": page("Draft", draft=True)})
    site.build()
    data = site.shared(site.shared(site.payload("/intro")["site"])["docsVersion"])
    assert without(data, "docs") == {
        "name": "current",
        "label": "Next",
        "path": "/",
        "isLast": True,
        "sidebars": {"docs": {"link": {"label": "Intro", "href": "/intro"}}},
        "mainDocId": "intro",
        "draftIds": ["draft"],
    }
    assert sorted(data["docs"], key=lambda entry: str(entry["id"])) == [
        {"id": "guides/a", "path": "/guides/a", "sidebar": "docs", "unlisted": False},
        {"id": "guides/b", "path": "/guides/b", "sidebar": "docs", "unlisted": True},
        {"id": "guides/deep/x", "path": "/guides/deep/x", "sidebar": "docs", "unlisted": False},
        {"id": "guides/deep/y", "path": "/guides/deep/y", "sidebar": "docs", "unlisted": False},
        {"id": "intro", "path": "/intro", "sidebar": "docs", "unlisted": False},
    ]


@pytest.mark.parametrize(
    ("files", "main"),
    [
        ({"docs/b.md": page("B"), "docs/z.md": page("Z", slug="/")}, "z"),
        ({"docs/b.md": page("B", sidebar_position=2), "docs/z.md": page("Z", sidebar_position=1), **HOME}, "z"),
        (HOME, None),
    ],
)
def test_main_document_is_the_one_at_the_root_or_the_first(
    make_site: MakeSite, files: dict[str, str], main: str | None
) -> None:
    site = make_site(files)
    assert site.build().diagnostics == []
    data = site.shared(site.shared(site.payload("/")["site"])["docsVersion"])
    assert data["mainDocId"] == main


def test_pictures_are_published_under_their_hash_with_their_size(make_site: MakeSite) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"/>'
    site = make_site({**HOME, "docs/a.md": page("A", "![Flow](./flow.svg)"), "docs/flow.svg": svg})
    assert site.build().diagnostics == []
    match = re.search(r'<img [^>]*src="(/_octavo/files/flow\.[0-9a-f]{12}\.svg)"[^>]*>', site.html("/a"))
    assert match is not None
    assert 'width="40" height="20"' in match[0]
    assert (site.out / match[1].lstrip("/")).read_text() == svg


def test_draft_is_published_nowhere(make_site: MakeSite) -> None:
    site = make_site({**HOME, "docs/a.md": page("A"), "docs/b.md": page("Secret plans", draft=True)})
    site.build()
    assert not [name for name, content in site.published().items() if b"Secret plans" in content]


def test_unlisted_page_is_published_and_in_no_list(site: SiteFolder) -> None:
    assert site.payload("/guides/b")["isUnlisted"] is True
    listing = [name for name, content in site.published().items() if b"/guides/b" in content]
    assert sorted(name for name in listing if not name.startswith("_octavo/version-")) == [
        "_octavo/manifest.json",
        "_octavo/pages/guides/b.json",
        "guides/b.md",
        "guides/b/index.html",
    ]


def test_logo_that_tells_no_size_has_none(make_site: MakeSite) -> None:
    site = make_site({**FILES, "static/img/x.svg": "<svg/>"}, NAVBAR)
    site.build()
    logo = site.shared(site.payload("/guides/a")["site"].removeprefix("/base"))["navbar"]["logo"]
    assert (logo["width"], logo["height"]) == (None, None)


@pytest.mark.parametrize(
    ("table", "google", "endpoint"),
    [
        ('google = "G-ABC123"', ["G-ABC123"], None),
        ('google = ["G-ABC123", "AW-9"]', ["G-ABC123", "AW-9"], None),
        ('endpoint = "/views"', [], "/views"),
    ],
)
def test_page_views_are_told_to_whom_the_configuration_names(
    table: str, google: list[str], endpoint: str | None, make_site: MakeSite
) -> None:
    site = make_site(HOME, f"[analytics]\n{table}")
    site.build()
    assert site.shared(site.payload("/")["site"])["analytics"] == {
        "google": google,
        "endpoint": endpoint,
        "anonymizesIp": True,
        "honorsDoNotTrack": True,
        "needsConsent": False,
        "consentScript": None,
    }


def test_category_whose_items_are_all_unlisted_is_a_link_to_its_own_page(make_site: MakeSite) -> None:
    site = make_site(
        {
            **HOME,
            "docs/a.md": page("A", "<DocCardList />"),
            "docs/guides/index.md": page("Guides"),
            "docs/guides/b.md": page("B", unlisted=True),
        }
    )
    assert site.check() == []
    items = site.shared(site.payload("/a")["sidebar"])["items"]
    link = {"type": "link", "label": "Guides", "href": "/guides/", "isUnlisted": False, "className": None, "icon": ""}
    assert items[1] == link
    assert site.html("/guides/").count('aria-current="page"') >= 1


def test_announcement_with_routes_is_on_their_pages_only(make_site: MakeSite) -> None:
    config = """
[[announcements]]
id = "off"
content = "Off"
is_enabled = false
[[announcements]]
id = "everywhere"
content = "For all"
[[announcements]]
id = "guides"
content = "For guides"
routes = ["/guides/*"]
"""
    site = make_site(FILES, config)
    assert site.build().diagnostics == []
    assert [site.payload(route)["announcements"] for route in ("/intro", "/guides/a")] == [[0], [0, 1]]
    assert "For guides" not in site.html("/intro")
    assert "For all" in site.html("/intro")
    assert "For guides" in site.html("/guides/a")
    assert b"For guides" not in site.published()["404.html"]


@pytest.mark.parametrize(("fonts", "is_marked"), [("bundled", False), ("system", True)])
def test_site_may_use_the_fonts_of_its_readers(make_site: MakeSite, fonts: str, is_marked: bool) -> None:
    site = make_site(FILES, f'[theme]\nfonts = "{fonts}"')
    assert site.build().diagnostics == []
    text = site.html("/intro")
    assert ('data-fonts="system"' in text) is is_marked
    assert not (is_marked and 'as="font"' in text)
