"""The static form of a build's search index, beside its pages; only what has changed is made anew."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Self

import msgspec

from octavo.config import CONFIG_NAME, line_of_text
from octavo.diagnostics import Diagnostic, Span
from octavo.manifest import ManifestFile, hash_content
from octavo.pipeline import IndexChanges
from octavo.publish.search_entries import EntryPacks
from octavo.publish.staging import Staging
from octavo.runtime import Cache, digest, index_key
from octavo.search import bundle_shards, mode_file
from octavo.site import Page

if TYPE_CHECKING:
    from octavo.search import Indexed, IndexSource, Stored

_TABLE = "search-shards.msgpack"
_WORDS_TABLE = "search-words.msgpack"

MakeRecords = Callable[[Page], "list[Indexed]"]
"""Makes the records of a page, in its order."""


class _State(msgspec.Struct, frozen=True):
    """What the last builds have published."""

    index: str = ""
    """Path of the index from which the files were made."""
    code: str = ""
    """Hash of the code that made them."""
    root: str = ""
    files: dict[str, ManifestFile] = {}
    largest_bundle: int = 0
    """As given to `StaticIndex`."""
    bundled: dict[str, ManifestFile] = {}
    """The file that holds all, where there is one."""
    bundle: int = 0
    """Its size, in bytes, also where it was left out; 0: none is wanted."""
    before: dict[str, ManifestFile] = {}
    """The files of the index before this one: readers who have a page of that build open still ask for them."""


class PublishedShards(NamedTuple):
    """What was published of an index."""

    files: dict[str, ManifestFile]
    """Path in the folder → file."""
    too_large: int
    """Size of the bundle that was left out, in bytes; 0: there is one, or none was wanted."""


class StaticIndex:
    """The static files of an index, and those of the index before it. A context manager, which closes what it has open."""

    def __init__(self, staging: Staging, cache: Cache, *, largest_bundle: int = 0) -> None:
        """Begin.

        Args:
            staging: The folder that will be published.
            cache: Holds what the last builds have published.
            largest_bundle: Also publish all files as one, for readers who will search without a network, unless it would
                be larger than this, in bytes. 0 for none.
        """
        self._staging = staging
        self._cache = cache
        self._largest_bundle = largest_bundle
        self._entries = EntryPacks(cache)
        self._state = cache.load_table(_TABLE, _State, _State())
        self._parts: _Parts | None = None
        """None where the files are those of the build before."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._parts is not None:
            self._parts.close()

    def begin(self, index: str, changes: IndexChanges, make: MakeRecords) -> set[str]:
        """Compare the pages of an index with those of the last files.

        Args:
            index: Path of the index.
            changes: Its pages.
            make: Makes the records of a page.

        Returns:
            Routes of pages of which the parts must be added.
        """
        state, staging = self._state, self._staging
        is_there = state.code == index_key() and all(staging.reuse(path, file) for path, file in state.files.items())
        if is_there and state.index == index:
            return set()
        # Not at the top: a build in which no page has changed does without the engine.
        from octavo.search import Stored

        before = self._cache.load_table(_WORDS_TABLE, Stored, Stored()) if is_there else Stored()
        if before.root != state.root or not self._entries.begin(state.root):
            before = Stored()
        self._state = msgspec.structs.replace(state, index=index, code=index_key())
        self._parts = _Parts(before, changes, make, staging)
        return self._parts.missing()

    def add(self, page: Page, part: bytes) -> None:
        """Add the part of a page for which `begin` has asked."""
        if self._parts is not None:
            self._parts.add(page, part)

    def publish(self) -> PublishedShards:
        """Put the files into the staging folder."""
        old = self._state
        if self._parts is not None:
            self._write(self._parts)
        self._bundle()
        state, staging = self._state, self._staging
        if self._parts is not None or state is not old:
            self._cache.save_table(_TABLE, state)
        address, content = mode_file(state.root, has_bundle=bool(state.bundled))
        published = {**state.files, **state.bundled}
        kept = {
            path: file for path, file in state.before.items() if path not in published and staging.reuse(path, file)
        }
        published = {**published, address: staging.write(address, content), **kept}
        return PublishedShards(published, 0 if state.bundled else state.bundle)

    def _write(self, parts: _Parts) -> None:
        from octavo.search import ShardsExport, Stored

        state, source = self._state, parts.source()
        sink = _Sink(self._staging, state.files)
        try:
            stored = ShardsExport(source, parts.before, parts.load, sink, self._entries).write()
            stored = self._entries.keep(stored)
        except LookupError:  # a file that should be there is not
            self._entries.clear()
            sink = _Sink(self._staging, {})
            stored = ShardsExport(source, Stored(), parts.load, sink, self._entries).write()
            stored = self._entries.keep(stored)
        before = {**state.files, **state.bundled} if state.root != stored.root else state.before
        self._state = msgspec.structs.replace(state, root=stored.root, files=sink.files, before=before)
        self._cache.save_table(_WORDS_TABLE, stored)

    def _bundle(self) -> None:
        """Write all files as one, unless that is there."""
        state, staging, most = self._state, self._staging, self._largest_bundle
        is_there = state.largest_bundle == most and all(
            staging.reuse(path, file) for path, file in state.bundled.items()
        )
        if is_there and self._parts is None:
            return
        contents = {path: (staging.path / path).read_bytes() for path in state.files} if most else {}
        bundle = bundle_shards(state.root, contents) if most else {}
        size = sum(map(len, bundle.values()))
        bundled = {path: staging.write(path, content) for path, content in bundle.items()} if size <= most else {}
        if is_there and (bundled, size) == (state.bundled, state.bundle):
            return
        self._state = msgspec.structs.replace(state, largest_bundle=most, bundled=bundled, bundle=size)


class _Parts:
    """The parts of all pages: those that are made now, and the hashes of the others."""

    def __init__(self, before: Stored, changes: IndexChanges, make: MakeRecords, staging: Staging) -> None:
        from octavo.search import part_key

        self.before = before
        self._changes = changes
        self._make = make
        self._keys = {
            page.route: digest(part_key(page.summary.body_key if page.summary else "", changes.facts[page.route]))
            for page in changes.pages
        }
        self._digests = dict(before.pages.values())
        """Key of a part → its hash."""
        # In a file: those of 10,000 pages take more memory than all the rest.
        self._file = tempfile.TemporaryFile(dir=staging.path.parent)  # noqa: SIM115 - `close` closes it
        self._places: dict[str, tuple[int, int]] = {}
        """Key of a part → where it is in the file, and its size."""

    def close(self) -> None:
        self._file.close()

    def missing(self) -> set[str]:
        """List the routes of pages of which the parts are not known; of those with equal ones, the first."""
        routes: dict[str, str] = {}
        for route, key in self._keys.items():
            if key not in self._digests:
                routes.setdefault(key, route)
        return set(routes.values())

    def add(self, page: Page, part: bytes) -> None:
        from octavo.search import digest_of_part

        key = self._keys[page.route]
        self._digests[key] = digest_of_part(part)
        self._places[key] = (self._file.seek(0, 2), len(part))
        self._file.write(part)

    def load(self, place: int) -> bytes:
        """Give the part of a page; one that is not here is made."""
        page = self._changes.pages[place]
        key = self._keys[page.route]
        if key not in self._places:
            from octavo.search import make_part

            return make_part(self._make(page))
        offset, size = self._places[key]
        self._file.seek(offset)
        return self._file.read(size)

    def source(self) -> IndexSource:
        """Say what the index is made of."""
        from octavo.search import IndexedPage, IndexSource

        changes = self._changes
        keys = [self._keys[page.route] for page in changes.pages]
        facts = [changes.facts[page.route] for page in changes.pages]
        pages = [
            IndexedPage(one.url, one.language, one.version, one.tag, one.section, one.lvl0, one.kind) for one in facts
        ]
        return IndexSource(pages, keys, [self._digests[key] for key in keys], changes.settings)


class _Sink:
    """Puts the files of an index into the staging folder."""

    def __init__(self, staging: Staging, before: dict[str, ManifestFile]) -> None:
        self._staging = staging
        self._before = before
        self.files: dict[str, ManifestFile] = {}

    def write(self, path: str, content: bytes) -> str:
        file = self.files[path] = self._staging.write(path, content)
        return file.hash

    def keep(self, path: str) -> str:
        file = self.files[path] = self._before[path]
        return file.hash

    def read(self, path: str) -> bytes:
        file = self._before[path]
        try:
            content = (self._staging.path / path).read_bytes()
        except OSError as error:
            raise LookupError(path) from error
        if hash_content(content) != file.hash:
            raise LookupError(path)
        return content


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
