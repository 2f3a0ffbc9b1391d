"""What a link leads to, as authors write it and as finished pages contain it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from octavo.content import Link
from octavo.diagnostics import Span
from octavo.site import AssetStore, LinkResolver, Target
from tests.support.each import each
from tests.support.sites import SVG, TWO_LOCALES, MakeSite, SiteFolder, edition_of, page, page_at

Resolve = Callable[..., Target]

FILES: dict[str, str | bytes] = {
    "docs/index.md": page("Docs", slug="/docs/"),
    "docs/quickstart.mdx": page("Quickstart"),
    "docs/02-guides/index.md": page("Guides"),
    "docs/02-guides/01-install.md": page("Install"),
    "docs/02-guides/run.mdx": page("Run", slug="/start"),
    "docs/02-guides/_partials/note.mdx": "Note.",
    "docs/02-guides/files/data.csv": "1,2\n",
    "docs/02-guides/draft.md": page("Draft", draft=True),
    "docs/Größe und Maß.md": page("Maß"),
    "docs/c#.md": page("C sharp"),
    "docs/100%.md": page("All"),
    "pages/index.mdx": page("Home"),
    "pages/about.mdx": page("About"),
    "static/img/logo.svg": SVG,
    "static/demo/index.html": "<h1>Demo</h1>",
    "static/notes.md": "Notes",
}


@pytest.fixture
def resolve(make_site: MakeSite) -> Resolve:
    """Resolve a link that was typed in a file of the site."""

    def make(href: str, *, file: str = "docs/02-guides/01-install.md", route: str = "", config: str = "") -> Target:
        folder = make_site(FILES, config)
        site = folder.assemble()
        found = page_at(site, route or next(page.route for page in site.pages if page.origin == file))
        return resolver_of(folder, site).resolve(found, Link(href, Span(file), is_markup=True))

    return make


def resolver_of(folder: SiteFolder, site: object) -> LinkResolver:
    return LinkResolver(site, AssetStore(folder.root, "static"))  # type: ignore[arg-type]


# typed in docs/02-guides/01-install.md
TYPED = {
    "by file with extension": ("./run.mdx", "/start"),
    "by file without a dot": ("run.mdx", "/start"),
    "by file without extension": ("./run", "/start"),
    "by file with the other extension": ("./run.md", "/start"),
    "by file upwards": ("../quickstart.mdx", "/quickstart"),
    "by file upwards without extension": ("../quickstart", "/quickstart"),
    "by file with a number prefix": ("../02-guides/01-install.md", "/guides/install"),
    "by file with an anchor": ("./run.mdx#ports", "/start#ports"),
    "by file with a query": ("./run.mdx?tab=linux", "/start?tab=linux"),
    "by file with both": ("../quickstart.mdx?a=1#b", "/quickstart?a=1#b"),
    "by the folder of an index": ("../02-guides", "/guides/"),
    "by the index file": ("./index.md", "/guides/"),
    "by absolute file": ("/quickstart.mdx", "/quickstart"),
    "by absolute file with number prefixes": ("/02-guides/01-install.md", "/guides/install"),
    "by absolute file from the site's folder": ("/docs/quickstart.mdx", "/quickstart"),
    "by file into the pages folder": ("../../pages/about.mdx", "/about"),
    "by route": ("/quickstart", "/quickstart"),
    "by route with the other slash": ("/quickstart/", "/quickstart"),
    "by route of an index": ("/guides/", "/guides/"),
    "by route of an index without its slash": ("/guides", "/guides/"),
    "by route with an anchor": ("/guides#top", "/guides/#top"),
    "by file from the docs folder": ("quickstart.mdx", "/quickstart"),
    "by file in a folder from the docs folder": ("02-guides/run.mdx#x", "/start#x"),
    "by file of the site": ("@site/docs/quickstart.mdx", "/quickstart"),
    "by the HTML of another engine": ("./run.html#ports", "/start#ports"),
    "by the HTML of another engine upwards": ("../quickstart.html", "/quickstart"),
    "by the HTML of an index": ("../02-guides/index.html", "/guides/"),
    "by the HTML from the root": ("/quickstart.html", "/quickstart"),
    "by the root": ("/", "/"),
    "by route relative to the page": ("../start", "/start"),
    "by encoded name": ("../Gr%C3%B6%C3%9Fe%20und%20Ma%C3%9F.md", "/Gr%C3%B6%C3%9Fe%20und%20Ma%C3%9F"),
    "by name outside ASCII": ("../Größe und Maß.md#größe", "/Gr%C3%B6%C3%9Fe%20und%20Ma%C3%9F#größe"),
    "by route outside ASCII": ("/Größe und Maß", "/Gr%C3%B6%C3%9Fe%20und%20Ma%C3%9F"),
    "by name with a number sign": ("../c%23.md#x", "/c%23#x"),
    "by name with a percent sign": ("../100%25.md", "/100%25"),
    "to an anchor of the page": ("#ports", "#ports"),
    "to a query of the page": ("?tab=linux", "?tab=linux"),
    "to nothing": ("#", "#"),
}


@pytest.mark.costly
@each("case", TYPED)
def test_link_leads_to_the_page_that_was_meant(resolve: Resolve, case: str) -> None:
    href, url = TYPED[case]
    target = resolve(href)
    assert (target.kind, target.url) == ("page", url)


def test_target_names_route_and_decoded_anchor(resolve: Resolve) -> None:
    target = resolve("./run.mdx?x=1#gr%C3%B6%C3%9Fe")
    assert (target.route, target.anchor) == ("/start", "größe")


def test_link_in_a_partial_starts_at_the_partial(resolve: Resolve) -> None:
    target = resolve("../run.mdx", file="docs/02-guides/_partials/note.mdx", route="/quickstart")
    assert (target.kind, target.url) == ("page", "/start")


@pytest.mark.parametrize(
    "href",
    [
        "https://example.org/x",
        "http://example.org",
        "mailto:docs@example.org",
        "tel:+123",
        "//example.org/x",
        "data:text/plain,x",
        "javascript:void(0)",
    ],
)
def test_link_out_of_the_site_is_left_as_it_is(resolve: Resolve, href: str) -> None:
    target = resolve(href)
    assert (target.kind, target.url) == ("external", href)


def test_file_beside_a_document_is_published_under_the_hash_of_its_content(resolve: Resolve) -> None:
    target = resolve("./files/data.csv?download#row")
    assert (target.kind, target.url) == ("file", "/_octavo/files/data.52186c933993.csv?download#row")


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("/img/logo.svg", "/img/logo.svg"),
        ("/notes.md", "/notes.md"),
        ("pathname:///img/logo.svg", "/img/logo.svg"),
        ("pathname:///anything", "/anything"),
        ("/_octavo/pages/index.json", "/_octavo/pages/index.json"),
    ],
)
def test_link_to_a_static_file_is_no_page(resolve: Resolve, href: str, url: str) -> None:
    target = resolve(href)
    assert (target.kind, target.url) == ("file", url)


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("/old", "/quickstart"),
        ("/old/", "/quickstart"),
        ("/old#x", "/quickstart#x"),
        ("/older?a=b", "/quickstart?a=b"),
        ("/all/quickstart", "/quickstart"),
        ("/out", "/out"),
        ("/part#x", "/part#x"),
        ("/img/logo.svg", "/img/logo.svg"),
    ],
)
def test_link_to_a_redirect_leads_to_its_page_at_once(resolve: Resolve, href: str, url: str) -> None:
    pairs = {
        "/old": "/quickstart",
        "/older": "/old",
        "/all/*": "/*",
        "/out": "https://kite.example/",
        "/part": "/quickstart#part",
        "/img/*": "/quickstart",
    }
    config = "".join(f'[[redirects]]\nfrom = "{source}"\nto = "{to}"\n' for source, to in pairs.items())
    target = resolve(href, config=config)
    assert (target.kind, target.url) == ("file", url)


@pytest.mark.parametrize(
    ("href", "path"),
    [
        ("./nothing.md", "/guides/nothing.md"),
        ("../nothing", "/nothing"),
        ("/nothing", "/nothing"),
        ("/nothing/", "/nothing/"),
        ("./draft.md", "/guides/draft.md"),
        ("./draft", "/guides/draft"),
        ("./_partials/note.mdx", "/guides/_partials/note.mdx"),
        ("../../../octavo.toml", "/octavo.toml"),
        ("/../octavo.toml", "/octavo.toml"),
        (f"/{'x' * 300}", f"/{'x' * 300}"),
        ("/nul%00l", "/nul\x00l"),
    ],
)
def test_link_to_nothing_is_broken(resolve: Resolve, href: str, path: str) -> None:
    target = resolve(href)
    assert (target.kind, target.path) == ("broken", path)


def test_address_of_a_link_begins_with_the_base_url(resolve: Resolve) -> None:
    config = 'base_url = "/deep/docs/"'
    assert resolve("../quickstart.mdx#a", config=config).url == "/deep/docs/quickstart#a"
    assert resolve("/guides", config=config).url == "/deep/docs/guides/"
    assert resolve("/img/logo.svg", config=config).url == "/deep/docs/img/logo.svg"
    assert resolve("./files/data.csv", config=config).url == "/deep/docs/_octavo/files/data.52186c933993.csv"
    assert resolve("pathname:///x", config=config).url == "/deep/docs/x"
    assert resolve("/nothing", config=config).url == "/deep/docs/nothing"
    assert resolve("#here", config=config).url == "#here"


FINISHED = [
    # address in the finished page /guides/install, kind, route
    ("/quickstart", "page", "/quickstart"),
    ("/quickstart/", "page", "/quickstart"),
    ("/quickstart#x", "page", "/quickstart"),
    ("../quickstart", "page", "/quickstart"),
    ("./", "page", "/guides/"),
    (".", "page", "/guides/"),
    ("..", "page", "/"),
    ("#x", "page", "/guides/install"),
    ("/img/logo.svg", "file", ""),
    ("../img/logo.svg", "file", ""),
    ("https://example.org", "external", ""),
    ("./run.mdx", "broken", ""),
    ("/quickstart.mdx", "broken", ""),
    ("/quickstart/x", "broken", ""),
]


@pytest.mark.parametrize(("href", "kind", "route"), FINISHED)
def test_address_in_a_finished_page_is_read_as_a_browser_does(
    make_site: MakeSite, href: str, kind: str, route: str
) -> None:
    folder = make_site(FILES)
    site = folder.assemble()
    target = resolver_of(folder, site).resolve_href(page_at(site, "/guides/install"), href)
    assert (target.kind, target.route) == (kind, route)


@pytest.mark.parametrize(
    ("href", "kind", "route"),
    [
        ("/docs/quickstart", "page", "/quickstart"),
        ("/docs/", "page", "/"),
        ("/docs", "page", "/"),
        ("/docs?x=1", "page", "/"),
        ("/quickstart", "external", ""),
        ("/", "external", ""),
        ("/docsearch", "external", ""),
        ("/docs/nothing", "broken", ""),
    ],
)
def test_finished_address_outside_the_base_url_leaves_the_site(
    make_site: MakeSite, href: str, kind: str, route: str
) -> None:
    folder = make_site(FILES, 'base_url = "/docs/"')
    site = folder.assemble()
    target = resolver_of(folder, site).resolve_href(page_at(site, "/quickstart"), href)
    assert (target.kind, target.route) == (kind, route)


def test_link_to_an_original_leads_to_its_translation_where_all_pages_have_one(make_site: MakeSite) -> None:
    files = {name: page("A") for name in ("docs/a.md", "docs/b.md", "i18n/fr/docs/a.md", "i18n/fr/docs/b.md")}
    folder = make_site(files, TWO_LOCALES)
    site = folder.assemble()
    link = Link("../../../docs/b.md#x", Span("i18n/fr/docs/a.md", 1, 1))
    assert resolver_of(folder, site).resolve(page_at(site, "/fr/a"), link).url == "/fr/b#x"
    link = Link("../i18n/fr/docs/b.md", Span("docs/a.md", 1, 1))
    assert resolver_of(folder, site).resolve(page_at(site, "/a"), link).url == "/fr/b"


EDITIONS = (
    TWO_LOCALES
    + """[[versions]]
name = "2"
label = "2"
[[versions]]
name = "1"
label = "1"
path = "v1"
docs = "docs-v1"
"""
)
EDITION_FILES = {
    "docs/a.md": page("A"),
    "docs/b.md": page("B"),
    "docs/new.md": page("New"),
    "docs-v1/a.md": page("A 1"),
    "docs-v1/b.md": page("B 1"),
    "docs-v1/old.md": page("Old"),
    "i18n/fr/docs/a.md": page("A fr"),
    "pages/index.mdx": page("Home"),
}


@pytest.mark.parametrize(
    ("file", "prefix", "href", "url"),
    [
        ("docs/a.md", "", "./b.md", "/b"),
        ("docs/a.md", "/fr", "./b.md", "/fr/b"),
        ("i18n/fr/docs/a.md", "/fr", "./b.md", "/fr/b"),
        ("i18n/fr/docs/a.md", "/fr", "/b", "/fr/b"),
        ("i18n/fr/docs/a.md", "/fr", "/b.md", "/fr/b"),
        ("i18n/fr/docs/a.md", "/fr", "/", "/fr/"),
        ("i18n/fr/docs/a.md", "/fr", "/fr/b", "/fr/b"),
        ("i18n/fr/docs/a.md", "/fr", "../../../pages/index.mdx", "/fr/"),
        ("docs-v1/a.md", "/v1", "./b.md", "/v1/b"),
        ("docs-v1/a.md", "/v1", "/b.md", "/v1/b"),
        ("docs-v1/a.md", "/v1", "/b", "/b"),
        ("docs-v1/a.md", "/v1", "/old", "/v1/old"),
        ("docs-v1/a.md", "/v1", "../docs/new.md", "/new"),
        ("docs-v1/a.md", "/fr/v1", "./old.md", "/fr/v1/old"),
        ("docs-v1/a.md", "/fr/v1", "../docs/new.md", "/fr/new"),
        ("docs/a.md", "", "../docs-v1/old.md", "/v1/old"),
    ],
)
def test_link_stays_in_the_edition_of_its_reader(
    make_site: MakeSite, file: str, prefix: str, href: str, url: str
) -> None:
    folder = make_site(EDITION_FILES, EDITIONS)
    site = folder.assemble()
    found = edition_of(site, prefix).pages["a"]
    assert resolver_of(folder, site).resolve(found, Link(href, Span(file))).url == url


def test_finished_address_stays_in_no_edition(make_site: MakeSite) -> None:
    folder = make_site(EDITION_FILES, EDITIONS)
    site = folder.assemble()
    target = resolver_of(folder, site).resolve_href(page_at(site, "/v1/a"), "/old")
    assert target.kind == "broken"


@pytest.mark.parametrize(
    ("href", "prefix", "url"),
    [
        ("/b", "", "/b"),
        ("/b/", "", "/b"),
        ("/b#x", "/fr", "/fr/b#x"),
        ("/", "/fr", "/fr/"),
        ("/b", "/v1", "/b"),
        ("/nothing?x#y", "/fr", "/nothing?x#y"),
        ("https://example.org/#x", "/fr", "https://example.org/#x"),
        ("//example.org", "", "//example.org"),
    ],
)
def test_address_in_settings_leads_to_the_page_of_the_readers_language(
    make_site: MakeSite, href: str, prefix: str, url: str
) -> None:
    folder = make_site(EDITION_FILES, EDITIONS)
    site = folder.assemble()
    assert resolver_of(folder, site).resolve_setting(href, edition_of(site, prefix)).url == url


@pytest.mark.parametrize(
    ("href", "target", "kind"),
    [
        ("/kite/quickstart#a", "/kite/quickstart#a", "page"),
        ("/quickstart", "/kite/quickstart", "page"),
        ("/kite/img/logo.svg", "/kite/img/logo.svg", "file"),
        ("/kite/none", "/kite/kite/none", "broken"),
        ("/kites", "/kite/kites", "broken"),
    ],
)
def test_link_may_have_the_base_url_in_front(resolve: Resolve, href: str, target: str, kind: str) -> None:
    found = resolve(href, config='base_url = "/kite/"\n')
    assert (found.url, found.kind) == (target, kind)


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("ref:ports", "/a#ports"),
        ("ref:firing", "/b#firing"),
        ("ref:gr%C3%B6%C3%9Fe", "/b#gr%C3%B6%C3%9Fe"),
        ("ref:?firing", "/b#firing"),
        ("ref:?nowhere", ""),
        ("ref:nowhere", "ref:nowhere"),
    ],
)
def test_id_is_looked_for_on_the_page_and_then_on_all_others(make_site: MakeSite, href: str, url: str) -> None:
    folder = make_site(
        {"docs/a.md": page("A", "## Ports\n"), "docs/b.md": page("B", "## Ports\n\n## Firing\n\n## Größe\n")}
    )
    site = folder.assemble()
    target = resolver_of(folder, site).resolve(page_at(site, "/a"), Link(href, Span("docs/a.md"), is_markup=True))
    assert target.url == url
    assert target.kind == ("broken" if url.startswith("ref:") else "page" if url else "external")
    from_b = resolver_of(folder, site).resolve(
        page_at(site, "/b"), Link("ref:ports", Span("docs/b.md"), is_markup=True)
    )
    assert from_b.url == "/b#ports"


@each(
    ("href", "url"),
    [
        ("#whats-new", "#what-s-new"),
        ("b.md#51-kite_lines", "/b#kite-lines"),
        ("b.md?a=1#51-kite_lines", "/b?a=1#kite-lines"),
        ("b.md#again-1", "/b#id1"),
        ("#what-s-new", "#what-s-new"),
        ("#whats-old", "#whats-old"),
    ],
)
def test_link_of_myst_names_a_heading_by_the_slug_of_github(make_site: MakeSite, href: str, url: str) -> None:
    files: dict[str, str | bytes] = {
        "docs/a.md": "# A\n\n## What's new {#what-s-new}\n",
        "docs/b.md": "# B\n\n## 5.1 kite_lines {#kite-lines}\n\n## Again\n\n## Again {#id1}\n",
    }
    folder = make_site(files, '[markdown]\nextensions = ["myst"]\nslugs = "docutils"\n')
    site = folder.assemble()
    link = Link(href, Span("docs/a.md"), is_markup=True)
    assert resolver_of(folder, site).resolve(page_at(site, "/a"), link).url == url


def test_link_to_a_notebook_leads_to_its_page_and_names_headings_as_jupyter_does(make_site: MakeSite) -> None:
    # What the helper compiles is Markdown, whatever the name of the file is.
    files: dict[str, str | bytes] = {"docs/a.md": "# A\n", "docs/b.ipynb": "# Kites\n\n## How They Fly\n"}
    folder = make_site(files, '[markdown]\nextensions = ["notebooks"]\n')
    site = folder.assemble()

    def url(href: str) -> str:
        return resolver_of(folder, site).resolve(page_at(site, "/a"), Link(href, Span("docs/a.md"), is_markup=True)).url

    assert [url("b.ipynb"), url("./b"), url("b.ipynb#How-They-Fly")] == ["/b", "/b", "/b#how-they-fly"]
