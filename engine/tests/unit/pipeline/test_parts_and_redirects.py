"""Texts of all pages in parts, pages for paper, redirects as files, and what changes in a search index."""

from __future__ import annotations

from pathlib import Path

import msgspec

from octavo.pipeline.full_text import divide_full_text, has_full_text, part_path
from octavo.pipeline.index_changes import IndexState, compare_index
from octavo.pipeline.print_pages import list_print_pages
from octavo.pipeline.redirects import write_redirects, write_redirects_file
from octavo.site import AssetStore, LinkResolver, Site
from tests.support.each import each
from tests.support.sites import TWO_LOCALES, MakeSite, page

ABOUT = "> All pages as Markdown, each after front matter that names its address."
URL = "https://example.org/"
ROOM = 400 + len("Site") + 2 * len(URL)
"""Bytes of a part that pages do not get."""


def resolver(site: Site) -> LinkResolver:
    return LinkResolver(site, AssetStore(Path(), "static"))


def test_text_that_fits_is_one_part() -> None:
    [part] = divide_full_text("Site", URL, [("a.md", 10), ("b.md", 20)], ROOM + 32)
    assert (part.path, part.pages) == ("llms-full.txt", ["a.md", "b.md"])
    assert part.write([b"A\n", b"B\n"]).decode() == f"# Site\n\n{ABOUT}\n\nA\n\nB\n"


def test_text_that_is_too_large_by_a_byte_is_two_parts() -> None:
    first, second = divide_full_text("Site", URL, [("a.md", 10), ("b.md", 20)], ROOM + 31)
    assert (first.pages, second.pages) == (["a.md"], ["b.md"])
    assert first.head.decode().endswith(f"This is part 1 of 2. The others are {URL}llms-full-2.txt.\n")
    assert second.path == part_path(2) == "llms-full-2.txt"
    assert second.head.decode() == f"# Site\n\n{ABOUT} This is part 2 of 2.\n"


def test_each_part_leads_to_the_next_and_long_pages_are_parts_of_their_own() -> None:
    pages = [("a.md", 10), ("long.md", 900), ("b.md", 10), ("c.md", 10)]
    parts = divide_full_text("Site", URL, pages, ROOM + 30)
    assert [part.pages for part in parts] == [["a.md"], ["long.md"], ["b.md", "c.md"]]
    heads = [part.head.decode().partition("address. ")[2] for part in parts]
    assert heads == [
        f"This is part 1 of 3. The others are {URL}llms-full-2.txt to {URL}llms-full-3.txt.\n",
        f"This is part 2 of 3. The next is {URL}llms-full-3.txt.\n",
        "This is part 3 of 3.\n",
    ]
    assert all(len(part.head) <= ROOM for part in parts)


@each(
    "settings, expected",
    [
        ("", True),
        ("[programs]\nfull_text_size = 0\n", False),
        ("[programs]\nfull_text_size = 1000\n", True),
        ("[programs]\nmarkdown = false\n", False),
        ("[programs]\nlists = false\n", False),
        ("not_indexed = true\n", False),
    ],
)
def test_text_of_all_pages_can_be_left_out(make_site: MakeSite, settings: str, expected: bool) -> None:
    assert has_full_text(make_site({"docs/a.md": page("A")}, settings).assemble().config) == expected


SIDEBARS = """[[sidebars]]
id = "guides"
label = "Guides"
items = [{ doc = "a" }, { category = "Setting up", items = [{ doc = "b" }, { doc = "hidden" }, { doc = "b" }] }, { category = "Setting up", items = [{ doc = "c" }] }, { category = "???", items = [{ doc = "c" }] }, { category = "Secret", items = [{ doc = "hidden" }] }]
[[sidebars]]
id = "api"
items = [{ doc = "c" }]
[[sidebars]]
id = "other"
items = [{ doc = "d" }]
[[navbar.items]]
label = "Reference"
sidebar = "api"
"""
DOCS = {f"docs/{name}.md": page(name.upper()) for name in "abcd"} | {"docs/hidden.md": page("Hidden", unlisted=True)}


def printed(site: Site) -> list[tuple[str, str, list[str]]]:
    return [(one.route, one.title, [link.doc_id for link in one.pages]) for one in list_print_pages(site)]


def test_no_pages_for_paper_unless_they_are_wanted(make_site: MakeSite) -> None:
    assert printed(make_site(DOCS, SIDEBARS).assemble()) == []


def test_sidebars_are_pages_for_paper_with_the_names_that_readers_see(make_site: MakeSite) -> None:
    assert printed(make_site(DOCS, 'print_pages = "sidebars"\n' + SIDEBARS).assemble()) == [
        ("/print/guides/", "Guides", ["a", "b", "c"]),
        ("/print/api/", "Reference", ["c"]),
        ("/print/other/", "Site", ["d"]),
    ]


def test_sections_are_pages_for_paper_at_addresses_of_their_own(make_site: MakeSite) -> None:
    assert printed(make_site(DOCS, 'print_pages = "sections"\n' + SIDEBARS).assemble()) == [
        ("/print/guides/", "Guides", ["a", "b", "c"]),
        ("/print/guides/setting-up/", "Setting up", ["b"]),
        ("/print/guides/setting-up-2/", "Setting up", ["c"]),
        ("/print/guides/section/", "???", ["c"]),
        ("/print/api/", "Reference", ["c"]),
        ("/print/other/", "Site", ["d"]),
    ]


def test_each_edition_has_its_pages_for_paper(make_site: MakeSite) -> None:
    settings = 'print_pages = "sidebars"\n' + TWO_LOCALES
    routes = [route for route, *_ in printed(make_site({"docs/a.md": page("A")}, settings).assemble())]
    assert routes == ["/print/docs/", "/fr/print/docs/"]


@each("is_flat, file", [(True, "old.html"), (False, "old/index.html")])
def test_redirect_is_a_page_that_leads_on_by_itself_and_by_a_link(
    make_site: MakeSite, is_flat: bool, file: str
) -> None:
    site = make_site({"docs/a.md": page("A")}, 'base_url = "/docs/"\n').assemble()
    pages = write_redirects({"/old": "/a", "/away": "https://example.org/?a&b"}, resolver(site), is_flat=is_flat)
    assert pages["/old"][0] == file
    text = pages["/old"][1].decode()
    assert '<meta http-equiv="refresh" content="0; url=/docs/a"><link rel="canonical" href="/docs/a">' in text
    assert '<meta name="robots" content="noindex">' in text
    assert 'moved to <a href="/docs/a">/docs/a</a>.' in text
    assert 'url=https://example.org/?a&amp;b"' in pages["/away"][1].decode()


def test_file_of_redirects_has_folders_only_where_no_page_lies(make_site: MakeSite) -> None:
    site = make_site({"docs/kept/a.md": page("A")}).assemble()
    folders = {"/gone/": "/kept/*", "/kept/": "/a/*", "/away/": "https://example.org/*", "/flat/": "/kept/a"}
    written = write_redirects_file({"/old": "/kept/a", "/web": "https://example.org/b"}, folders, site, "/docs")
    assert written.decode() == (
        "/docs/old /docs/kept/a 301\n"
        "/docs/web https://example.org/b 301\n"
        "/docs/gone/* /docs/kept/:splat 301\n"
        "/docs/away/* https://example.org/:splat 301\n"
        "/docs/flat/* /docs/kept/a 301\n"
    )


def test_index_of_the_same_site_has_nothing_to_change(make_site: MakeSite) -> None:
    site = make_site({"docs/a.md": page("A"), "docs/b.md": page("B")}).assemble()
    first = compare_index(site, resolver(site), IndexState())
    assert (first.fresh, first.gone, first.changed, first.can_update) == ({"/a", "/b"}, set(), 2, False)
    assert [one.route for one in first.pages] == ["/a", "/b"]
    state = first.state("index-1", is_rebuilt=True)
    assert (state.name, state.changed) == ("index-1", 0)
    again = compare_index(site, resolver(site), state)
    assert (again.fresh, again.gone, again.changed, again.can_update) == (set(), set(), 0, True)


def test_index_changes_by_the_pages_that_have_changed(make_site: MakeSite) -> None:
    folder = make_site({"docs/a.md": page("A"), "docs/b.md": page("B"), "docs/c.md": page("C")})
    site = folder.assemble()
    state = compare_index(site, resolver(site), IndexState()).state("index-1", is_rebuilt=True)
    (folder.root / "docs/c.md").unlink()
    folder.write({"docs/b.md": page("Other"), "docs/d.md": page("D")})
    changed = folder.assemble()
    found = compare_index(changed, resolver(changed), state)
    assert (found.fresh, found.gone, found.changed) == ({"/b", "/d"}, {"/b", "/c"}, 4)
    assert found.can_update
    kept = found.state("index-1", is_rebuilt=False)
    assert (kept.changed, set(kept.keys)) == (4, {"/a", "/b", "/d"})
    # What is removed still takes space, so that changes are added up until the index is made anew.
    assert compare_index(changed, resolver(changed), kept).changed == 4


def test_index_of_other_settings_is_made_anew(make_site: MakeSite) -> None:
    site = make_site({"docs/a.md": page("A")}).assemble()
    state = compare_index(site, resolver(site), IndexState()).state("index-1", is_rebuilt=True)
    assert not compare_index(site, resolver(site), msgspec.structs.replace(state, code="other")).can_update
    assert not compare_index(site, resolver(site), msgspec.structs.replace(state, name="")).can_update
