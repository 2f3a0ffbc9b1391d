"""The postings of all words between builds, of which a build reads and writes only those that it changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec

from octavo.errors import CacheLostError
from octavo.runtime import Cache, PackPlace

if TYPE_CHECKING:
    from octavo.search import Stored

_TABLE = "entries.msgpack"

_PACK_BYTES = 4_000_000
"""Entries are written to disk in pieces of this size, so that those of a large site need not be in memory."""

_MOST_PACKS = 32
"""With more than these and those of a whole index, most of what they hold is of no use any more, and all is written anew."""


class _Kept(msgspec.Struct, frozen=True):
    """The entries of one index."""

    root: str = ""
    """Name of its root."""
    places: list[PackPlace] = []
    """Of the entries of each of its files of words."""


class EntryPacks:
    """An `EntryStore` in the packs of a cache of its own."""

    def __init__(self, cache: Cache) -> None:
        """Begin without entries.

        Args:
            cache: Of the site.
        """
        self._cache = cache.part("search")
        self._places: list[PackPlace] = []
        self._waiting: list[list[bytes]] = []
        self._size = 0

    def begin(self, root: str) -> bool:
        """Take over the entries of an index; gives whether they are there."""
        kept = self._cache.load_table(_TABLE, _Kept, _Kept())
        self._places = kept.places if kept.root == root else []
        return kept.root == root

    def clear(self) -> None:
        """Forget all entries, because one of them is lost."""
        self._places, self._waiting, self._size = [], [], 0

    def load(self, number: int) -> list[bytes]:
        """See `EntryStore`."""
        if number >= len(self._places):
            return self._waiting[number - len(self._places)]
        try:
            return self._cache.load_piece(self._places[number], list[bytes])
        except CacheLostError as error:
            raise LookupError(str(error)) from error

    def save(self, entries: list[bytes]) -> int:
        """See `EntryStore`."""
        self._waiting.append(entries)
        self._size += sum(map(len, entries))
        number = len(self._places) + len(self._waiting) - 1
        if self._size > _PACK_BYTES:
            self._write()
        return number

    def keep(self, stored: Stored) -> Stored:
        """Keep the entries of an index, and no others.

        Returns:
            The index, with the numbers that its entries have from now on.

        Raises:
            LookupError: some are lost.
        """
        self._write()
        places = [self._places[number] for number in stored.entries]
        packs = {place.pack for place in places}
        if len(packs) > _MOST_PACKS + sum([place.size for place in places]) // _PACK_BYTES:
            loaded = map(self.load, stored.entries)
            places = [place for some in _in_packs(loaded) for place in self._cache.save_pack(some)]
        self._places = places
        self._cache.save_table(_TABLE, _Kept(stored.root, places))
        self._cache.drop_packs_but({place.pack for place in places})
        return msgspec.structs.replace(stored, entries=list(range(len(places))))

    def _write(self) -> None:
        if self._waiting:
            self._places += self._cache.save_pack(self._waiting)
            self._waiting, self._size = [], 0


def _in_packs(entries: Iterable[list[bytes]]) -> Iterator[list[list[bytes]]]:
    """Gather the entries of files, so that each pack has the usual size."""
    some: list[list[bytes]] = []
    size = 0
    for one in entries:
        some.append(one)
        size += sum(map(len, one))
        if size > _PACK_BYTES:
            yield some
            some, size = [], 0
    if some:
        yield some
