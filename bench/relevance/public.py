"""`python -m bench.relevance.public FOLDER [SITE…]`: ours and peers on public documentation that no ranking was tuned on.

FOLDER holds the Markdown of each site of `SITES` in a folder of its name; with names, only these are asked. The queries were written from the list of
its pages, before any engine had answered one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import msgspec

from bench import paths
from bench.corpus import Corpus, page_paths
from bench.errors import Unavailable
from bench.relevance.engines import FOLDER, PEERS, Answers, our_engine, our_search, route_of
from bench.relevance.measure import reciprocal_rank
from bench.relevance.queries import Judged, load_judged
from bench.relevance.site import load_site_pages, site_settings
from bench.report import Report
from bench.search.records import PageSource, load_pages
from octavo.search.index.pages import rank_of

SITES = {
    "mdbook": "guide/src",
    "vite": "docs",
    "fastapi": "docs/en/docs",
    "helix": "book/src",
    "zola": "docs/content/documentation",
    "uv": "docs",
    "caddy": "src/docs/markdown",
    "nushell": "src",
    "pydantic": "docs",
    "drf": "docs",
    "mastodon": "content/en",
    "leptos": "src",
    "eslint": "docs/src",
    "rails": "guides/source",
    "rclone": "docs/content",
    "questdb": "documentation",
    "laravel": "",
    "evcc": "src/content/docs/de",
    "opensearch": "docs",
    "jellyfin": "docs",
    "typeorm": "docs",
    "cert-manager": "docs",
    "flux": "docs",
    "pnpm": "docs",
    "netbox": "docs",
    "authelia": "docs",
    "crystal": "docs",
    "chezmoi": "docs",
    "sveltekit": "docs",
    "frigate": "docs",
    "k0s": "docs",
    "hono": "docs",
    "fluent-bit": "docs",
    "home-assistant": "docs",
    "woodpecker": "docs",
    "nats": "docs",
    "synapse": "docs",
    "jj": "docs",
    "ddev": "docs",
    "tauri": "docs",
}
"""Name → folder of its Markdown: mdBook 0.5, Vite 8, FastAPI 0.1xx, Helix of August 2026,
Zola of June 2026 (its front matter as YAML), uv and Caddy of 2026, Nushell's `book`, `cookbook` and `lang-guide`, Pydantic with the titles
of its `mkdocs.yml` as front matter, Django REST framework, Mastodon, the book of Leptos without its `SUMMARY.md`, ESLint and the guides of Rails, of
summer 2026; rclone, QuestDB without its `partials`, Laravel 12, evcc without its `tariffs`, and OpenSearch with its folders without their first `_`, each with
`.mdx` renamed to `.md`; Jellyfin with its partials put in, TypeORM 1.0 and cert-manager with its releases, of November 2026, and Flux with Flagger, its
`_index.md` renamed to `index.md`; pnpm's `docs`, NetBox, Authelia's `docs/content` with the same renaming, and the book of Crystal, of
November 2026; chezmoi, SvelteKit 3 without the numbers and the `index.md` of its folders, Frigate with the questions of most `FaqItem`s as headings, and k0s without
its pages that only lead on; Hono, Fluent Bit without its `SUMMARY.md`, and the developers' pages of Home Assistant, each `.mdx` renamed, of summer 2026; Woodpecker without the numbers of its
folders, NATS without its legacy and Chinese parts, and Synapse without its changelogs, as `octavo import` copies them, of summer 2026; jj and
DDEV, and the English pages of Tauri with folders in small letters and each `.mdx` renamed, of autumn 2026. A site that is not in the folder is left out."""

LANGUAGES = {"evcc": "de"}
"""Language of the sites that are not in English."""

_PLACES = (1, 3, 10)


def load_public(folder: Path, language: str = "en") -> list[PageSource]:
    """Compile the pages of a site; the first heading of a page without another title is its title."""
    pages = load_pages(Corpus(folder, len(page_paths(folder)), folder.name))
    return [_titled(page, language) for page in pages]


def _titled(page: PageSource, language: str) -> PageSource:
    headings, facts = page.document.headings, msgspec.structs.replace(page.facts, language=language)
    if headings and not page.document.front_matter.title:
        facts = msgspec.structs.replace(facts, title=headings[0].text)
    facts = msgspec.structs.replace(facts, page_rank=rank_of(route_of(page), headings, facts.kind))
    return msgspec.structs.replace(page, facts=facts)


def run(report: Report, folder: Path, chosen: Sequence[str] = ()) -> None:
    """Print a table for each site: engine, mean reciprocal rank, part of queries answered among so many pages."""
    if not chosen:
        _our_site(report)
    for name, part in SITES.items():
        if chosen and name not in chosen:
            continue
        if not (folder / name / part).is_dir():
            report.say(f"{name}: no pages in {folder / name / part}")
            continue
        pages = load_public(folder / name / part, LANGUAGES.get(name, "en"))
        judged = load_judged(f"public_queries/{name}")
        _table(report, name, pages, judged, our_search(our_engine(pages, FOLDER / name)))


def _our_site(report: Report) -> None:
    site, names = load_site_pages(paths.SITE), ("held_out", "fresh", "unseen")
    ours = our_search(our_engine(site, FOLDER / "site", site_settings(paths.SITE)))
    _table(
        report,
        "our site, held out, fresh and unseen",
        site,
        [item for name in names for item in load_judged(name)],
        ours,
    )


def _table(
    report: Report,
    name: str,
    pages: Sequence[PageSource],
    judged: Sequence[Judged],
    ours: Callable[[str], Sequence[str]],
) -> None:
    report.head(f"{name}: {len(pages)} pages, {len(judged)} queries")
    rows = [_row("Octavo", judged, ours)]
    for label, ask in PEERS.items():
        try:
            answers = ask(pages, [item.query for item in judged])
        except Unavailable as error:
            report.skip(label, error)
            continue
        rows.append(_row(label, judged, partial(_found, answers)))
    report.table(["engine", "MRR", *(f"in the first {place}" for place in _PLACES), "no page"], rows)


def _found(answers: Answers, query: str) -> Sequence[str]:
    return answers.get(query, ())


def _row(label: str, judged: Sequence[Judged], search: Callable[[str], Sequence[str]]) -> list[str]:
    found = [(item, search(item.query)) for item in judged]
    ranks = [reciprocal_rank(pages, item) for item, pages in found]
    parts = [sum(rank >= 1 / place for rank in ranks) / len(ranks) for place in _PLACES]
    empty = sum(not pages for _, pages in found) / len(ranks)
    return [label, f"{sum(ranks) / len(ranks):.3f}", *(f"{part:.3f}" for part in parts), f"{empty:.3f}"]


if __name__ == "__main__":
    main_report = Report()
    main_report.open()
    run(main_report, Path(sys.argv[1]), sys.argv[2:])
