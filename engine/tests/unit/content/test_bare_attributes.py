"""Attributes of HTML without quotation marks."""

from __future__ import annotations

from octavo.content import ContentOptions, Dialect
from octavo.content.compile import compile_document
from tests.support.each import each


@each(
    ("text", "links", "markdown"),
    [
        ("<a href=https://kite.example/fly/>Fly</a>\n", ["https://kite.example/fly/"], "[Fly](https://kite.example/fly/)"),
        ("Do <i><a href = https://kite.example/>fly</a></i>.\n", ["https://kite.example/"], "Do *[fly](https://kite.example/)*."),
        ("<div id=a/>\n\nText.\n\n</div>\n", [], "Text."),
        ('<div id="a"/>\n\nText.\n', [], "Text."),
    ],
)  # fmt: skip
def test_slash_at_the_end_of_a_value_does_not_close_the_element(text: str, links: list[str], markdown: str) -> None:
    document = compile_document(text, source_path="docs/a.md", load=lambda _: None, options=ContentOptions())
    found = ([one.href for one in document.links], document.markdown.strip(), document.diagnostics)
    assert found == (links, markdown, [])


@each(
    ("text", "shown"),
    [
        ('<img src="https://kite.example/a.png" alt="Kite">\nIt is a [kite](https://kite.example).\n', "[kite](https://kite.example)"),
        ("Text.\n\n<br/>\nIt **flies**.\n", "**flies**"),
        ("</b>\n```js\n", "```js"),
        ("It is\n<br>\n**up**.\n", ""),
        ("<br>\n\n**Up**.\n", ""),
        ("<br> and **up**.\n", ""),
    ],
)  # fmt: skip
def test_markdown_below_a_tag_that_stands_alone_is_reported(text: str, shown: str) -> None:
    document = compile_document(text, source_path="docs/a.md", load=lambda _: None, options=ContentOptions())
    found = [one.message for one in document.diagnostics if "Markdown within HTML" in one.message]
    expected = f'"{shown}" is shown as text: Markdown within HTML is read after a blank line only.'
    assert found == ([expected] if shown else [])


def test_an_empty_link_with_an_id_is_a_place() -> None:
    own = Dialect(extensions=frozenset({"attr_list", "autorefs"}))
    text = "# Kite\n\n[](){#launch}\n## Fly\n\nText [](){ #here } goes on.\n\n[](){.wide}\n"
    found = compile_document(text, source_path="a.md", load=lambda _: None, options=ContentOptions(folders={"": own}))
    assert [one.code for one in found.diagnostics] == ["empty-link", "empty-link"]
    assert '<a id="launch"></a>' in found.body
    assert 'Text <a id="here"></a> goes on.' in found.body
    assert found.body.count("href") == 2  # that of the heading, and the link
