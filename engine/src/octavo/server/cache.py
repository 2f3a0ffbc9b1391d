"""Two places for what was costly to make: memory, bounded by bytes, and a folder that outlives the process."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections import OrderedDict
from collections.abc import Container
from pathlib import Path


class MemoryCache:
    """Content by key; evicts the least recently used entry when the cache is full."""

    def __init__(self, capacity_bytes: int) -> None:
        self._capacity_bytes = capacity_bytes
        self._size_bytes = 0
        self._contents: OrderedDict[str, bytes] = OrderedDict()

    def get(self, key: str) -> bytes | None:
        content = self._contents.get(key)
        if content is not None:
            self._contents.move_to_end(key)
        return content

    def put(self, key: str, content: bytes) -> None:
        """Keep a content; one that is larger than the whole cache is not kept."""
        self.remove(key)
        if len(content) > self._capacity_bytes:
            return
        self._contents[key] = content
        self._size_bytes += len(content)
        while self._size_bytes > self._capacity_bytes:
            _, oldest = self._contents.popitem(last=False)
            self._size_bytes -= len(oldest)

    def remove(self, key: str) -> None:
        if (content := self._contents.pop(key, None)) is not None:
            self._size_bytes -= len(content)


class DiskCache:
    """Content by key in a folder.

    An entry that cannot be read, or is not whole, is a miss; one that cannot be written costs time at the next
    start, nothing else. Keys are file names: `{hash}.{what}`. An entry is a checksum of 16 bytes and the content.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, key: str) -> bytes | None:
        try:
            entry = self._path(key).read_bytes()
        except OSError:
            return None
        content = entry[16:]
        return content if entry[:16] == _checksum(content) else None

    def put(self, key: str, content: bytes) -> None:
        path = self._path(key)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor, temporary = tempfile.mkstemp(dir=path.parent)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(_checksum(content) + content)
                os.replace(temporary, path)  # noqa: PTH105 - two processes may write one entry; each sees a whole one
            except OSError:
                os.unlink(temporary)  # noqa: PTH108
                raise

    def remove(self, key: str) -> None:
        with contextlib.suppress(OSError):
            self._path(key).unlink()

    def prune(self, hashes: Container[str]) -> None:
        """Remove what belongs to none of these contents."""
        with contextlib.suppress(OSError):
            for path in self._folder.glob("??/*"):
                if path.name.partition(".")[0] not in hashes:
                    path.unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / key


def _checksum(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()[:16]
