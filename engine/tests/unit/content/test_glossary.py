"""Terms that pages explain."""

from __future__ import annotations

import re

import pytest

from octavo.content import ContentOptions, Term, find_repeated_words
from octavo.content.compile import compile_document
from octavo.content.render.glossary import Glossary, terms_of

MCP: dict[str, str | Term] = {"MCP": 'Model Context Protocol: "tools" & more', "mux": "Choose a model by rules"}


def mark(body: str, terms: dict[str, str | Term], path: str = "docs/a.md") -> str:
    return Glossary(terms_of(path, terms), lambda href: f"/base{href}").mark(body)


def marked(body: str, terms: dict[str, str | Term] | None = None, path: str = "docs/a.md") -> list[str]:
    """List the terms that are marked."""
    html = mark(body, terms or MCP, path)
    return re.findall(r'<button type="button" class="term"[^>]*>([^<]*)</button>', html)


def test_first_use_of_a_term_opens_its_meaning() -> None:
    assert mark("<p>MCP and MCP.</p>", MCP) == (
        '<p><button type="button" class="term" popovertarget="octavo-term-1">MCP</button>'
        '<span popover class="term-meaning" id="octavo-term-1">Model Context Protocol: "tools" &amp; more</span>'
        " and MCP.</p>"
    )


@pytest.mark.parametrize(
    "body",
    [
        "<p><a href='/x'>MCP</a></p>",
        "<h2>MCP <em>servers</em></h2>",
        "<p><code>MCP</code></p>",
        "<pre><span>MCP</span></pre>",
        '<p title="MCP > MCP">x</p>',
        "<!-- MCP -->",
        "<p>MCPs, non-MCP, MCP_X, mcp</p>",
        "\0MCP\0",
        "<svg><text>MCP</text></svg>",
    ],
)
def test_links_headings_code_and_parts_of_words_hold_no_terms(body: str) -> None:
    assert marked(body) == []


def test_text_behind_such_an_element_does() -> None:
    assert marked("<p><a href='/x'>MCP <code>x</code></a> <br/> MCP</p>") == ["MCP"]
    assert marked("<p><code>x</p><p>MCP</code> MCP</p>") == ["MCP"]


def test_longest_term_wins_and_capitals_begin_sentences() -> None:
    assert marked("<p>Mux MCP server, MCP.</p>", {**MCP, "MCP server": "A program"}) == ["Mux", "MCP server", "MCP"]
    assert marked("<p>AT&amp;T</p>", {"AT&T": "A company"}) == ["AT&amp;T"]


def test_other_words_and_the_term_count_as_one() -> None:
    terms: dict[str, str | Term] = {"muxing": Term("Choosing a `model`.", also=["mux rule"], href="/features/muxing")}
    assert marked("<p>A mux rule and muxing.</p>", terms) == ["mux rule"]
    assert (
        'id="octavo-term-1"><a href="/base/features/muxing">muxing</a>: Choosing a <code>model</code>.</span>'
        in mark("<p>A mux rule.</p>", terms)
    )


def test_term_is_explained_in_its_folders_and_nowhere_if_it_is_only_listed() -> None:
    terms: dict[str, str | Term] = {
        "kiln": Term("An oven.", folders=["docs/pots"]),
        "pot": Term("It.", is_marked=False),
    }
    assert marked("<p>A kiln for a pot.</p>", terms, "docs/pots/fire.md") == ["kiln"]
    assert marked("<p>A kiln for a pot.</p>", terms, "docs/potsherds/fire.md") == []


@pytest.mark.parametrize("path", ["docs/features/muxing.mdx", "docs/features/muxing/index.md"])
def test_page_about_a_term_does_not_explain_it(path: str) -> None:
    terms: dict[str, str | Term] = {"muxing": Term("Choosing.", href="/features/muxing#how")}
    assert marked("<p>muxing</p>", terms, path) == []
    assert marked("<p>muxing</p>", terms, "docs/features/demuxing.md") == ["muxing"]


def test_word_of_two_terms_is_found() -> None:
    terms: dict[str, str | Term] = {"kiln": "An oven.", "oven": Term("A kiln.", also=["kiln", "stove"])}
    assert list(find_repeated_words(terms)) == [("kiln", "kiln", "oven")]


def compiled(front: str, options: ContentOptions) -> str:
    text = f"---\ntitle: T\n{front}---\n\nAn MCP and a SBOM.\n"
    document = compile_document(text, source_path="a.md", load=lambda _: None, options=options)
    assert document.diagnostics == []
    return document.body


def test_front_matter_adds_terms_and_turns_them_off() -> None:
    options = ContentOptions(glossary=MCP)
    assert compiled("", options).count('class="term"') == 1
    assert compiled("glossary: {SBOM: A list of parts}\n", options).count('class="term"') == 2
    assert "term" not in compiled("glossary: false\n", options)
    assert "term" not in compiled("", ContentOptions())


def test_front_matter_that_names_no_terms_is_a_finding() -> None:
    document = compile_document(
        "---\nglossary: 3\n---\n\nMCP\n", source_path="a.md", load=lambda _: None, options=ContentOptions()
    )
    assert [finding.message for finding in document.diagnostics] == [
        'Front matter "glossary" is 3; expected terms with their meanings, or false.'
    ]


def test_terms_in_tabs_come_after_those_of_the_text() -> None:
    text = "<Tabs><TabItem value='a' label='A'>\n\nMCP in a tab.\n\n</TabItem></Tabs>\n\nThe mux.\n"
    options = ContentOptions(glossary=MCP)
    document = compile_document(text, source_path="a.mdx", load=lambda _: None, options=options)
    assert 'popovertarget="octavo-term-1">mux' in document.body
    assert 'popovertarget="octavo-term-2">MCP' in document.islands[0].children[0]
