"""Ids of titles in engines that make them from what is written."""

from __future__ import annotations

from octavo.content import ContentOptions, Dialect
from octavo.content.compile import compile_document
from tests.support.each import each


@each(
    ("style", "text", "anchor"),
    [
        # Hugo takes the line of the source.
        ("hugo", "## What it _doesn't_ do", "what-it-_doesnt_-do"),
        ("hugo", "## A **bold** `code` [link](https://kite.example/a)", "a-bold-code-linkhttpskiteexamplea"),
        ("hugo", "## Fly :rocket: now ##", "fly-rocket-now"),
        ("hugo", "## Salt &amp; wind {.wide}", "salt-amp-wind"),
        ("hugo", "> - ## In *lists*", "in-lists"),
        ("hugo", "What _it_ does\n---", "what-_it_-does"),
        ("hugo", "Two\nlines _of_ it\n---", "two-lines-of-it"),
        ("hugo", "## C#", "c"),
        ("hugo", "## {{< param x >}} y", "-param-x--y"),
        ("hugo", "## Set {#own}", "own"),
        # VitePress keeps entities as they are written; what looks like a tag is left out where it is one, and not where it is text.
        ("vitepress", "## f(Opt&lt;Loc&gt;): x", "f-opt-lt-loc-gt-x"),
        ("vitepress", "## A &amp; B", "a-amp-b"),
        ("vitepress", "## A & B < c", "a-b-c"),
        ("vitepress", r"## Opt\<Loc\>", "opt-loc"),
        ("vitepress", "## g Opt<Loc> x", "g-opt-x"),
        ("vitepress", "## `a &lt; b` &lt; c", "a-lt-b-lt-c"),
        ("vitepress", "## A&nbsp;B &copy; c", "a-nbsp-b-copy-c"),
        ("vitepress", "## Fly &#123;high}", "fly-123-high"),
        ("vitepress", "f(Opt&lt;Loc&gt;)\n---", "f-opt-lt-loc-gt"),
        ("vitepress", "## A&#1;B &amp; c", "ab-amp-c"),
        ("vitepress", "## A ` ` B &amp; c", "a-b-amp-c"),
        ("python-markdown", "## f(x: Opt&lt;Loc&gt;) &amp; more", "fx-optloc-more"),
        ("python-markdown", "## g(Opt<Loc>) x", "gopt-x"),
        # Jekyll's kramdown keeps the spaces within elements, and draws emojis afterwards.
        ("kramdown", '## <a href="#x" name="x"> Kites fly </a>', "-kites-fly-"),
        ("kramdown", '### <a name="x"></a>:rocket: Fly', "rocket-fly"),
        ("kramdown", "## What it _doesn't_ do", "what-it-doesnt-do"),
        ("kramdown", "## ![sail](a.png) Wind", "-wind"),
        ("github-titles", '## <a href="#x"> Kites fly </a>', "kites-fly"),
        ("github-titles", "## What it _doesn't_ do", "what-it-doesnt-do"),
    ],
)  # fmt: skip
def test_ids_are_those_of_the_engine(style: str, text: str, anchor: str) -> None:
    dialect = Dialect(extensions=frozenset({"emoji", "attr_list"}), slugs=style)
    found = compile_document(
        text, source_path="a.md", load=lambda _: None, options=ContentOptions(folders={"": dialect})
    )
    assert [heading.anchor for heading in found.headings] == [anchor]
