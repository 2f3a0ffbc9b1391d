"""Short references to a repository in text, line ends that count, and ids of titles and of tabs, as MkDocs reads them."""

from __future__ import annotations

import re

from octavo.content import ContentOptions, Dialect, Document
from octavo.content.compile import compile_document
from octavo.content.render.autolinks import find_addresses, with_references
from tests.support.each import each

KITE = "https://github.com/wind/kite"


def compile_text(text: str, dialect: Dialect | None = None) -> Document:
    options = ContentOptions(folders={"": dialect or Dialect()})
    return compile_document(text, source_path="a.md", load=lambda _: None, options=options)


def make_dialect(*extensions: str, repository: str = "", slugs: str = "github") -> Dialect:
    return Dialect(extensions=frozenset(extensions), repository=repository, slugs=slugs)


@each(
    ("text", "links"),
    [
        ("See #12, and #13.", ["#12 issues/12", "#13 issues/13"]),
        ("(#12) !7 ?9", ["#12 issues/12", "!7 pull/7", "?9 discussions/9"]),
        ("sky/rain#4 and sky/rain!5", ["sky/rain#4 /sky/rain/issues/4", "sky/rain!5 /sky/rain/pull/5"]),
        ("sky/rain@60ab04f6", ["sky/rain@60ab04f6 /sky/rain/commit/60ab04f6"]),
        ("60ab04f6ebab4c362f5d4c798f07e6dff4345ac5", ["60ab04f6ebab4c362f5d4c798f07e6dff4345ac5 commit/60ab04f6ebab4c362f5d4c798f07e6dff4345ac5"]),
        ("by @kim-lee, @kim/kite.", ["@kim-lee /kim-lee", "@kim/kite /kim/kite"]),
        ("C#1 #0 a#2 #12a ##3 &#33; no-1#4b", []),
        ("60ab04f6 is short, x60ab04f6ebab4c362f5d4c798f07e6dff4345ac5 long", []),
        ("what!1 really?2", []),
        ("kim@kite.example", ["kim@kite.example mailto:kim@kite.example"]),
        ("https://a.example/x#12 #3", ["https://a.example/x#12 https://a.example/x#12", "#3 issues/3"]),
    ],
)  # fmt: skip
def test_references(text: str, links: list[str]) -> None:
    found = with_references(text, find_addresses(text), KITE)
    short = [
        f"{text[start:end]} {href.removeprefix(f'{KITE}/').removeprefix('https://github.com')}"
        for start, end, href in found
    ]
    assert short == links


@each(
    ("repository", "text", "address"),
    [
        ("https://gitlab.com/a/b", "!3", "https://gitlab.com/a/b/-/merge_requests/3"),
        ("https://gitlab.example/a/b", "#3", "https://gitlab.example/a/b/-/issues/3"),
        ("https://bitbucket.org/a/b", "!3", "https://bitbucket.org/a/b/pull-requests/3"),
        ("https://code.example/a/b", "c/d#3", "https://code.example/c/d/issues/3"),
    ],
)
def test_addresses_of_other_hosts(repository: str, text: str, address: str) -> None:
    assert [href for _, _, href in with_references(text, [], repository)] == [address]


def test_references_are_links_in_text_alone() -> None:
    text = "A #1 in `#2` and [#3](#x), **#4**.\n\n```\n#5\n```\n\n## #6 {#x}\n"
    html = compile_text(text, make_dialect(repository=KITE)).body
    assert re.findall(r">(#\d)</a>", html)[:3] == ["#1", "#3", "#4"]
    assert "<code>#2</code>" in html
    assert "#1</a>" not in compile_text(text).body


def test_abbreviations_are_explained_beside_references() -> None:
    html = compile_text("KIT in #1 and KIT.\n\n*[KIT]: Kite\n", make_dialect("abbr", repository=KITE)).body
    assert html.count('<abbr title="Kite">KIT</abbr>') == 2
    assert ">#1</a>" in html


def test_ends_of_lines_are_breaks_where_the_site_says_so() -> None:
    text = "One\ntwo  \nthree\n"
    assert compile_text(text, make_dialect("nl2br")).body == "<p>One<br>\ntwo<br>\nthree</p>"
    assert compile_text(text).body == "<p>One\ntwo<br>\nthree</p>"


@each(
    ("title", "anchor"),
    [
        ("/sell <pair> [rate]", "sell-rate"),
        ("Use `<pair>` and **<more>**", "use-pair-and"),
        ("a < b > c", "a-b-c"),
        ("Mail <b>bold</b>", "mail-bold"),
        ("</x> end", "end"),
    ],
)
def test_tags_are_no_part_of_an_id_in_python_markdown(title: str, anchor: str) -> None:
    headings = compile_text(f"## {title}\n", make_dialect(slugs="python-markdown")).headings
    assert [one.anchor for one in headings] == [anchor]


TABS = """# Kite

=== "Home"

    one

=== "What's new?"

    ## Inner

## Home

=== "Home"

    two

=== "Inner"

    three
"""


@each(
    ("ids", "anchors"),
    [
        ("", [None, None, None, None]),
        ("labels", ["home_1", "whats-new", "home_2", "inner_1"]),
        ("titles-and-labels", ["kite-home", "kite-whats-new", "home-home", "home-inner"]),
    ],
)  # fmt: skip
def test_ids_of_tabs(ids: str, anchors: list[str | None]) -> None:
    dialect = Dialect(extensions=frozenset(["tabs"]), slugs="pymdownx", tab_ids=ids)
    document = compile_text(TABS, dialect)
    assert [tab.get("anchor") for island in document.islands for tab in island.props["tabs"]] == anchors
    assert [one.anchor for one in document.headings] == ["", "inner", "home"]
    assert set(filter(None, anchors)) <= set(document.anchors)


def test_repeated_titles_of_pymdownx_are_counted_as_python_markdown_does() -> None:
    dialect = make_dialect(slugs="pymdownx")
    document = compile_text("## Größe!\n\n## Größe\n\n## Größe\n\n## ???\n", dialect)
    assert [one.anchor for one in document.headings] == ["größe", "größe_1", "größe_2", "_1"]
