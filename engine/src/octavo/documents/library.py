"""`Library`: the compiled documents of a site, compiled anew where something has changed."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import msgspec

from octavo.content import Document, DrawnCode
from octavo.diagnostics import Diagnostic, Span
from octavo.documents.body import Body, split_document
from octavo.documents.compiler import Compiler
from octavo.documents.files import Files, takes_in
from octavo.documents.storage import Compiled, StoredSummary, load_code, load_stored, save_stored, store_documents
from octavo.documents.twins import is_portable, move_dependencies, move_summary, takes_from_original
from octavo.errors import CacheLostError
from octavo.runtime import Cache, Report, digest, map_chunks
from octavo.site import DocumentSummary, Source

_MOST_WHOLE = 40
"""Documents that an author waits for; of more, only summaries are made at once and bodies when they are asked for."""
_MOST_UNSAVED = 48
_FEW_UNSAVED = 16
"""Documents in memory only from which on they are put into the cache, when nobody waits."""
_SUMMARY_CHUNK = 48
_CHUNK = 12
_PARALLEL_FROM = 40

Prepare = Callable[[int], None]
"""Told how many documents will be compiled, before the first one is."""


class _NoCode(Mapping[str, DrawnCode]):
    """Stands for all highlighted code there is, and is empty: highlighting is most of a compiler's work."""

    def __getitem__(self, key: str) -> DrawnCode:
        return DrawnCode("", "")

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


class _Job(msgspec.Struct, frozen=True):
    """A source to compile."""

    source: Source
    key: str
    """See `Compiler.source_key`."""


class _Entry(msgspec.Struct, frozen=True):
    """One compiled document."""

    source: Source
    key: str
    """See `Compiler.source_key`."""
    dependencies: dict[str, str]
    """Path of each partial → hash of its content."""
    summary: DocumentSummary
    stored: StoredSummary | None
    """Where the cache holds it; None for what is still to be compiled whole, or to be stored."""
    root: str = ""
    """See `StoredSummary.root`."""


class _Unsaved(msgspec.Struct, frozen=True):
    """A document that is not in the cache yet."""

    document: Document
    body: Body


class Library:
    """Compiled documents by their source path; gives their bodies too. Used by one thread."""

    def __init__(self, cache: Cache) -> None:
        """Initialize; nothing is read yet.

        Args:
            cache: What earlier runs and builds have compiled, and where this one keeps what it compiles.
        """
        self._cache = cache
        self._compiler: Compiler | None = None
        self._entries: dict[str, _Entry] = {}
        self._before: dict[str, _Entry] = {}
        """What there was before the update that is under way: its code may still be of use."""
        self._paths: dict[str, str] = {}
        """Body key → source path."""
        self._unsaved: dict[str, _Unsaved] = {}
        """Source path → document."""
        self._stored: dict[str, StoredSummary] | None = None
        """What the cache's table holds; empty after the first update."""
        self._is_warm = False
        """The compiler has run in this process, so that it is in memory."""
        self._is_changed = False
        """The library holds what the cache's table does not."""

    def build(self, sources: Sequence[Source], compiler: Compiler, *, report: Report, prepare: Prepare) -> None:
        """Compile what the cache does not have, on all cores, and store it there.

        Args:
            sources: All sources of the site.
            compiler: Compiles them.
            report: Told about progress.
            prepare: See `Prepare`.
        """
        self._compile_to_cache(self._begin(sources, compiler, None), len(sources), report, prepare)
        self._finish(sources)
        if self._is_changed:
            self.save()
            # What the table holds is decoded too, and a build needs memory for the rest.
            self._entries = {path: _without_encoded(entry) for path, entry in self._entries.items()}

    def update(
        self,
        sources: Sequence[Source],
        compiler: Compiler,
        changed: Collection[str] | None = None,
        *,
        may_fork: bool = False,
    ) -> None:
        """Compile what has changed as fast as an author waits for it, and forget what is gone.

        Args:
            sources: All sources of the site.
            compiler: Compiles them.
            changed: Paths of files that may have changed; None for any.
            may_fork: Several processes may be used.
        """
        jobs = self._begin(sources, compiler, changed)
        if len(jobs) <= _MOST_WHOLE:
            files = self._ready_compiler.files()
            for job in jobs:
                self._compile_whole(job, files)
        else:
            self._compile_summaries(jobs, may_fork=may_fork)
        self._finish(sources)

    def recompile(self, paths: Collection[str]) -> dict[str, DocumentSummary] | None:
        """Compile documents whose files, or those they read, have changed.

        Returns:
            Source path → summary of each that has changed; None where one cannot be read.
        """
        files = self._ready_compiler.files()
        found: dict[str, DocumentSummary] = {}
        for before in [entry for entry in self._entries.values() if _is_touched(entry, paths)]:
            try:
                key = self._ready_compiler.source_key(before.source)
            except OSError:
                return None
            if key != before.key or not files.unchanged(before.dependencies):
                found[before.source.path] = self._compile_whole(_Job(before.source, key), files).summary
        self._make_room()
        return found

    @property
    def summaries(self) -> dict[str, DocumentSummary]:
        """Source path → summary, of the sources that can be read."""
        return {path: entry.summary for path, entry in self._entries.items()}

    @property
    def problems(self) -> list[Diagnostic]:
        """Sources that cannot be read, and what is wrong with each document by itself."""
        return [*self._unreadable, *(one for entry in self._entries.values() for one in entry.summary.diagnostics)]

    @property
    def taken_in(self) -> set[str]:
        """Paths of all files that documents take in, those that are missing included."""
        return {path for entry in self._entries.values() for path in entry.dependencies}

    def load(self, body_key: str) -> Body:
        """Load a body by its key; of a document of which there is but a summary, it is made now."""
        path = self._paths[body_key]
        if (unsaved := self._unsaved.get(path)) is not None:
            return unsaved.body
        entry = self._entries[path]
        if entry.stored is not None:
            with contextlib.suppress(CacheLostError):  # a build beside this one may have cleared it away
                return self._cache.load_piece(entry.stored.body, Body)
        return self._complete(entry)

    def knows(self, path: str) -> bool:
        """Return whether a file is a source, or is read by one."""
        return path in self._entries or any(takes_in(entry.dependencies, {path}) for entry in self._entries.values())

    def settle(self) -> Iterator[None]:
        """Do step by step what spares the next edit time."""
        if not self._is_warm and self._entries:
            with contextlib.suppress(OSError):
                self._compile_alone(next(iter(self._entries.values())), self._ready_compiler.files())
            yield
        if len(self._unsaved) >= _FEW_UNSAVED:
            self._store()
            yield

    def complete_all(self) -> Iterator[None]:
        """Make the bodies that are missing, document by document."""
        for entry in [entry for entry in self._entries.values() if self._is_incomplete(entry)]:
            # An edit may have been followed since the last step.
            if self._entries.get(entry.source.path) is entry and self._is_incomplete(entry):
                self._complete(entry)
                yield

    def save(self) -> None:
        """Keep everything for the next run."""
        self._store()
        if self._is_changed and self._compiler is not None:
            stored = {path: _encoded(entry) for path, entry in self._entries.items() if entry.stored is not None}
            save_stored(stored, self._compiler.key, self._cache)
            self._is_changed = False

    # One update

    def _begin(self, sources: Sequence[Source], compiler: Compiler, changed: Collection[str] | None) -> list[_Job]:
        """Keep what is as it was; gives what must be compiled."""
        if self._compiler is None or self._compiler.key != compiler.key:
            changed = None
            self._unsaved = {}  # blocks of code that another compiler has made
            self._stored = load_stored(self._cache, compiler.key)
            self._before = {}
        else:
            self._before = self._entries
        self._compiler = compiler
        files = self._ready_compiler.files()
        entries: dict[str, _Entry] = {}
        jobs: list[_Job] = []
        self._unreadable: list[Diagnostic] = []
        for source in sources:
            known = self._before.get(source.path)
            if known and known.source == source and changed is not None and not _is_touched(known, changed):
                entries[source.path] = known
                continue
            try:
                key = compiler.source_key(source)
            except OSError as error:
                self._unreadable.append(_unreadable(source, error))
                continue
            known = self._find(source, key)
            if known is not None and files.unchanged(known.dependencies):
                entries[source.path] = known
            else:
                jobs.append(_Job(source, key))
        self._is_changed |= bool(jobs) or len(entries) != len(self._stored or self._before)
        self._entries = entries
        return jobs

    def _finish(self, sources: Sequence[Source]) -> None:
        """Bring the documents into the order of the sources, and forget the others."""
        entries = self._entries
        self._entries = {source.path: entries[source.path] for source in sources if source.path in entries}
        self._stored, self._before = {}, {}
        self._paths = {entry.summary.body_key: path for path, entry in self._entries.items()}
        self._unsaved = {path: one for path, one in self._unsaved.items() if path in self._entries}

    def _find(self, source: Source, key: str) -> _Entry | None:
        """Find what is here, or in the cache, of a source as it is."""
        entry = self._before.get(source.path)
        if entry is not None:
            return msgspec.structs.replace(entry, source=source) if entry.key == key else None
        stored = self._stored.get(source.path) if self._stored else None
        if stored is None or stored.key != key:
            return None
        return _Entry(source, key, stored.dependencies, _decode_summary(stored.summary), stored, stored.root)

    # Compiling

    def _compile(self, job: _Job, files: Files, code: Mapping[str, DrawnCode]) -> Compiled:
        """Compile a source, and find out whether the result can be used for its twins."""
        document = self._ready_compiler.compile(job.source, files, code)
        summary, body = split_document(document, "")
        source, dependencies = job.source, document.dependencies
        root = ""
        compiler = self._ready_compiler
        is_own = not takes_from_original(dependencies, source.root, compiler.options.originals.get(source.root))
        if source.root in compiler.profiles and is_own and is_portable(body, source.root):
            root, dependencies = source.root, move_dependencies(dependencies, source.root, "")
        # The partials too are part of a body; what names its folder is not a body of its twins.
        mark = "" if root or not self._ready_compiler.profiles else source.path
        body_key = digest(job.key, msgspec.json.encode(dependencies), mark)
        summary = msgspec.structs.replace(summary, body_key=body_key)
        return Compiled(job.key, document, summary, body, root)

    def _rounds(self, jobs: Sequence[_Job]) -> Iterator[list[_Job]]:
        """Give the jobs whose documents must be compiled, and take over those of their twins between the rounds."""
        left, files = list(jobs), self._ready_compiler.files()
        while left:
            compiled = self._twins() if self._ready_compiler.profiles else {}
            firsts: dict[str, _Job] = {}
            later: list[_Job] = []
            for job in left:
                if job.key in firsts:
                    later.append(job)
                elif not any(self._take_twin(job, twin, files) for twin in compiled.get(job.key, ())):
                    firsts[job.key] = job
            yield list(firsts.values())
            left = later

    def _twins(self) -> dict[str, list[_Entry]]:
        found: dict[str, list[_Entry]] = {}
        for entry in self._entries.values():
            if entry.root:
                found.setdefault(entry.key, []).append(entry)
        return found

    def _take_twin(self, job: _Job, twin: _Entry, files: Files) -> bool:
        root = job.source.root
        dependencies = move_dependencies(twin.dependencies, twin.root, root)
        if not files.unchanged(dependencies):
            return False
        summary = move_summary(twin.summary, job.source, twin.root)
        stored = twin.stored
        if stored is not None:
            stored = msgspec.structs.replace(stored, dependencies=dependencies, summary=_NOT_ENCODED, root=root)
        self._entries[job.source.path] = _Entry(job.source, job.key, dependencies, summary, stored, root)
        return True

    def _compile_to_cache(self, jobs: Sequence[_Job], total: int, report: Report, prepare: Prepare) -> None:
        is_prepared = False
        for some in self._rounds(jobs):
            if not is_prepared:
                prepare(len(some))
                is_prepared = True
            self._compile_all_to_cache(some, total, report)
        if not is_prepared:
            prepare(0)

    def _compile_all_to_cache(self, jobs: Sequence[_Job], total: int, report: Report) -> None:
        if jobs:
            _import_compiler()
        files = self._ready_compiler.files()

        def work(part: Sequence[_Job]) -> list[bytes]:
            compiled = [self._compile(job, files, self._code(job.source.path)) for job in part]
            return [msgspec.msgpack.encode(entry) for entry in store_documents(compiled, self._cache)]

        done = len(self._entries)
        report("compile", done, total)
        for part, outcomes in map_chunks(work, jobs, chunk=_CHUNK, parallel_from=_PARALLEL_FROM):
            for job, outcome in zip(part, outcomes, strict=True):
                stored = msgspec.msgpack.decode(outcome, type=StoredSummary)
                summary = _decode_summary(stored.summary)
                self._entries[job.source.path] = _Entry(
                    job.source, job.key, stored.dependencies, summary, stored, stored.root
                )
            done += len(part)
            report("compile", done, total)

    def _compile_summaries(self, jobs: Sequence[_Job], *, may_fork: bool) -> None:
        for some in self._rounds(jobs):
            self._compile_all_summaries(some, may_fork=may_fork)

    def _compile_all_summaries(self, jobs: Sequence[_Job], *, may_fork: bool) -> None:
        _import_compiler()
        files = self._ready_compiler.files()

        def work(part: Sequence[_Job]) -> list[bytes]:
            compiled = [self._compile(job, files, _NoCode()) for job in part]
            return [_encode_outcome((one.document.dependencies, one.summary, one.root)) for one in compiled]

        parallel_from = _MOST_WHOLE if may_fork else len(jobs) + 1
        for part, outcomes in map_chunks(work, jobs, chunk=_SUMMARY_CHUNK, parallel_from=parallel_from):
            for job, outcome in zip(part, outcomes, strict=True):
                dependencies, summary, root = _decode_outcome(outcome)
                self._entries[job.source.path] = _Entry(job.source, job.key, dependencies, summary, None, root)

    def _compile_whole(self, job: _Job, files: Files) -> _Entry:
        path = job.source.path
        compiled = self._compile(job, files, self._code(path))
        document, summary = compiled.document, compiled.summary
        self._is_warm = True
        before = self._entries.get(path)
        entry = _Entry(job.source, job.key, document.dependencies, summary, None, compiled.root)
        self._entries[path] = entry
        if before is not None and before.summary.body_key != summary.body_key:
            self._forget_path(before)
        self._paths[summary.body_key] = path
        self._unsaved[path] = _Unsaved(document, compiled.body)
        self._is_changed = True
        return entry

    def _forget_path(self, entry: _Entry) -> None:
        """Look up a body elsewhere that a source has no more: a twin may still have it."""
        key = entry.summary.body_key
        self._paths.pop(key, None)
        if entry.root:
            twin = next((path for path, one in self._entries.items() if one.summary.body_key == key), None)
            if twin is not None:
                self._paths[key] = twin

    def _is_incomplete(self, entry: _Entry) -> bool:
        return entry.stored is None and entry.source.path not in self._unsaved

    def _complete(self, entry: _Entry) -> Body:
        """Compile whole what there is but a summary of, or what the cache has lost."""
        files = self._ready_compiler.files()
        try:
            key = self._ready_compiler.source_key(entry.source)
        except OSError:
            key = ""
        if key != entry.key or not files.unchanged(entry.dependencies):
            # It has just been saved: what it says now is shown, and noted when the change is followed.
            return self._compile_alone(entry, files)
        self._compile_whole(_Job(entry.source, key), files)
        body = self._unsaved[entry.source.path].body
        self._make_room()
        return body

    def _compile_alone(self, entry: _Entry, files: Files) -> Body:
        """Compile a document as it is, without noting it."""
        document = self._ready_compiler.compile(entry.source, files, {})
        self._is_warm = True
        return split_document(document, entry.summary.body_key)[1]

    def _code(self, path: str) -> Mapping[str, DrawnCode]:
        """Give the highlighted code of the last version of a document; it was made by the same compiler."""
        if (unsaved := self._unsaved.get(path)) is not None:
            return unsaved.document.code
        entry = self._entries.get(path) or self._before.get(path)
        stored = entry.stored if entry else (self._stored or {}).get(path)
        return load_code(stored.code if stored else None, self._cache)

    @property
    def _ready_compiler(self) -> Compiler:
        if self._compiler is None:
            raise RuntimeError("The library was asked for a document before its first update.")
        return self._compiler

    # Storing

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
                    [
                        Compiled(entry.key, one.document, entry.summary, one.body, entry.root)
                        for entry, one in zip(entries, unsaved.values(), strict=True)
                    ],
                    self._cache,
                )
            except CacheLostError:
                return  # a full disk costs the next start time, not this one its pages
            for entry, place in zip(entries, stored, strict=True):
                self._entries[entry.source.path] = msgspec.structs.replace(entry, stored=place)
        self._unsaved = {}


def _import_compiler() -> None:
    """Import the compiler before workers are forked, so that they need not each import it."""
    import octavo.content.compile  # noqa: F401


_NOT_ENCODED = msgspec.Raw(b"")


def _encoded(entry: _Entry) -> StoredSummary:
    """Give what the cache's table holds of a document that is stored."""
    stored = entry.stored
    if stored is None:
        raise RuntimeError(f"{entry.source.path} was to be put into the table before it was stored.")
    if stored.summary:
        return stored
    return msgspec.structs.replace(stored, summary=msgspec.Raw(msgspec.msgpack.encode(entry.summary)))


def _without_encoded(entry: _Entry) -> _Entry:
    if entry.stored is None:
        return entry
    return msgspec.structs.replace(entry, stored=msgspec.structs.replace(entry.stored, summary=_NOT_ENCODED))


def _is_touched(entry: _Entry, changed: Collection[str]) -> bool:
    return entry.source.path in changed or takes_in(entry.dependencies, changed)


def _unreadable(source: Source, error: OSError) -> Diagnostic:
    is_gone = isinstance(error, FileNotFoundError)
    message = "This file vanished during the build." if is_gone else f"This file cannot be read: {error.strerror}."
    hint = "Build again." if is_gone else "Make it readable, or remove it."
    return Diagnostic("unreadable", "error", Span(source.path), message, hint)


_decode_summary = msgspec.msgpack.Decoder(DocumentSummary).decode
_encode_outcome = msgspec.msgpack.Encoder().encode
_decode_outcome = msgspec.msgpack.Decoder(tuple[dict[str, str], DocumentSummary, str]).decode
