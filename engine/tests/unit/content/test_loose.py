"""Bold text and HTML as Python-Markdown and kramdown read them."""

from __future__ import annotations

import re
import time

import pytest

from octavo.content import ContentOptions, Dialect, Document
from octavo.content.compile import compile_document
from tests.support.each import each


def html_of(text: str) -> str:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset({"loose", "md_in_html"}))})
    return compile_document(text, source_path="a.md", load=lambda _: None, options=options).body


def document_of(text: str, extension: str, files: dict[str, str] | None = None) -> Document:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset({"loose", extension}))})
    return compile_document(text, source_path="a.md", load=(files or {}).get, options=options)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("これは**「風」**です", "これは<strong>「風」</strong>です"),
        ("ための**[風](https://x.example)**。", '<strong><a href="'),
        ("**Note:**text and **more**", "<strong>Note:</strong>text and <strong>more</strong>"),
        ("a **b** c, d**(e)**f", "<strong>b</strong> c, d<strong>(e)</strong>f"),
        ("`a**(b)**c` and 2**(3) is ** 8", "2**(3) is ** 8"),
        ("<div>x</div>\n## Title", "<h2"),
        ("<div>\n<div>x</div>\n*a*\n</div>\n*b*", "*a*\n</div>\n<p><em>b</em></p>"),
        (
            '<aside markdown="1">\n  <img src="https://x.example/a.png" alt="a">\nText *of* x.\n</aside>',
            "Text <em>of</em> x.",
        ),
        ('<img src="https://x.example/a.png" alt="a">\n**Text**', "<strong>Text</strong>"),
        ("<div>\n<br>\n*raw*\n</div>", "*raw*"),
        ("- <!-- md:version 1.2 --> In *it*.", "<li>In <em>it</em>.</li>"),
        ("<!-- a --><!-- b -->Text *of* it.", "<p>Text <em>of</em> it.</p>"),
        ("```html\n<div>x</div>\n# shown\n```", "# shown"),
        ("<center>\n```sh\nls\n```\n</center>\n\n*a*", "</figure></center><p><em>a</em>"),
        ("| a | b |\n|---|---|\n| `/x | /y` | z |", "<td><code>/x | /y</code></td><td>z</td>"),
        ("a | b\n--|--\n``x|`y`` | `1|2|3`\n", "<td><code>x|`y</code></td><td><code>1|2|3</code></td>"),
        ("| a | b |\n|---|---|\n| `x \\| y` | z |\n\nThen `p | q`.", "<td>z</td>"),
        ("| a | b |\n|---|---|\n| x | y |\n\nThen `p | q`.", "<code>p | q</code>"),
        ("```\n| a | b |\n|---|---|\n| `x | y` | z |\n```", "`x | y`"),
        ("See [x][a].\n[a]: https://x.example/\nMore.", ">x</a>.</p><p>More.</p>"),
        ('See [x][a].[^1]\n\n[^1]: One.\n[a]: https://x.example/ "T"\n[b]: /c.md', "<p>One. <a"),
        ("```\na\n[a]: https://x.example/\n```", "a\n[a]: https://x.example/"),
        ("Text\n[a]: of more words", "Text\n[a]: of more words"),
        ("- item\n\n    <center>\n    ```sh\n    ls\n    ```\n    </center>", "</figure>  </center>"),
    ],
)
def test_text_is_read_as_there(text: str, shown: str) -> None:
    assert shown.replace("\n", "") in html_of(text).replace("\n", "").replace('<span class="c1">', "").replace(
        "</span>", ""
    )


@pytest.mark.parametrize(
    "piece",
    [
        "a**(",
        "<div>\n",
        "</div>\nx",
        "<p markdown\n<img x\n",
        "**(a)**b",
        "\n<img\n",
        "|-|\n`|",
        "`|`\n|-|\n",
        "a\n[a]: b",
        'a\n[a]: "',
    ],
)
def test_hostile_text_costs_time_in_proportion(piece: str) -> None:
    html_of("x")
    started = time.process_time()
    html_of(piece * 3000)
    assert time.process_time() - started < 5


def test_element_in_a_line_loses_the_word_that_says_what_it_holds() -> None:
    shown = html_of('Text <span markdown class="x">*a*</span> b.')
    assert shown.strip() == '<p>Text <span class="x"><em>a</em></span> b.</p>'


@pytest.mark.parametrize(
    ("cell", "drawn"),
    [
        ("`x` {: style='white-space: nowrap;'}", '<td style="white-space: nowrap;"><code>x</code></td>'),
        ("y {: .z #own }", '<td class="z" id="own">y</td>'),
        ("`x`{ .z }", '<td><code class="z">x</code></td>'),
        ("a {b} c", "<td>a {b} c</td>"),
    ],
)
def test_attributes_at_the_end_of_a_cell_are_its_own(cell: str, drawn: str) -> None:
    for row in (f"| first | {cell} |", f"| {cell} | last |", f"first | {cell}"):
        document = document_of(f"| a | b |\n|---|---|\n{row}\n", "attr_list")
        assert drawn in document.body
        assert document.diagnostics == []


def test_a_page_may_take_in_a_part_of_itself_that_takes_in_nothing() -> None:
    text = '# A\n\n<!-- --8<-- [start:part] -->\nOnce more.\n<!-- --8<-- [end:part] -->\n\n--8<-- "a.md:part"\n'
    document = document_of(text, "snippets", {"a.md": text})
    assert document.body.count("Once more.") == 2
    assert document.diagnostics == []


@each(
    ("text", "html"),
    [
        ('[kite](https://e.org){:+ rel="nofollow"}.', 'rel="nofollow">kite</a>.</p>'),
        ("**bold**{: | .fast 3}!", '<strong class="fast">bold</strong>!'),
        ("**bold**{ + 3}!", "<strong>bold</strong>{ + 3}!"),
    ],
)
def test_marks_alone_in_a_list_of_attributes_are_passed_over(text: str, html: str) -> None:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(["attr_list"]))})
    document = compile_document(text, source_path="a.md", load=lambda _: None, options=options)
    assert html in document.body


def test_headings_need_no_space_behind_their_marks() -> None:
    text = "##\xa0Kites\n\n###Ropes\n\n```\n##silk\n```\n\n#silk and `x`\n\n####### Seven\n"
    body = html_of(text)
    assert re.findall(r"<h\d[^>]*>(?:<[^>]*>)*([^<]*)", body) == ["Kites", "Ropes"]
    assert "##silk" in body
    assert "<p>#silk and" in body


def test_headings_of_kramdown_need_a_space() -> None:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset({"loose", "jekyll"}))})
    document = compile_document("##Kites\n", source_path="a.md", load=lambda _: None, options=options)
    assert "##Kites" in document.body
    assert [one.code for one in document.diagnostics] == ["stray-mark"]


def test_tables_of_kramdown_need_no_head() -> None:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(["jekyll"]), slugs="kramdown")})
    text = "Text\n\n| `a | b` | one |\n| c | two |\n\n| H |\n|---|\n| x |\n\n```\n\n| code |\n```\n"
    document = compile_document(text, source_path="a.md", load=lambda path: None, options=options)
    assert document.diagnostics == []
    assert document.body.count("<table") == 2
    assert "<code>a | b</code>" in document.body
    assert "| code |" in document.body
