"""Copy the static folder, and the files that documents refer to, into the published folder."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from octavo.config import Config
from octavo.diagnostics import Diagnostic, Span
from octavo.errors import PublishError
from octavo.manifest import ManifestFile, hash_content
from octavo.runtime import Cache
from octavo.site import PAGE_SUFFIXES, edition_roots, excluded_paths, explain_special, is_plain, list_folder

_TABLE = "static.msgpack"
_SETTLED_NS = 50_000_000
"""A file that was changed so shortly before it is read may change again within one tick of the clock."""
_OF_DESKTOPS = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})
"""Files that file managers write into each folder, and nobody means to publish."""
_LEFT_OUT = (".git", ".octavo")
_MOST_OF_A_HOST = 25 << 20
"""Bytes of one file that Cloudflare Pages takes; GitHub takes 100 MiB."""


class StaticOutput(Protocol):
    """Takes files of the static folder."""

    def write(self, address: str, content: bytes) -> ManifestFile:
        """Take a file."""

    def reuse(self, address: str, file: ManifestFile) -> bool:
        """Take a file over from an earlier build, if there is one with it."""


class _Source(msgspec.Struct, frozen=True, array_like=True):
    """A file of the static folder, with what tells that it has not changed."""

    size: int
    mtime_ns: int
    ctime_ns: int
    """Changes with the content whatever becomes of the other time; on Windows that of its creation."""
    inode: int
    hash: str

    def matches(self, found: os.stat_result) -> bool:
        return (
            found.st_mtime_ns == self.mtime_ns
            and found.st_ctime_ns == self.ctime_ns
            and found.st_size == self.size
            and found.st_ino == self.inode
        )


def copy_static(
    site_dir: Path, static: Mapping[str, str], output: StaticOutput, cache: Cache
) -> dict[str, ManifestFile]:
    """Copy the files of the static folder; those that have not changed since they were hashed are not read again.

    Args:
        site_dir: The site's folder.
        static: Address in the published folder → path from the site's folder.
        output: Takes them.
        cache: Keeps their hashes.

    Returns:
        Address in the published folder → file.

    Raises:
        PublishError: one cannot be read.
    """
    known = cache.load_table(_TABLE, dict[str, _Source], {})
    sources: dict[str, _Source] = {}
    files: dict[str, ManifestFile] = {}
    settled_ns = time.time_ns() - _SETTLED_NS
    for address, path in static.items():
        source = f"{site_dir}/{path}"
        try:
            found = os.stat(source)  # noqa: PTH116 - strings: there may be tens of thousands
            before = known.get(path)
            if before is not None and before.matches(found):
                file = ManifestFile(before.hash, before.size)
                if not output.reuse(address, file):
                    output.write(address, _read(source))
                sources[path], files[address] = before, file
                continue
            content = _read(source)
        except OSError as error:
            raise PublishError(f"{source} cannot be read: {error.strerror}.") from error
        files[address] = output.write(address, content)
        if max(found.st_mtime_ns, found.st_ctime_ns) < settled_ns and found.st_size == len(content):
            hash_ = files[address].hash or hash_content(content)
            sources[path] = _Source(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, hash_)
    if sources != known:
        cache.save_table(_TABLE, sources)
    return files


def find_large_files(static: Mapping[str, str], files: Mapping[str, ManifestFile]) -> Iterator[Diagnostic]:
    """Find files of the static folder that hosts of static sites do not take.

    Args:
        static: Address in the published folder → path from the site's folder.
        files: What `copy_static` has returned.
    """
    for address, path in static.items():
        size = files[address].size
        if size > _MOST_OF_A_HOST:
            message = f"This file has {size / (1 << 20):.0f} MiB, and hosts of static sites take few more than 25."
            hint = "Put it where releases are kept, and link it from there."
            yield Diagnostic("large-file", "warn", Span(path), message, hint)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:  # noqa: PTH123
        return file.read()


class DocumentsOutput(Protocol):
    """Takes files whose addresses name their content."""

    def write_hashed(self, address: str, read: Callable[[], bytes]) -> ManifestFile:
        """Take a file; what is there already is not read."""


def copy_documents_files(site_dir: Path, output: DocumentsOutput, copies: Mapping[str, str]) -> dict[str, ManifestFile]:
    """Copy files that lie beside the documents, given as address in the published folder → path from the site's folder.

    Returns:
        Address in the published folder → file.
    """
    return {address: output.write_hashed(address, (site_dir / source).read_bytes) for address, source in copies.items()}


class StaticFolder(NamedTuple):
    """The static folder of a site."""

    files: dict[str, str]
    """Address in the published folder → path from the site's folder."""
    problems: list[Diagnostic]
    """About what is not a file: links, pipes."""


def read_static_folder(site_dir: Path, config: Config) -> StaticFolder:
    """List the files of the static folder.

    Where documents lie in the static folder, as in a site of MkDocs, their Markdown is the source of pages and no file.

    Raises:
        UsageError: there is a file in its place.
    """
    static_root = config.static
    pages = tuple(
        "" if root.path == "." else f"{root.path}/"
        for _, _, roots in edition_roots(config)
        for root in roots
        if static_root == "." or f"{root.path}/".startswith(f"{static_root}/")
    )
    # In a folder of documents `exclude` speaks of all files; elsewhere patterns without a folder mean documents. So does one
    # of the whole folder, where it lies among documents: it says that no Markdown in it is a page.
    whole = f"{static_root}/**"
    patterns = [one for one in config.exclude if pages or (one.startswith(f"{static_root}/") and one != whole)]
    is_excluded = excluded_paths(msgspec.structs.replace(config, exclude=patterns))
    found = StaticFolder({}, [])
    folders = [""]
    for prefix in folders:
        entries = list_folder(site_dir, f"{static_root}/{prefix}".rstrip("/"))
        for entry in sorted(entries, key=lambda entry: entry.name):
            address = prefix + entry.name
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _LEFT_OUT:
                    folders.append(f"{address}/")
                continue
            source = address if static_root == "." else f"{static_root}/{address}"
            if pages and source.startswith(pages) and source.endswith(PAGE_SUFFIXES):
                continue
            if entry.name in _OF_DESKTOPS or (is_excluded is not None and is_excluded(source)):
                continue
            # A link that leads out of the site would publish what nobody meant to publish.
            if is_plain(site_dir, source, entry):
                found.files[address] = source
            # Tools have such links in folders of theirs, which nobody means to publish.
            elif not any(part.startswith(".") or part == "node_modules" for part in address.split("/")):
                problem = explain_special(site_dir, source, entry)
                if problem is not None:
                    found.problems.append(problem)
    return found
