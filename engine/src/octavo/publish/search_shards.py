"""The static form of a build's search index, beside its pages."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from octavo.config import CONFIG_NAME, line_of_text
from octavo.diagnostics import Diagnostic, Span
from octavo.manifest import ManifestFile
from octavo.publish.staging import Staging
from octavo.runtime import Cache, index_key
from octavo.search import bundle_shards, mode_file

_TABLE = "search-shards.msgpack"


class _State(msgspec.Struct, frozen=True):
    """What the last builds have published."""

    index: str = ""
    """Path of the index from which the files were made, and the key of the code that made them."""
    root: str = ""
    files: dict[str, ManifestFile] = {}
    bundle: int = 0
    """Size of all files as one, in bytes; 0: it is not wanted."""
    has_bundle: bool = False
    before: dict[str, ManifestFile] = {}
    """The files of the index before this one: readers who have a page of that build open still ask for them."""


class PublishedShards(NamedTuple):
    """What was published of an index."""

    files: dict[str, ManifestFile]
    """Path in the folder → file."""
    too_large: int
    """Size of the bundle that was left out, in bytes; 0: there is one, or none was wanted."""


def publish_shards(staging: Staging, index: str, cache: Cache, *, largest_bundle: int = 0) -> PublishedShards:
    """Put the static files of an index into the staging folder, and those of the index before it.

    Args:
        staging: The folder that will be published; it holds the index.
        index: Path of the index in it.
        cache: Holds what the last builds have published.
        largest_bundle: Also publish all files as one, for readers who will search without a network, unless it would be
            larger than this, in bytes. 0 for none.
    """
    state = cache.load_table(_TABLE, _State, _State())
    made_from = f"{index} {index_key()} {largest_bundle}"
    if state.index != made_from or not all(staging.reuse(address, file) for address, file in state.files.items()):
        # Not at the top: a build in which no page has changed does without the engine.
        from octavo.search import IndexReader, export_shards

        root, shards = export_shards(IndexReader(staging.path / index))
        bundle = bundle_shards(root, shards) if largest_bundle else {}
        size = sum(map(len, bundle.values()))
        has_bundle = 0 < size <= largest_bundle
        contents = {**shards, **(bundle if has_bundle else {})}
        files = {address: staging.write(address, content) for address, content in contents.items()}
        before = state.files if state.root != root else state.before
        state = _State(made_from, root, files, size, has_bundle, before)
        cache.save_table(_TABLE, state)
    old = state.before.keys() - state.files.keys()
    kept = {address: file for address, file in state.before.items() if address in old and staging.reuse(address, file)}
    address, content = mode_file(state.root, has_bundle=state.has_bundle)
    published = {**state.files, address: staging.write(address, content), **kept}
    return PublishedShards(published, 0 if state.has_bundle else state.bundle)


def large_bundle(size: int, most: int, settings: str) -> Diagnostic:
    """Say that an index is too large for readers' browsers to keep.

    Args:
        size: Of all its files as one, in bytes.
        most: What is allowed, in MB.
        settings: Content of `octavo.toml`.
    """
    key = "most_offline_megabytes"
    line = line_of_text(settings, key if key in settings else "offline")
    message = f"The search index is {size / 1_000_000:.1f} MB, more than the {most} that readers' browsers may keep: without a network, search finds little."
    suggestion = f"Set search.{key} to {size // 1_000_000 + 1} or more if readers may load as much, or to 0 if they need no search then."
    return Diagnostic("offline-search", "warn", Span(CONFIG_NAME, line), message, suggestion)
