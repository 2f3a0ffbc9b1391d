"""The glossary pages are `site/glossary.toml`, and each term leads to a page that uses it."""

from __future__ import annotations

import pytest

from octavo.content import Term
from site_text.glossary_page import PRODUCTS, load_terms, page, page_path, source_of
from tests.support.each import each

TERMS = load_terms()
LONGEST = 200
"""Characters of a definition: more does not fit into a tooltip."""


@pytest.mark.parametrize("product", PRODUCTS)
def test_page_is_made_from_the_terms(product: str) -> None:
    assert page_path(product).read_text(encoding="utf-8") == page(product), "run: python -m site_text.glossary_page"


def test_names_of_a_product_are_unique() -> None:
    for product in PRODUCTS:
        names = [
            word.lower() for name, term in TERMS if f"docs/{product}" in term.folders for word in (name, *term.also)
        ]
        assert len(names) == len(set(names))
        assert len(names) >= 20


@each(("name", "term"), TERMS, ids=lambda value: value if isinstance(value, str) else "")
def test_definition_is_short_and_its_page_uses_the_term(name: str, term: Term) -> None:
    assert set(term.folders) <= {f"docs/{product}" for product in PRODUCTS}
    assert term.definition.endswith(".")
    assert len(term.definition) <= LONGEST
    path = source_of(term.href.partition("#")[0])
    if term.href and path.suffix == ".mdx":
        text = path.read_text(encoding="utf-8").lower()
        assert any(word.lower() in text for word in (name, *term.also))
