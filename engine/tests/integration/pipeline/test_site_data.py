"""What all pages of a site share, and the settings that each of its pages follows."""

from __future__ import annotations

from typing import Any

import pytest

from octavo._version import __version__
from octavo.words import CONSOLE_WORDS, PAGE_WORDS, SERVER_WORDS, words_of
from tests.support.sites import HOME, MakeSite, page

from .payloads import FILES, without

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


@pytest.mark.parametrize(("to", "home"), [("/intro", "/base/intro"), ("/intro#x", "/base/")])
def test_home_is_the_page_to_which_the_root_is_redirected(make_site: MakeSite, to: str, home: str) -> None:
    config = f'base_url = "/base/"\nredirects = [{{ from = "/", to = "{to}" }}]\n'
    site = make_site({"docs/intro.md": "# Start\n\n## X {#x}\n"}, config)
    assert site.build().diagnostics == []
    assert site.shared(site.payload("/intro")["site"].removeprefix("/base"))["home"] == home


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
