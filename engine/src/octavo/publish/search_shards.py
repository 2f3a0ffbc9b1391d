"""The static form of a build's search index, beside its pages."""

from __future__ import annotations

import msgspec

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
    before: dict[str, ManifestFile] = {}
    """The files of the index before this one: readers who have a page of that build open still ask for them."""


def publish_shards(staging: Staging, index: str, cache: Cache, *, has_bundle: bool = False) -> dict[str, ManifestFile]:
    """Put the static files of an index into the staging folder, and those of the index before it.

    Args:
        staging: The folder that will be published; it holds the index.
        index: Path of the index in it.
        cache: Holds what the last builds have published.
        has_bundle: Also publish all files as one, for readers who will search without a network.

    Returns:
        Path in the folder → file.
    """
    state = cache.load_table(_TABLE, _State, _State())
    made_from = f"{index} {index_key()} {has_bundle}"
    if state.index != made_from or not all(staging.reuse(address, file) for address, file in state.files.items()):
        # Not at the top: a build in which no page has changed does without the engine.
        from octavo.search import IndexReader, export_shards

        root, shards = export_shards(IndexReader(staging.path / index))
        contents = {**shards, **(bundle_shards(root, shards) if has_bundle else {})}
        files = {address: staging.write(address, content) for address, content in contents.items()}
        before = state.files if state.root != root else state.before
        state = _State(made_from, root, files, before)
        cache.save_table(_TABLE, state)
    old = state.before.keys() - state.files.keys()
    kept = {address: file for address, file in state.before.items() if address in old and staging.reuse(address, file)}
    address, content = mode_file(state.root)
    return {**state.files, address: staging.write(address, content), **kept}
