"""What the index keeps of each record, in files beside tantivy's, memory-mapped.

Ranking reads the tokens of dozens of records for each search. Out of tantivy's store, which is compressed in blocks,
each would cost ten times as much.
"""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from struct import Struct
from typing import BinaryIO, Literal

import msgspec

from octavo.search.index.record import Record
from octavo.search.index.record_text import Text

_PREFIX, _SUFFIX = "records-", ".bin"
_FILE = 40
"""Bits of a place that are its offset; the higher bits are the number of the file."""

_HEAD = Struct("<IIIIBBiBIB")
"""Before each entry: bytes of its stream, of what stands in this before the content, of its address, of its record; own
attribute, flags; page rank, level, position; size. See `Text`."""

_SIZES = Struct("<IIII")
"""The first four of these."""

_IS_CODE, _IS_GENERATED, _HAS_NAMES = 1, 2, 4


class Candidate:
    """A record of which only the tokens have been loaded."""

    __slots__ = ("_load", "_load_next", "_place", "is_generated", "text", "url")

    def __init__(
        self, text: Text, url: str, place: int, load: LoadRecord, load_next: LoadNext, is_generated: bool
    ) -> None:
        self.text = text
        self.url = url
        self.is_generated = is_generated
        """Its page was made from a description: of an API, of commands."""
        self._place = place
        self._load = load
        self._load_next = load_next

    @property
    def page(self) -> str:
        """Address without its anchor."""
        return self.url.partition("#")[0]

    @property
    def record(self) -> Record:
        """The whole record, loaded at each call."""
        return self._load(self._place)

    @property
    def text_below(self) -> str | None:
        """For a heading: the text that follows it, loaded at each call; None where another heading follows."""
        following = self._load_next(self._place)
        return following.content if following is not None and following.url_without_anchor == self.page else None


class Beginning(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The first fields of a `Record`: what a heading needs of the text below it, without the cost of the others."""

    object_id: str
    url: str
    url_without_anchor: str
    anchor: str
    type: str
    content: str | None


Sign = tuple[Literal["whole", "above", "content"], re.Pattern[bytes]]
"""What the tokens of a record must hold, and where: anywhere, before the content, in the content."""

LoadRecord = Callable[[int], Record]
LoadNext = Callable[[int], Beginning | None]


def encode_entry(text: Text, record: Record, *, is_generated: bool) -> bytes:
    """Encode what is kept of a record."""
    url, whole = record.url.encode(), _encode(record)
    flags = _IS_CODE * text.is_code | _IS_GENERATED * is_generated | _HAS_NAMES * text.has_names
    sizes = (len(text.stream), text.content_start, len(url), len(whole))
    return b"".join((_HEAD.pack(*sizes, text.own, flags, *text.custom, text.size), text.stream, url, whole))


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

    def candidates(self, places: Sequence[int]) -> list[Candidate]:
        """Load what ranking needs of the records at these places."""
        maps, load, load_next, unpack, head = self._maps, self.record, self.next_record, _HEAD.unpack_from, _HEAD.size
        loaded = []
        for place in places:
            content, start = maps[place >> _FILE], place & _OFFSET
            stream, content_start, url, _, own, flags, rank, level, position, size = unpack(content, start)
            start += head
            end = start + stream
            custom = rank, level, position
            text = Text(
                content[start:end], content_start, flags & _HAS_NAMES > 0, own, flags & _IS_CODE > 0, custom, size
            )
            loaded.append(
                Candidate(text, content[end : end + url].decode(), place, load, load_next, flags & _IS_GENERATED > 0)
            )
        return loaded

    def showing(self, places: Sequence[int], signs: Sequence[Sign]) -> Iterator[int]:
        """Tell which of the records at these places show all signs, by their indexes. A hundred thousand take a tenth of a second."""
        maps, unpack, head = self._maps, _SIZES.unpack_from, _HEAD.size
        for index, place in enumerate(places):
            content, start = maps[place >> _FILE], place & _OFFSET
            stream, content_start, _, _ = unpack(content, start)
            start += head
            middle, end = start + content_start, start + stream
            for part, pattern in signs:
                first, last = middle if part == "content" else start, middle if part == "above" else end
                if pattern.search(content, first, last) is None:
                    break
            else:
                yield index

    def record(self, place: int) -> Record:
        """Load a record."""
        content, start = self._maps[place >> _FILE], place & _OFFSET
        stream, _, url, size = _SIZES.unpack_from(content, start)
        start += _HEAD.size + stream + url
        return _decode_record(content[start : start + size])

    def next_record(self, place: int) -> Beginning | None:
        """Load of the record behind another in its file the beginning; None at the end. It may be one that is no longer found."""
        content, start = self._maps[place >> _FILE], place & _OFFSET
        stream, _, url, size = _SIZES.unpack_from(content, start)
        start += _HEAD.size + stream + url + size
        if start >= len(content):
            return None
        stream, _, url, size = _SIZES.unpack_from(content, start)
        start += _HEAD.size + stream + url
        return _decode_beginning(content[start : start + size])


_OFFSET = (1 << _FILE) - 1
_encode = msgspec.msgpack.Encoder().encode
_decode_record = msgspec.msgpack.Decoder(Record).decode
_decode_beginning = msgspec.msgpack.Decoder(Beginning).decode


def _files(folder: Path) -> list[Path]:
    """List the files by number."""
    return sorted(folder.glob(f"{_PREFIX}*{_SUFFIX}"), key=lambda file: int(file.stem.removeprefix(_PREFIX)))


def _map(file: Path) -> mmap.mmap | bytes:
    with file.open("rb") as opened:
        if not os.fstat(opened.fileno()).st_size:  # cannot be mapped
            return b""
        return mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
