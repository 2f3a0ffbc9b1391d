"""`PublishedBuild`: one build on disk, and safe ways to read its files."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import weakref
from pathlib import Path
from typing import BinaryIO

from octavo.errors import ServeError
from octavo.manifest import MANIFEST_PATH, Manifest, ManifestFile, is_hashed, parse_manifest
from octavo.server.addresses import Addresses

KEPT_BYTES = 32 << 20
"""Bytes of hashed files that are held for readers of a build that is gone; code and data first, as they are small."""

_FOLLOWS_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_OPENS_BY_FOLDER = os.open in os.supports_dir_fd

Signature = tuple[int, int, int]
"""Inode, time of change in ns and size of a manifest: another one means another build."""


class UnreadableFileError(Exception):
    """A published file is gone, is not a plain file, or is not what was published under its name."""


class PublishedBuild:
    """One published build, opened.

    It holds the folder itself, not its name: while another build takes over the name, this one is read on to its end.
    """

    def __init__(self, out_dir: Path) -> None:
        """Open what is published in a folder.

        Raises:
            OSError: nothing is published there.
            ServeError: its manifest cannot be read.
        """
        self._folder = _Folder(out_dir)
        with self._folder.open(MANIFEST_PATH) as file:
            self.signature = _signature(os.fstat(file.fileno()))
            self.manifest: Manifest = parse_manifest(file.read())
        self.addresses = Addresses(self.manifest)
        self.kept: dict[str, bytes] = {}
        """Path → content of hashed files, for the time when this build is an older one."""

    def keep(self, before: PublishedBuild | None = None) -> None:
        """Take hashed files into memory, the smallest first, up to `KEPT_BYTES`; share those of the build before."""
        budget = KEPT_BYTES
        hashed = [(file.size, path) for path, file in self.manifest.files.items() if is_hashed(path)]
        for size, path in sorted(hashed):
            budget -= size
            if budget < 0:
                return
            shared = before.kept.get(path) if before else None
            try:
                self.kept[path] = shared or self.read(path)
            except UnreadableFileError:
                continue  # the request for it will say so

    def file(self, path: str) -> ManifestFile | None:
        return self.manifest.files.get(path)

    async def ready(self, path: str) -> PublishedBuild:
        """Give this build: all its files are there."""
        del path
        return self

    def open(self, path: str) -> BinaryIO:
        """Open a file named by the manifest.

        Raises:
            UnreadableFileError: it is not there, or has another size than was published.
        """
        try:
            file = self._folder.open(path)
        except OSError as error:
            raise UnreadableFileError(f"{path}: {error.strerror or error}") from error
        if os.fstat(file.fileno()).st_size != self.manifest.files[path].size:
            file.close()
            raise UnreadableFileError(f"{path} has another size than was published")
        return file

    def read(self, path: str) -> bytes:
        """Read a file named by the manifest, whole, and check that it is what was published.

        The check keeps wrong bytes out of caches that are keyed by the hash.

        Raises:
            UnreadableFileError: it is not there, or has another content than was published.
        """
        if (content := self.kept.get(path)) is not None:
            return content
        with self.open(path) as file:
            content = file.read()
        if hashlib.sha256(content).hexdigest()[:16] != self.manifest.files[path].hash:
            raise UnreadableFileError(f"{path} has another content than was published")
        return content


def open_published(out_dir: Path) -> PublishedBuild:
    """Open what is published in a folder.

    Raises:
        ServeError: nothing is, or its manifest cannot be read.
    """
    try:
        return PublishedBuild(out_dir)
    except OSError:
        raise ServeError(
            f"{out_dir} contains no published site. Build it first: `octavo build --out {out_dir}`."
        ) from None


def read_signature(out_dir: Path) -> Signature | None:
    """Signature of the manifest that is published now; None where nothing is."""
    try:
        return _signature((out_dir / MANIFEST_PATH).stat())
    except OSError:
        return None


def _signature(status: os.stat_result) -> Signature:
    return status.st_ino, status.st_mtime_ns, status.st_size


class _Folder:
    """A folder whose files are opened without ever following a link out of it."""

    def __init__(self, path: Path) -> None:
        self._path = path.resolve()
        if _OPENS_BY_FOLDER:
            self._descriptor = os.open(self._path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            # Requests may still be reading when the next build takes over: the last of them closes it.
            weakref.finalize(self, os.close, self._descriptor)

    def open(self, path: str) -> BinaryIO:
        descriptor = self._descend(path) if _OPENS_BY_FOLDER else self._open_by_name(path)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise OSError(errno.EINVAL, "is not a plain file")
        return os.fdopen(descriptor, "rb")

    def _descend(self, path: str) -> int:
        *folders, name = path.split("/")
        opened: list[int] = []
        current = self._descriptor
        try:
            for folder in folders:
                current = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | _FOLLOWS_NO_LINK, dir_fd=current)
                opened.append(current)
            # A pipe in the place of a file would block for ever without O_NONBLOCK.
            return os.open(name, os.O_RDONLY | os.O_NONBLOCK | _FOLLOWS_NO_LINK, dir_fd=current)
        finally:
            for descriptor in opened:
                os.close(descriptor)

    def _open_by_name(self, path: str) -> int:
        """For systems that cannot open relative to a folder."""
        full = (self._path / path).resolve(strict=True)
        if full != self._path / path:
            raise OSError(errno.ELOOP, "is a link")
        return os.open(full, os.O_RDONLY | _FOLLOWS_NO_LINK)
