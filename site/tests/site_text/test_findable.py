"""Readers find the pages: each for its own title, each for questions, and identifiers before all else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import pytest

from bench.relevance.engines import holds_first, our_engine, our_search, route_of
from bench.relevance.measure import Search, mean_reciprocal_rank
from bench.relevance.queries import identifiers, load_judged, load_targets
from bench.relevance.site import load_site_pages, site_settings
from bench.search.records import PageSource
from octavo.search.ranking.engine import Engine
from site_text.texts import SITE

FEWEST_QUERIES = 200
LEAST_MRR = 0.95
LEAST_IDENTIFIERS = 0.98
FIRST = 3
"""Places in which a page has to be for a question of its reader."""
QUESTIONS = 2


@pytest.fixture(scope="module")
def pages() -> list[PageSource]:
    return load_site_pages(SITE)


@pytest.fixture(scope="module")
def engine(pages: Sequence[PageSource], tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return our_engine(pages, tmp_path_factory.mktemp("index") / "pages", site_settings(SITE))


@pytest.fixture(scope="module")
def search(engine: Engine) -> Search:
    return our_search(engine)


def test_page_is_found_first_for_its_own_title(pages: Sequence[PageSource], search: Search) -> None:
    firsts = {page.facts.title: (route_of(page), *search(page.facts.title)[:1]) for page in pages}
    assert len(firsts) == len(pages), "titles are not unique"
    assert {title: found for title, found in firsts.items() if len(set(found)) != 1} == {}


def test_page_is_found_for_two_questions_of_its_reader(pages: Sequence[PageSource], search: Search) -> None:
    answered: dict[str, int] = defaultdict(int)
    for query, page in load_targets():
        answered[page] += page in search(query)[:FIRST]
    assert [route_of(page) for page in pages if answered[route_of(page)] < QUESTIONS] == []


def test_judged_queries_are_answered_by_the_right_page(search: Search) -> None:
    judged = load_judged()
    assert len({item.query for item in judged}) >= FEWEST_QUERIES
    assert mean_reciprocal_rank(judged, search) >= LEAST_MRR


def test_identifier_is_in_the_first_hit(pages: Sequence[PageSource], engine: Engine) -> None:
    named = identifiers(pages)
    right = sum(holds_first(engine, item.query, next(iter(item.pages))) for item in named)
    assert right >= LEAST_IDENTIFIERS * len(named)


def test_judged_pages_exist(pages: Sequence[PageSource]) -> None:
    routes = {route_of(page) for page in pages}
    assert {page for item in load_judged() for page in item.pages} - routes == set()
