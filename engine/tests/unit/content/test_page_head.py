"""What a page of Docusaurus says of itself in its head."""

from __future__ import annotations

import pytest

from octavo.content import ContentOptions, Dialect
from octavo.content.compile import compile_document
from octavo.content.document import Document

PAGE = """---
title: Kite
description: Given above
---

{}

# Kite
"""


def compile_page(text: str) -> Document:
    options = ContentOptions(folders={"": Dialect(is_mdx=True)})
    return compile_document(text, source_path="docs/a.mdx", load={}.get, options=options)


def with_head(inner: str) -> Document:
    return compile_page(PAGE.format(f"<head>\n{inner}\n</head>").replace("\n\n\n", "\n\n"))


@pytest.mark.parametrize(
    "inner",
    [
        '  <link rel="canonical" href="https://a.example/kite" />',
        '<link href={"https://a.example/kite"} rel="canonical"></link>',
        "<meta charSet='utf-8' />\n<link\n  rel='canonical'\n  href='https://a.example/kite'\n/>",
    ],
)
def test_canonical_addresses_of_heads_are_those_of_the_page(inner: str) -> None:
    document = with_head(inner)
    assert document.front_matter.canonical_url == "https://a.example/kite"
    assert not document.diagnostics
    assert "canonical" not in document.body


def test_titles_descriptions_and_tags_of_heads_are_those_of_the_page() -> None:
    document = with_head(
        "<title>{frontMatter.title} in the wind</title>\n"
        '<meta name="description" content="Said below" />\n'
        '<meta name="keywords" content="kite, string" />\n'
        '<meta property="og:image" content="/img/kite.png"/>\n'
        '<meta name="robots" content="noindex">'
    )
    front = document.front_matter
    assert (front.title, front.description, front.keywords) == ("Kite", "Said below", ["kite", "string"])
    assert front.metas == {"title": "Kite in the wind", "og:image": "/img/kite.png", "robots": "noindex"}
    assert not document.diagnostics


@pytest.mark.parametrize(
    "inner",
    [
        '<meta httpEquiv="refresh" content="0" />',
        '<meta name="referrer" content="no-referrer" />',
        '<link rel="canonical" href="javascript:alert(1)" />',
        "<title>{made()}</title>",
        '<script src="https://a.example/x.js"></script>',
        '<link rel="stylesheet" href="/a.css" />',
    ],
)
def test_what_else_heads_hold_is_left_out_with_a_finding(inner: str) -> None:
    document = with_head(inner + '\n<meta name="author" content="Ada" />')
    assert {one.code for one in document.diagnostics} - {"expression"} == {"foreign-syntax"}
    assert document.front_matter.metas == {"author": "Ada"}


@pytest.mark.parametrize("key", ["canonical_url", "canonical", "canonicalUrl"])
def test_canonical_addresses_may_be_given_in_front_matter(key: str) -> None:
    document = compile_page(f"---\n{key}: /kite\n---\n\n# Kite\n")
    assert document.front_matter.canonical_url == "/kite"
    assert not document.diagnostics


def test_canonical_addresses_that_are_none_are_findings() -> None:
    document = compile_page("---\ncanonical_url: kite\n---\n\n# Kite\n")
    assert [one.code for one in document.diagnostics] == ["front-matter"]


def test_head_needs_no_import() -> None:
    document = compile_page("<Head>\n  <title>Far</title>\n</Head>\n\n# Kite\n")
    assert document.front_matter.metas == {"title": "Far"}
    assert not document.diagnostics


def test_a_component_of_the_site_named_head_is_drawn() -> None:
    options = ContentOptions(folders={"": Dialect(is_mdx=True)}, components=frozenset(["Head"]), components_dir="c")
    text = "<Head>\n\nMine\n\n</Head>\n"
    document = compile_document(
        text, source_path="docs/a.mdx", load={"c/Head.mdx": "Own: {props.children}\n"}.get, options=options
    )
    assert "Own:" in document.body
    assert not document.front_matter.metas
