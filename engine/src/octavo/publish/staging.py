"""Put a finished build in the place of the old one, in one step.

A build is made in a staging folder; then the file system exchanges it with the published one. Whoever fails or is
killed before that leaves the published folder as it was.

The folder that was replaced is kept as the *spare*, and the next build starts from it: it only writes what the spare
has not got, or has otherwise. Files are never written in place, for the spare and the published folder share them as
hard links.
"""

from __future__ import annotations

import ctypes
import errno
import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import msgspec

from octavo.errors import PublishError
from octavo.manifest import MANIFEST_PATH, Manifest, ManifestFile, hash_content

_RENAME_EXCHANGE = 2
_AT_FDCWD = -100
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class Staging:
    """The folder in which a build is made.

    Workers write into it from several processes, each its own files.
    """

    def __init__(self, path: Path, spare: Path, present: dict[str, ManifestFile]) -> None:
        self.path = path
        self._spare = spare
        self._present = present
        """Address → file, of what the spare has brought."""

    @staticmethod
    def make(out: Path, work_dir: Path) -> Staging:
        """Make the staging folder of a build, after clearing away those of builds that were killed.

        Args:
            out: The folder to publish.
            work_dir: Folder for staging and spare; the output's parent where that is another file system.

        Raises:
            PublishError: the output is a file or holds what Octavo has not written, or the folders can't be made.
        """
        if out.exists() and not out.is_dir():
            raise PublishError(f"{out} is a file; name a folder with --out.")
        if out.is_dir() and any(out.iterdir()) and not (out / "_octavo").is_dir():
            raise PublishError(
                f"{out} holds files that Octavo has not written. Name another folder with --out, or empty this one."
            )
        name = f"{out.name}-{hashlib.sha256(os.fsencode(out)).hexdigest()[:8]}"
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
            work_dir.mkdir(parents=True, exist_ok=True)
            if work_dir.stat().st_dev != out.parent.stat().st_dev:
                work_dir, name = out.parent, f".{out.name}"
            _clear_abandoned(work_dir, name)
            path = work_dir / f"{name}.staging-{os.getpid()}"
            shutil.rmtree(path, ignore_errors=True)
            spare = work_dir / f"{name}.spare"
            present = _claim(spare, path)
        except OSError as error:
            raise PublishError(f"{error.filename or out.parent} cannot be written: {error.strerror}.") from error
        return Staging(path, spare, present)

    def write(self, address: str, content: bytes) -> ManifestFile:
        """Write a file, unless it is there already."""
        file = ManifestFile(hash=hash_content(content), size=len(content))
        if self._present.get(address) != file:
            self._make_room(address)
            write_file(self.path, address, content)
        return file

    def write_hashed(self, address: str, read: Callable[[], bytes]) -> ManifestFile:
        """Write a file whose address names its content: what stands there already is not even read."""
        return self.known(address) or self.write(address, read())

    def known(self, address: str) -> ManifestFile | None:
        """Tell what the spare has brought under an address."""
        return self._present.get(address)

    def reuse(self, address: str, file: ManifestFile, out: Path) -> bool:
        """Take a file over from the published folder, as a hard link where the file system has them.

        Returns:
            False when it is not there any more.
        """
        if self._present.get(address) == file:
            return True
        self._make_room(address)
        source, target = f"{out}/{address}", f"{self.path}/{address}"
        for _ in range(2):
            try:
                os.link(source, target)
            except FileNotFoundError:
                if not os.path.exists(source):  # noqa: PTH110 - strings: this runs for every file of the site
                    return False
                os.makedirs(os.path.dirname(target), exist_ok=True)  # noqa: PTH103, PTH120
            except OSError:
                shutil.copyfile(source, target)
                return True
            else:
                return True
        return False

    def remove_all_but(self, addresses: Iterable[str]) -> None:
        """Remove what the spare has brought and the new build does not have."""
        for address in set(self._present).difference(addresses):
            path = self.path / address
            with suppress(OSError):
                path.unlink()
                while path.parent != self.path:
                    path = path.parent
                    path.rmdir()

    def publish(self, out: Path) -> None:
        """Put the folder in the place of the published one, which becomes the spare.

        Raises:
            PublishError: the file system refused; the published folder is as it was.
        """
        _exchange(self.path, out)
        with suppress(OSError):
            shutil.rmtree(self._spare, ignore_errors=True)
            self.path.rename(self._spare)

    def discard(self) -> None:
        """Remove the folder, if it is still there."""
        shutil.rmtree(self.path, ignore_errors=True)

    def _make_room(self, address: str) -> None:
        """Unlink what the spare has under an address: writing into it would change the published file too."""
        if address in self._present:
            with suppress(FileNotFoundError):
                os.unlink(f"{self.path}/{address}")  # noqa: PTH108


def write_file(folder: Path, address: str, content: bytes) -> None:
    """Write a new file below a folder, making the folders between."""
    path = f"{folder}/{address}"
    try:
        handle = os.open(path, _NEW_FILE, 0o666)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120
        handle = os.open(path, _NEW_FILE, 0o666)
    try:
        # Straight to the system: file objects cost as much again, thousands of times.
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(handle, rest) :]
    finally:
        os.close(handle)


def _claim(spare: Path, path: Path) -> dict[str, ManifestFile]:
    """Turn the spare into the staging folder, or make an empty one; only one of several builds gets the spare.

    Returns:
        Address → file, of what it brings.
    """
    try:
        spare.rename(path)
        manifest_file = path / MANIFEST_PATH
        manifest = msgspec.json.decode(manifest_file.read_bytes(), type=Manifest)
        # From here on the folder is neither the old build nor the new one, and must not pass for either.
        manifest_file.unlink()
    except (OSError, msgspec.DecodeError, msgspec.ValidationError):
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir()
        return {}
    return manifest.files


def _clear_abandoned(work_dir: Path, name: str) -> None:
    for old in work_dir.glob(f"{name}.staging-*"):
        if not _is_alive(old.name.rpartition("-")[2]):
            shutil.rmtree(old, ignore_errors=True)


def _exchange(staging: Path, out: Path) -> None:
    try:
        if not out.exists():
            staging.rename(out)
            return
        if not _exchange_in_one_step(staging, out):
            _exchange_in_two_steps(staging, out)
    except OSError as error:
        raise PublishError(f"{out} cannot be replaced: {error.strerror}. The old one is untouched.") from error


def _exchange_in_one_step(first: Path, second: Path) -> bool:
    """Exchange two folders by renameat2(2); False where the system does not have it."""
    if not sys.platform.startswith("linux"):
        return False
    renameat2 = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if renameat2 is None:
        return False
    if renameat2(_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _RENAME_EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP):
        return False
    raise OSError(number, os.strerror(number))


def _exchange_in_two_steps(staging: Path, out: Path) -> None:
    old = out.with_name(f".{out.name}.staging-old-{os.getpid()}")
    out.rename(old)
    try:
        staging.rename(out)
    except OSError:
        old.rename(out)
        raise
    old.rename(staging)


def _is_alive(pid: str) -> bool:
    if not pid.isdigit() or int(pid) == os.getpid():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
