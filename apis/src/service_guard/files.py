"""Files that a user names."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

_NO_LINKS = frozenset((errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK))
"""What file systems answer that have no hard links, such as those of USB sticks."""


def read_regular(path: Path) -> bytes:
    """Read a whole file; a pipe in its place would keep the program waiting, a device would never end.

    Raises:
        OSError: It cannot be read, or is a folder, a pipe or a device; its `strerror` says which.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "Is a directory" if stat.S_ISDIR(mode) else "Is not a regular file", str(path))
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read()
    finally:
        # Not left to `fdopen`, which refuses a folder without closing its descriptor.
        os.close(descriptor)


def move_to_new(draft: Path, target: Path) -> None:
    """Give a file its name, and never replace another one.

    Raises:
        OSError: A file of that name has come meanwhile, or the folder cannot be written.
    """
    try:
        os.link(draft, target)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target)) from None
        draft.rename(target)
    else:
        draft.unlink()
