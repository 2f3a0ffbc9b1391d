"""Payloads of pages and the HTML documents around what is drawn. Nothing is drawn here."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import msgspec
import pytest

from octavo.look import Look
from octavo.pictures import CARD_SIZE, CardStyle
from octavo.rendering.article import Fillings
from octavo.rendering.document_html import DocumentWriter, SocialImage, SocialPictures, docsearch_tag, in_static_folder
from octavo.rendering.payloads import PayloadMaker
from octavo.rendering.theme import Theme, load_theme, read_theme_file
from octavo.site import AssetStore, LastCommit, LinkResolver, Site
from tests.support.each import each
from tests.support.sites import NEXT_VERSION, TWO_LOCALES, TWO_VERSIONS, MakeSite, SiteFolder, page, page_at

URL = 'url = "https://example.org"\nbase_url = "/docs/"\n'
THEME = Theme(
    server_script="",
    inline_script="first()",
    tabs_script="tabs()",
    client="_octavo/client.js",
    styles=["_octavo/all.css"],
    page_styles={"landing": "_octavo/landing.css", "reference": "_octavo/reference.css"},
    fonts={"sans": "_octavo/sans.woff2", "mono": "_octavo/mono.woff2"},
    base_url_script="base()",
    files={},
    diagram_files={},
    key="",
)
NO_FILLINGS = Fillings([], [], [], [], has_files=False)


class Drawn:
    """A site whose pages have payloads and documents."""

    def __init__(self, folder: SiteFolder, **changed: Any) -> None:
        self.site: Site = folder.assemble(**changed)
        self.assets = AssetStore(folder.root, self.site.config.static)
        self.maker = PayloadMaker(self.site, LinkResolver(self.site, self.assets))

    def payload(self, route: str) -> Any:
        return self.maker.page(page_at(self.site, route))

    def document(
        self, route: str, content: str = "", look: Look | None = None, image: SocialImage | None = None
    ) -> str:
        found = page_at(self.site, route)
        writer = DocumentWriter(self.site.config, found.edition, THEME, look or Look())
        return writer.write(writer.with_styles(self.payload(route), content), content, found, image)

    def metas(self, route: str) -> dict[str, str]:
        tags = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)">', self.document(route))
        return {name: html.unescape(value) for name, value in tags}

    def data(self, route: str) -> dict[str, Any]:
        """Read what the document says to search engines, by its type."""
        found = re.findall(r'<script type="application/ld\+json">(.*?)</script>', self.document(route))
        return {one["@type"]: one for one in map(json.loads, found)}


@pytest.fixture
def versions(make_site: MakeSite) -> Drawn:
    files = {
        "docs/index.md": page("Home"),
        "docs/a.md": page("A"),
        "docs/old.md": page("Old"),
        "docs-next/a.md": page("A"),
        "docs-next/new.md": page("New"),
        "docs-v1/a.md": page("A"),
        "docs-v1/old.md": page("Old"),
        "docs-v1/gone.md": page("Gone"),
    }
    return Drawn(make_site(files, URL + NEXT_VERSION + TWO_VERSIONS))


def test_page_leads_to_itself_in_other_versions_or_says_why_not(versions: Drawn) -> None:
    found = {
        route: [(one.id, one.href, one.is_current, one.is_exact, one.note) for one in versions.payload(route).versions]
        for route in ("/a", "/next/new", "/v1/gone", "/old")
    }
    assert found["/a"] == [
        ("next", "/docs/next/a", False, True, ""),
        ("2", "/docs/a", True, True, ""),
        ("1", "/docs/v1/a", False, True, ""),
    ]
    assert [one[4] for one in found["/next/new"]] == ["", "since Next", "since Next"]
    assert [one[4] for one in found["/v1/gone"]] == ["until 1.0", "until 1.0", ""]
    assert [one[4] for one in found["/old"]] == ["until 2.0", "", ""]
    # Where a version does not have the page, its main page takes its place.
    assert found["/next/new"][1][:2] == ("2", "/docs/")


def test_other_versions_say_that_they_are_and_lead_to_the_last_one(versions: Drawn) -> None:
    assert versions.payload("/a").version_banner is None
    found = versions.payload("/v1/old").version_banner
    assert (found.kind, found.version_label, found.latest_label) == ("unmaintained", "1.0", "2.0")
    assert found.latest_href == "/docs/old"
    found = versions.payload("/next/new").version_banner
    assert (found.kind, found.latest_href) == ("unreleased", "/docs/")


def test_page_of_another_version_is_a_form_of_that_in_the_last_one(versions: Drawn) -> None:
    canonical = {
        route: re.findall('<link rel="canonical" href="([^"]*)">', versions.document(route))
        for route in ("/a", "/next/a", "/next/new")
    }
    assert canonical == {
        "/a": ["https://example.org/docs/a"],
        "/next/a": ["https://example.org/docs/a"],
        "/next/new": ["https://example.org/docs/next/new"],
    }
    assert '<meta property="og:url" content="https://example.org/docs/next/a">' in versions.document("/next/a")


def test_versions_are_told_apart_by_search_engines(versions: Drawn) -> None:
    assert versions.metas("/a")["docsearch:docusaurus_tag"] == docsearch_tag("2")
    assert versions.metas("/v1/a")["docsearch:version"] == "1"
    assert versions.data("/next/a")["TechArticle"]["version"] == "Next"
    # A version that ends is not found any more.
    assert versions.metas("/v1/a")["robots"] == "noindex, nofollow"
    assert "robots" not in versions.metas("/next/a")
    assert "TechArticle" not in versions.data("/v1/a")


@pytest.fixture
def locales(make_site: MakeSite) -> Drawn:
    files = {
        "docs/a.md": page("A & Co", description="About."),
        "docs/b.md": page("B"),
        "i18n/fr/docs/a.md": page("A français"),
    }
    return Drawn(make_site(files, URL + TWO_LOCALES))


def test_page_leads_to_its_translations(locales: Drawn) -> None:
    found = [
        (one.id, one.href, one.is_current, one.is_exact, one.is_translated) for one in locales.payload("/b").locales
    ]
    assert found == [("en", "/docs/b", True, True, True), ("fr", "/docs/fr/b", False, True, False)]
    assert locales.payload("/a").translation is None
    assert locales.payload("/fr/a").translation is None
    missing = locales.payload("/fr/b").translation
    assert (missing.kind, missing.href, missing.lang, missing.dir) == ("untranslated", "/docs/b", "en", "ltr")


def test_search_engines_are_told_of_translations_and_of_nothing_else(locales: Drawn) -> None:
    head = locales.document("/fr/a")
    assert re.findall('<link rel="alternate" hreflang="([^"]*)" href="([^"]*)">', head) == [
        ("en", "https://example.org/docs/a"),
        ("x-default", "https://example.org/docs/a"),
        ("fr", "https://example.org/docs/fr/a"),
    ]
    assert '<meta property="og:locale:alternate" content="en">' in head
    assert '<meta property="og:locale:alternate" content="fr">' not in head
    assert 'hreflang="fr"' not in locales.document("/b")
    # Without a translation it is the original under another address.
    assert '<link rel="canonical" href="https://example.org/docs/b">' in locales.document("/fr/b")
    assert locales.data("/fr/b")["TechArticle"]["inLanguage"] == "en"
    assert locales.data("/fr/a")["TechArticle"]["inLanguage"] == "fr"


def test_article_says_what_it_is(locales: Drawn) -> None:
    assert locales.data("/a")["TechArticle"] == {
        "@context": "https://schema.org",
        "@type": "TechArticle",
        "headline": "A & Co",
        "inLanguage": "en",
        "isPartOf": {"@type": "WebSite", "name": "Site", "url": "https://example.org/docs/"},
        "url": "https://example.org/docs/a",
        "description": "About.",
    }
    metas = locales.metas("/a")
    assert (metas["description"], metas["og:description"], metas["og:title"]) == ("About.", "About.", "A & Co | Site")


def test_last_change_of_a_page_is_shown_where_it_is_wanted(make_site: MakeSite) -> None:
    files = {"docs/a.md": page("A", tags=["x"]), "docs/b.md": page("B")}
    history = {"docs/a.md": LastCommit("2026-01-02", "Ann")}
    folder = make_site(files, URL + "shows_last_update = true\n")
    shown = Drawn(folder, history=history)
    assert shown.payload("/a").last_updated.date == "2026-01-02"
    assert shown.payload("/b").last_updated is None
    assert shown.data("/a")["TechArticle"]["dateModified"] == "2026-01-02"
    assert shown.data("/a")["TechArticle"]["keywords"] == ["x"]
    hidden = Drawn(make_site(files, "shows_last_update = false\n", name="other"), history=history)
    assert hidden.payload("/a").last_updated is None
    assert hidden.payload("/a").tags == ["x"]


def test_path_is_said_where_it_has_steps(make_site: MakeSite) -> None:
    files = {
        "docs/top.md": page("Top"),
        "docs/guides/_category_.yaml": "label: Guides\nlink: { type: generated-index, slug: /guides }",
        "docs/guides/deep/_category_.yaml": "label: Deep",
        "docs/guides/deep/x.md": page("X"),
        "pages/about.md": page("About"),
    }
    drawn = Drawn(make_site(files, URL))
    items = drawn.data("/guides/deep/x")["BreadcrumbList"]["itemListElement"]
    assert [(one["position"], one["name"], one["item"]) for one in items] == [
        (1, "Guides", "https://example.org/docs/guides"),
        (2, "X", "https://example.org/docs/guides/deep/x"),
    ]
    assert [(one.label, one.href) for one in drawn.payload("/guides/deep/x").breadcrumbs] == [
        ("Guides", "/docs/guides"),
        ("Deep", None),
        ("X", "/docs/guides/deep/x"),
    ]
    assert [one["name"] for one in drawn.data("/top")["BreadcrumbList"]["itemListElement"]] == ["Top"]
    assert "BreadcrumbList" not in drawn.data("/about")
    assert "docsearch:version" not in drawn.metas("/about")


@each(
    "front, name, content",
    [
        ({"head": [], "keywords": ["a", 'b"c']}, "keywords", 'a, b"c'),
        ({"unlisted": True}, "robots", "noindex, nofollow"),
    ],
)
def test_front_matter_becomes_metas(make_site: MakeSite, front: dict[str, Any], name: str, content: str) -> None:
    drawn = Drawn(make_site({"docs/a.md": page("A", **front)}, URL))
    assert drawn.metas("/a")[name] == content


def writer_of(drawn: Drawn, look: Look | None = None) -> DocumentWriter:
    return DocumentWriter(drawn.site.config, drawn.site.main_edition.pages["a"].edition, THEME, look or Look())


def with_metas(drawn: Drawn, metas: dict[str, str]) -> str:
    """Write a document whose author has given tags for its head."""
    found = page_at(drawn.site, "/a")
    assert found.summary is not None
    front = msgspec.structs.replace(found.summary.front_matter, metas=metas)
    changed = msgspec.structs.replace(found, summary=msgspec.structs.replace(found.summary, front_matter=front))
    return writer_of(drawn).write(drawn.maker.page(changed), "", changed)


def test_tags_of_an_author_take_the_place_of_those_that_are_made(make_site: MakeSite) -> None:
    drawn = Drawn(make_site({"docs/a.md": page("A", description="Made.")}, URL))
    written = with_metas(
        drawn,
        {"description": "Own <b>", "og:image": "/docs/x.png", "twitter:image": "//cdn.example/x.png", "author": "/ann"},
    )
    assert re.findall('<meta name="description" content="(.*?)">', written) == ["Own &lt;b&gt;"]
    assert '<meta property="og:image" content="https://example.org/docs/x.png">' in written
    assert '<meta name="twitter:image" content="//cdn.example/x.png">' in written
    assert '<meta name="author" content="/ann">' in written
    written = with_metas(drawn, {"title": "Own title", "robots": "nosnippet"})
    assert "<title>Own title</title>" in written
    assert re.findall('<meta name="robots" content="(.*?)">', written) == ["nosnippet"]
    assert '<meta name="title"' not in written


def test_picture_for_previews_is_absolute_or_left_out(make_site: MakeSite) -> None:
    picture = SocialImage("/docs/card.png", (12, 34), 'A "b"')
    drawn = Drawn(make_site({"docs/a.md": page("A")}, URL))
    written = drawn.document("/a", image=picture)
    assert '<meta property="og:image" content="https://example.org/docs/card.png">' in written
    assert '<meta property="og:image:width" content="12">\n<meta property="og:image:height" content="34">' in written
    assert '<meta name="twitter:image" content="https://example.org/docs/card.png">' in written
    assert '<meta name="twitter:image:alt" content="A &quot;b&quot;">' in written
    unsized = drawn.document("/a", image=SocialImage("https://cdn.example/x.png", None, "A"))
    assert '<meta property="og:image" content="https://cdn.example/x.png">' in unsized
    assert "og:image:width" not in unsized
    nowhere = Drawn(make_site({"docs/a.md": page("A")}, name="nowhere"))
    assert "og:image" not in nowhere.document("/a", image=picture)
    assert "https://cdn.example/x.png" in nowhere.document(
        "/a", image=picture._replace(address="https://cdn.example/x.png")
    )


def test_picture_of_a_page_comes_before_its_card_and_that_of_the_site(make_site: MakeSite) -> None:
    files = {
        "docs/a.md": page("A", image="own.png"),
        "docs/b.md": page("B"),
        "docs/c.md": page("C", image="https://x.example/c.png"),
    }
    drawn = Drawn(make_site(files, URL + 'image = "img/site.png"\n'))
    pictures = SocialPictures(drawn.site.config, drawn.assets, None)

    def image(route: str, card: str | None = None) -> SocialImage | None:
        return pictures.image(page_at(drawn.site, route), drawn.payload(route), NO_FILLINGS, card)

    assert image("/a", "card.png") == SocialImage("/docs/own.png", None, "A | Site")
    assert image("/b", "card.png") == SocialImage("/docs/card.png", CARD_SIZE, "B | Site")
    assert image("/b") == SocialImage("/docs/img/site.png", None, "Site")
    assert image("/c") == SocialImage("https://x.example/c.png", None, "C | Site")
    assert pictures.card(page_at(drawn.site, "/b"), drawn.payload("/b")) == ({}, "")
    assert in_static_folder("/img/a.png", drawn.site.config) == "/docs/img/a.png"


def test_tags_of_a_post_are_below_its_title_and_not_at_the_end_of_the_page(make_site: MakeSite) -> None:
    files = {
        "docs/news/2026-01-01-a.md": page("A", tags=["kiln"]),
        "docs/news/index.md": page("News", tags=["kiln"]),
        "docs/newspaper/b.md": page("B", tags=["kiln"]),
        "docs/c.md": page("C"),
    }
    drawn = Drawn(make_site(files, URL + '[[blogs]]\nfolder = "news"\n'))
    tags = {page.source.path: drawn.payload(page.route).tags for page in drawn.site.pages if page.source}
    assert tags == {
        "docs/news/2026-01-01-a.md": [], "docs/news/index.md": ["kiln"], "docs/newspaper/b.md": ["kiln"], "docs/c.md": [],
    }  # fmt: skip


def test_social_card_says_what_a_page_is_about(make_site: MakeSite) -> None:
    theme = load_theme()
    font = read_theme_file(theme.files[theme.fonts["sans"]])
    style = CardStyle("Site", "#ffffff", "#000000", "#0000ff", font, font)
    files = {
        "docs/top.md": page("Top"),
        "docs/guides/_category_.yaml": "label: Guides",
        "docs/guides/b.md": page("B", description="About B."),
        "docs/guides/c.md": page("あ"),
    }
    drawn = Drawn(make_site(files, URL))
    pictures = SocialPictures(drawn.site.config, drawn.assets, style)

    def card(route: str) -> Any:
        found, missing = pictures.card(page_at(drawn.site, route), drawn.payload(route))
        return [(one.title, one.section, one.description) for one in found.values()], missing

    assert card("/guides/b") == ([("B", "Guides", "About B.")], "")
    assert card("/top") == ([("Top", "", "Text.")], "")
    assert card("/guides/c") == ([], "あ")


def test_faces_are_fetched_that_a_page_shows(make_site: MakeSite) -> None:
    drawn = Drawn(make_site({"docs/a.md": page("A")}, URL))

    def fonts(content: str) -> list[str]:
        return re.findall(
            r'<link rel="preload" as="font" type="font/woff2" href="([^"]*)" crossorigin>',
            drawn.document("/a", content),
        )

    assert fonts("<p>x</p>") == ["/docs/_octavo/sans.woff2"]
    assert fonts("<code>x</code>") == ["/docs/_octavo/sans.woff2", "/docs/_octavo/mono.woff2"]
    system = Drawn(make_site({"docs/a.md": page("A")}, '[theme]\nfonts = "system"\n', name="system"))
    assert "preload" not in system.document("/a")
    assert 'data-fonts="system">' in system.document("/a")


def test_style_sheets_are_linked_where_they_are_needed(make_site: MakeSite) -> None:
    drawn = Drawn(make_site({"docs/a.md": page("A"), "pages/index.md": page("Home", layout="landing")}, URL))
    assert drawn.payload("/").layout == "landing"
    assert 'href="/docs/_octavo/landing.css"' in drawn.document("/")
    assert "landing.css" not in drawn.document("/a", '<p class="other">hero</p>')
    assert "landing.css" in drawn.document("/a", '<div class="x hero">')
    assert "reference.css" in drawn.document("/a", "<div class='api-x'>")
    look = Look(styles=["/docs/own&.css"], head=["<meta name=own>"])
    own = '<link rel="stylesheet" href="/docs/own&amp;.css" data-site>\n<meta name=own>\n'
    assert own in drawn.document("/a", look=look)
    # Sheets of a site follow those of the theme.
    assert drawn.document("/a", look=look).index("all.css") < drawn.document("/a", look=look).index(own)


def test_document_holds_its_payload_and_what_runs_before_the_first_paint(make_site: MakeSite) -> None:
    drawn = Drawn(make_site({"docs/a.md": page("A </script>"), "pages/index.md": page("Home")}, URL))
    written = drawn.document("/a", "<b>drawn</b>")
    assert '<div id="octavo"><b>drawn</b></div>' in written
    data = json.loads(written.partition('id="octavo-page">')[2].partition("</script>")[0])
    assert (data["path"], data["title"]) == ("/docs/a", "A </script>")
    boot = json.loads(written.partition('id="octavo-boot">')[2].partition("</script>")[0])
    assert (boot["base"], boot["client"]) == ("/docs/", "/docs/_octavo/client.js")
    assert "<script>first()</script>" in written
    assert "tabs()" not in written
    # Only home pages tell that the site lies elsewhere than its settings say.
    assert "base()" not in written
    assert "<script>base()</script>" in drawn.document("/")


def test_tabs_are_chosen_before_the_first_paint(make_site: MakeSite) -> None:
    tabs = '<Tabs>\n<TabItem value="a" label="A">\n\nOne.\n\n</TabItem>\n<TabItem value="b" label="B">\n\nTwo.\n\n</TabItem>\n</Tabs>'
    drawn = Drawn(make_site({"docs/a.md": page("A", tabs)}, URL))
    assert drawn.payload("/a").islands == ["tabs"]
    assert "<script>tabs()</script>" in drawn.document("/a")


@each(
    "settings, tag",
    [
        ('favicon = "img/k.svg"\n', '<link rel="icon" href="/docs/img/k.svg">'),
        ('favicon = "https://x.example/k.png"\n', '<link rel="icon" href="https://x.example/k.png">'),
        ("", '<meta name="color-scheme" content="light dark">'),
        ('[color_mode]\ndefault = "dark"\nrespect_system = false\n', '<meta name="color-scheme" content="dark">'),
        ('[color_mode]\ndefault = "dark"\nrespect_system = false\n', '<html lang="en" dir="ltr" data-theme="dark">'),
        ("", '<html lang="en" dir="ltr">'),
        (
            "",
            '<link rel="search" type="application/opensearchdescription+xml" title="Site" href="/docs/opensearch.xml">',
        ),
        ("", '<meta property="og:site_name" content="Site">'),
        ('icon = "img/k.svg"\n', '<link rel="icon" href="/docs/favicon.ico" sizes="32x32">'),
        ('icon = "img/k.svg"\n', '<link rel="apple-touch-icon" href="/docs/apple-touch-icon.png">'),
        ('icon = "img/k.svg"\n', '<link rel="manifest" href="/docs/site.webmanifest">'),
        (
            'icon = "img/k.svg"\nfavicon = "/img/k.svg"\n',
            '<link rel="icon" href="/docs/img/k.svg" type="image/svg+xml">',
        ),
        ('icon = "img/k.svg"\nfavicon = "img/k.png"\n', '<link rel="icon" href="/docs/img/k.png">'),
        (
            "has_feed = true\n",
            '<link rel="alternate" type="application/atom+xml" title="Site: changes" href="/docs/changes.xml">',
        ),
        (
            '[[blogs]]\nfolder = "news"\ntitle = "News & more"\n',
            '<link rel="alternate" type="application/atom+xml" title="Site: News &amp; more" href="/docs/news/feed.xml">',
        ),
        (
            '[[blogs]]\nfolder = "news"\ntitle = "News"\n[mounts]\nnews = "/log"\n',
            '<link rel="alternate" type="application/atom+xml" title="Site: News" href="/docs/log/feed.xml">',
        ),
    ],
)
def test_head_says_what_the_settings_say(make_site: MakeSite, settings: str, tag: str) -> None:
    assert tag in Drawn(make_site({"docs/a.md": page("A"), "news/b.md": page("B")}, URL + settings)).document("/a")


def test_feeds_are_named_where_they_are(make_site: MakeSite) -> None:
    """They are of the main edition, and hold addresses that readers can reach."""
    settings = 'has_feed = true\n[[blogs]]\nfolder = "news"\ntitle = "News"\n'
    locales = Drawn(make_site({"docs/a.md": page("A")}, URL + settings + TWO_LOCALES))
    assert [name in locales.document("/fr/a") for name in ("changes.xml", "feed.xml")] == [True, False]
    nowhere = Drawn(make_site({"docs/a.md": page("A")}, settings, name="nowhere"))
    assert "application/atom+xml" not in nowhere.document("/a")
    without = settings + "has_feed = false\n"
    assert "feed.xml" not in Drawn(make_site({"docs/a.md": page("A")}, URL + without, name="without")).document("/a")


def test_site_without_search_has_none_to_describe(make_site: MakeSite) -> None:
    drawn = Drawn(make_site({"docs/a.md": page("A")}, URL + "[search]\nis_enabled = false\n"))
    assert 'rel="search"' not in drawn.document("/a")


@each(
    "text, front, shown",
    [
        ("Text.", {}, True),
        ("# Own\n\nText.", {}, False),
        ("Text.", {"hide_title": True}, False),
        ("# Own\n\nText.", {"hide_title": True}, False),
    ],
)
def test_title_is_drawn_above_texts_that_have_none(
    make_site: MakeSite, text: str, front: dict[str, Any], shown: bool
) -> None:
    assert Drawn(make_site({"docs/a.md": page("A", text, **front)})).payload("/a").shows_title is shown
