"""`Library`: the compiled documents of a site that is being written, kept between edits."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from octavo.config import Config
from octavo.content import ContentOptions, Document, DrawnCode
from octavo.diagnostics import Diagnostic
from octavo.documents.body import Body, StoredSummaries, StoredSummary, split_document
from octavo.documents.compile import (
    SUMMARIES_TABLE,
    Files,
    body_key_of,
    compile_source,
    content_options,
    load_code,
    source_key,
    store_documents,
    unreadable,
)
from octavo.errors import CacheLostError
from octavo.runtime.cache import Cache, code_version, digest
from octavo.runtime.processes import map_chunks
from octavo.site import DocumentSummary, Source

_MOST_FULL = 40
"""Documents that are compiled whole at once; of more, only what the rest of the site must know, and the rest later."""
_MOST_UNSAVED = 48
_FEW_UNSAVED = 16
"""Documents in memory only from which on they are put into the cache, when nobody waits."""
_CHUNK = 48


class _NoCode(Mapping[str, DrawnCode]):
    """Stands for all highlighted code there is, and is empty: highlighting is most of a compiler's work."""

    def __getitem__(self, key: str) -> DrawnCode:
        return DrawnCode("", "")

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


class Entry(msgspec.Struct, frozen=True):
    """One compiled document."""

    source: Source
    key: str
    """Hash of the source, of the options and of the compiler."""
    dependencies: dict[str, str]
    """Path of each partial → hash of its content."""
    summary: DocumentSummary
    stored: StoredSummary | None
    """Where the cache holds it; None for what is still to be compiled whole, or to be kept."""


class _Unsaved(msgspec.Struct, frozen=True):
    """A document that is not in the cache yet."""

    document: Document
    body: Body


class Library:
    """Compiled documents by their source path. Used by one thread."""

    def __init__(self, site_dir: Path, cache: Cache) -> None:
        """Prepare; nothing is read yet.

        Args:
            site_dir: The site's folder.
            cache: What earlier runs and builds have compiled, and where this one keeps what it compiles.
        """
        self._site_dir = site_dir
        self._cache = cache
        self._entries: dict[str, Entry] = {}
        self._before: dict[str, Entry] = {}
        """What there was before the update that is under way: its code may still be of use."""
        self._paths: dict[str, str] = {}
        """Body key → source path."""
        self._unsaved: dict[str, _Unsaved] = {}
        """Source path → document."""
        self._options = ContentOptions()
        self._base_key = self._data_key = ""
        self._stored: dict[str, StoredSummary] | None = None
        self._is_practised = False
        """The compiler has run here, and so is in memory."""
        self.is_changed = False
        """It holds what the cache's table does not."""

    def update(
        self, sources: Sequence[Source], config: Config, changed: Collection[str] | None, *, may_fork: bool = False
    ) -> tuple[dict[str, DocumentSummary], list[Diagnostic]]:
        """Compile what has changed, and forget what is gone.

        Args:
            sources: All sources of the site.
            config: Its configuration.
            changed: Paths of files that may have changed; None for any.
            may_fork: Several processes may be used.

        Returns:
            (source path → summary, files that could not be read).
        """
        options = content_options(self._site_dir, config)
        if options != self._options or changed is None or not self._base_key:
            changed = None
            self._options = options
            self._base_key = digest(code_version("content"), msgspec.json.encode(options, order="deterministic"))
            self._data_key = digest(self._base_key, code_version("reference", "reference/openapi"))
        files = Files(self._site_dir)
        problems: list[Diagnostic] = []
        entries: dict[str, Entry] = {}
        missing: list[tuple[Source, str]] = []
        for source in sources:
            known = self._entries.get(source.path)
            if known and known.source == source and changed is not None and not self._is_touched(known, changed):
                entries[source.path] = known
                continue
            try:
                key = source_key(source, self._site_dir, self._base_key, self._data_key)
            except OSError as error:
                problems.append(unreadable(source, str(error)))
                continue
            known = self._known(source, key)
            if known is not None and files.unchanged(known.dependencies):
                entries[source.path] = known
            else:
                missing.append((source, key))
        self._before, self._entries = self._entries, entries
        self._compile(missing, files, may_fork=may_fork)
        self._entries = {source.path: entries[source.path] for source in sources if source.path in entries}
        self._stored, self._before = {}, {}
        self._paths = {entry.summary.body_key: path for path, entry in entries.items()}
        self._unsaved = {path: one for path, one in self._unsaved.items() if path in entries}
        return {path: entry.summary for path, entry in self._entries.items()}, problems

    def recompile(self, paths: Collection[str]) -> dict[str, tuple[DocumentSummary, DocumentSummary]] | None:
        """Compile documents whose files, or those they read, have changed.

        Returns:
            Source path → (summary before, summary now) of each that has changed; None where one cannot be read.
        """
        files = Files(self._site_dir)
        found: dict[str, tuple[DocumentSummary, DocumentSummary]] = {}
        for before in [entry for entry in self._entries.values() if self._is_touched(entry, paths)]:
            try:
                key = source_key(before.source, self._site_dir, self._base_key, self._data_key)
            except OSError:
                return None
            if key != before.key or not files.unchanged(before.dependencies):
                now = self._compile_whole(before.source, key, files)
                found[before.source.path] = (before.summary, now.summary)
        self._make_room()
        return found

    def settle(self) -> Iterator[None]:
        """Do step by step what spares the next edit time."""
        if not self._is_practised and self._entries:
            with contextlib.suppress(OSError):
                self._compile_alone(next(iter(self._entries.values())), Files(self._site_dir))
            yield
        if len(self._unsaved) >= _FEW_UNSAVED:
            self._store()
            yield

    def load(self, body_key: str) -> Body:
        """Load a body by its key; what was only looked at so far is compiled now."""
        path = self._paths[body_key]
        if (unsaved := self._unsaved.get(path)) is not None:
            return unsaved.body
        entry = self._entries[path]
        if entry.stored is not None:
            try:
                return self._cache.load_piece(entry.stored.body, Body)
            except CacheLostError:
                pass  # a build beside this one has cleared up; it is made again
        return self._complete(entry)

    def complete_all(self) -> Iterator[None]:
        """Compile whole what was only looked at, document by document."""
        drafts = [entry for path, entry in self._entries.items() if self._is_draft(path)]
        for entry in drafts:
            # An edit may have been followed since the last step.
            if self._entries.get(entry.source.path) is entry and self._is_draft(entry.source.path):
                self._complete(entry)
                yield

    def _is_draft(self, path: str) -> bool:
        return self._entries[path].stored is None and path not in self._unsaved

    def diagnostics(self) -> Iterator[Diagnostic]:
        """List what is wrong with each document by itself."""
        for entry in self._entries.values():
            yield from entry.summary.diagnostics

    def knows(self, path: str) -> bool:
        """Tell whether a file is a source, or is read by one."""
        return path in self._entries or any(path in entry.dependencies for entry in self._entries.values())

    def _make_room(self) -> None:
        if len(self._unsaved) >= _MOST_UNSAVED:
            self._store()

    def _store(self) -> None:
        """Put what was compiled into the cache."""
        unsaved = {path: one for path, one in self._unsaved.items() if path in self._entries}
        if unsaved:
            entries = [self._entries[path] for path in unsaved]
            try:
                stored = store_documents(
                    [(entry.key, one.document) for entry, one in zip(entries, unsaved.values(), strict=True)],
                    self._cache,
                )
            except CacheLostError:
                return  # a full disk costs the next start time, not this one its pages
            for entry, place in zip(entries, stored, strict=True):
                self._entries[entry.source.path] = msgspec.structs.replace(entry, stored=place)
        self._unsaved = {}

    def save(self) -> None:
        """Keep everything for the next start."""
        self._store()
        if not self.is_changed:
            return
        summaries = {path: entry.stored for path, entry in self._entries.items() if entry.stored is not None}
        self._cache.save_table(SUMMARIES_TABLE, StoredSummaries(self._base_key, summaries))
        self._cache.drop_packs_but({summary.body.pack for summary in summaries.values()})
        self.is_changed = False

    @staticmethod
    def _is_touched(entry: Entry, changed: Collection[str]) -> bool:
        return entry.source.path in changed or any(path in changed for path in entry.dependencies)

    def _known(self, source: Source, key: str) -> Entry | None:
        """Find what is here, or in the cache, of a source as it is."""
        entry = self._entries.get(source.path)
        if entry is not None:
            return msgspec.structs.replace(entry, source=source) if entry.key == key else None
        if self._stored is None:
            table = self._cache.load_table(SUMMARIES_TABLE, StoredSummaries, StoredSummaries("", {}))
            packs = self._cache.has_packs({summary.body.pack for summary in table.summaries.values()})
            self._stored = {path: summary for path, summary in table.summaries.items() if summary.body.pack in packs}
        stored = self._stored.get(source.path)
        if stored is None or stored.key != key:
            return None
        return Entry(source, key, stored.dependencies, _decode_summary(stored.summary), stored)

    def _compile(self, missing: Sequence[tuple[Source, str]], files: Files, *, may_fork: bool) -> None:
        if len(missing) <= _MOST_FULL:
            for source, key in missing:
                self._compile_whole(source, key, files)
            return
        import octavo.content.compile  # noqa: F401 - before workers are forked, so that they need not each import it

        def work(jobs: Sequence[tuple[Source, str]]) -> list[bytes]:
            return [_encode_draft(self._draft(source, key, files)) for source, key in jobs]

        parallel_from = _MOST_FULL if may_fork else len(missing) + 1
        for jobs, outcomes in map_chunks(work, missing, chunk=_CHUNK, parallel_from=parallel_from):
            for (source, key), outcome in zip(jobs, outcomes, strict=True):
                dependencies, summary = _decode_draft(outcome)
                self._entries[source.path] = Entry(source, key, dependencies, summary, None)
        self.is_changed = True

    def _draft(self, source: Source, key: str, files: Files) -> tuple[dict[str, str], DocumentSummary]:
        document = compile_source(source, files, self._options, _NoCode())
        return document.dependencies, split_document(document, body_key_of(key, document))[0]

    def _compile_whole(self, source: Source, key: str, files: Files) -> Entry:
        document = compile_source(source, files, self._options, self._code(source.path))
        self._is_practised = True
        summary, body = split_document(document, body_key_of(key, document))
        before = self._entries.get(source.path)
        if before is not None and before.summary.body_key != summary.body_key:
            self._paths.pop(before.summary.body_key, None)
        entry = Entry(source, key, document.dependencies, summary, None)
        self._entries[source.path] = entry
        self._paths[summary.body_key] = source.path
        self._unsaved[source.path] = _Unsaved(document, body)
        self.is_changed = True
        return entry

    def _complete(self, entry: Entry) -> Body:
        """Compile whole what was only looked at, or what the cache has lost."""
        files = Files(self._site_dir)
        try:
            key = source_key(entry.source, self._site_dir, self._base_key, self._data_key)
        except OSError:
            key = ""
        if key != entry.key or not files.unchanged(entry.dependencies):
            # It has just been saved: what it says now is shown, and noted when the word of it comes.
            return self._compile_alone(entry, files)
        self._compile_whole(entry.source, key, files)
        body = self._unsaved[entry.source.path].body
        self._make_room()
        return body

    def _compile_alone(self, entry: Entry, files: Files) -> Body:
        """Compile a document as it is, without noting it."""
        document = compile_source(entry.source, files, self._options, {})
        self._is_practised = True
        return split_document(document, entry.summary.body_key)[1]

    def _code(self, path: str) -> Mapping[str, DrawnCode]:
        if (unsaved := self._unsaved.get(path)) is not None:
            return unsaved.document.code
        entry = self._entries.get(path) or self._before.get(path)
        stored = entry.stored if entry else (self._stored or {}).get(path)
        return load_code(stored.code if stored else None, self._cache)


_decode_summary = msgspec.msgpack.Decoder(DocumentSummary).decode
_encode_draft = msgspec.msgpack.Encoder().encode
_decode_draft = msgspec.msgpack.Decoder(tuple[dict[str, str], DocumentSummary]).decode
