"""The search index of a build: the last one, changed where pages have changed, or a new one."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from octavo.documents import BodySource
from octavo.publish.file_states import SEARCH_FOLDER
from octavo.publish.staging import Staging
from octavo.runtime import Cache, Report, digest, index_key, map_chunks
from octavo.search import (
    IndexSettings,
    PageFacts,
    copy_index,
    facts_key,
    findable_pages,
    index_settings,
    is_whole,
    page_facts,
)
from octavo.site import LinkResolver, Page, Site

_TABLE = "search.msgpack"
_CHUNK = 24
_PARALLEL_FROM = 48
_MOST_CHANGED = 0.5
"""Share of records that may change before the index is rebuilt, because removed records still take space."""


class _State(msgspec.Struct, frozen=True):
    """What an index was made of."""

    name: str
    code: str
    keys: dict[str, str]
    """Route → hash of everything the page's records were made of."""
    changed: int = 0
    """Pages that were changed in it since it was made anew."""


def publish_index(
    site: Site,
    *,
    resolver: LinkResolver,
    bodies: BodySource,
    staging: Staging,
    out: Path | None,
    cache: Cache,
    report: Report,
) -> str:
    """Put the index of a site into the staging folder.

    Args:
        site: The site.
        resolver: Knows the addresses of its pages.
        bodies: Their texts.
        staging: The folder that will be published.
        out: The folder that is published now; an index in it is taken over.
        cache: Holds what that index was made of.
        report: Told about progress.

    Returns:
        Path of the index in the folder.
    """
    pages = findable_pages(site)
    facts = {page.route: page_facts(page, site.config, resolver) for page in pages}
    keys = {
        page.route: digest(page.summary.body_key if page.summary else "", facts_key(facts[page.route]))
        for page in pages
    }
    settings = index_settings(site.config)
    code = digest(index_key(), msgspec.msgpack.encode(settings))
    name = digest(code, *(f"{route} {key}" for route, key in keys.items()))[:16]
    shutil.rmtree(staging.path / SEARCH_FOLDER, ignore_errors=True)
    state = cache.load_table(_TABLE, _State, _State("", "", {}))
    base = out / SEARCH_FOLDER / state.name if out and state.name and state.code == code else None
    if base is not None and not is_whole(base):
        base = None  # gone or damaged: what is inherited from it would be damaged as well
    gone, fresh = _changes(state.keys, keys)
    if base is not None and state.changed + len(gone) + len(fresh) > _MOST_CHANGED * len(keys):
        base = None
    target = staging.path / SEARCH_FOLDER / name
    if base is not None and not gone and not fresh:
        _copy(base, target)
    else:
        todo = [page for page in pages if base is None or page.route in fresh]
        _write(todo, gone, facts, base, target, bodies, settings, report)
    changed = state.changed + len(gone) + len(fresh) if base is not None else 0
    cache.save_table(_TABLE, _State(name, code, keys, changed))
    return f"{SEARCH_FOLDER}/{name}"


def _changes(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[set[str], set[str]]:
    """Compare two builds.

    Returns:
        (routes whose records must go, routes whose records must come).
    """
    gone = {route for route, key in old.items() if new.get(route) != key}
    return gone, {route for route, key in new.items() if old.get(route) != key}


def _copy(base: Path, target: Path) -> None:
    target.mkdir(parents=True)
    copy_index(base, target)


def _write(
    pages: Sequence[Page],
    gone: set[str],
    facts: Mapping[str, PageFacts],
    base: Path | None,
    target: Path,
    bodies: BodySource,
    settings: IndexSettings,
    report: Report,
) -> None:
    # Not at the top: a build in which no page has changed does without the engine.
    from octavo.search import IndexWriter, PageEntries, make_entries, make_records

    def work(jobs: Sequence[Page]) -> list[bytes]:
        entries = []
        for page in jobs:
            text = bodies.load(page.summary.body_key).text if page.summary else []
            headings = page.summary.headings if page.summary else []
            records = make_records(facts[page.route], headings, text)
            entries.append(msgspec.msgpack.encode(make_entries(records, page.route)))
        return entries

    writer = IndexWriter(target, base=base)
    if base is not None:
        writer.remove(gone)
    made: dict[str, bytes] = {}
    added = 0
    for jobs, outcomes in map_chunks(work, pages, chunk=_CHUNK, parallel_from=_PARALLEL_FROM):
        made |= {page.route: outcome for page, outcome in zip(jobs, outcomes, strict=True)}
        # In the order of the site, whichever is done first: the same pages make the same index.
        while added < len(pages) and (outcome := made.pop(pages[added].route, None)) is not None:
            writer.add(msgspec.msgpack.decode(outcome, type=PageEntries))
            added += 1
        report("index", added, len(pages))
    writer.commit(settings)
