"""What the index keeps of each record, in files beside tantivy's, memory-mapped.

Ranking reads the tokens of dozens of records for each search. Out of tantivy's store, which is compressed in blocks,
each would cost ten times as much.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Sequence
from pathlib import Path
from struct import Struct
from typing import BinaryIO

import msgspec

from recto.search.ranking import Text
from recto.search.record import Record

_PREFIX, _SUFFIX = "records-", ".bin"
_FILE = 40
"""Bits of a place that are its offset; above them stands the number of the file."""

_SIZES = Struct("<II")
"""Before each entry: the bytes of its tokens, and of its record."""


class Tokens(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What ranking needs of a record."""

    text: Text
    url: str
    is_generated: bool
    """Its page was made from a description: of an API, of commands."""


def encode_entry(tokens: Tokens, record: Record) -> bytes:
    """Encode what is kept of a record."""
    encoded, whole = _encode(tokens), _encode(record)
    return _SIZES.pack(len(encoded), len(whole)) + encoded + whole


class RecordsWriter:
    """Writes a file more; those that a base has brought are left as they are."""

    def __init__(self, folder: Path) -> None:
        """Begin a file.

        Raises:
            OSError: it cannot be written.
        """
        self._number = len(_files(folder))
        self._file: BinaryIO = (folder / f"{_PREFIX}{self._number}{_SUFFIX}").open("xb")
        self._offset = 0

    def add(self, content: bytes) -> int:
        """Write entries, one after another; give the place of the first.

        Raises:
            OSError: the disk is full, or the like.
        """
        place = self._number << _FILE | self._offset
        self._file.write(content)
        self._offset += len(content)
        return place

    def close(self) -> None:
        """Write everything to disk.

        Raises:
            OSError: the disk is full, or the like.
        """
        self._file.close()


class RecordsReader:
    """All files of an index."""

    def __init__(self, folder: Path) -> None:
        """Open them.

        Raises:
            OSError: one cannot be read.
        """
        self._maps = [_map(file) for file in _files(folder)]

    def tokens(self, places: Sequence[int]) -> list[Tokens]:
        """Load the tokens that stand at these places."""
        maps = self._maps
        loaded = []
        for place in places:
            content = maps[place >> _FILE]
            start = place & _OFFSET
            size, _ = _SIZES.unpack_from(content, start)
            start += _SIZES.size
            loaded.append(_decode_tokens(content[start : start + size]))
        return loaded

    def record(self, place: int) -> Record:
        """Load a record."""
        content = self._maps[place >> _FILE]
        start = place & _OFFSET
        before, size = _SIZES.unpack_from(content, start)
        start += _SIZES.size + before
        return _decode_record(content[start : start + size])


_OFFSET = (1 << _FILE) - 1
_encode = msgspec.msgpack.Encoder().encode
_decode_tokens = msgspec.msgpack.Decoder(Tokens).decode
_decode_record = msgspec.msgpack.Decoder(Record).decode


def _files(folder: Path) -> list[Path]:
    """List the files by number."""
    return sorted(folder.glob(f"{_PREFIX}*{_SUFFIX}"), key=lambda file: int(file.stem.removeprefix(_PREFIX)))


def _map(file: Path) -> mmap.mmap | bytes:
    with file.open("rb") as opened:
        if not os.fstat(opened.fileno()).st_size:  # cannot be mapped
            return b""
        return mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
