"""How well an engine answers: mean reciprocal rank, and the part of queries whose first hit is right."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bench.relevance.queries import Judged

DEPTH = 10
"""Pages that are looked at."""

Search = Callable[[str], Sequence[str]]
"""Query → addresses of pages, best first, each once, without host and anchor."""


def mean_reciprocal_rank(items: Sequence[Judged], search: Search) -> float:
    """Average 1 / place of the first right page, 0 where it is not among the first ten."""
    return sum(reciprocal_rank(search(item.query), item) for item in items) / len(items)


def reciprocal_rank(found: Sequence[str], item: Judged) -> float:
    """Give 1 / place of the first right page."""
    return next((1 / place for place, page in enumerate(found[:DEPTH], 1) if page in item.pages), 0.0)


def misses(items: Sequence[Judged], search: Search) -> list[tuple[str, float, Sequence[str]]]:
    """List the queries whose first page is not right: (query, reciprocal rank, first pages)."""
    answers = [(item, search(item.query)) for item in items]
    return [(item.query, score, found[:2]) for item, found in answers if (score := reciprocal_rank(found, item)) < 1]


def unique(pages: Sequence[str]) -> list[str]:
    """Keep each page once, at its best place."""
    return list(dict.fromkeys(pages))
