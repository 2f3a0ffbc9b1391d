import pytest

from octavo.content import Document
from octavo.content.compile import ContentOptions, compile_document


def compile_page(source: str, path: str = "docs/page.mdx") -> Document:
    return compile_document(source, source_path=path, load={}.get, options=ContentOptions())


@pytest.mark.parametrize(
    ("source", "excerpt"),
    [
        ("# T\n\nFirst *one*, with `code` and [a link](./a.md).\n\nSecond.\n", "First one, with code and a link."),
        ("# T\n\n- item\n\nParagraph\n", "Paragraph"),
        ("# T\n\n- only item\n", "only item"),
        (":::note\n\nIn a note\n\n:::\n", "In a note"),
        ("![a](./a.png)\n\nText\n", "Text"),
        ("```\ncode\n```\n", ""),
        ("", ""),
    ],
)
def test_excerpt_is_the_first_prose(source: str, excerpt: str):
    assert excerpt == compile_page(source).excerpt


def test_excerpt_is_cut_at_a_word():
    excerpt = compile_page("word " * 50).excerpt
    assert excerpt == "word " * 30 + "word word…"
    assert len(excerpt) <= 160


def test_excerpt_of_one_endless_word_is_cut():
    assert len(compile_page("x" * 500).excerpt) == 160


def test_markdown_has_no_leftovers_of_components():
    source = (
        "import Tabs from '@theme/Tabs'\n\n## Set up {#setup}\n\n<!-- for\nwriters -->\n\n{/* more */}\n\n"
        "> [!TIP]\n> A tip\n\n```md\n## Kept {#kept}\n<!-- kept -->\n```\n\n- {'a'} <!-- gone --> b\n"
    )
    assert compile_page(source).markdown.lstrip("\n") == (
        "## Set up\n\n\n> **Tip**\n> A tip\n\n```md\n## Kept {#kept}\n<!-- kept -->\n```\n\n- a  b\n"
    )


def test_words_of_two_elements_are_two_words_for_search():
    card = (
        '<a className="card" href={props.href}>\n  <strong>{props.title}</strong>\n  <span>{props.text}</span>\n</a>\n'
    )
    options = ContentOptions(components=frozenset({"Card"}))
    document = compile_document(
        '<Card href="./x.md" title="Install" text="macOS and Linux" />\n',
        source_path="docs/page.mdx",
        load={"components/Card.mdx": card}.get,
        options=options,
    )
    assert [chunk.text for chunk in document.text] == ["Install macOS and Linux"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "`<!--` or `{/*` has no end.\n\nClose it with `-->`.\n",
            "`<!--` or `{/*` has no end.\n\nClose it with `-->`.",
        ),
        ("a <!-- `b` --> c `<!-- d -->` <!-- e\nf --> g\n", "a  c `<!-- d -->`  g"),
        ("``a ` <!-- b`` c <!-- d --> e\n", "``a ` <!-- b`` c  e"),
        ("a ` b <!-- c ` --> d\n", "a ` b <!-- c ` --> d"),
        ("a ` b <!-- c --> d\n", "a ` b  d"),
    ],
)
def test_markdown_loses_comments_and_no_code_that_looks_like_one(source: str, expected: str):
    assert compile_page(source, "docs/page.md").markdown.strip() == expected.strip()
