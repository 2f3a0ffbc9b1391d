"""The search index of a build: the last one, changed where pages have changed, or a new one."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import msgspec

from octavo.documents import BodySource
from octavo.pipeline import IndexChanges, IndexState, compare_index
from octavo.publish.file_states import SEARCH_FOLDER
from octavo.publish.staging import Staging
from octavo.runtime import Cache, Report, digest, map_chunks
from octavo.search import copy_index, is_whole
from octavo.site import LinkResolver, Page, Site

_TABLE = "search.msgpack"
_CHUNK = 24
_PARALLEL_FROM = 48
_MOST_CHANGED = 0.5
"""Share of records that may change before the index is rebuilt, because removed records still take space."""


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
    state = cache.load_table(_TABLE, IndexState, IndexState())
    changes = compare_index(site, resolver, state)
    name = digest(changes.code, *(f"{route} {key}" for route, key in changes.keys.items()))[:16]
    shutil.rmtree(staging.path / SEARCH_FOLDER, ignore_errors=True)
    base = out / SEARCH_FOLDER / state.name if out and changes.can_update else None
    if base is not None and not is_whole(base):
        base = None  # gone or damaged: what is inherited from it would be damaged as well
    if base is not None and changes.changed > _MOST_CHANGED * len(changes.keys):
        base = None
    target = staging.path / SEARCH_FOLDER / name
    if base is not None and not changes.gone and not changes.fresh:
        _copy(base, target)
    else:
        _write(changes, base, target, bodies, report)
    cache.save_table(_TABLE, changes.state(name, is_rebuilt=base is None))
    return f"{SEARCH_FOLDER}/{name}"


def _copy(base: Path, target: Path) -> None:
    target.mkdir(parents=True)
    copy_index(base, target)


def _write(changes: IndexChanges, base: Path | None, target: Path, bodies: BodySource, report: Report) -> None:
    # Not at the top: a build in which no page has changed does without the engine.
    from octavo.search import IndexWriter, PageEntries, make_entries, make_records

    pages = [page for page in changes.pages if base is None or page.route in changes.fresh]

    def work(jobs: Sequence[Page]) -> list[bytes]:
        entries = []
        for page in jobs:
            text = bodies.load(page.summary.body_key).text if page.summary else []
            headings = page.summary.headings if page.summary else []
            records = make_records(changes.facts[page.route], headings, text)
            entries.append(msgspec.msgpack.encode(make_entries(records, page.route)))
        return entries

    writer = IndexWriter(target, base=base)
    if base is not None:
        writer.remove(changes.gone)
    made: dict[str, bytes] = {}
    added = 0
    for jobs, outcomes in map_chunks(work, pages, chunk=_CHUNK, parallel_from=_PARALLEL_FROM):
        made |= {page.route: outcome for page, outcome in zip(jobs, outcomes, strict=True)}
        # In the order of the site, whichever is done first: the same pages make the same index.
        while added < len(pages) and (outcome := made.pop(pages[added].route, None)) is not None:
            writer.add(msgspec.msgpack.decode(outcome, type=PageEntries))
            added += 1
        report("index", added, len(pages))
    writer.commit(changes.settings)
