"""Compile a site's Markdown files, taking from the cache what has not changed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from recto.build.api_pages import compile_api_page
from recto.build.body import Body, StoredFace, split_document
from recto.build.cache import Cache, Place, code_version, digest
from recto.build.progress import Report
from recto.build.workers import map_chunks
from recto.config import Config
from recto.content.document import Document
from recto.content.page import ContentOptions
from recto.diagnostics import Diagnostic, Span
from recto.site.model import Face, Source
from recto.site.sources import is_inside

_TABLE = "faces.msgpack"
_CHUNK = 12
_PARALLEL_FROM = 40


class Compiled(msgspec.Struct, frozen=True):
    """All documents of a site."""

    faces: dict[str, Face]
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
    base_key = digest(code_version("content"), msgspec.json.encode(options))
    data_key = digest(base_key, code_version("reference", "reference/openapi"))
    stored = cache.load_table(_TABLE, dict[str, StoredFace], {})
    packs = cache.has_packs({entry.body.pack for entry in stored.values()})
    files = _Files(site_dir)
    current: dict[str, StoredFace] = {}
    missing: list[tuple[Source, str]] = []
    problems: list[Diagnostic] = []
    for source in sources:
        try:
            if source.data is not None:
                text_key = digest(data_key, source.path, source.data)
            else:
                with open(f"{site_dir}/{source.path}", "rb") as file:  # noqa: PTH123 - for every page of the site
                    text_key = digest(base_key, source.path, file.read())
        except OSError as error:
            problems.append(_unreadable(source, str(error)))
            continue
        known = stored.get(source.path)
        if known and known.key == text_key and known.body.pack in packs and files.unchanged(known.dependencies):
            current[source.path] = known
        else:
            missing.append((source, text_key))
    prepare(len(missing))
    if missing:
        _warm_up()  # before the workers are forked, so that they need not each import the compiler
    done = len(current)
    report("compile", done, len(sources))

    def work(jobs: Sequence[tuple[Source, str]]) -> list[bytes]:
        compiled = [_compile(source, key, files, options) for source, key in jobs]
        places = cache.save_pack([body for _, body in compiled])
        return [
            msgspec.msgpack.encode(StoredFace(key=key, dependencies=document.dependencies, face=face, body=place))
            for (_, key), ((document, face), _), place in zip(jobs, compiled, places, strict=True)
        ]

    for jobs, outcomes in map_chunks(work, missing, chunk=_CHUNK, parallel_from=_PARALLEL_FROM):
        for (source, _), outcome in zip(jobs, outcomes, strict=True):
            current[source.path] = msgspec.msgpack.decode(outcome, type=StoredFace)
        done += len(jobs)
        report("compile", done, len(sources))
    if missing or len(stored) != len(current):
        cache.save_table(_TABLE, current)
        cache.drop_packs_but({entry.body.pack for entry in current.values()})
    return Compiled(
        faces={path: entry.face for path, entry in current.items()},
        bodies={entry.face.body_key: entry.body for entry in current.values()},
        problems=problems,
    )


def content_options(site_dir: Path, config: Config) -> ContentOptions:
    """Gather the compiler's options from the configuration and the components folder."""
    folder = site_dir / config.components
    names = sorted(path.stem for path in folder.glob("[A-Z]*.mdx")) if folder.is_dir() else []
    return ContentOptions(
        magic_comments=config.magic_comments, components=frozenset(names), components_dir=config.components
    )


def _warm_up() -> None:
    import recto.content.compile  # noqa: F401


def _compile(source: Source, key: str, files: _Files, options: ContentOptions) -> tuple[tuple[Document, Face], Body]:
    # Not at the top: a rebuild in which nothing has changed does without the compiler.
    from recto.content.compile import compile_document

    if source.data is not None and source.maker == "openapi":
        document = compile_api_page(source)
    elif source.data is not None:
        from recto.reference.commands_page import CommandPage, compile_command

        page = msgspec.msgpack.decode(source.data, type=CommandPage)
        document = compile_command(page, source_path=source.path, options=options)
    else:
        text = files.read(source.path)
        document = compile_document(text or "", source_path=source.path, load=files.read, options=options)
    # The body depends on the partials too, so their content is part of its key.
    face, body = split_document(document, digest(key, msgspec.json.encode(document.dependencies)))
    return (document, face), body


class _Files:
    """Reads text files of the site's folder, and no others."""

    def __init__(self, site_dir: Path) -> None:
        self._site_dir = site_dir
        self._hashes: dict[str, str] = {}

    def read(self, path: str) -> str | None:
        if not is_inside(self._site_dir, path):
            return None
        try:
            return (self._site_dir / path).read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
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


def _unreadable(source: Source, reason: str) -> Diagnostic:
    return Diagnostic(
        code="unreadable", level="error", span=Span(source.path), message=f"This file cannot be read: {reason}."
    )
