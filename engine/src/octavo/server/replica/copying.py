"""`Replica`: a local copy of a site that is published elsewhere.

A copy is made beside the one that is served, checked file by file, and put in its place by exchanging a link, in one step. What
the last copy has is taken over from it, so that a new build costs what has changed. A build that is being
uploaded while it is copied fails its hashes, and is tried again.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import msgspec

from octavo.errors import ServeError
from octavo.lazy import regex as re
from octavo.manifest import MANIFEST_PATH, Manifest, hash_content, parse_manifest
from octavo.search import CHECKSUMS_NAME, is_whole
from octavo.server.replica.sources import ReplicaSource, SourceError

_MOST_MANIFEST = 256 << 20
_MOST_INDEX_FILE = 8 << 30
_KEPT = 2
"""Copies that stay: the one that is served, and the one before, which a request may be reading."""

Fetch = Callable[[str], None]

_PLAIN_NAME = re.compile(r"\.?[A-Za-z0-9_][A-Za-z0-9_.-]*")


class ReplicaError(Exception):
    """A build could not be copied; the one before stays."""


class Replica:
    """The local copy."""

    def __init__(self, source: ReplicaSource, folder: Path) -> None:
        """Initialize; nothing is read.

        Args:
            source: What is copied.
            folder: Holds the copies; belongs to this server alone.
        """
        self._source = source
        self._builds = folder / "builds"
        self.out = folder / "current"
        """What is served: a link to the newest whole copy."""
        self._is_copied = False
        """The last update has succeeded, so that only another manifest means another build."""

    @property
    def name(self) -> str:
        """How messages call what is copied."""
        return self._source.name

    def update(self) -> bool:
        """Copy what is published now; tell whether that is another build than before.

        Raises:
            ReplicaError: something is missing, damaged or just being changed. What is served stays.
        """
        try:
            is_copied, self._is_copied = self._is_copied, False
            read = self._source.read_if_changed if is_copied else self._source.read
            content = read(MANIFEST_PATH, _MOST_MANIFEST)
            if content is None:
                self._is_copied = True
                return False
            name = hash_content(content)
            target = self._builds / name
            if target.is_dir() and self.out.resolve() == target.resolve():
                self._is_copied = True
                return False
            manifest = parse_manifest(content)
            if not (target / MANIFEST_PATH).is_file():
                self._copy(manifest, content, target)
            self._serve(target)
            self._is_copied = True
        except (SourceError, ServeError) as error:
            raise ReplicaError(f"{self.name} cannot be copied: {error}") from error
        except OSError as error:
            raise ReplicaError(f"{self.name} cannot be copied to {self._builds}: {error.strerror or error}") from error
        return True

    def close(self) -> None:
        """Close what the source has open."""
        self._source.close()

    def _copy(self, manifest: Manifest, content: bytes, target: Path) -> None:
        staging = self._builds / f".{target.name}-{os.getpid()}"
        shutil.rmtree(staging, ignore_errors=True)
        staging.mkdir(parents=True)
        try:
            before = _Before(self.out)
            for folder in {(staging / path).parent for path in manifest.files}:
                folder.mkdir(parents=True, exist_ok=True)
            missing = [
                path for path, file in manifest.files.items() if not before.give(path, file.hash, staging / path)
            ]
            self._each(missing, lambda path: self._fetch(manifest, path, staging))
            if manifest.search:
                self._copy_index(manifest.search, before, staging)
            file = staging / MANIFEST_PATH
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
            staging.rename(target)
        finally:
            shutil.rmtree(staging, ignore_errors=True)

    def _fetch(self, manifest: Manifest, path: str, staging: Path) -> None:
        file = manifest.files[path]
        content = self._source.read(path, file.size)
        if len(content) != file.size or hash_content(content) != file.hash:
            raise SourceError(f"{path} has another content than its manifest says")
        (staging / path).write_bytes(content)

    def _copy_index(self, name: str, before: _Before, staging: Path) -> None:
        """Copy the index, whose files have checksums of their own."""
        target = staging / name
        target.mkdir(parents=True)
        if before.give_folder(name, target) and is_whole(target):
            return
        listed = self._source.read(f"{name}/{CHECKSUMS_NAME}", _MOST_MANIFEST)
        try:
            names = msgspec.json.decode(listed, type=dict[str, str])
        except msgspec.MsgspecError as error:
            raise SourceError(f"{name}/{CHECKSUMS_NAME} is damaged") from error
        if not all(map(_PLAIN_NAME.fullmatch, names)):
            raise SourceError(f"{name}/{CHECKSUMS_NAME} names a file that lies elsewhere")
        shutil.rmtree(target)
        target.mkdir()
        (target / CHECKSUMS_NAME).write_bytes(listed)

        def fetch(file: str) -> None:
            (target / file).write_bytes(self._source.read(f"{name}/{file}", _MOST_INDEX_FILE))

        self._each(names, fetch)
        if not is_whole(target):
            raise SourceError(f"{name} has another content than its checksums say")

    def _each(self, paths: Iterable[str], fetch: Fetch) -> None:
        with ThreadPoolExecutor(self._source.most_at_once) as pool:
            futures = [pool.submit(fetch, path) for path in paths]
            try:
                for future in futures:
                    future.result()
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise

    def _serve(self, target: Path) -> None:
        """Let the link lead to a copy, and remove those that nobody reads."""
        before = self.out.resolve()
        link = self.out.with_name(f".current-{os.getpid()}")
        with suppress(FileNotFoundError):
            link.unlink()
        link.symlink_to(target.relative_to(self.out.parent), target_is_directory=True)
        link.replace(self.out)
        kept = [target.resolve(), before][:_KEPT]
        for folder in self._builds.iterdir():
            if folder.resolve() not in kept:
                shutil.rmtree(folder, ignore_errors=True)


class _Before:
    """The copy that is served, as a source of what has not changed."""

    def __init__(self, out: Path) -> None:
        self._folder = out.resolve()
        self._path_of: Mapping[str, str] = {}
        with suppress(OSError, ServeError):
            files = parse_manifest((self._folder / MANIFEST_PATH).read_bytes()).files
            self._path_of = {file.hash: path for path, file in files.items()} | {
                f"{path} {file.hash}": path for path, file in files.items()
            }

    def give(self, path: str, hash_: str, target: Path) -> bool:
        """Take a file over, if it is there; a copy that was checked once is not checked again."""
        known = self._path_of.get(f"{path} {hash_}") or self._path_of.get(hash_)
        return known is not None and _link(self._folder / known, target)

    def give_folder(self, name: str, target: Path) -> bool:
        """Take a folder over, if it is there."""
        folder = self._folder / name
        return (
            bool(self._path_of)
            and folder.is_dir()
            and all(_link(file, target / file.name) for file in folder.iterdir())
        )


def _link(file: Path, target: Path) -> bool:
    try:
        target.hardlink_to(file)
    except FileNotFoundError:
        return False
    except OSError:
        try:
            shutil.copyfile(file, target)
        except OSError:
            return False
    return True
