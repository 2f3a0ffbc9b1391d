"""The file of a SQLite database, made before SQLite opens it."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

from gateway_api.errors import SetupError

HOW_TO_NAME = "name the one that your server uses with --database-url or $GATEWAY_DATABASE_URL"
"""What to do where a command has found no database of this program."""


def prepare_file(name: str | None, *, must_exist: bool) -> Path:
    """Make the file of a SQLite database before SQLite does, so that only its owner can read it.

    SQLite gives its log the same permissions. A file that has content may be another program's; `keep_private` waits
    until that is known.

    Raises:
        SetupError: No file is named, or it must exist and does not, or it cannot be made.
    """
    if not name or name == ":memory:":
        raise SetupError("The database needs a file: sqlite:///FILE.")
    path = Path(name).absolute()
    if must_exist and not path.is_file():
        raise SetupError(f"There is no database {path}; {HOW_TO_NAME}.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise SetupError(f"The database's folder {path.parent} cannot be made: {error.strerror}.") from error
    _check_kind(path)
    with suppress(OSError):  # a file that cannot be opened is reported by the first transaction
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        if not path.stat().st_size:
            take_from_others(path)
    return path


def take_from_others(path: Path) -> None:
    """Take the permissions on a file and its log from everybody but their owner."""
    for file in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        with suppress(OSError):  # it belongs to another user, or is not there
            if file.stat().st_mode & 0o077:
                file.chmod(0o600)


def _check_kind(path: Path) -> None:
    """Refuse what is there and is not a file: SQLite would report a failing disk, or wait for a lock.

    Raises:
        SetupError: It is a folder, a pipe or a device, or a link that leads nowhere near.
    """
    try:
        mode = path.stat().st_mode
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise SetupError(f"The database {path} cannot be opened: {error.strerror}.") from error
        return  # a new file, or one that is reported by the first transaction
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
        raise SetupError(f"The database {path} is {kind}; name a file.")
