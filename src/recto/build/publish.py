"""Put a finished build in the place of the old one, in one step.

The new folder is made beside the old one and the two are exchanged by the file system. Whoever fails or is
killed before that leaves the old folder as it was; unchanged files are hard links, so that a rebuild writes
only what changed.
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import sys
from pathlib import Path

from recto.errors import PublishError

_RENAME_EXCHANGE = 2
_AT_FDCWD = -100


def make_staging(out: Path) -> Path:
    """Make an empty folder beside the output folder, after clearing away those of builds that were killed.

    Raises:
        PublishError: the output is a file, or its parent can't be written.
    """
    if out.exists() and not out.is_dir():
        raise PublishError(f"{out} is a file; name a folder with --out.")
    if out.is_dir() and any(out.iterdir()) and not (out / "_recto").is_dir():
        raise PublishError(
            f"{out} holds files that Recto has not written. Name another folder with --out, or empty this one."
        )
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        for old in out.parent.glob(f".{out.name}.staging-*"):
            if not _is_alive(old.name.rpartition("-")[2]):
                shutil.rmtree(old, ignore_errors=True)
        staging = out.parent / f".{out.name}.staging-{os.getpid()}"
        shutil.rmtree(staging, ignore_errors=True)
        staging.mkdir()
    except OSError as error:
        raise PublishError(f"{out.parent} cannot be written: {error.strerror}.") from error
    return staging


def reuse_file(out: Path, staging: Path, address: str) -> bool:
    """Take a file over from the published folder, as a hard link where the file system has them.

    Returns:
        False when it is not there any more.
    """
    source, target = f"{out}/{address}", f"{staging}/{address}"
    try:
        os.link(source, target)
    except FileNotFoundError:
        if not os.path.exists(source):  # noqa: PTH110 - strings: this runs for every file of the site
            return False
        os.makedirs(os.path.dirname(target), exist_ok=True)  # noqa: PTH103, PTH120
        return reuse_file(out, staging, address)
    except FileExistsError:
        return True
    except OSError:
        shutil.copyfile(source, target)
    return True


def exchange(staging: Path, out: Path) -> None:
    """Put the staging folder in the place of the output folder and remove the old one.

    Raises:
        PublishError: the file system refused; the old folder is in its place.
    """
    try:
        if not out.exists():
            staging.rename(out)
            return
        if not _exchange_in_one_step(staging, out):
            _exchange_in_two_steps(staging, out)
    except OSError as error:
        raise PublishError(f"{out} cannot be replaced: {error.strerror}. The old one is untouched.") from error
    shutil.rmtree(staging, ignore_errors=True)


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
