"""Several pages as one for paper: their titles, ids and links. Their documents are written by hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from octavo.pipeline import SiteFiles
from octavo.pipeline.print_pages import list_print_pages
from octavo.publish.print_pages import compose, publish_print_pages
from octavo.publish.staging import Staging
from octavo.rendering.theme import Theme
from octavo.runtime import Cache
from tests.support.sites import MakeSite, page

THEME = Theme("", "", "", "c.js", ["_octavo/all.css"], {"reference": "_octavo/l.css"}, {}, "", {}, {}, "")
SETTINGS = 'url = "https://example.org"\nbase_url = "/docs/"\nprint_pages = "sidebars"\n'
FILES = {
    "docs/a.md": page("A & Co", sidebar_position=1),
    "docs/guides/_category_.yaml": "label: Guides <all>\nposition: 2",
    "docs/guides/b.md": page("B"),
    "docs/other.md": page("Other", sidebar_position=3),
}


def document(prose: str, title: str = "") -> str:
    """Write what is published of a page, as far as it matters."""
    head = f"<header><h1 class=t>{title}</h1></header>" if title else ""
    footer = '<footer class="page-footer">Edit</footer>'
    return f'<body><article class="article">{head}<div class="prose">{prose}</div>{footer}</article><p>end</p></body>'


def composed(make_site: MakeSite, prose: dict[str, str], settings: str = SETTINGS) -> str:
    """Put the pages of a site together; `prose` is what some have, by route."""
    folder = make_site(FILES, settings)
    site_files = SiteFiles(folder.assemble(), folder.root, THEME, None)
    wanted = list_print_pages(site_files.site)[0]
    pages = [wanted.edition.pages[link.doc_id] for link in wanted.pages]
    return compose(
        site_files, wanted, [(one, document(prose.get(one.route, "<p>Text</p>"), one.title)) for one in pages]
    )


def part(written: str, start: str) -> str:
    found = re.search(rf'<section class="print-part" id="{start}">(.*?)</section>', written, re.DOTALL)
    assert found is not None
    return found[1]


def test_pages_follow_each_other_under_their_titles(make_site: MakeSite) -> None:
    written = composed(make_site, {})
    assert re.findall('<section class="print-part" id="([^"]*)">', written) == ["a", "guides-b", "other"]
    assert part(written, "a") == '<h2>A & Co</h2><div class="prose"><p>Text</p></div>'
    assert "Edit" not in written
    assert "<p>end</p>" not in written
    assert (
        '<ul><li><a href="#a">A &amp; Co</a></li><li>Guides &lt;all&gt;<ul><li><a href="#guides-b">B</a></li></ul></li>'
        '<li><a href="#other">Other</a></li></ul></nav>'
    ) in written
    assert '<html lang="en" dir="ltr">' in written
    assert '<link rel="stylesheet" href="/docs/_octavo/all.css">' in written
    assert "/l.css" not in written
    assert "<title>Site</title>" in written
    assert "<header><h1>Site</h1></header>" in written


def test_category_with_a_page_leads_to_its_part(make_site: MakeSite) -> None:
    files = {"docs/guides/index.md": page("Guides"), "docs/guides/b.md": page("B"), "docs/a.md": page("A")}
    folder = make_site(files, SETTINGS)
    site_files = SiteFiles(folder.assemble(), folder.root, THEME, None)
    wanted = list_print_pages(site_files.site)[0]
    pages = [wanted.edition.pages[link.doc_id] for link in wanted.pages]
    written = compose(site_files, wanted, [(one, document("<p>x</p>", one.title)) for one in pages])
    assert '<li><a href="#guides">Guides</a><ul><li><a href="#guides-b">B</a></li></ul></li>' in written


def test_headings_are_a_level_below_the_titles_of_their_pages(make_site: MakeSite) -> None:
    written = composed(make_site, {"/a": "<h2>x</h2><h5>y</h5><h6 id=z>z</h6><hr><H3>v</H3>"})
    assert "<h3>x</h3><h6>y</h6><h6 id=z>z</h6><hr><h4>v</h4>" in part(written, "a")


def test_page_whose_text_begins_with_its_title_has_no_other(make_site: MakeSite) -> None:
    folder = make_site(FILES, SETTINGS)
    site_files = SiteFiles(folder.assemble(), folder.root, THEME, None)
    wanted = list_print_pages(site_files.site)[0]
    one = wanted.edition.pages["a"]
    assert '<section class="print-part" id="a"><div' in compose(site_files, wanted, [(one, document("<h1>Own</h1>"))])
    untitled = compose(site_files, wanted, [(one, document("<p>x</p>"))])
    assert '<section class="print-part" id="a"><h2>A &amp; Co</h2><div' in untitled
    assert '<section class="print-part" id="a"><h2>A &amp; Co</h2></section>' in compose(
        site_files, wanted, [(one, "")]
    )


def test_ids_that_two_pages_have_are_told_apart(make_site: MakeSite) -> None:
    more = '<h2 id="x">1</h2><p id="a">2</p><label for="x y" aria-describedby="x">3</label><svg fill="url(#x)"><a href="#x">4</a></svg>'
    written = composed(make_site, {"/a": '<h2 id="x">1</h2><h2 id="x">again</h2><a href="#x">2</a>', "/guides/b": more})
    assert part(written, "a").count('id="x"') == 2
    assert '<a href="#x">2</a>' in part(written, "a")
    found = part(written, "guides-b")
    assert '<h3 id="2-x">1</h3><p id="2-a">2</p>' in found
    assert '<label for="2-x y" aria-describedby="2-x">3</label>' in found
    assert '<svg fill="url(#2-x)"><a href="#2-x">4</a></svg>' in found


LINKS = [
    ("/docs/guides/b", "#guides-b"),
    ("/docs/guides/b/", "#guides-b"),
    ("/docs/guides/b?q=1", "#guides-b"),
    ("/docs/guides/b#x", "#2-x"),
    ("/docs/guides/b#gone", "#guides-b"),
    ("#x", "#x"),
    ("#gone", "#gone"),
    ("#", "#a"),
    ("", "#a"),
    ("/docs/away?a&amp;b#c", "https://example.org/docs/away?a&amp;b#c"),
    ("/elsewhere", "/elsewhere"),
    ("//example.org/docs/a", "//example.org/docs/a"),
    ("https://example.org/", "https://example.org/"),
]


def test_links_lead_to_parts_or_to_full_addresses(make_site: MakeSite) -> None:
    links = "".join(f'<a class="k" href="{href}">go</a>' for href, _ in LINKS)
    written = composed(make_site, {"/a": f'<h2 id="x">1</h2>{links}', "/guides/b": '<h2 id="x">1</h2>'})
    printed = re.findall('<a class="k" href="([^"]*)">', part(written, "a"))
    assert list(zip([href for href, _ in LINKS], printed, strict=True)) == LINKS


def test_paper_runs_no_scripts_and_waits_for_no_picture(make_site: MakeSite) -> None:
    written = composed(make_site, {"/a": '<img src="a.png" loading="lazy" alt=""><SCRIPT>run("<p>")</SCRIPT>'})
    assert '<div class="prose"><img src="a.png" alt=""></div>' in part(written, "a")


def test_version_and_site_are_named_where_there_are_others(make_site: MakeSite) -> None:
    settings = (
        SETTINGS
        + '[[versions]]\nname = "2"\nlabel = "2.0"\n[[versions]]\nname = "1"\nlabel = "1"\npath = "1"\ndocs = "old"\n[[sidebars]]\nid = "docs"\nlabel = "Guide"\nitems = [{ doc = "a" }]\n'
    )
    written = composed(make_site, {}, settings + '[color_mode]\ndefault = "dark"\nrespect_system = false\n')
    assert "<header><h1>Guide</h1><p>Site 2.0</p></header>" in written
    assert "<title>Guide | Site</title>" in written
    assert '<html lang="en" dir="ltr" data-theme="dark">' in written
    assert '<meta name="robots" content="noindex, nofollow">' in written


def test_sheets_and_faces_are_those_that_the_pages_need(make_site: MakeSite) -> None:
    written = composed(make_site, {"/a": '<div class="api-x"><code>x</code></div>'})
    assert '<link rel="stylesheet" href="/docs/_octavo/l.css">' in written


@pytest.fixture
def built(make_site: MakeSite, tmp_path: Path) -> SiteFiles:
    folder = make_site(FILES, SETTINGS)
    return SiteFiles(folder.assemble(), folder.root, THEME, None)


def build(site_files: SiteFiles, place: Path, texts: dict[str, str]) -> tuple[dict[str, bytes], set[str]]:
    """Publish pages and what is made of them for paper: (address → content of that, addresses that were written anew)."""
    staging = Staging.make(place / "out", place / "work")
    files = {address: staging.write(address, document(text).encode()) for address, text in texts.items()}
    before = {
        address: path.stat().st_mtime_ns
        for address in ("print/docs/index.html",)
        if (path := place / "out" / address).is_file()
    }
    made = publish_print_pages(site_files, files, staging, Cache(place / "cache"))
    staging.publish(files | made)
    found = {address: place / "out" / address for address in made}
    fresh = {address for address, path in found.items() if before.get(address) != path.stat().st_mtime_ns}
    return {address: path.read_bytes() for address, path in found.items()}, fresh


def test_pages_for_paper_are_made_again_when_one_of_their_pages_has_changed(built: SiteFiles, tmp_path: Path) -> None:
    texts = {built.html_file(route): "<p>1</p>" for route in ("/a", "/guides/b", "/other")}
    first, fresh = build(built, tmp_path, texts)
    name = next(iter(first))
    assert fresh == set(first)
    assert first[name].count(b"<p>1</p>") == 3
    again, fresh = build(built, tmp_path, texts)
    assert (again, fresh) == (first, set())
    changed, fresh = build(built, tmp_path, texts | {built.html_file("/other"): "<p>2</p>"})
    assert name in fresh
    assert (changed[name].count(b"<p>1</p>"), changed[name].count(b"<p>2</p>")) == (2, 1)


def test_file_of_the_author_takes_the_place_of_a_page_for_paper(built: SiteFiles, tmp_path: Path) -> None:
    texts = {built.html_file("/a"): "<p>1</p>"}
    [name] = [address for address in build(built, tmp_path, texts)[0] if address.startswith("print/")]
    made, _ = build(built, tmp_path, texts | {name: "own"})
    assert name not in made
