"""HTML of authors, as the Markdown that programs read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.content import ContentOptions, html_as_markdown
from octavo.content.compile import compile_document
from tests.support.each import each
from tests.support.markdown_audit import leftovers


def markdown_of(source: str, path: str = "docs/a.md") -> str:
    return compile_document(source, source_path=path, load={}.get, options=ContentOptions()).markdown.strip("\n")


@pytest.mark.parametrize(
    ("source", "written"),
    [
        ("<kbd>Ctrl</kbd>+<kbd>C</kbd>", "`Ctrl`+`C`"),
        ('<code><a href="/plan">Plan_a</a></code>', "[`Plan_a`](/plan)"),
        (
            "<code>a&#95;b</code> <code>*</code> <code>a `b`</code>",
            "`a_b` <code>*</code> a `b`".replace("<code>*</code>", "*"),
        ),
        ('<a href="b.md" title="T">b</a><a id="x"></a>', '[b](b.md "T")'),
        ('<a href="a b.md">b</a>', "[b](<a b.md>)"),
        ("<b> bold </b><i>it</i> <del>no</del>", " **bold** *it* ~~no~~"),
        ('x<sup class="a">2</sup> <abbr title="Hyper">H</abbr> <q>q</q>', "x<sup>2</sup> H (Hyper) “q”"),
        ("one<br>two", "one\\\ntwo"),
        ("| a |\n| - |\n| one<br/>two |", "| a |\n| - |\n| one<br>two |"),
        ('<img src="a.png" alt="A"> <img src="b.png" alt="">', "![A](a.png) "),
        ("Vec<A> http://<host>:1", "Vec\\<A> http://\\<host>:1"),
        ("<b>open *a*", "open *a*"),
        ("a</b> <b><i>x</b></i>", "a **x**"),
        ('<svg viewBox="0 0 1 1"><path d="M0"/></svg>word <script>x < y</script>', "word "),
        ("`<b>` <b>`x`</b>", "`<b>` **`x`**"),
        ("    <b>code</b>", "    <b>code</b>"),
        ("`<p>`</p>`b`", "`<p>` `b`"),
    ],
)
def test_tags_within_a_line(source: str, written: str) -> None:
    assert markdown_of(source) == written


@each(
    ("source", "written"),
    [
        ("<p align=center><small>Applies <b>to</b> a * b &lt;x&gt;.</small></p>", "Applies **to** a \\* b \\<x>."),
        ("<h2><img src=a.png alt=A> Title<br>two</h2>", "## ![A](a.png) Title two"),
        ("<ul><li>One<li>Two<ol start=3><li>Three</ol></ul>", "- One\n- Two\n\n  3. Three"),
        ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"),
        (
            "<table><tr><th>A<th>B<tr><td colspan=2>x|y<tr><td>c<br>d</table>",
            "| A | B |\n| --- | --- |\n| x\\|y | |\n| c<br>d | |",
        ),
        ("<table><tr><td>a<td>b</table>", "| | |\n| --- | --- |\n| a | b |"),
        ("<table><tr><td><p>a</p><p>b</p></td></tr></table>", "a\n\nb"),
        ("<table>\n<tr><td>\n\n**a**\n\n</td></tr>\n</table>", "**a**"),
        ('<pre><code class="language-js">a &lt; b\n  c\n</code></pre>', "```js\na < b\n  c\n```"),
        ("<pre>a ```b</pre>", "````\na ```b\n````"),
        ("<dl><dt>T<dd>D <em>e</em></dl>", "**T**\n\nD *e*"),
        ("<figure>\n<img src='a.svg' alt='A'>\n<figcaption>Cap</figcaption>\n</figure>", "![A](a.svg)\n\nCap"),
        ('<iframe src="https://x.example" title="Film"></iframe>', "[Film](https://x.example)"),
        ("<video controls><source src='a.mp4'></video>", "[video](a.mp4)"),
        ("<div hidden>no</div>\n\n<template>no</template>\n\nyes", "yes"),
        ("<p>1. no list</p>\n\n<p>- no list</p>\n\n<p># no</p>", "1\\. no list\n\n\\- no list\n\n\\# no"),
        ('<div class="x">\n\n| a |\n| - |\n\n</div>\n\nEnd', "| a |\n| - |\n\nEnd"),
        ("text\n<div>block</div>\n\nmore", "text\n\nblock\n\nmore"),
        ("- <p>one</p>\n- two\n\n  <div>three</div>", "- one\n- two\n\n  three"),
        ("> <ul><li>a<li>b</ul>\n\nend", "> - a\n> - b\n\nend"),
        ("<!-- gone -->\ntext", "text"),
        ("<script>\nif (a < b) {\n\n}\n</script>\n\ntext", "text"),
    ],
)
def test_blocks(source: str, written: str) -> None:
    assert markdown_of(source) == written


def test_indented_content_of_an_element_is_no_code() -> None:
    assert markdown_of("<div>\n\n    indented <b>x</b>\n\n</div>\n", "docs/a.mdx") == "indented **x**"


@pytest.mark.parametrize(
    ("source", "written"),
    [
        ("`<code><x></code>", "\\` `<x>`"),
        ("a ` b <code><x></code> c", "a \\` b `<x>` c"),
        ("`a` and <code>b</code>", "`a` and `b`"),
        ("a `` b <code>`c</code>", "a \\`\\` b `` `c ``"),
    ],
)
def test_open_backtick_takes_no_part_in_code_of_an_element(source: str, written: str) -> None:
    assert markdown_of(source) == written


@pytest.mark.costly
@given(st.text(alphabet="<>/abpirtdlu1 \"'=!-&;|*`\n\ufdd0\ufdd1?"))
def test_any_html_becomes_text(text: str) -> None:
    assert not [left for left in leftovers(html_as_markdown(text)) if left[0] == "HTML"]


@given(
    st.lists(
        st.sampled_from(
            [
                "<b>",
                "</b>",
                "<p>",
                "</p>",
                "<li>",
                "<ul>",
                "</ul>",
                "<td>",
                "<tr>",
                "<table>",
                "</table>",
                "a",
                "\n\n",
                "> ",
                "- ",
                "<br>",
                "<code>",
                "</code>",
                "`",
                "|",
                "<x>",
                "<a href='b'>",
                "</a>",
                "<pre>",
                "</pre>",
            ]
        ),
        max_size=30,
    )
)
def test_any_page_has_no_html_left(parts: list[str]) -> None:
    left = [found for name, found in leftovers(markdown_of("".join(parts))) if name == "HTML"]
    assert [one for one in left if one != "<br>"] == []


@pytest.mark.costly
def test_deep_and_long_input_is_read_to_its_end() -> None:
    for piece in ("<b>", "</b>", "<br>", "<div>", "<ul><li>", "<", "<a href='", "<script>", "<td>"):
        assert isinstance(html_as_markdown(piece * 2_000), str)
        assert isinstance(markdown_of(piece * 1_000), str)
