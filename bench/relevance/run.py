"""`python -m bench.relevance.run`: right answers first? Ours, MiniSearch and Pagefind over the same pages."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from bench import paths
from bench.corpus import load_corpus
from bench.errors import Unavailable
from bench.figures import Bound
from bench.relevance.engines import FOLDER, PEERS, Answers, holds_first, our_engine, our_search, route_of
from bench.relevance.measure import Search, mean_reciprocal_rank, misses
from bench.relevance.queries import Judged, cut_short, identifiers, known_items, load_judged, with_typo
from bench.relevance.site import load_site_pages, site_settings
from bench.report import Report
from bench.search.records import PageSource, load_pages

BOUNDS = {
    "judged, the site": 0.95,
    "judged, Octavo's documentation": 0.90,
    "known items": 0.90,
    "one typo": 0.80,
    "last word cut": 0.80,
}
IDENTIFIERS_FIRST = 95
SITE_IDENTIFIERS_FIRST = 98

Ask = Callable[[Sequence[PageSource], Sequence[str]], Answers]


def run(report: Report, *, with_peers: bool = True, shows_misses: bool = False) -> None:
    """Measure."""
    report.head("Relevance: mean reciprocal rank among ten pages")
    site, corpus = load_site_pages(paths.SITE), load_pages(load_corpus())
    docs = load_site_pages(paths.DOCS)
    items = known_items(corpus)
    corpus_sets = {"known items": items, "one typo": with_typo(items), "last word cut": cut_short(items)}
    engine = our_engine(corpus)
    site_engine = our_engine(site, FOLDER / "site", site_settings(paths.SITE))
    docs_engine = our_engine(docs, FOLDER / "docs", site_settings(paths.DOCS, has_rules=True))
    searches: list[tuple[str, list[Judged], Sequence[PageSource], Search]] = [
        ("judged, the site", load_judged(), site, our_search(site_engine)),
        ("held out, the site", load_judged("held_out"), site, our_search(site_engine)),
        ("fresh, the site", load_judged("fresh"), site, our_search(site_engine)),
        ("unseen, the site", load_judged("unseen"), site, our_search(site_engine)),
        ("judged, Octavo's documentation", load_judged("docs"), docs, our_search(docs_engine)),
        ("fresh, Octavo's documentation", load_judged("docs_fresh"), docs, our_search(docs_engine)),
        *((name, found, corpus, our_search(engine)) for name, found in corpus_sets.items()),
    ]
    rows = []
    for name, judged, pages, search in searches:
        score = mean_reciprocal_rank(judged, search)
        peers = [_peer(report, ask, pages, judged) for ask in PEERS.values()] if with_peers else []
        halves = " / ".join(f"{mean_reciprocal_rank(judged[start::2], search):.3f}" for start in (0, 1))
        rows.append([name, str(len(judged)), f"{score:.3f}", halves, *peers])
        if pages is site or pages is docs:
            gone = {page for item in judged for page in item.pages} - {route_of(page) for page in pages}
            report.bound(Bound(f"{name}, judged addresses without a page", len(gone), 0, ""))
        if name in BOUNDS:
            report.bound(Bound(f"{name}, MRR@10", score, BOUNDS[name], "", is_floor=True))
        if shows_misses:
            for query, rank, found in misses(judged, search):
                report.say(f"    {rank:.2f} {query!r} → {', '.join(found)}")
    report.table(["queries", "number", "Octavo", "even / odd", *(PEERS if with_peers else [])], rows)
    for name, over, pages, floor in (
        ("identifiers of the corpus in the first hit", engine, corpus, IDENTIFIERS_FIRST),
        ("identifiers of the site in the first hit", site_engine, site, SITE_IDENTIFIERS_FIRST),
    ):
        named = identifiers(pages)
        first = sum(holds_first(over, item.query, next(iter(item.pages))) for item in named)
        report.bound(Bound(name, 100 * first / len(named), floor, "%", is_floor=True))


def _peer(report: Report, ask: Ask, pages: Sequence[PageSource], judged: Sequence[Judged]) -> str:
    try:
        answers = ask(pages, [item.query for item in judged])
    except Unavailable as error:
        report.skip(getattr(ask, "__name__", "peer"), error)
        return "–"
    return f"{mean_reciprocal_rank(judged, lambda query: answers.get(query, ())):.3f}"


if __name__ == "__main__":
    main_report = Report()
    main_report.open()
    run(main_report, with_peers="--alone" not in sys.argv, shows_misses="--misses" in sys.argv)
