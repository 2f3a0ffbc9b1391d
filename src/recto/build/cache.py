"""What earlier builds have worked out, by the hash of what it was made of.

A cache that cannot be read or written costs time, never the build: a bad entry is a miss.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec

from recto._version import __version__

T = TypeVar("T")
_PACKAGE = Path(__file__).resolve().parent.parent


def digest(*parts: bytes | str) -> str:
    """Hash some parts, in order, to 24 hexadecimal digits."""
    hasher = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        hasher.update(len(data).to_bytes(8, "big"))
        hasher.update(data)
    return hasher.hexdigest()[:24]


@cache
def code_version(*packages: str) -> str:
    """Name the code of some of our packages, so that what other code has made is not taken for its own.

    Size and time of the source files stand for their content: reading them all would cost more than it saves.
    """
    parts = [__version__]
    for package in packages:
        for entry in sorted(os.scandir(_PACKAGE / package), key=lambda entry: entry.name):
            if entry.name.endswith(".py"):
                stat = entry.stat()
                parts.append(f"{entry.name} {stat.st_size} {stat.st_mtime_ns}")
    return digest(*parts)


class Cache:
    """A folder of entries."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load_table(self, name: str, type_: type[T], default: T) -> T:
        """Load a whole table; the default where there is none, or an unusable one."""
        try:
            return msgspec.msgpack.decode((self._folder / name).read_bytes(), type=type_)
        except (OSError, msgspec.DecodeError, msgspec.ValidationError):
            return default

    def save_table(self, name: str, table: object) -> None:
        """Keep a table for the next build."""
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._folder / name, msgspec.msgpack.encode(table))

    def load_entry(self, key: str, type_: type[T]) -> T | None:
        """Load one entry, or None."""
        try:
            return msgspec.msgpack.decode(self._path(key).read_bytes(), type=type_)
        except (OSError, msgspec.DecodeError, msgspec.ValidationError):
            return None

    def save_entry(self, key: str, entry: object) -> None:
        """Keep one entry. Called by several processes at once, each with keys of its own."""
        path = self._path(key)
        content = msgspec.msgpack.encode(entry)
        try:
            path.write_bytes(content)
        except OSError:
            with contextlib.suppress(OSError):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)

    def drop_entries(self, keys: Iterable[str]) -> None:
        """Forget entries that nothing refers to any more."""
        for key in keys:
            with contextlib.suppress(OSError):
                self._path(key).unlink()

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / key


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole or not at all."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(name, path)  # noqa: PTH105 - a plain name, replaced in one step
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)  # noqa: PTH108
        raise
