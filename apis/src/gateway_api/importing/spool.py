"""Records that were checked and wait to be stored."""

from __future__ import annotations

import marshal
import struct
import tempfile
from collections.abc import Iterator
from typing import Any

from gateway_api.store.recording import Prepared

_MEMORY_BYTES = 67_108_864
"""What is kept in memory; more is kept in an unnamed temporary file."""

_BLOCK = 100
"""Entries that are encoded together."""

_HEAD = struct.Struct("<Q")

Entry = tuple[int, Prepared]
"""A workspace, and what is stored in it."""


class Spool:
    """Entries that wait to be stored: in memory up to a limit, then in a temporary file without a name."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(_MEMORY_BYTES)  # noqa: SIM115 - closed by `close`
        self._block: list[tuple[int, tuple[Any, ...]]] = []

    def add(self, workspace_id: int, prepared: Prepared) -> None:
        """Keep an entry."""
        self._block.append((workspace_id, tuple(prepared)))
        if len(self._block) >= _BLOCK:
            self._write()

    def read(self) -> Iterator[Entry]:
        """Give back all entries in their order."""
        self._write()
        self._file.seek(0)
        while head := self._file.read(_HEAD.size):
            (length,) = _HEAD.unpack(head)
            for workspace_id, prepared in marshal.loads(self._file.read(length)):  # noqa: S302 - written by this process
                yield workspace_id, Prepared._make(prepared)

    def close(self) -> None:
        """Delete the file."""
        self._file.close()

    def _write(self) -> None:
        data = marshal.dumps(self._block)
        self._file.write(_HEAD.pack(len(data)))
        self._file.write(data)
        self._block = []
