"""HTML in descriptions: known elements are drawn, balanced and with nothing of their own; the rest is text."""

from __future__ import annotations

import random
from html.parser import HTMLParser

import pytest

from octavo.reference.openapi.text import plain_text, render_text


@pytest.mark.parametrize(
    ("markdown", "html", "words"),
    [
        (
            '<p>Reads a <a href="https://x.example/?a=1&amp;b">kiln</a>.</p>\n\n<p>In <code>hot</code> &amp; cold.</p>',
            '<p>Reads a <a href="https://x.example/?a=1&amp;b">kiln</a>.</p>\n<p>In <code>hot</code> &amp; cold.</p>',
            "Reads a kiln. In hot & cold.",
        ),
        ("a<br/>b <B class='x'>c</B>", "<p>a<br>b <strong>c</strong></p>", "a b c"),
        (
            "Fuels: <ul><li>gas<li>wood <b>dry</ul> and\n\nmore",
            "<p>Fuels: </p><ul><li>gas</li><li>wood <strong>dry</strong></li></ul> and<p>more</p>",
            "Fuels: gas wood dry and more",
        ),
        (
            "<table><tr><th>A<td>1</table>",
            '<div class="table-wrap" tabindex="0"><table><tr><th>A</th><td>1</td></tr></table></div>',
            "A 1",
        ),
        ("<h3>Fuel</h3>\ngas", "<p><strong>Fuel</strong></p>\ngas", "Fuel gas"),
        ("<div>a</div><div>b</div>", "<div>a</div><div>b</div>", "a b"),
        ("<b>x\n\ny</b>", "<p><strong>x</strong></p><p>y</p>", "x y"),
        ("a <b>x *y</b> z*", "<p>a <strong>x <em>y z</em></strong></p>", "a x y z"),
        ("<!-- a\nb --> c", " c", "c"),
        ("<li>alone</li>", "alone", "alone"),
        ("List<String> of <id> and <my-tag>", "<p>List&lt;String&gt; of &lt;id&gt; and &lt;my-tag&gt;</p>", None),
    ],
)
def test_known_elements_are_drawn(markdown: str, html: str, words: str | None) -> None:
    assert render_text(markdown) == html.strip()
    if words is not None:
        assert plain_text(markdown) == words


def test_nothing_of_an_element_but_its_link_is_kept() -> None:
    text = '<a href="javascript:x" onclick="y">a</a> <b style="z" onmouseover=w>b</b> <a href="https://x.example" id="q">c</a>'
    assert render_text(text) == '<p>a <strong>b</strong> <a href="https://x.example">c</a></p>'


def test_pictures_are_links_to_their_files() -> None:
    html = '<p><a href="https://x.example/k.png">A kiln</a></p>'
    assert render_text("![A kiln](https://x.example/k.png)") == html
    assert render_text('<img src="https://x.example/k.png" alt="A kiln">') == html.removeprefix("<p>").removesuffix(
        "</p>"
    )
    assert render_text("[![Badge](https://x.example/b.svg)](https://ci.example)") == (
        '<p><a href="https://ci.example">Badge</a></p>'
    )
    assert render_text('<a href="https://ci.example"><img src="https://x.example/dir/b.svg"></a>') == (
        '<p><a href="https://ci.example">b.svg</a></p>'
    )


class _Checker(HTMLParser):
    """Takes the tags of a text and finds out whether each is closed where it was opened."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes |= {name for name, _ in attrs}
        if tag not in ("br", "hr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


@pytest.mark.costly
def test_any_tags_in_any_order_are_balanced() -> None:
    chance = random.Random(1)
    names = ["p", "b", "i", "ul", "li", "table", "tr", "td", "th", "div", "pre", "a href=https://x.example", "h2", "br"]
    marks = [
        "\n\n",
        "*",
        "**",
        "- ",
        "> ",
        "`",
        "text ",
        "| a |\n|---|\n",
        "<x>",
        "<!--",
        "-->",
        "![i](https://x.example)",
    ]
    for _ in range(2_000):
        parts = [
            chance.choice([f"<{chance.choice(names)}>", f"</{chance.choice(names).split()[0]}>", chance.choice(marks)])
            for _ in range(chance.randrange(1, 14))
        ]
        text = "".join(parts)
        checker = _Checker()
        checker.feed(render_text(text))
        checker.close()
        assert (checker.wrong, checker.open) == ([], []), text
        assert checker.attributes <= {"href", "class", "tabindex", "scope", "data-language", "role", "start"}, text


def test_comments_end_where_they_end_and_others_are_text() -> None:
    assert render_text("<p>a<!-- <b>x</b> -->b <i>c</i> <!-- d</p>") == "<p>ab <em>c</em> &lt;!-- d</p>"


@pytest.mark.parametrize("text", ["<p>" + "<!--" * 200_000, "<p><a " + "x" * 500_000 + "> b", "<p>" + "<a " * 200_000])
def test_broken_markup_costs_no_more_than_its_length(text: str) -> None:
    assert render_text(text).startswith("<p>")


@pytest.mark.costly
def test_deep_nesting_costs_no_more_than_its_length() -> None:
    html = render_text("<b>" * 20_000 + "x" + "<a>" * 20_000)
    assert html.count("<strong>") == html.count("</strong>") <= 100
