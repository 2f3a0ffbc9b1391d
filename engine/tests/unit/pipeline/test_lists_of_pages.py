"""What a site tells programs of its pages: sitemap, robots file, feeds, lists for language models. Nothing is rendered."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from octavo.config import load_config
from octavo.content.compile import ContentOptions, compile_document
from octavo.content.posts import PostFolder
from octavo.documents.body import split_document
from octavo.pipeline.feed import blog_feed_address, write_blog_feeds, write_feed
from octavo.pipeline.page_lists import listed_pages, write_llms, write_page_list
from octavo.pipeline.sitemap import write_robots, write_sitemap
from octavo.site import AssetStore, LastCommit, LinkResolver, Site, assemble_site, find_sources
from tests.support.each import each
from tests.support.sites import TWO_LOCALES, TWO_VERSIONS, MakeSite, SiteFolder, page

URL = 'url = "https://example.org"\nbase_url = "/docs/"\n'
BLOG = """[[blogs]]
folder = "news"
title = "News & more"
description = "What is new."
[blogs.authors.ann]
name = "Ann <Lee>"
"""


def resolver(site: Site) -> LinkResolver:
    return LinkResolver(site, AssetStore(Path(), "static"))


def sitemap(site: Site) -> str:
    return write_sitemap(site, resolver(site)).decode()


def listed(site: Site) -> dict[str, Any]:
    return dict(json.loads(write_page_list(site, resolver(site))))


def test_sitemap_has_the_pages_that_may_be_indexed_with_the_day_of_their_change(make_site: MakeSite) -> None:
    files = {
        "docs/a.md": page("A"),
        "docs/b & c.md": page("B", slug="/b&c"),
        "docs/secret.md": page("Secret", unlisted=True),
        "pages/search.md": page("Search", layout="search"),
        "docs-v1/a.md": page("A"),
    }
    site = make_site(files, URL + TWO_VERSIONS).assemble(history={"docs/a.md": LastCommit("2026-03-04", "Ann")})
    assert re.findall(r"<url>.*</url>", sitemap(site)) == [
        "<url><loc>https://example.org/docs/a</loc><lastmod>2026-03-04</lastmod></url>",
        "<url><loc>https://example.org/docs/b&amp;c</loc></url>",
    ]


def test_sitemap_leaves_out_pages_that_name_another_one_as_canonical_or_refuse_to_be_listed(
    make_site: MakeSite,
) -> None:
    files = {
        "docs/a.md": page("A"),
        "docs/own.md": page("Own", canonical_url="https://example.org/docs/own/"),
        "docs/path.md": page("Path", canonical_url="/docs/path"),
        "docs/copy.md": page("Copy", canonical_url="https://other.example.org/copy"),
        "docs/no.mdx": page("No", '<head><meta name="robots" content="noindex" /></head>\n\nText.'),
        "i18n/fr/docs/own.md": page("Propre"),
    }
    site = make_site(files, URL + TWO_LOCALES).assemble()
    listed = re.findall(r"<loc>https://example.org/docs(.*?)</loc>", sitemap(site))
    # Of the French pages, only one is translated; the others name the original.
    assert sorted(listed) == ["/a", "/fr/own", "/own", "/path"]


@each(
    "settings, expected",
    [
        (URL, "User-agent: *\nAllow: /\nSitemap: https://example.org/docs/sitemap.xml\n"),
        ("", "User-agent: *\nAllow: /\n"),
        (URL + "not_indexed = true\n", "User-agent: *\nDisallow: /\n"),
    ],
)
def test_robots_file_names_the_sitemap_or_forbids_all(make_site: MakeSite, settings: str, expected: str) -> None:
    site = make_site({"docs/a.md": page("A")}, settings).assemble()
    assert write_robots(site, resolver(site)).decode() == expected
    assert ("<url>" in sitemap(site)) == ("Allow" in expected)


def entries(feed: bytes) -> list[str]:
    return re.findall(r"<entry>.*</entry>", feed.decode())


def test_feed_of_changes_has_the_newest_first_and_ends_after_fifty(make_site: MakeSite) -> None:
    files = {f"docs/p{number:02}.md": page(f"P{number:02}") for number in range(53)}
    files |= {"docs/new.md": page("New <one>", description="A & B."), "docs/hidden.md": page("H", unlisted=True)}
    files |= {"docs/undated.md": page("Undated"), "pages/index.md": page("Home")}
    history = {path: LastCommit("2026-01-02", "") for path in files if path != "docs/undated.md"}
    history["docs/new.md"] = LastCommit("2026-05-06T07:08:09Z", "Ann & Bo")
    site = make_site(files, URL).assemble(history=history)
    feed = write_feed(site, resolver(site))
    first, second, *rest = entries(feed)
    assert first == (
        "<entry><title>New &lt;one&gt;</title><id>https://example.org/docs/new#changed-2026-05-06</id>"
        '<link rel="alternate" type="text/html" href="https://example.org/docs/new"/>'
        "<updated>2026-05-06T07:08:09Z</updated><author><name>Ann &amp; Bo</name></author><summary>A &amp; B.</summary></entry>"
    )
    # Of one day, the last title comes first; where nobody is known nobody is named.
    assert second == (
        "<entry><title>P52</title><id>https://example.org/docs/p52#changed-2026-01-02</id>"
        '<link rel="alternate" type="text/html" href="https://example.org/docs/p52"/>'
        "<updated>2026-01-02T00:00:00Z</updated><summary>Text.</summary></entry>"
    )
    assert len(rest) == 48
    assert feed.decode().startswith(
        '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">\n'
        "<title>Site</title>\n<id>https://example.org/docs/changes.xml</id>\n"
        '<link rel="self" type="application/atom+xml" href="https://example.org/docs/changes.xml"/>\n'
        '<link rel="alternate" type="text/html" href="https://example.org/docs/"/>\n'
        "<updated>2026-05-06T07:08:09Z</updated>\n<author><name>Site</name></author>\n"
    )


def test_feed_without_changes_is_a_whole_feed(make_site: MakeSite) -> None:
    site = make_site({"docs/a.md": page("A")}, URL).assemble()
    feed = write_feed(site, resolver(site)).decode()
    assert "<updated>1970-01-01T00:00:00Z</updated>" in feed
    assert feed.endswith("</author>\n</feed>\n")


def blog(folder: SiteFolder) -> Site:
    """Assemble a site whose documents in `docs/news` are posts."""
    config = load_config(folder.root)
    options = ContentOptions(posts=[PostFolder("docs/news")])
    summaries = {}
    for source in (sources := find_sources(folder.root, config)):
        text = (folder.root / source.path).read_text(encoding="utf-8")
        document = compile_document(text, source_path=source.path, load=lambda _: None, options=options)
        summaries[source.path] = split_document(document, body_key="")[0]
    return assemble_site(config, sources, summaries, site_dir=folder.root, history={})


def test_feed_of_a_blog_has_its_posts_and_no_other_pages(make_site: MakeSite) -> None:
    files = {
        "docs/news/one.md": page("One", date="2026-01-02", authors=["ann", "Cy & co"], tags=["a&b"]),
        "docs/news/two.md": page("Two", date="2026-02-03", description="The second."),
        "docs/news/undated.md": page("Undated"),
        "docs/news/hidden.md": page("Hidden", date="2026-03-04", unlisted=True),
        "docs/other.md": page("Other", date="2026-04-05"),
    }
    site = blog(make_site(files, URL + BLOG))
    [(address, feed)] = write_blog_feeds(site, resolver(site)).items()
    assert address == blog_feed_address(site.config.blogs[0], site) == "news/feed.xml"
    two, one = entries(feed)
    assert "<title>Two</title>" in two
    assert two.endswith("<updated>2026-02-03T00:00:00Z</updated><summary>The second.</summary></entry>")
    assert one.endswith(
        "<published>2026-01-02T00:00:00Z</published><updated>2026-01-02T00:00:00Z</updated>"
        "<author><name>Ann &lt;Lee&gt;</name></author><author><name>Cy &amp; co</name></author>"
        '<category term="a&amp;b"/><summary>Text.</summary></entry>'
    )
    head = feed.decode().partition("<entry>")[0]
    assert "<title>Site: News &amp; more</title>\n<subtitle>What is new.</subtitle>" in head
    assert 'rel="self" type="application/atom+xml" href="https://example.org/docs/news/feed.xml"' in head
    assert 'type="text/html" href="https://example.org/docs/news/"' in head
    assert "<updated>2026-02-03T00:00:00Z</updated>" in head


def test_blog_whose_feed_is_turned_off_has_none(make_site: MakeSite) -> None:
    files = {"docs/news/one.md": page("One", date="2026-01-02")}
    site = make_site(files, URL + '[[blogs]]\nfolder = "news"\nhas_feed = false\n').assemble()
    assert write_blog_feeds(site, resolver(site)) == {}


def test_list_of_pages_says_what_each_is(make_site: MakeSite) -> None:
    files = {
        "docs/a.md": page("A", "## Own {#own}\n\nText.", description="About A."),
        "docs/hidden.md": page("Hidden", unlisted=True),
        "pages/search.md": page("Search", layout="search"),
        "docs-v1/a.md": page("A"),
    }
    site = make_site(files, URL + TWO_VERSIONS).assemble(history={"docs/a.md": LastCommit("2026-03-04", "")})
    found = listed(site)
    assert (found["title"], found["languages"], found["versions"]) == ("Site", ["en"], ["2", "1"])
    by_route = {one["route"]: one for one in found["pages"]}
    assert set(by_route) == {"/a", "/v1/a"}
    [heading] = by_route["/a"].pop("headings")
    assert (heading["level"], heading["text"], heading["id"]) == (2, "Own", "own")
    assert by_route["/a"] == {
        "route": "/a",
        "url": "https://example.org/docs/a",
        "title": "A",
        "description": "About A.",
        "markdown": "https://example.org/docs/a.md",
        "locale": "en",
        "version": "2",
        "updated": "2026-03-04",
    }
    assert by_route["/v1/a"]["version"] == "1"
    assert "updated" not in by_route["/v1/a"]


def test_page_without_a_translation_is_listed_with_the_language_that_it_is_in(make_site: MakeSite) -> None:
    files = {"docs/a.md": page("A"), "docs/b.md": page("B"), "i18n/fr/docs/a.md": page("A", "Texte.")}
    settings = URL + "[programs]\nmarkdown = false\n" + TWO_LOCALES
    found = listed(make_site(files, settings).assemble())
    assert found["languages"] == ["en", "fr"]
    languages = {one["route"]: (one["locale"], one.get("language")) for one in found["pages"]}
    assert languages == {"/a": ("en", None), "/b": ("en", None), "/fr/a": ("fr", None), "/fr/b": ("fr", "en")}
    assert not any("version" in one or "markdown" in one for one in found["pages"])


SIDEBARS = """[[sidebars]]
id = "one"
items = [{ doc = "one/a" }, { category = "More of it", items = [{ doc = "one/b" }, { doc = "one/a" }] }]
[[sidebars]]
id = "two"
items = [{ category = "Deep", items = [{ doc = "two/c" }] }]
[[navbar.items]]
label = "First"
sidebar = "one"
"""
FILES = {
    "docs/one/a.md": page("A [x]", description="About A."),
    "docs/one/b.md": page("B"),
    "docs/two/c.md": page("C"),
    "docs/loose.md": page("Loose"),
    "docs/hidden.md": page("Hidden", unlisted=True),
}


def test_pages_are_listed_once_by_category_under_the_name_of_their_sidebar(make_site: MakeSite) -> None:
    site = make_site(FILES, URL + SIDEBARS).assemble()
    sections = [(title, [page.route for page in pages]) for title, pages in listed_pages(site)]
    assert sections == [
        ("First: Overview", ["/one/a"]),
        ("First: More of it", ["/one/b"]),
        ("Deep", ["/two/c"]),
        ("More", ["/loose"]),
    ]


def test_only_sidebar_needs_no_name_in_the_list(make_site: MakeSite) -> None:
    settings = (
        '[[sidebars]]\nid = "docs"\nitems = [{ doc = "one/a" }]\n[[navbar.items]]\nlabel = "First"\nsidebar = "docs"\n'
    )
    site = make_site({"docs/one/a.md": page("A")}, URL + settings).assemble()
    assert [title for title, _ in listed_pages(site)] == ["Overview"]


def test_list_for_language_models_names_pages_other_editions_and_what_may_be_left_out(make_site: MakeSite) -> None:
    files = FILES | {"i18n/fr/docs/one/a.md": page("A")}
    settings = URL + 'tagline = "All of it"\n' + SIDEBARS + TWO_LOCALES
    site = make_site(files, settings).assemble()
    assert write_llms(site, resolver(site)).decode() == (
        "# Site\n\n> All of it\n\n"
        "## First: Overview\n\n- [A \\[x\\]](https://example.org/docs/one/a.md): About A.\n\n"
        "## First: More of it\n\n- [B](https://example.org/docs/one/b.md): Text.\n\n"
        "## Deep\n\n- [C](https://example.org/docs/two/c.md): Text.\n\n"
        "## More\n\n- [Loose](https://example.org/docs/loose.md): Text.\n\n"
        "## Other languages and versions\n\n- [Français](https://example.org/docs/fr/one/a)\n\n"
        "## Optional\n\n- [All pages in full](https://example.org/docs/llms-full.txt): the Markdown of the pages above\n"
        "- [Sitemap](https://example.org/docs/sitemap.xml): all addresses, with dates\n"
    )


def test_list_for_language_models_leads_to_pages_where_there_is_no_markdown(make_site: MakeSite) -> None:
    settings = URL + "[programs]\nmarkdown = false\n" + TWO_VERSIONS
    site = make_site({"docs/a.md": page("A"), "docs-v1/a.md": page("A")}, settings).assemble()
    assert write_llms(site, resolver(site)).decode() == (
        "# Site\n\n## Overview\n\n- [A](https://example.org/docs/a): Text.\n\n"
        "## Other languages and versions\n\n- [English 1.0](https://example.org/docs/v1/a)\n"
    )


def test_other_edition_is_named_by_its_home(make_site: MakeSite) -> None:
    files = {"docs/a.md": page("A"), "docs/index.md": page("Home"), "i18n/fr/docs/index.md": page("Accueil")}
    site = make_site(files, URL + TWO_LOCALES).assemble()
    assert "- [Français](https://example.org/docs/fr/)\n" in write_llms(site, resolver(site)).decode()


def test_other_edition_of_which_nothing_is_listed_is_not_named(make_site: MakeSite) -> None:
    site = make_site({"docs/a.md": page("A", unlisted=True)}, URL + TWO_LOCALES).assemble()
    assert "Français" not in write_llms(site, resolver(site)).decode()


def test_descriptions_are_in_one_line_of_the_list(make_site: MakeSite) -> None:
    site = make_site({"docs/a.md": page("A", description="One\n  and\ntwo. ")}, URL).assemble()
    assert "- [A](https://example.org/docs/a.md): One and two.\n" in write_llms(site, resolver(site)).decode()
