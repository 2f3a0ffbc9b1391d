"""The glossary pages are `site/glossary.toml`, and each term leads to a page that uses it."""

from __future__ import annotations

import pytest

from site_text.glossary_page import PRODUCTS, Term, load_terms, page, page_path, source_of

TERMS = load_terms()
LONGEST = 200
"""Characters of a definition: more does not fit into a tooltip."""


@pytest.mark.parametrize("product", PRODUCTS)
def test_page_is_made_from_the_terms(product: str) -> None:
    assert page_path(product).read_text(encoding="utf-8") == page(product), "run: python -m site_text.glossary_page"


def test_names_of_a_product_are_unique() -> None:
    for product in PRODUCTS:
        names = [name.lower() for term in TERMS if product in term.products for name in (term.term, *term.also)]
        assert len(names) == len(set(names))
        assert len(names) >= 20


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.term)
def test_definition_is_short_and_its_page_uses_the_term(term: Term) -> None:
    assert set(term.products) <= set(PRODUCTS)
    assert term.definition.endswith(".")
    assert len(term.definition) <= LONGEST
    path = source_of(term.href.partition("#")[0])
    if term.href and path.suffix == ".mdx":
        text = path.read_text(encoding="utf-8").lower()
        assert any(name.lower() in text for name in (term.term, *term.also))
