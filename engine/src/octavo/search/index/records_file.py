"""What the index keeps of each record, in files beside tantivy's, memory-mapped.

Pages that are equal in several versions have their texts in common: of each such page there is only its address, and what
its records have of their own.

Ranking reads the tokens of dozens of records for each search. Out of tantivy's store, which is compressed in blocks,
each would cost ten times as much.
"""

from __future__ import annotations

import errno
import mmap
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from struct import Struct
from typing import BinaryIO, Literal

import msgspec

from octavo.lazy import regex as re
from octavo.search.index.facts import Kind
from octavo.search.index.record import ObjectId, Record, RecordType, Weight, unpack_id
from octavo.search.index.record_text import Text

_PREFIX, _SUFFIX = "records-", ".bin"
_FORMAT = b"octavo-records 2"
"""At the beginning of each file: one of another format would be read wrongly."""

_FILE = 40
"""Bits of a place that are its offset; the higher bits are the number of the file."""

_HEAD = Struct("<IIIIBBiBIB")
"""Before the text of each record: bytes of its stream, of the part of the stream before the content, of its anchor with
`#`, of the rest; own attribute, flags; page rank, level, position; size. See `Text`."""

_SIZES = Struct("<IIII")
"""The first four of these."""

_COUNT = Struct("<I")
"""Before the records of a page, behind its address and what else they share: their number."""

_OWN = Struct("<QIII8sI")
"""Of each record, one behind the other: offset of its text, bytes from the address of its page to here, of that address,
its number in the page, its id; see `ObjectId`."""

_TEXT_PLACE = Struct("<Q")
"""The first of these."""

_PLACES = Struct("<QII")
"""The first three of these."""

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
        return self._load_next(self._place)


class PageFields(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What the records of a page share beside its address, and pages that are equal otherwise do not."""

    language: str
    version: str | None
    tag: str
    section: str

    @staticmethod
    def of(record: Record) -> PageFields:
        """Take it from one of the records."""
        return PageFields(record.language, record.version, record.tag, record.section)


class _Rest(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What else a record has, which is the same in equal pages."""

    type: RecordType
    content: str | None
    hierarchy: list[str | None]
    kind: Kind
    weight: Weight


class _Beginning(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The first fields of a `_Rest`: what a heading needs of the text below it, without the cost of the others."""

    type: str
    content: str | None


Sign = tuple[Literal["whole", "above", "content"], re.Pattern[bytes]]
"""What the tokens of a record must hold, and where: anywhere, before the content, in the content."""

LoadRecord = Callable[[int], Record]
LoadNext = Callable[[int], str | None]


def encode_text(text: Text, record: Record, *, is_generated: bool) -> bytes:
    """Encode what a record has in common with those of equal pages."""
    anchor = f"#{record.anchor}".encode() if record.anchor else b""
    rest = _encode(_Rest(record.type, record.content, record.hierarchy, record.kind, record.weight))
    flags = _IS_CODE * text.is_code | _IS_GENERATED * is_generated | _HAS_NAMES * text.has_names
    sizes = (len(text.stream), text.content_start, len(anchor), len(rest))
    return b"".join((_HEAD.pack(*sizes, text.own, flags, *text.custom, text.size), text.stream, anchor, rest))


class RecordsWriter:
    """Writes a file more; those that a base has brought are left as they are."""

    def __init__(self, folder: Path) -> None:
        """Begin a file.

        Raises:
            OSError: it cannot be written.
        """
        self._number = len(_files(folder))
        self._file: BinaryIO = (folder / f"{_PREFIX}{self._number}{_SUFFIX}").open("xb")
        self._offset = self._file.write(_FORMAT)

    def add_texts(self, texts: bytes) -> int:
        """Write the texts of a page, one after another; give the offset of the first.

        Raises:
            OSError: the disk is full, or the like.
        """
        offset = self._offset
        self._offset += self._file.write(texts)
        return offset

    def add_page(self, url: str, fields: PageFields, texts: Sequence[int], ids: Sequence[ObjectId]) -> range:
        """Write the records of a page, whose texts are written; give their places.

        Args:
            url: Address of the page.
            fields: What else its records share.
            texts: Offset of the text of each record.
            ids: Id of each record.

        Raises:
            OSError: the disk is full, or the like.
        """
        address, pack, size = url.encode(), _OWN.pack, _OWN.size
        page = b"".join((address, _encode(fields), _COUNT.pack(len(ids))))
        own = [
            pack(text, len(page) + number * size, len(address), number, *id_)
            for number, (text, id_) in enumerate(zip(texts, ids, strict=True))
        ]
        start = self._number << _FILE | self._offset + len(page)
        self._offset += self._file.write(b"".join((page, *own)))
        return range(start, start + len(own) * size, size)

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
        maps, load, load_next, unpack, head = self._maps, self.record, self.text_behind, _HEAD.unpack_from, _HEAD.size
        unpack_places = _PLACES.unpack_from
        loaded = []
        for place in places:
            content, own_place = maps[place >> _FILE], place & _OFFSET
            start, back, length = unpack_places(content, own_place)
            stream, content_start, anchor, _, own, flags, rank, level, position, size = unpack(content, start)
            start += head
            end = start + stream
            custom = rank, level, position
            text = Text(
                content[start:end], content_start, flags & _HAS_NAMES > 0, own, flags & _IS_CODE > 0, custom, size
            )
            address = own_place - back
            url = (content[address : address + length] + content[end : end + anchor]).decode()
            loaded.append(Candidate(text, url, place, load, load_next, flags & _IS_GENERATED > 0))
        return loaded

    def showing(self, places: Sequence[int], signs: Sequence[Sign]) -> Iterator[int]:
        """Tell which of the records at these places show all signs, by their indexes. A hundred thousand take a tenth of a second."""
        maps, unpack, head, text_place = self._maps, _SIZES.unpack_from, _HEAD.size, _TEXT_PLACE.unpack_from
        for index, place in enumerate(places):
            content = maps[place >> _FILE]
            (start,) = text_place(content, place & _OFFSET)
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
        content, own_place = self._maps[place >> _FILE], place & _OFFSET
        start, back, length, number, *id_ = _OWN.unpack_from(content, own_place)
        address = own_place - back
        url = content[address : address + length].decode()
        fields = _decode_fields(content[address + length : own_place - number * _OWN.size - _COUNT.size])
        start, anchor_end, end = _parts_of_text(content, start)
        anchor = content[start:anchor_end].decode()
        rest = _decode_rest(content[anchor_end:end])
        return Record(
            object_id=unpack_id(*id_),
            url=url + anchor,
            url_without_anchor=url,
            anchor=anchor[1:],
            type=rest.type,
            content=rest.content,
            hierarchy=rest.hierarchy,
            language=fields.language,
            version=fields.version,
            tag=fields.tag,
            kind=rest.kind,
            section=fields.section,
            weight=rest.weight,
        )

    def text_behind(self, place: int) -> str | None:
        """Load the text of the record behind another in its page; None where that is a heading, or there is none."""
        content, own_place = self._maps[place >> _FILE], place & _OFFSET
        _, _, _, number, _, _ = _OWN.unpack_from(content, own_place)
        (count,) = _COUNT.unpack_from(content, own_place - number * _OWN.size - _COUNT.size)
        if number + 1 == count:
            return None
        _, anchor_end, end = _parts_of_text(content, *_TEXT_PLACE.unpack_from(content, own_place + _OWN.size))
        return _decode_beginning(content[anchor_end:end]).content


def _parts_of_text(content: mmap.mmap, start: int) -> tuple[int, int, int]:
    """Find where, in the text of a record, its anchor begins, where the rest does, and where that ends."""
    stream, _, anchor, rest = _SIZES.unpack_from(content, start)
    start += _HEAD.size + stream
    return start, start + anchor, start + anchor + rest


_OFFSET = (1 << _FILE) - 1
_encode = msgspec.msgpack.Encoder().encode
_decode_rest = msgspec.msgpack.Decoder(_Rest).decode
_decode_fields = msgspec.msgpack.Decoder(PageFields).decode
_decode_beginning = msgspec.msgpack.Decoder(_Beginning).decode


def _files(folder: Path) -> list[Path]:
    """List the files by number."""
    return sorted(folder.glob(f"{_PREFIX}*{_SUFFIX}"), key=lambda file: int(file.stem.removeprefix(_PREFIX)))


def _map(file: Path) -> mmap.mmap:
    with file.open("rb") as opened:
        if opened.read(len(_FORMAT)) != _FORMAT:
            raise OSError(errno.EINVAL, "It was made by another version of Octavo", str(file))
        return mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
