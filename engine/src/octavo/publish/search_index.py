"""The search index of a build: the last one, changed where pages have changed, or a new one."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from octavo.documents import BodySource
from octavo.last_build import SEARCH_FOLDER
from octavo.pipeline import IndexState, compare_index
from octavo.publish.search_shards import MakeRecords, StaticIndex
from octavo.publish.staging import Staging
from octavo.runtime import Cache, Report, digest, map_chunks
from octavo.search import copy_index, is_whole
from octavo.site import LinkResolver, Page, Site

if TYPE_CHECKING:
    from octavo.search import Indexed, PageEntries, PageFacts

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
    static: StaticIndex | None = None,
) -> tuple[str, Callable[[], None]]:
    """Put the index of a site into the staging folder.

    Args:
        site: The site.
        resolver: Knows the addresses of its pages.
        bodies: Their texts.
        staging: The folder that will be published.
        out: The folder that is published now; an index in it is taken over.
        cache: Holds what that index was made of.
        report: Told about progress.
        static: Is given the parts of pages that it needs.

    Returns:
        (path of the index in the folder, function that waits until it is written).
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
    make = _records_maker(changes.facts, bodies)
    parts = static.begin(f"{SEARCH_FOLDER}/{name}", changes, make) if static is not None else set()
    fresh = changes.fresh if base is not None else changes.keys.keys()
    writer = None
    if base is not None and not changes.gone and not changes.fresh:
        _copy(base, target)
    else:
        # Not at the top: a build in which no page has changed does without the engine.
        from octavo.search import IndexWriter

        writer = IndexWriter(target, base=base)
        if base is not None:
            writer.remove(changes.gone)
    pages = [page for page in changes.pages if page.route in parts or (writer is not None and page.route in fresh)]
    groups = _equal_pages(pages, changes.facts)
    for page, entries, part in _entries(
        groups, fresh if writer is not None else (), parts, changes.facts, make, report
    ):
        if entries and writer is not None:
            writer.add(entries)
        if part and static is not None:
            static.add(page, part)
    # The library writes without Python's lock: meanwhile the static index is written.
    pool = ThreadPoolExecutor(1)
    commit = pool.submit(writer.commit, changes.settings) if writer is not None else None

    def finish() -> None:
        pool.shutdown()
        if commit is not None:
            commit.result()
        cache.save_table(_TABLE, changes.state(name, is_rebuilt=base is None))

    return f"{SEARCH_FOLDER}/{name}", finish


def _records_maker(facts: Mapping[str, PageFacts], bodies: BodySource) -> MakeRecords:
    def make(page: Page) -> list[Indexed]:
        from octavo.search import make_records

        text = bodies.load(page.summary.body_key).text if page.summary else []
        headings = page.summary.headings if page.summary else []
        return make_records(facts[page.route], headings, text)

    return make


def _copy(base: Path, target: Path) -> None:
    target.mkdir(parents=True)
    copy_index(base, target)


def _equal_pages(pages: Sequence[Page], facts: Mapping[str, PageFacts]) -> list[list[Page]]:
    """Put pages together that have the same records but for their addresses and versions.

    Returns:
        Them, in the order of the first ones; what a page is in other versions follows it, for most of its texts are equal.
    """
    groups: dict[tuple[str, PageFacts], list[Page]] = {}
    order: dict[tuple[str, str], int] = {}
    for page in pages:
        order.setdefault((page.doc_id, page.edition.locale.id), len(order))
        # A text that is read from a document is that of its twins; what is made of data has no body.
        body_key = page.summary.body_key if page.summary else ""
        common = msgspec.structs.replace(facts[page.route], url="", version=None, tag="")
        groups.setdefault((body_key, common), []).append(page)
    return sorted(groups.values(), key=lambda group: order[group[0].doc_id, group[0].edition.locale.id])


def _entries(
    groups: Sequence[list[Page]],
    fresh: Container[str],
    parts: Container[str],
    facts: Mapping[str, PageFacts],
    make: MakeRecords,
    report: Report,
) -> Iterator[tuple[Page, PageEntries | None, bytes]]:
    """Make what the indexes have of pages.

    Args:
        groups: The pages, equal ones together.
        fresh: Routes of those that the server's index needs.
        parts: Routes of those that the static index needs; of equal ones at most one.
        facts: Route → what all records of the page share.
        make: Makes the records of a page.
        report: Told about progress.

    Returns:
        Of each group: the page whose part it is, the entries of all, the part; in their order, whichever is done first: the
        same pages make the same index.
    """
    if not groups:
        return
    from octavo.search import PageEntries, Twin, make_entries, make_part

    def work(jobs: Sequence[list[Page]]) -> list[tuple[bytes, bytes]]:
        outcomes = []
        for pages in jobs:
            first, *others = [page for page in pages if page.route in fresh] or pages
            records = make(first)
            entries = b""
            if first.route in fresh:
                twins = [Twin(page.route, facts[page.route]) for page in others]
                entries = msgspec.msgpack.encode(make_entries(records, first.route, twins))
            outcomes.append((entries, make_part(records) if any(page.route in parts for page in pages) else b""))
        return outcomes

    made: dict[str, tuple[bytes, bytes]] = {}
    number = done = 0
    total = sum(map(len, groups))
    # Dozens of chunks wait in memory, so that one has as many pages whether or not they are equal.
    chunk = max(1, _CHUNK * len(groups) // total)
    for jobs, outcomes in map_chunks(work, groups, chunk=chunk, parallel_from=_PARALLEL_FROM):
        made |= {pages[0].route: outcome for pages, outcome in zip(jobs, outcomes, strict=True)}
        while number < len(groups) and (outcome := made.pop(groups[number][0].route, None)) is not None:
            pages = groups[number]
            entries, part = outcome
            owner = next((page for page in pages if page.route in parts), pages[0])
            yield owner, msgspec.msgpack.decode(entries, type=PageEntries) if entries else None, part
            number += 1
            done += len(pages)
        report("index", done, total)
