"""Queries with the pages that answer them: judged by hand for the site, known items and identifiers of the corpus."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from bench import paths
from bench.search.queries import misspell
from bench.search.records import PageSource
from octavo.search.text.tokens import analyse, spans

SEED = 200
ITEMS = 200


class Judged(msgspec.Struct, frozen=True):
    """A query and the pages that answer it."""

    query: str
    pages: frozenset[str]
    """Addresses without host and anchor, or texts that a hit must hold, by the kind of query."""


def load_judged(name: str = "judged") -> list[Judged]:
    """Read hand-made judgements: a query, and all pages that answer it.

    Args:
        name: `judged` and `held_out`, on which the ranking was tuned (the second was written before any result was
            seen, and rules were chosen by it later), `fresh`, of which the misses have been looked at since, or `unseen`
            (questions, typing mistakes, other words, flags, pasted messages, words of other languages), of which only
            the sums have been looked at. About
            Octavo's own documentation, `docs`, by which its titles, descriptions and `search.toml` were chosen, and
            `docs_fresh`, of which only the sum has been looked at.
    """
    return [Judged(query, frozenset(pages)) for query, *pages in _lines(name)]


def load_targets() -> list[tuple[str, str]]:
    """Read the same lines as (query, the page whose reader asks it), the first of its pages."""
    return [(query, pages[0]) for query, *pages in _lines()]


def _lines(name: str = "judged") -> list[list[str]]:
    lines = (paths.BENCH / "relevance" / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line]


def known_items(pages: Sequence[PageSource], count: int = ITEMS, seed: int = SEED) -> list[Judged]:
    """Take titles and headings that occur once in the corpus, two words or more; another seed draws others."""
    found: list[tuple[str, str]] = []
    for page in pages:
        path = page.facts.url.split("/", 3)[3]
        titles = {page.facts.title, *(heading.text for heading in page.document.headings)}
        found += [(title, f"/{path}") for title in sorted(titles)]
    counts = Counter(_plain(title) for title, _ in found)
    once = [
        (title, path) for title, path in found if counts[_plain(title)] == 1 and 2 <= len(_plain(title).split()) <= 8
    ]
    return [Judged(title, frozenset([path])) for title, path in random.Random(seed).sample(once, min(count, len(once)))]


def with_typo(items: Iterable[Judged]) -> list[Judged]:
    """Make one typing mistake in a word of five plain letters or more; queries without such a word are left out."""
    rng = random.Random(SEED)
    changed = []
    for item in items:
        places = [match.span() for match in re.finditer(r"(?<!\S)[A-Za-z]{5,}(?!\S)", item.query)]
        if places:
            start, end = rng.choice(places)
            wrong = misspell(item.query[start:end], rng)
            changed.append(Judged(item.query[:start] + wrong + item.query[end:], item.pages))
    return changed


def cut_short(items: Iterable[Judged]) -> list[Judged]:
    """Cut the last word to its first half, three letters at least."""
    return [
        Judged(item.query[: match.start() + max(3, (match.end() - match.start() + 1) // 2)], item.pages)
        for item in items
        if (match := re.search(r"[A-Za-z]{4,}$", item.query))
    ]


def identifiers(pages: Sequence[PageSource], count: int = ITEMS) -> list[Judged]:
    """Take identifiers of the corpus: flags, variables, fields, routes; a hit must hold the identifier itself."""
    found: set[str] = set()
    for page in pages:
        for chunk in page.document.text:
            if chunk.kind != "code":
                found.update(
                    chunk.text[span.start : span.end]
                    for span in spans(chunk.text)
                    if span.chunk.names and len(span.chunk.parts) > 1 and span.end - span.start < 40
                )
    named = sorted(
        name for name in found if re.fullmatch(r"--?[a-z][\w-]+|\$\w+|[a-z]+[A-Z]\w+|\w+_\w+|/[\w/{}-]+", name)
    )
    return [Judged(name, frozenset([analyse(name).names[0].form])) for name in random.Random(SEED).sample(named, count)]


def _plain(title: str) -> str:
    return " ".join(re.findall(r"\w+", title.lower()))
