"""What the head of a published page says."""

from __future__ import annotations

import html
import json
import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from octavo._version import __version__
from tests.support.sites import HOME, MakeSite, SiteFolder, page

URL = 'url = "https://docs.example.org"\n'


def head_of(site: SiteFolder, route: str = "/a") -> str:
    build = site.build()
    assert build.is_published, build.diagnostics
    return site.html(route).partition("</head>")[0]


def metas(head: str) -> dict[str, str]:
    """Read the metas with a name or a property."""
    found = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)">', head)
    return {name: html.unescape(value) for name, value in found}


def links(head: str, rel: str) -> list[dict[str, str]]:
    tags = re.findall(r"<link ([^>]*)>", head)
    attributes = [
        {name: html.unescape(value) for name, value in re.findall(r'([a-z]+)="([^"]*)"', tag)} for tag in tags
    ]
    return [found for found in attributes if found.get("rel") == rel]


def structured_data(head: str, *kinds: str) -> dict[str, Any] | None:
    """Read the structured data of one of some kinds."""
    scripts = map(json.loads, re.findall(r'<script type="application/ld\+json">(.*?)</script>', head))
    return next((data for data in scripts if data["@type"] in kinds), None)


def breadcrumb_data(head: str) -> dict[str, Any] | None:
    return structured_data(head, "BreadcrumbList")


def article_data(head: str) -> dict[str, Any] | None:
    return structured_data(head, "TechArticle", "APIReference")


def test_metas_of_a_document_are_complete(make_site: MakeSite) -> None:
    site = make_site(
        {
            **HOME,
            "docs/a.md": page(
                "Ports & <hosts>", description='Say "which" & why.', keywords=["ports", "hosts"], image="/img/a.png"
            ),
            "static/img/a.png": b"",
        },
        URL,
    )
    assert metas(head_of(site)) == {
        "viewport": "width=device-width,initial-scale=1",
        "og:title": "Ports & <hosts> | Site",
        "description": 'Say "which" & why.',
        "og:description": 'Say "which" & why.',
        "og:url": "https://docs.example.org/a",
        "keywords": "ports, hosts",
        "og:image": "https://docs.example.org/img/a.png",
        "og:image:alt": "Ports & <hosts> | Site",
        "twitter:image": "https://docs.example.org/img/a.png",
        "twitter:image:alt": "Ports & <hosts> | Site",
        "docsearch:docusaurus_tag": "docs-default-current",
        "docsearch:version": "current",
        "generator": f"Octavo {__version__}",
        "color-scheme": "light dark",
        "og:type": "website",
        "og:locale": "en",
        "og:site_name": "Site",
        "twitter:card": "summary_large_image",
        "docsearch:language": "en",
    }


@pytest.mark.parametrize(
    ("title", "delimiter", "expected"),
    [
        ("Ports", "", "Ports | Site"),
        ("Ports", 'title_delimiter = "·"\n', "Ports · Site"),
        ("Site", "", "Site"),
        ("A < B & C", "", "A < B & C | Site"),
    ],
)
def test_document_title_is_page_and_site(make_site: MakeSite, title: str, delimiter: str, expected: str) -> None:
    head = head_of(make_site({**HOME, "docs/a.md": page(title)}, delimiter))
    match = re.search(r"<title>(.*?)</title>", head)
    assert match is not None
    assert html.unescape(match[1]) == expected


@pytest.mark.parametrize(("base_url", "address"), [("/", "/guides/"), ("/docs/", "/docs/guides/")])
def test_canonical_address_is_absolute_and_keeps_the_slash_of_the_route(
    make_site: MakeSite, base_url: str, address: str
) -> None:
    site = make_site({**HOME, "docs/guides/index.md": page("G")}, f'{URL}base_url = "{base_url}"\n')
    head = head_of(site, "/guides/")
    assert links(head, "canonical") == [{"rel": "canonical", "href": f"https://docs.example.org{address}"}]
    assert metas(head)["og:url"] == f"https://docs.example.org{address}"


def test_canonical_address_is_encoded(make_site: MakeSite) -> None:
    head = head_of(make_site({**HOME, "docs/größe.md": page("G")}, URL), "/größe")
    assert links(head, "canonical")[0]["href"] == "https://docs.example.org/gr%C3%B6%C3%9Fe"


@pytest.mark.parametrize(
    ("front", "config", "expected"),
    [
        ({}, "", None),
        ({}, 'image = "/img/card.png"\n', "https://docs.example.org/img/card.png"),
        ({}, 'image = "/img/card.png"\nbase_url = "/docs/"\n', "https://docs.example.org/docs/img/card.png"),
        ({"image": "https://example.org/x.png"}, 'image = "/img/card.png"\n', "https://example.org/x.png"),
        ({"image": "/img/card.png"}, "", "https://docs.example.org/img/card.png"),
    ],
)
def test_picture_for_cards_is_absolute(
    make_site: MakeSite, front: dict[str, str], config: str, expected: str | None
) -> None:
    site = make_site({**HOME, "docs/a.md": page("A", **front), "static/img/card.png": b""}, URL + config)
    found = metas(head_of(site))
    assert (found.get("og:image"), found.get("twitter:image")) == (expected, expected)


@pytest.mark.parametrize(
    ("front", "config", "robots"),
    [
        ({}, "", None),
        ({"unlisted": True}, "", "noindex, nofollow"),
        ({}, "not_indexed = true\n", "noindex, nofollow"),
    ],
)
def test_page_that_is_not_to_be_indexed_says_so(
    make_site: MakeSite, front: dict[str, bool], config: str, robots: str | None
) -> None:
    head = head_of(make_site({**HOME, "docs/a.md": page("A", **front)}, config))
    assert metas(head).get("robots") == robots


def test_search_page_and_not_found_page_are_not_indexed(make_site: MakeSite) -> None:
    site = make_site({**HOME, "pages/search.mdx": page("Search", layout="search")})
    assert metas(head_of(site, "/search"))["robots"] == "noindex, nofollow"
    not_found = (site.out / "404.html").read_text()
    assert metas(not_found)["robots"] == "noindex, nofollow"
    assert links(not_found, "canonical") == []
    assert "<title>Page Not Found | Site</title>" in not_found


def test_pages_outside_the_docs_belong_to_no_version(make_site: MakeSite) -> None:
    found = metas(head_of(make_site(HOME), "/"))
    assert found["docsearch:docusaurus_tag"] == "default"
    assert "docsearch:version" not in found


def test_breadcrumb_data_lists_what_has_an_address(make_site: MakeSite) -> None:
    site = make_site(
        {
            **HOME,
            "docs/guides/index.md": page("Guides"),
            "docs/guides/deep/x.md": page("X </script>"),
        },
        URL,
    )
    data = breadcrumb_data(head_of(site, "/guides/deep/x"))
    assert data == {
        "@context": "https://schema.org",
        "@type": "BreadcrumbList",
        "itemListElement": [
            {"@type": "ListItem", "position": 1, "name": "Guides", "item": "https://docs.example.org/guides/"},
            {
                "@type": "ListItem",
                "position": 2,
                "name": "X </script>",
                "item": "https://docs.example.org/guides/deep/x",
            },
        ],
    }


def test_pages_without_breadcrumbs_have_no_breadcrumb_data(make_site: MakeSite) -> None:
    assert breadcrumb_data(head_of(make_site(HOME), "/")) is None


def test_documents_say_what_they_are_and_in_which_language(make_site: MakeSite) -> None:
    locales = '[[locales]]\nid = "en"\nlabel = "English"\n[[locales]]\nid = "ar"\nlabel = "A"\npath = "ar"\ndocs = "i18n/ar"\n'
    front = {"description": 'Says "</script>".', "tags": ["fire"], "last_update": {"date": "2026-02-01"}}
    files = {
        **HOME,
        "docs/a.md": page("Fire clay", **front),
        "docs/b.md": page("B"),
        "docs/hidden.md": page("H", unlisted=True),
        "i18n/ar/docs/a.md": page("طين"),
        "shop.json": '{"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "paths": {}}',
    }
    site = make_site(files, f'{URL}[[openapi]]\nid = "shop"\nspec = "shop.json"\ndoc = "shop"\n{locales}')
    assert article_data(head_of(site, "/a")) == {
        "@context": "https://schema.org",
        "@type": "TechArticle",
        "headline": "Fire clay",
        "inLanguage": "en",
        "isPartOf": {"@type": "WebSite", "name": "Site", "url": "https://docs.example.org/"},
        "url": "https://docs.example.org/a",
        "description": 'Says "</script>".',
        "dateModified": "2026-02-01",
        "keywords": ["fire"],
    }
    found = {
        route: article_data(site.html(route).partition("</head>")[0]) or {}
        for route in ("/ar/a", "/ar/b", "/hidden", "/")
    }
    assert [data.get("inLanguage") for data in found.values()] == ["ar", "en", None, None]
    assert found["/ar/b"]["url"] == "https://docs.example.org/b"
    api = [article_data(head) for path in site.out.rglob("shop/**/index.html") if (head := path.read_text())]
    assert {data["@type"] for data in api if data} == {"APIReference"}


def test_favicon_stands_under_the_base_url(make_site: MakeSite) -> None:
    config = 'favicon = "/img/x.svg"\nbase_url = "/docs/"\n'
    head = head_of(make_site({**HOME, "static/img/x.svg": "<svg/>"}, config), "/")
    assert links(head, "icon") == [{"rel": "icon", "href": "/docs/img/x.svg"}]


def test_mode_before_any_script_is_the_default_one(make_site: MakeSite) -> None:
    site = make_site(HOME, '[color_mode]\ndefault = "light"\nrespect_system = false\n')
    head = head_of(site, "/")
    assert '<html lang="en" dir="ltr" data-theme="light">' in head
    assert metas(head)["color-scheme"] == "light"


def test_single_language_has_no_alternates(make_site: MakeSite) -> None:
    assert links(head_of(make_site(HOME), "/"), "alternate") == [
        {"rel": "alternate", "type": "text/markdown", "href": "/index.md"}
    ]


def test_text_of_a_page_cannot_end_its_data(make_site: MakeSite) -> None:
    site = make_site({**HOME, "docs/a.md": page("</script><script>alert(1)</script>", "<!-- x -->\n\nText.")})
    assert site.build().is_published
    text = site.html("/a")
    assert "<script>alert(1)" not in text
    match = re.search(r'<script type="application/json" id="octavo-page">(.*?)</script>', text)
    assert match is not None
    assert json.loads(match[1])["title"] == "</script><script>alert(1)</script>"


@pytest.mark.parametrize("image", ["./card.png", "../docs/card.png"])
def test_picture_for_cards_may_lie_beside_its_document(make_site: MakeSite, image: str) -> None:
    site = make_site({**HOME, "docs/a.md": page("A", image=image), "docs/card.png": b"1"}, URL)
    address = metas(head_of(site))["og:image"]
    assert address is not None
    assert address.startswith("https://docs.example.org/_octavo/files/card.")
    assert (site.out / address.removeprefix("https://docs.example.org/")).read_bytes() == b"1"


def test_picture_for_cards_that_is_missing_is_reported_where_it_is_named(make_site: MakeSite) -> None:
    site = make_site({**HOME, "docs/a.md": page("A", image="./card.png")})
    assert site.check() == ['docs/a.md:3:1: error: file "./card.png" does not exist. [broken-asset]']


def test_character_that_xml_forbids_leaves_the_xml_files_readable(make_site: MakeSite) -> None:
    blog = '[[blogs]]\nfolder = "blog"\ntitle = "News\\u001b"\n'
    post = '---\ntitle: "Po\\x1bst"\ndate: 2026-01-02\ndescription: "De\\x0bsc"\n---\n\nText\n'
    site = make_site({**HOME, "octavo.toml": f'title = "S\\u000bite"\n{URL}{blog}', "docs/blog/one.md": post})
    assert site.build().is_published
    files = sorted(site.out.rglob("*.xml"))
    assert {"feed.xml", "opensearch.xml", "sitemap.xml"} <= {file.name for file in files}
    for file in files:
        ET.parse(file)
