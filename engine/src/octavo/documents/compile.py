"""Compile a site's Markdown files, taking from the cache what has not changed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from octavo.config import Config
from octavo.content import ContentOptions, Document, DrawnCode
from octavo.diagnostics import Diagnostic, Span
from octavo.documents.api_pages import compile_api_page
from octavo.documents.body import StoredSummaries, StoredSummary, split_document
from octavo.errors import CacheLostError
from octavo.runtime.cache import Cache, Place, code_version, digest
from octavo.runtime.processes import map_chunks
from octavo.runtime.progress import Report
from octavo.site import DocumentSummary, Source, is_inside

SUMMARIES_TABLE = "summaries.msgpack"
"""Name of the cache's table of summaries, a `StoredSummaries`."""
_CHUNK = 12
_PARALLEL_FROM = 40


class Compiled(msgspec.Struct, frozen=True):
    """All documents of a site."""

    summaries: dict[str, DocumentSummary]
    """Source path → what the site may know of it."""
    bodies: dict[str, Place]
    """Body key → where the cache holds the body."""
    problems: list[Diagnostic]
    """Files that could not be read."""


def compile_sources(
    sources: Sequence[Source],
    *,
    site_dir: Path,
    config: Config,
    cache: Cache,
    report: Report,
    prepare: Callable[[int], None],
) -> Compiled:
    """Compile all sources.

    Args:
        sources: The Markdown files.
        site_dir: The site's folder.
        config: Its configuration.
        cache: What earlier builds have compiled.
        report: Told about progress.
        prepare: Told how many of them will be compiled, before the first one is.
    """
    options = content_options(site_dir, config)
    # In order: sets are encoded as they lie in memory else, otherwise in each process.
    base_key = digest(code_version("content"), msgspec.json.encode(options, order="deterministic"))
    data_key = digest(base_key, code_version("reference", "reference/openapi"))
    table = cache.load_table(SUMMARIES_TABLE, StoredSummaries, StoredSummaries("", {}))
    stored = table.summaries
    packs = cache.has_packs({entry.body.pack for entry in stored.values()})
    files = Files(site_dir)
    current: dict[str, StoredSummary] = {}
    missing: list[_Job] = []
    problems: list[Diagnostic] = []
    for source in sources:
        try:
            text_key = source_key(source, site_dir, base_key, data_key)
        except OSError as error:
            problems.append(unreadable(source, str(error)))
            continue
        known = stored.get(source.path)
        if known and known.key == text_key and known.body.pack in packs and files.unchanged(known.dependencies):
            current[source.path] = known
        else:
            code = known.code if known and table.compiler == base_key else None
            missing.append(_Job(source, text_key, code))
    prepare(len(missing))
    if missing:
        _warm_up()  # before the workers are forked, so that they need not each import the compiler
    done = len(current)
    report("compile", done, len(sources))

    def work(jobs: Sequence[_Job]) -> list[bytes]:
        stored = store_documents(
            [(job.key, compile_source(job.source, files, options, load_code(job.code, cache))) for job in jobs], cache
        )
        return [msgspec.msgpack.encode(entry) for entry in stored]

    for jobs, outcomes in map_chunks(work, missing, chunk=_CHUNK, parallel_from=_PARALLEL_FROM):
        for job, outcome in zip(jobs, outcomes, strict=True):
            current[job.source.path] = msgspec.msgpack.decode(outcome, type=StoredSummary)
        done += len(jobs)
        report("compile", done, len(sources))
    if missing or len(stored) != len(current):
        cache.save_table(SUMMARIES_TABLE, StoredSummaries(base_key, current))
        cache.drop_packs_but({entry.body.pack for entry in current.values()})
    decode = msgspec.msgpack.Decoder(DocumentSummary).decode
    return Compiled(
        summaries={path: decode(entry.summary) for path, entry in current.items()},
        bodies={entry.body_key: entry.body for entry in current.values()},
        problems=problems,
    )


def content_options(site_dir: Path, config: Config) -> ContentOptions:
    """Gather the compiler's options from the configuration and the components folder."""
    folder = site_dir / config.components
    names = sorted(path.stem for path in folder.glob("[A-Z]*.mdx")) if folder.is_dir() else []
    return ContentOptions(
        magic_comments=config.magic_comments, components=frozenset(names), components_dir=config.components
    )


def source_key(source: Source, site_dir: Path, base_key: str, data_key: str) -> str:
    """Hash a source and what compiles it.

    Args:
        source: The source.
        site_dir: The site's folder.
        base_key: Hash of the compiler and its options.
        data_key: The same, with what compiles pages that are made of data.

    Raises:
        OSError: its file cannot be read.
    """
    if source.data is not None:
        return digest(data_key, source.path, source.data)
    with open(f"{site_dir}/{source.path}", "rb") as file:  # noqa: PTH123 - for every page of the site
        return digest(base_key, source.path, file.read())


def body_key_of(key: str, document: Document) -> str:
    """Hash what a body is made of: the partials too, so their content is part of it."""
    return digest(key, msgspec.json.encode(document.dependencies))


def _warm_up() -> None:
    import octavo.content.compile  # noqa: F401


class _Job(NamedTuple):
    """A source to compile."""

    source: Source
    key: str
    """Hash of the source, of the options and of the compiler."""
    code: Place | None
    """Blocks of code of its last version."""


def store_documents(compiled: Sequence[tuple[str, Document]], cache: Cache) -> list[StoredSummary]:
    """Keep documents, given with their keys."""
    split = [split_document(document, body_key_of(key, document)) for key, document in compiled]
    with_code = [document.code for _, document in compiled if document.code]
    places = cache.save_pack([*(body for _, body in split), *with_code])
    bodies, codes = places[: len(split)], iter(places[len(split) :])
    return [
        StoredSummary(
            key=key,
            dependencies=document.dependencies,
            summary=msgspec.Raw(msgspec.msgpack.encode(summary)),
            body_key=summary.body_key,
            body=body,
            code=next(codes) if document.code else None,
        )
        for (key, document), (summary, _), body in zip(compiled, split, bodies, strict=True)
    ]


def load_code(place: Place | None, cache: Cache) -> dict[str, DrawnCode]:
    """Load the blocks of code of a document; none where the cache has lost them."""
    try:
        return cache.load_piece(place, dict[str, DrawnCode]) if place else {}
    except CacheLostError:
        return {}


def compile_source(
    source: Source, files: Files, options: ContentOptions, drawn_code: Mapping[str, DrawnCode]
) -> Document:
    """Compile one source.

    Args:
        source: The source.
        files: Reads it, and what it names.
        options: The compiler's options.
        drawn_code: Blocks of code that need not be drawn again.
    """
    # Not at the top: a rebuild in which nothing has changed does without the compiler.
    from octavo.content.compile import compile_document

    if source.data is not None and source.maker == "openapi":
        return compile_api_page(source, files.read, options)
    if source.data is not None:
        from octavo.reference.command_line import CommandPage, compile_command

        page = msgspec.msgpack.decode(source.data, type=CommandPage)
        return compile_command(page, source_path=source.path, options=options)
    return compile_document(
        files.read_source(source.path),
        source_path=source.path,
        load=files.read,
        options=options,
        drawn_code=drawn_code,
    )


class Files:
    """Reads text files of the site's folder, and no others."""

    def __init__(self, site_dir: Path) -> None:
        self._site_dir = site_dir
        self._hashes: dict[str, str] = {}

    def read_source(self, path: str) -> str:
        """Read a file that the walk over the site's folder has found; empty where it has vanished since."""
        return self._read(path) or ""

    def read(self, path: str) -> str | None:
        """Read a file that an author names; None where there is none inside the site's folder."""
        return self._read(path) if is_inside(self._site_dir, path) else None

    def _read(self, path: str) -> str | None:
        try:
            with open(f"{self._site_dir}/{path}", "rb") as file:  # noqa: PTH123 - for every page of the site
                return file.read().decode("utf-8", "replace").replace("\r\n", "\n")
        except OSError:
            return None

    def unchanged(self, dependencies: dict[str, str]) -> bool:
        """Tell whether all files still have the hashes that were noted."""
        return all(self._hash(path) == noted for path, noted in dependencies.items())

    def _hash(self, path: str) -> str:
        if path not in self._hashes:
            self._hashes[path] = hash_text(self.read(path))
        return self._hashes[path]


def hash_text(text: str | None) -> str:
    """Hash a partial as `Document.dependencies` notes it; a missing file has the empty hash."""
    return hashlib.sha256(text.encode()).hexdigest()[:16] if text is not None else ""


def unreadable(source: Source, reason: str) -> Diagnostic:
    """Say that a source cannot be read."""
    return Diagnostic(
        code="unreadable", level="error", span=Span(source.path), message=f"This file cannot be read: {reason}."
    )
