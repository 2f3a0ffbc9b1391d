"""Where the addresses in a page's Markdown are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.content import CARDS_IN_MARKDOWN
from octavo.contract.payload import CardData
from octavo.documents import Body
from octavo.rendering.article import Fillings
from octavo.rendering.markdown_page import MarkdownWriter, find_destinations
from octavo.site import AssetStore, LinkResolver
from tests.support.sites import TWO_LOCALES, TWO_VERSIONS, MakeSite, SiteFolder, page, page_at


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[a](b.md) ![c](d.png)", ["b.md", "d.png"]),
        ("[a](<b.md>) [a]( b.md 'title')", ["b.md", "b.md"]),
        ("[a](b_(c).md)", ["b_(c).md"]),
        ("[a]: b.md\n\n  [c]: <d.md> 'title'", ["b.md", "d.md"]),
        ("    [a]: b.md", []),
        ('<a class="x" href="b.md">a</a> <img src=\'c.png\'>', ["b.md", "c.png"]),
        ("`[a](b.md)` [c](d.md) `[e](f.md)`", ["d.md"]),
        ("``[a](`b.md)`` [c](d.md)", ["d.md"]),
        ("A lone ` and [c](d.md)", ["d.md"]),
        ("```md\n[a](b.md)\n```\n[c](d.md)", ["d.md"]),
        ("~~~\n[a](b.md)\n```\n[a](b.md)\n~~~\n[c](d.md)", ["d.md"]),
        ("````\n```\n[a](b.md)\n````\n[c](d.md)", ["d.md"]),
        ("- one\n\n  ```\n  [a](b.md)\n  ```\n\n> ~~~\n> [a](b.md)\n> ~~~\n\n[c](d.md)", ["d.md"]),
        ("```\n[a](b.md) never closed", []),
        ("```x``` [c](d.md)", ["d.md"]),
        ("no links at all", []),
    ],
)
def test_addresses_outside_code_are_found(text: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in find_destinations(text)] == found


@given(st.text(alphabet="[]()<>`~ \n!:ab\"'=hrefsc."))
def test_any_text_has_places_in_order(text: str) -> None:
    places = find_destinations(text)
    assert places == sorted(places)
    assert all(0 <= start <= end <= len(text) for start, end in places)


SETTINGS = 'url = "https://example.org"\nbase_url = "/docs/"\n'
CATEGORY = {
    "docs/index.md": page("Home"),
    "docs/guides/_category_.yaml": "label: Guides\nlink: {type: generated-index, description: All of them.}",
    "docs/guides/a.md": page("A", description="About A."),
    "docs/guides/b.md": page("B", unlisted=True),
    "docs/guides/deep/_category_.yaml": "label: Deep",
    "docs/guides/deep/c.md": page("C"),
}


def written(
    folder: SiteFolder,
    route: str,
    markdown: str = "",
    links: list[str] | None = None,
    cards: list[CardData] | None = None,
) -> str:
    site = folder.assemble()
    writer = MarkdownWriter(site, LinkResolver(site, AssetStore(folder.root, site.config.static)))
    one = page_at(site, route)
    fillings = Fillings(links or [], [], [], [], has_files=False)
    return writer.write(one, writer.text(one, Body("", [], [], [], markdown), fillings, lambda: cards or []))


def test_list_of_a_category_has_its_pages_and_what_they_are_about(make_site: MakeSite) -> None:
    assert written(make_site(CATEGORY, SETTINGS), "/category/guides") == (
        '---\ntitle: "Guides"\ndescription: "All of them."\nurl: "https://example.org/docs/category/guides"\n---\n\n'
        "# Guides\n\nAll of them.\n\n"
        "- [A](https://example.org/docs/guides/a): About A.\n- [C](https://example.org/docs/guides/deep/c): Text.\n"
    )


def test_addresses_and_cards_are_written_out(make_site: MakeSite) -> None:
    folder = make_site({"docs/a.md": page("A", "[one](b.md) [two](b.md#x)"), "docs/b.md": page("B")}, SETTINGS)
    cards = [
        CardData(kind="doc", href="/docs/b", label="B", description="About B."),
        CardData(kind="link", href="//example.net/", label="Web", description=""),
    ]
    text = (
        f"[one](b.md) [two](b.md#x) [three](b.md#y) [four](c.md#y)\n\n> {CARDS_IN_MARKDOWN}\n\nand {CARDS_IN_MARKDOWN}."
    )
    assert written(folder, "/a", text, ["/docs/b", "/docs/b#x"], cards).partition("---\n\n")[2] == (
        "# A\n\n[one](https://example.org/docs/b) [two](https://example.org/docs/b#x) [three](https://example.org/docs/b#y) "
        "[four](c.md#y)\n\n> - [B](https://example.org/docs/b): About B.\n> - [Web](//example.net/)\n\nand .\n"
    )
    assert written(folder, "/b", "[up](/elsewhere)").endswith("# B\n\n[up](/elsewhere)\n")


def test_front_matter_says_which_language_and_version_a_page_is(make_site: MakeSite) -> None:
    files = {"docs/a.md": page("A"), "docs/b.md": page("B"), "i18n/fr/docs/a.md": page("Un"), "docs-v1/a.md": page("A")}
    languages, versions = (
        make_site(files, SETTINGS + TWO_LOCALES),
        make_site(files, SETTINGS + TWO_VERSIONS, "versions"),
    )
    assert 'fr/a"\nlanguage: "fr"\n---' in written(languages, "/fr/a")
    assert 'fr/b"\nlanguage: "en"\n---' in written(languages, "/fr/b")  # not translated
    assert 'v1/a"\nversion: "1"\n---' in written(versions, "/v1/a")
