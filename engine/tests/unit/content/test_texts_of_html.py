"""Texts that authors write as HTML are found by the search, as those of Markdown are."""

from __future__ import annotations

from octavo.content import ContentOptions, Document
from octavo.content.compile import compile_document
from tests.support.each import each


def compiled(source: str, path: str = "docs/a.md") -> Document:
    return compile_document(source, source_path=path, load={}.get, options=ContentOptions())


def texts_of(source: str, path: str = "docs/a.md") -> list[tuple[str, str]]:
    return [(chunk.kind, chunk.text) for chunk in compiled(source, path).text]


@each(
    ("source", "texts"),
    [
        ("<p>One <b>b</b>old &amp; <a href='https://x.org'>link</a></p>", [("html", "One bold & link")]),
        ("<ul>\n<li>One</li>\n<li>Two<li>Three\n</ul>", [("html", "One"), ("html", "Two"), ("html", "Three")]),
        (
            "<table><thead><tr><th>A</th><th>B</th></tr></thead><tr><td>a<br>b<td><ul><li>c<li>d</ul></table>",
            [("row", "A · B"), ("row", "a b · c d")],
        ),
        ("<table><tr><td><td>a</table>", [("row", "a")]),
        ("<dl><dt>Term</dt><dd>Sense</dd></dl>", [("html", "Term"), ("html", "Sense")]),
        ("<pre><code>one\n  two</code></pre>", [("code", "one\n  two")]),
        ("<div>before<p>within</p>after</div>", [("html", "before"), ("html", "within"), ("html", "after")]),
        ("<div>\n\nMarkdown\n\n<p>HTML</p>\n\n</div>", [("paragraph", "Markdown"), ("html", "HTML")]),
        ("- item\n\n  <p>HTML</p>", [("item", "item"), ("html", "HTML")]),
        ("<p>a < b</p>", [("html", "a < b")]),
        ("</div>a<hr>b", [("html", "a"), ("html", "b")]),
    ],
)
def test_blocks_of_html_are_recorded(source: str, texts: list[tuple[str, str]]) -> None:
    assert texts_of(source) == texts


@each("path", ["docs/a.md", "docs/a.mdx"])
def test_blocks_of_html_are_recorded_in_both_dialects(path: str) -> None:
    assert texts_of("<ul>\n  <li>One</li>\n  <li>Two <b>2</b></li>\n</ul>", path) == [
        ("html", "One"),
        ("html", "Two 2"),
    ]


@each(
    "source",
    [
        "<script>\nlet a = '<p>x</p>';\n</script>",
        "<style>\n.a { color: red }\n</style>",
        "<!-- a comment -->",
        "<template>\n<p>x</p></template>",
        "<svg>\n<title>x</title><text>x</text></svg>",
        "<div><svg>\n<text>x</text></svg></div>",
        '<p align="center"><img src="https://x.org/a.png" alt="A"></p>',
        "<iframe src='https://x.org'>no frames</iframe>",
    ],
)
def test_what_readers_do_not_see_is_not_recorded(source: str) -> None:
    assert texts_of(source) == []


def test_rest_of_a_hidden_element_that_blank_lines_divide_is_not_recorded() -> None:
    assert texts_of("<template>\n<p>a</p>\n\n<p>b</p>\n</template>\n\n<p>c</p>") == [("html", "c")]


def test_marks_in_html_are_recorded_once() -> None:
    texts = texts_of("<ul>\n<li>one</li>\n<li>*two*</li>\n</ul>", "docs/a.mdx")
    assert sorted(text for _, text in texts) == ["one", "two"]


def test_values_in_html_are_a_part_of_its_text() -> None:
    source = 'export const v = "2 < 3";\n\n<p align="left">It is {v}, &amp; more.</p>\n'
    assert [text for _, text in texts_of(source, "docs/a.mdx")] == ["It is 2 < 3, & more."]


def test_text_of_a_component_is_recorded_below_its_own_heading() -> None:
    files = {"docs/_box.mdx": "<section className='box'>\n<p>Before.</p>\n{props.children}\n</section>\n"}
    source = "import Box from './_box.mdx'\n\n# One\n\n<Box>\n\nFirst.\n\n## Two\n\nSecond.\n\n</Box>\n"
    document = compile_document(source, source_path="docs/a.mdx", load=files.get, options=ContentOptions())
    chunks = [(chunk.text, chunk.heading) for chunk in document.text if chunk.kind != "heading"]
    assert sorted(chunks) == [("Before.", 0), ("First.", 0), ("Second.", 1)]


def test_heading_in_html_is_found_at_its_id() -> None:
    (heading, text) = compiled('<h2 id="own">Own</h2>\n<p>Text</p>').text
    assert (heading.text, heading.anchor) == ("Own", "own")
    assert (text.text, text.anchor) == ("Text", "")


def test_text_of_html_belongs_to_the_heading_above_it() -> None:
    chunks = compiled("# One\n\n## Two\n\n<p>Text</p>").text
    assert [(chunk.text, chunk.heading) for chunk in chunks][-1] == ("Text", 1)


def test_description_is_taken_from_markdown_before_html() -> None:
    assert compiled("<p>English | Deutsch</p>\n\nA tool for cats.").excerpt == "A tool for cats."
    assert compiled("<p>A tool for cats.</p>").excerpt == "A tool for cats."


@each(
    ("source", "text"),
    [
        ("one<br>two", "one two"),
        ("one<br/>two<br />three", "one two three"),
        ("H<sub>2</sub>O <kbd>Ctrl</kbd>+<kbd>C</kbd> a<wbr>b", "H2O Ctrl+C ab"),
        ("a <p>b</p>c", "a b c"),
    ],
)
@each("path", ["docs/a.md", "docs/a.mdx"])
def test_words_around_a_line_break_are_two(source: str, text: str, path: str) -> None:
    if path.endswith("x") and "wbr" in source:
        source = source.replace("<wbr>", "<wbr/>")
    assert texts_of(source.replace("<br>", "<br/>") if path.endswith("x") else source, path) == [("paragraph", text)]


def test_words_around_a_line_break_in_a_cell_are_two() -> None:
    assert texts_of("| a |\n| - |\n| one<br>two |") == [("row", "a"), ("row", "one two")]


def test_id_of_a_heading_does_not_change_with_a_line_break() -> None:
    assert compiled("## One<br>Two").headings[0].anchor == "onetwo"
