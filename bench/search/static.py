"""`python -m bench.search.static [site] [corpus] [FOLDER…] [--seed N] [--queries N]`: what a static search loads, how long it takes once warm, and how its answers compare.

Over the site's own pages with their judged queries, and over the corpus of 1,000 pages with its known items; the search
is the published worker, run by Node over the files of the index. A folder's Markdown files, 10,000 at most, are measured as the
corpus is; another seed draws other titles and headings as queries, and with `--queries` more of them.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench import paths
from bench.corpus import Corpus, load_corpus, page_paths
from bench.relevance.engines import FOLDER, our_engine
from bench.relevance.measure import mean_reciprocal_rank, unique
from bench.relevance.queries import ITEMS, SEED, Judged, cut_short, known_items, load_judged, with_typo
from bench.relevance.site import load_site_pages, site_settings
from bench.search.records import PageSource, load_pages
from bench.search.speed import SETTINGS
from octavo.rendering import THEME_DIR
from octavo.search import SHARDS_FOLDER, IndexReader, export_shards
from octavo.search.index.settings import IndexSettings
from octavo.search.query.parameters import parse_parameters

WEIGHED = 200
"""Queries of which the first answer is weighed, each with nothing loaded before."""

MOST_PAGES = 10_000

HITS = 20

PER_GROUP = 5
"""Hits of one section and category that the dialog shows: the default of `results_per_group`. Texts of others are not loaded."""


def main() -> None:
    """Print the figures of both sets of pages, or of those that are named."""
    arguments = argparse.ArgumentParser(prog="python -m bench.search.static")
    arguments.add_argument("sets", nargs="*", default=["site", "corpus"])
    arguments.add_argument("--seed", type=int, default=SEED)
    arguments.add_argument("--queries", type=int, default=ITEMS, help="titles and headings that are drawn")
    given = arguments.parse_args()
    for name in given.sets:
        if name == "site":
            measure("site", load_site_pages(paths.SITE), load_judged(), site_settings(paths.SITE))
            continue
        corpus = load_corpus() if name == "corpus" else _folder(Path(name))
        pages = load_pages(corpus, MOST_PAGES)
        items = known_items(pages, given.queries, given.seed)
        measure(Path(name).name, pages, [*items[::3], *with_typo(items)[1::3], *cut_short(items)[2::3]], SETTINGS)


def _folder(folder: Path) -> Corpus:
    return Corpus(folder, len(page_paths(folder)), f"Markdown files of {folder}")


def measure(name: str, pages: Sequence[PageSource], judged: Sequence[Judged], settings: IndexSettings) -> None:
    """Print the figures of one set of pages."""
    engine = our_engine(pages, FOLDER / f"static-{name}", settings)
    root, files = export_shards(IndexReader(FOLDER / f"static-{name}"))
    folder = FOLDER / f"shards-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        (folder / Path(path).name).write_bytes(content)
    (worker,) = (THEME_DIR / "client" / "assets").glob("worker-*.js")
    queries = [item.query for item in judged]
    given = {
        "worker": str(worker),
        "folder": str(folder),
        "root": root,
        "queries": queries,
        "weighed": WEIGHED,
        "perPage": HITS,
        "perGroup": PER_GROUP,
    }
    input_, output = folder / "input", folder / "output"
    input_.write_text(json.dumps(given))
    script = Path(__file__).with_suffix(".mjs")
    subprocess.run(["node", str(script), str(input_), str(output)], check=True)
    found = json.loads(output.read_text())
    size = sum(len(content) for content in files.values())
    print(f"{name}: {len(pages)} pages, {len(files)} files below {SHARDS_FOLDER}, {size:,} bytes")
    first = [one["bytes"] for one in found["first"]]
    print(
        f"  before the first answer, brotli: {_spread(first)}; requests {_spread([o['requests'] for o in found['first']])}"
    )
    for kind in ("root", "words", "postings", "outlines", "texts"):
        print(f"    {kind}: {_spread([one['kinds'].get(kind, 0) for one in found['first']])}")
    print(f"  further queries: {_spread(found['further'])}")
    print(f"  warm search, ms of processor time: {_spread([one['ms'] for one in found['warm']])}")
    slowest = sorted(found["warm"], key=lambda one: -one["ms"])[:6]
    print("    slowest:", ", ".join(f"{one['query']!r} {one['ms']:.0f}" for one in slowest))
    heaviest = sorted(found["first"], key=lambda one: -one["bytes"])[:6]
    print("    heaviest:", ", ".join(f"{one['query']!r} {one['kinds']}" for one in heaviest))
    _compare(engine, judged, found["answers"])


def _compare(engine: Any, judged: Sequence[Judged], answers: Mapping[str, Sequence[str]]) -> None:
    asked = {"hitsPerPage": HITS, "advancedSyntax": True}  # as the theme asks a server, and as browsers read each query
    server = {
        item.query: [hit.candidate.url for hit in engine.search(parse_parameters(asked | {"query": item.query})).ranked]
        for item in judged
    }  # fmt: skip
    same = [item.query for item in judged if server[item.query][:1] == list(answers[item.query][:1])]
    pages = [item.query for item in judged if _pages(server[item.query])[:1] == _pages(answers[item.query])[:1]]
    print(f"  same first hit: {len(same) / len(judged):.1%}, same first page {len(pages) / len(judged):.1%}")
    print(
        f"  MRR@10: server {mean_reciprocal_rank(judged, lambda query: _pages(server[query])):.4f}, "
        f"static {mean_reciprocal_rank(judged, lambda query: _pages(answers[query])):.4f}"
    )
    print("    other first:", ", ".join(item.query for item in judged if item.query not in same)[:1500])


def _pages(urls: Sequence[str]) -> list[str]:
    return unique(["/" + url.split("/", 3)[3].partition("#")[0] for url in urls])


def _spread(values: Sequence[float]) -> str:
    deciles = statistics.quantiles(values, n=20)
    return (
        f"p50 {statistics.median(values):,.0f}, p90 {deciles[17]:,.0f}, p95 {deciles[18]:,.0f}, most {max(values):,.0f}"
    )


if __name__ == "__main__":
    main()
