"""Addresses with or without a final slash, the same in routes, links, canonical addresses, sitemap, redirects and files."""

from __future__ import annotations

import re

import pytest

from octavo.server.addresses import Addresses, FoundFile, Moved
from tests.support.sites import HOME, MakeSite, SiteFolder, page

FILES = {
    **HOME,
    "pages/search.mdx": page("Search", layout="search"),
    "docs/start.md": page(
        "Start", "[file](./guides/b.md) [route](/guides/b) [slashed](/guides/b/) [relative](guides/b)"
    ),
    "docs/guides/index.md": page("Guides", "[up](../start)"),
    "docs/guides/b.md": page("B", "## Y"),
    "docs/other/c.md": page("C"),
    "docs/other/_category_.yaml": "label: Other\nlink: { type: generated-index }\n",
}
SETTINGS = 'url = "https://docs.example.org"\nredirects = [{ from = "/old", to = "/guides/b?x=1#y" }, { from = "/was/*", to = "/gone/*" }]\n'
ROUTES = {
    "ignore": ["/", "/category/other", "/guides/", "/guides/b", "/other/c", "/search", "/start"],
    "always": ["/", "/category/other/", "/guides/", "/guides/b/", "/other/c/", "/search/", "/start/"],
    "never": ["/", "/category/other", "/guides", "/guides/b", "/other/c", "/search", "/start"],
}


def build(make_site: MakeSite, form: str) -> SiteFolder:
    site = make_site(FILES, f'trailing_slash = "{form}"\n{SETTINGS}[diagnostics]\nbroken_links = "warn"\n', name=form)
    assert [problem.message for problem in site.build().diagnostics] == ['"/gone/*": no page lies in that folder.']
    return site


@pytest.mark.parametrize("form", ROUTES)
def test_all_agree(make_site: MakeSite, form: str) -> None:
    site = build(make_site, form)
    manifest = site.manifest()
    assert sorted(manifest.routes) == ROUTES[form]
    known = {f"/{name}" for name in manifest.files} | set(manifest.routes)
    for route, file in manifest.routes.items():
        html = (site.out / file).read_text()
        inside = list(re.findall(r'<a\b[^>]*?\bhref="(/[^"#?]*)', html))
        assert {href for href in inside if href not in known} == set(), route
        assert f'<link rel="canonical" href="https://docs.example.org{route}">' in html
        assert site.payload(route)["path"] == route
    sitemap = re.findall(r"<loc>https://docs.example.org([^<]*)", (site.out / "sitemap.xml").read_text())
    assert sorted(sitemap) == [route for route in ROUTES[form] if not route.startswith("/search")]
    assert manifest.redirects["/old"].removesuffix("?x=1#y") in manifest.routes


def test_files_are_those_that_hosts_serve_without_a_redirect(make_site: MakeSite) -> None:
    files = build(make_site, "never").manifest().routes
    assert (files["/guides"], files["/guides/b"], files["/"]) == ("guides.html", "guides/b.html", "index.html")
    files = build(make_site, "always").manifest().routes
    assert (files["/guides/"], files["/guides/b/"]) == ("guides/index.html", "guides/b/index.html")


@pytest.mark.parametrize(
    ("form", "asked", "moved"), [("always", b"/start", "/start/"), ("never", b"/start/", "/start")]
)
def test_server_leads_the_other_form_to_the_right_one(make_site: MakeSite, form: str, asked: bytes, moved: str) -> None:
    addresses = Addresses(build(make_site, form).manifest())
    assert addresses.resolve(asked) == Moved(moved, 308)
    assert isinstance(addresses.resolve(moved.encode()), FoundFile)
    target = "/guides/b/" if form == "always" else "/guides/b"
    assert addresses.resolve(b"/old") == Moved(f"{target}?x=1#y", 301)
    assert not isinstance(addresses.resolve(b"/old.html"), FoundFile)


def test_old_addresses_are_not_missed_where_a_host_leads_to_the_new_ones(make_site: MakeSite) -> None:
    site = make_site({**FILES, "addresses.txt": "/start\n/guides/b\n"}, f'trailing_slash = "always"\n{SETTINGS}')
    assert [one.code for one in site.build().diagnostics if one.code.startswith("vanished")] == []


def test_links_are_as_the_author_typed_them(make_site: MakeSite) -> None:
    for form, target in (("always", "/guides/b/"), ("never", "/guides/b"), ("ignore", "/guides/b")):
        site = build(make_site, form)
        html = (site.out / site.manifest().routes[ROUTES[form][-1]]).read_text()
        article = html[html.index("<article") : html.index("</article>")]
        assert re.findall(r'<a\b[^>]*?href="(/guides/b/?)"', article)[:4] == [target] * 4


def test_hosts_find_what_they_read(make_site: MakeSite) -> None:
    site = build(make_site, "always")
    assert (site.out / ".nojekyll").read_bytes() == b""
    assert (site.out / "_redirects").read_text() == "/old /guides/b/?x=1#y 301\n/was/* /gone/:splat 301\n"
    assert not isinstance(Addresses(site.manifest()).resolve(b"/_redirects"), FoundFile)


def test_redirect_of_a_folder_with_pages_is_no_rule_for_hosts(make_site: MakeSite) -> None:
    config = 'base_url = "/docs/"\nredirects = [{ from = "/guides/*", to = "/start" }, { from = "/x", to = "https://example.org/" }]\n'
    site = make_site(FILES, config)
    site.build()
    assert (site.out / "_redirects").read_text() == "/docs/x https://example.org/ 301\n"


def test_authors_own_file_for_a_host_stays(make_site: MakeSite) -> None:
    site = make_site(
        {**FILES, "static/_redirects": "/mine / 302\n"}, f'{SETTINGS}[diagnostics]\nbroken_links = "warn"\n'
    )
    site.build()
    assert (site.out / "_redirects").read_text() == "/mine / 302\n"
