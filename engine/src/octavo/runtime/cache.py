"""What earlier builds have worked out, by the hash of what it was made of.

A cache that cannot be read or written costs time, never the build: a bad entry is a miss.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from octavo.errors import CacheLostError

T = TypeVar("T")

_CHECKSUM_BYTES = 4
"""Each table starts with its CRC-32."""


def digest(*parts: bytes | str) -> str:
    """Hash some parts, in order, to 24 hexadecimal digits."""
    pieces: list[bytes] = []
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        pieces += (len(data).to_bytes(8, "big"), data)
    return hashlib.sha256(b"".join(pieces)).hexdigest()[:24]


class Cache:
    """A folder of entries."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def part(self, name: str) -> Cache:
        """Give a cache within this one, whose packs are its own."""
        return Cache(self._folder / name)

    def load_table(self, name: str, type_: type[T], default: T) -> T:
        """Load a whole table; the default where there is none, or an unusable one."""
        return load_checked(self._folder / name, type_, default)

    def has_table(self, name: str) -> bool:
        """Return whether a table has been kept."""
        return (self._folder / name).is_file()

    def save_table(self, name: str, table: object) -> None:
        """Keep a table for the next build."""
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            save_checked(self._folder / name, table)

    def load_piece(self, place: PackPlace, type_: type[T]) -> T:
        """Load one entry of a pack.

        Raises:
            CacheLostError: somebody has removed or changed it since the table was loaded.
        """
        try:
            with (self._packs / place.pack).open("rb") as file:
                file.seek(place.offset)
                piece = file.read(place.size)
            entry = msgspec.msgpack.decode(piece, type=type_)
        except (OSError, msgspec.DecodeError, msgspec.ValidationError) as error:
            raise self._lost(place) from error
        if zlib.crc32(piece) != place.checksum:
            raise self._lost(place)
        return entry

    def save_pack(self, entries: Sequence[object]) -> list[PackPlace]:
        """Keep some entries in one file. Called by several processes at once.

        One file for a dozen entries: making a file costs as much as compiling half a page.

        Returns:
            Position of each entry.
        """
        pieces = [msgspec.msgpack.encode(entry) for entry in entries]
        name = digest(*pieces)
        try:
            self._packs.mkdir(parents=True, exist_ok=True)
            write_whole(self._packs / name, b"".join(pieces))
        except OSError as error:
            raise CacheLostError(f"{self._packs} cannot be written: {error.strerror}.") from error
        places, offset = [], 0
        for piece in pieces:
            places.append(PackPlace(name, offset, len(piece), zlib.crc32(piece)))
            offset += len(piece)
        return places

    def clear(self) -> None:
        """Remove everything."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def has_packs(self, names: Iterable[str]) -> set[str]:
        """Return which of some packs are there."""
        try:
            present = {entry.name for entry in os.scandir(self._packs)}
        except OSError:
            return set()
        return present.intersection(names)

    def drop_packs_but(self, names: set[str]) -> None:
        """Remove the packs in which nothing is of use any more."""
        with contextlib.suppress(OSError):
            for entry in os.scandir(self._packs):
                if entry.name not in names:
                    os.unlink(entry.path)  # noqa: PTH108

    def _lost(self, place: PackPlace) -> CacheLostError:
        return CacheLostError(f"{self._packs / place.pack} was lost or changed while the build ran. Build again.")

    @property
    def _packs(self) -> Path:
        return self._folder / "packs"


def open_cache(work_dir: Path) -> Cache:
    """Give the cache in a site's work folder."""
    return Cache(work_dir / "cache")


class PackPlace(msgspec.Struct, frozen=True, array_like=True):
    """Position of an entry."""

    pack: str
    offset: int
    """In bytes."""
    size: int
    """In bytes."""
    checksum: int
    """CRC-32 of the entry: damage that still decodes would be published."""


def load_checked(path: Path, type_: type[T], default: T) -> T:
    """Load a file that `save_checked` wrote; the default where there is none, or a damaged one."""
    try:
        data = path.read_bytes()
        # Damage that still decodes would be published, or would remove published files.
        if zlib.crc32(memoryview(data)[_CHECKSUM_BYTES:]) != int.from_bytes(data[:_CHECKSUM_BYTES], "big"):
            return default
        return msgspec.msgpack.decode(memoryview(data)[_CHECKSUM_BYTES:], type=type_)
    except (OSError, msgspec.DecodeError, msgspec.ValidationError):
        return default


def save_checked(path: Path, table: object) -> None:
    """Write a table as MessagePack, after its checksum.

    Raises:
        OSError: it cannot be written.
    """
    data = msgspec.msgpack.encode(table)
    write_whole(path, zlib.crc32(data).to_bytes(_CHECKSUM_BYTES, "big") + data)


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
