"""Put a finished folder in the place of the published one: in one step where the system can, else in two, or file by file.

Linux exchanges two folders by renameat2(2), macOS by renamex_np(2). Elsewhere the published folder is renamed away and
the new one is renamed to its name; a build that is killed between the two is set right by `recover`. Windows renames no
folder in which a file is open, as by a server, and no system one on which something is mounted, as a volume of a container:
then the files are replaced one by one, the manifest last.
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path

from octavo.errors import PublishError
from octavo.last_build import KEPT_NAMES, is_one_mount
from octavo.manifest import MANIFEST_PATH

_RENAME_EXCHANGE = 2
_RENAME_SWAP = 2
_AT_FDCWD = -100
_NOT_SUPPORTED = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP)
_MOUNTED = (errno.EBUSY, errno.EXDEV)
"""Error codes for a folder on which something is mounted, and for one on another file system."""


def exchange_folders(staging: Path, out: Path) -> bool:
    """Publish a staging folder; afterwards it holds what was published before, or is gone where nothing was.

    Returns:
        False where its files were moved or copied one by one, into the folder that was there.

    Raises:
        PublishError: the file system refused; the published folder is as it was.
    """
    try:
        if not out.exists():
            staging.rename(out)
            return True
        is_exchanged = _exchange(staging, out)
        # What somebody else has put there stays there.
        for name in KEPT_NAMES:
            if os.path.lexists(staging / name):
                (staging / name).rename(out / name)
    except OSError as error:
        if not os.path.lexists(out):
            raise PublishError(f"{out} cannot be made: {error.strerror}. Nothing was published.") from error
        raise PublishError(f"{out} cannot be replaced: {error.strerror}. The old one is untouched.") from error
    return is_exchanged


def _exchange(staging: Path, out: Path) -> bool:
    try:
        return exchange_in_one_step(staging, out) or _exchange_in_steps(staging, out)
    except OSError as error:
        if error.errno not in _MOUNTED:
            raise
    replace_files(staging, out)
    return False


def recover(out: Path) -> None:
    """Put a published folder back that a build has renamed away and not replaced, because it was killed in between."""
    if os.path.lexists(out):
        return
    for old in sorted(out.parent.glob(f".{out.name}.replaced-*")):
        with suppress(OSError):
            old.rename(out)
            return


def exchange_in_one_step(first: Path, second: Path) -> bool:
    """Exchange two folders; False where the system or the file system cannot."""
    names = os.fsencode(first), os.fsencode(second)
    libc = None if sys.platform == "win32" else ctypes.CDLL(None, use_errno=True)
    if libc is None:
        return False
    if sys.platform.startswith("linux") and hasattr(libc, "renameat2"):
        code = libc.renameat2(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE)
    elif sys.platform == "darwin" and hasattr(libc, "renamex_np"):
        code = libc.renamex_np(*names, _RENAME_SWAP)
    else:
        return False
    if code == 0:
        return True
    number = ctypes.get_errno()
    if number in _NOT_SUPPORTED:
        return False
    raise OSError(number, os.strerror(number))


def _exchange_in_steps(staging: Path, out: Path) -> bool:
    old = out.with_name(f".{out.name}.replaced-{os.getpid()}")
    try:
        out.rename(old)
    except PermissionError:
        replace_files(staging, out)
        return False
    try:
        staging.rename(out)
    except OSError:
        old.rename(out)
        raise
    old.rename(staging)
    return True


def replace_files(staging: Path, out: Path) -> None:
    """Move the files of a staging folder over those of the published one, and remove those that it does not have.

    A reader may meet old and new files meanwhile. The manifest comes last, so a server goes over to the new build when
    all of it is there. The staging folder is left without files: the next build starts from an empty one.
    """
    fresh, old = _files_below(staging), _files_below(out)
    source = staging
    if not is_one_mount(staging, out):
        # First all of it is copied beside the old files: where the disk is full, they stay as they are.
        source = out / f".octavo-{os.getpid()}"
        try:
            for address in fresh:
                _copy(staging / address, source / address)
        except OSError:
            shutil.rmtree(source, ignore_errors=True)
            raise
    for address in sorted(fresh, key=lambda address: address == MANIFEST_PATH):
        target = out / address
        _make_way(out, target)
        target.parent.mkdir(parents=True, exist_ok=True)
        (source / address).replace(target)
    for address in old - fresh:
        with suppress(OSError):  # still open: it goes with the next build
            (out / address).unlink()
            _remove_empty(out, (out / address).parent)
    if source != staging:
        shutil.rmtree(source, ignore_errors=True)
        shutil.rmtree(staging, ignore_errors=True)
        staging.mkdir(exist_ok=True)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _make_way(out: Path, target: Path) -> None:
    """Remove the folder in the place of a file, and the file in the place of a folder in which it goes."""
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    for parent in target.parents:
        if parent == out:
            return
        if parent.is_symlink() or parent.is_file():
            parent.unlink()


def _remove_empty(out: Path, folder: Path) -> None:
    """Remove a folder, and those above it, as far as they are empty."""
    while folder != out:
        folder.rmdir()
        folder = folder.parent


def _files_below(folder: Path) -> set[str]:
    found = set()
    for path, folders, names in os.walk(folder):
        if Path(path) == folder:
            folders[:] = [name for name in folders if name not in KEPT_NAMES]
        found |= {(Path(path) / name).relative_to(folder).as_posix() for name in names}
    return found - set(KEPT_NAMES)
