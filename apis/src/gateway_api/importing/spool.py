"""Records that were checked and wait to be stored."""

from __future__ import annotations

import marshal
import struct
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress

from gateway_api.errors import SetupError
from gateway_api.store.recording import Prepared

_MEMORY_BYTES = 67_108_864
"""What is kept in memory; more is kept in an unnamed temporary file."""

_HEAD = struct.Struct("<Q")

Entry = tuple[int, Prepared]
"""A workspace, and what is stored in it."""


class Spool:
    """Blocks of entries that wait to be stored: in memory up to a limit, then in a temporary file without a name."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(_MEMORY_BYTES)  # noqa: SIM115 - closed by `close`

    def add(self, records: bytes) -> None:
        """Keep a block, see `Examined.records`.

        Raises:
            SetupError: There is no room for it.
        """
        try:
            self._file.write(_HEAD.pack(len(records)))
            self._file.write(records)
        except OSError as error:
            raise SetupError(
                f"The temporary folder {tempfile.gettempdir()} cannot hold the file while it is checked: "
                f"{error.strerror}. Nothing was imported; TMPDIR names another folder."
            ) from error

    def read(self, workspaces: Mapping[str | None, int]) -> Iterator[Entry]:
        """Give back all entries in their order.

        Args:
            workspaces: Name → row.
        """
        self._file.seek(0)
        while head := self._file.read(_HEAD.size):
            (length,) = _HEAD.unpack(head)
            # Written by this process, or by one that it has started.
            for name, *values in marshal.loads(self._file.read(length)):  # noqa: S302 - as above
                yield workspaces[name], Prepared._make(values)

    def close(self) -> None:
        """Delete the file."""
        with suppress(OSError):  # what could not be written is of no use any more
            self._file.close()
