"""Sitemap, robots, redirects, the not-found page: what leads others to the pages."""

from __future__ import annotations

import re
import subprocess

import pytest

from tests.support.sites import HOME, MakeSite, SiteFolder, page

URL = 'url = "https://docs.example.org"\n'


def sitemap(site: SiteFolder) -> list[tuple[str, str]]:
    text = (site.out / "sitemap.xml").read_text()
    assert text.startswith(
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    )
    return re.findall(r"<url><loc>([^<]*)</loc>(?:<lastmod>([^<]*)</lastmod>)?</url>", text)


def test_sitemap_lists_what_may_be_indexed_with_the_day_of_its_last_change(make_site: MakeSite) -> None:
    site = make_site(
        {
            **HOME,
            "pages/search.mdx": page("Search", layout="search"),
            "docs/a.md": page("A", last_update={"date": "2026-01-31"}),
            "docs/guides/index.md": page("Guides"),
            "docs/größe & maß.md": page("G"),
            "docs/hidden.md": page("Hidden", unlisted=True),
            "docs/draft.md": page("Draft", draft=True),
        },
        f'{URL}base_url = "/docs/"\n',
    )
    assert site.build().is_published
    assert sorted(sitemap(site)) == [
        ("https://docs.example.org/docs/", ""),
        ("https://docs.example.org/docs/a", "2026-01-31"),
        ("https://docs.example.org/docs/gr%C3%B6%C3%9Fe%20&amp;%20ma%C3%9F", ""),
        ("https://docs.example.org/docs/guides/", ""),
    ]


def test_day_of_the_last_change_comes_from_git(make_site: MakeSite) -> None:
    site = make_site({**HOME, "docs/a.md": page("A")}, URL + "shows_last_update = true\n")
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    for command in (["init", "-q"], ["add", "docs"], [*identity, "commit", "-qm", "x", "--date=2026-01-01T00:00:00Z"]):
        subprocess.run(
            ["git", *command],
            check=True,
            cwd=site.root,
            env={
                "GIT_COMMITTER_DATE": "2026-01-02T00:00:00Z",
                "PATH": "/usr/bin:/bin",
                "GIT_CONFIG_GLOBAL": "/dev/null",
            },
        )
    assert site.build().is_published
    assert dict(sitemap(site)) == {"https://docs.example.org/": "", "https://docs.example.org/a": "2026-01-02"}
    assert site.payload("/a")["lastUpdated"] == {"date": "2026-01-02", "author": "Ada"}


def test_site_that_is_not_to_be_indexed_has_no_sitemap_and_says_so_to_robots(make_site: MakeSite) -> None:
    site = make_site(HOME, "not_indexed = true\n")
    assert site.build().is_published
    assert not (site.out / "sitemap.xml").exists()
    assert (site.out / "robots.txt").read_text() == "User-agent: *\nDisallow: /\n"


def test_robots_are_shown_the_sitemap(make_site: MakeSite) -> None:
    site = make_site(HOME, f'{URL}base_url = "/docs/"\n')
    assert site.build().is_published
    assert (site.out / "robots.txt").read_text() == (
        "User-agent: *\nAllow: /\nSitemap: https://docs.example.org/docs/sitemap.xml\n"
    )


@pytest.mark.parametrize("name", ["robots.txt", "sitemap.xml", "404.html"])
def test_file_of_the_authors_own_is_kept(make_site: MakeSite, name: str) -> None:
    site = make_site({**HOME, f"static/{name}": "mine"})
    assert site.build().is_published
    assert (site.out / name).read_text() == "mine"


REDIRECTS = """
[[redirects]]
from = "/old"
to = "/guides#ports"
[[redirects]]
from = "/old/folder/"
to = "https://example.org/?a=1&b=2"
[[redirects]]
from = "/a"
to = "/guides/"
"""


def test_redirects_are_pages_for_hosts_that_know_no_others(make_site: MakeSite) -> None:
    files = {**HOME, "docs/a.md": page("A"), "docs/guides/index.md": page("Guides", "## Ports")}
    site = make_site(files, f'base_url = "/docs/"\n{REDIRECTS}')
    build = site.build()
    assert [problem.code for problem in build.diagnostics] == ["unused-redirect"]  # from the page /a
    assert site.html("/old") == (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>This page has moved</title>\n'
        '<meta http-equiv="refresh" content="0; url=/docs/guides/#ports">'
        '<link rel="canonical" href="/docs/guides/#ports">\n'
        '<meta name="robots" content="noindex"></head><body><p>This page has moved to '
        '<a href="/docs/guides/#ports">/docs/guides/#ports</a>.</p></body></html>\n'
    )
    assert 'content="0; url=https://example.org/?a=1&amp;b=2"' in site.html("/old/folder/")


def test_redirect_never_replaces_a_page(make_site: MakeSite) -> None:
    files = {**HOME, "docs/a.md": page("A"), "docs/guides/index.md": page("Guides", "## Ports")}
    site = make_site(files, REDIRECTS)
    assert site.build().is_published
    assert "<title>A | Site</title>" in site.html("/a")


def test_manifest_tells_the_server_all_it_needs(make_site: MakeSite) -> None:
    files = {**HOME, "docs/guides/index.md": page("Guides", "## Ports"), "docs/größe.md": page("G")}
    site = make_site(files, f'base_url = "/docs/"\n{REDIRECTS}')
    build = site.build()
    manifest = site.manifest()
    assert (manifest.build, manifest.base_url, manifest.not_found) == (build.build_id, "/docs/", "404.html")
    assert manifest.routes == {
        "/": "index.html",
        "/guides/": "guides/index.html",
        "/größe": "größe/index.html",
    }
    assert manifest.redirects == {
        "/old": "/guides#ports",
        "/old/folder/": "https://example.org/?a=1&b=2",
        "/a": "/guides/",
    }
    assert manifest.files.keys() | {"_octavo/manifest.json"} == site.pages().keys()


def test_compressed_forms_stand_beside_their_files_when_asked_for(make_site: MakeSite) -> None:
    site = make_site({**HOME, "static/small.txt": "x", "static/big.txt": "x" * 300, "static/x.png": b"x" * 300})
    site.build(precompress=True)
    names = site.pages().keys()
    assert {"index.html.br", "index.html.gz", "big.txt.br", "big.txt.gz"} <= names
    assert not {"small.txt.br", "x.png.br", "index.html.br.br", "_octavo/manifest.json.br"} & names
    assert site.manifest().files.keys() | {"_octavo/manifest.json"} == names
    site.build()
    assert not [name for name in site.published() if name.endswith((".br", ".gz"))]


def test_pages_name_the_original_and_the_tags_of_their_head(make_site: MakeSite) -> None:
    head = (
        '<head>\n<title>Kites & co</title>\n<link rel="canonical" href="https://kites.example/all" />\n'
        '<meta name="description" content="All kites" />\n<meta property="og:image" content="/kite.png" />\n'
        '<meta name="robots" content="noarchive" />\n</head>\n\n# Kites\n'
    )
    files = {**HOME, "docs/kites.mdx": head, "docs/own.md": "---\ncanonical_url: /kites/\n---\n\n# Own\n"}
    site = make_site(files, 'url = "https://here.example"\n')
    assert not site.build().diagnostics
    html = site.html("/kites/")
    for tag in (
        "<title>Kites &amp; co</title>",
        '<link rel="canonical" href="https://kites.example/all">',
        '<meta name="description" content="All kites">',
        '<meta property="og:image" content="https://here.example/kite.png">',
        '<meta name="robots" content="noarchive">',
    ):
        assert html.count(tag) == 1, tag
    assert html.count('property="og:image"') == 1
    assert '<link rel="canonical" href="https://here.example/kites/">' in site.html("/own/")
