"""A page has one `<main>`: that of an author is written as a `<div>`, with its attributes."""

from __future__ import annotations

import pytest

from octavo.content import ContentOptions
from octavo.content.compile import compile_document


@pytest.mark.parametrize("path", ["docs/a.md", "docs/a.mdx"])
@pytest.mark.parametrize(
    "source",
    [
        '<main class="x">\n\nText\n\n</main>\n',
        '<main class="x">\n<p>Text</p>\n</main>\n',
        '<main class="x">\n# Title\n</main>\n',
        'Text <main class="x">more</main>\n',
        '<main class="x"/>\n',
    ],
)
def test_main_of_an_author_is_no_second_one(source: str, path: str) -> None:
    document = compile_document(source, source_path=path, load={}.get, options=ContentOptions())
    assert "main" not in document.body
    assert document.body.count('<div class="x">') == document.body.count("</div>") == 1
    assert document.diagnostics == []


def test_main_in_code_and_in_names_stays() -> None:
    source = "`<main>` and <main-menu></main-menu>\n\n```html\n<main></main>\n```\n"
    document = compile_document(source, source_path="docs/a.md", load={}.get, options=ContentOptions())
    assert "&lt;main&gt;" in document.body
    assert "<main-menu></main-menu>" in document.body
