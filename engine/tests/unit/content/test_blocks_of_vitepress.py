"""Blocks of colons as VitePress reads them: one ends at the first line with its marks."""

from __future__ import annotations

import pytest

from octavo.content import ContentOptions, Dialect, Document
from octavo.content.compile import compile_document

INNER = "::: tip One\nA\n\n::: details\nB\n\n```md\n:::\n```\n\n:::\n\n"


def compiled(text: str, *extensions: str) -> Document:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(extensions))})
    return compile_document(text, source_path="docs/a.md", load=lambda _: None, options=options)


def test_block_that_is_not_closed_ends_with_the_one_in_it() -> None:
    document = compiled(f"# A\n\n{INNER}After.\n", "vitepress")
    assert document.diagnostics == []
    assert document.body.endswith("</details></div></div><p>After.</p>")


def test_block_that_is_closed_goes_on_behind_the_one_in_it() -> None:
    document = compiled(f"# A\n\n{INNER}Within.\n\n::: info\nC\n:::\n\n:::\n\nAfter.\n", "vitepress")
    assert document.diagnostics == []
    assert document.body.endswith("C</p></div></div></div></div><p>After.</p>")


@pytest.mark.parametrize("text", [INNER, ":::: tip One\n\n::: details\nB\n:::\n\n"])
def test_block_without_an_end_is_a_finding_elsewhere_or_with_more_colons(text: str) -> None:
    extensions = [] if text == INNER else ["vitepress"]
    assert [one.code for one in compiled(f"# A\n\n{text}After.\n", *extensions).diagnostics] == ["unclosed"]


def test_blocks_that_a_site_declares_look_as_it_says() -> None:
    dialect = Dialect(containers={"demo": "plain", "theorem": "tip"})
    text = "# A\n\n::: demo A *b* {#here}\nText.\n:::\n\n:::theorem\nTwo.\n:::\n\n:::lemma\nThree.\n:::\n"
    document = compile_document(
        text, source_path="a.md", load=lambda _: None, options=ContentOptions(folders={"": dialect})
    )
    assert [(one.code, one.span.line) for one in document.diagnostics] == [("unknown-admonition", 11)]
    assert '<div class="block-demo" id="here"><p>A <em>b</em></p><p>Text.</p></div>' in document.body.replace("\n", "")
    assert 'class="admonition admonition-tip"' in document.body
    assert "Theorem</p>" in document.body
    # Ids of authors are those of the page.
    assert "here" in document.anchors


def test_values_that_vitepress_fills_into_code_are_a_finding() -> None:
    code = "```html-vue\n<b>\n  {{ version }}</b>\n```\n"
    document = compiled(f"# A\n\n{code}", "vitepress")
    assert 'class="nt"' in document.body
    [found] = document.diagnostics
    assert (found.code, found.span.line, found.span.column) == ("foreign-syntax", 5, 3)
    assert compiled(f"# A\n\n{code.replace('-vue', '')}", "vitepress").diagnostics == []
    assert compiled(f"# A\n\n{code.replace('{{ version }}', '1')}", "vitepress").diagnostics == []
