"""The postings of all words, of which an update reads and writes those that it changes, and their neighbours."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

_MOST_INSERTED = 500
"""Words that are put into a list one by one; with more, sorting all costs less."""


class EntryStore(Protocol):
    """Holds the entries of the words of each file, in the order of the words."""

    def load(self, number: int) -> list[bytes]:
        """Load those of one file.

        Raises:
            LookupError: they are lost.
        """

    def save(self, entries: list[bytes]) -> int:
        """Keep those of one file: the number under which `load` finds them."""


class EntriesInMemory:
    """A store that is of no use later."""

    def __init__(self) -> None:
        self._saved: list[list[bytes]] = []

    def load(self, number: int) -> list[bytes]:
        return self._saved[number]

    def save(self, entries: list[bytes]) -> int:
        self._saved.append(entries)
        return len(self._saved) - 1


class Entries:
    """Word → its postings, as `entry_line` writes them for each page. A collection of all words."""

    def __init__(self, words: Sequence[str], starts: Sequence[int], numbers: Sequence[int], store: EntryStore) -> None:
        """Begin with those of the index before.

        Args:
            words: All, sorted.
            starts: Place of the first word of each file.
            numbers: Of the entries of each file in the store.
            store: Holds them.
        """
        self.before = words
        self._starts = starts
        self._firsts = [words[start] for start in starts]
        self._numbers = numbers
        self._store = store
        self._read: dict[int, dict[str, bytes]] = {}
        self._now: defaultdict[str, bytes | bytearray] = defaultdict(bytearray)
        """Words whose entries are not those of the index before; empty for words that are no more."""

    def get(self, word: str) -> bytes:
        """Give the entry of a word; an empty one where there is none.

        Raises:
            LookupError: the entries of its file are lost.
        """
        entry = self._now.get(word)
        if entry is not None:
            return bytes(entry)
        if not self._firsts:
            return b""
        place = max(0, bisect_right(self._firsts, word) - 1)
        known = self._read.get(place)
        if known is None:
            words = self.before[self._starts[place] : self._end_of(place)]
            entries = self._store.load(self._numbers[place])
            if len(words) != len(entries):
                raise LookupError(word)
            known = self._read[place] = dict(zip(words, entries, strict=True))
        return known.get(word, b"")

    def put(self, word: str, entry: bytes) -> None:
        """Put another entry in the place of that of a word; an empty one removes the word."""
        self._now[word] = entry

    def append(self, lines: Iterable[tuple[str, bytes]]) -> None:
        """Add lines to the entries of words in an index without one before."""
        now = self._now
        for word, line in lines:
            now[word] += line

    def save(self, words: Sequence[str]) -> int:
        """Keep the entries of the words of a file: their number in the store."""
        return self._store.save([self.get(word) for word in words])

    def is_changed(self, words: Sequence[str]) -> bool:
        """Return whether one of some words has another entry than before."""
        return not self._now.keys().isdisjoint(words)

    def differs(self, word: str) -> bool:
        """Return whether a word has another entry than before."""
        return word in self._now

    def touched(self) -> list[str]:
        """List the words that have come or gone since the last build, sorted."""
        return sorted([word for word, entry in self._now.items() if bool(entry) != self._was(word)])

    def words(self, touched: Sequence[str]) -> Sequence[str]:
        """List all words, sorted: the list of the last build itself if no word has come or gone.

        Args:
            touched: The words that have come or gone, as `touched` lists them.
        """
        if not touched:
            return self.before
        return with_and_without(self.before, touched)

    def __contains__(self, word: object) -> bool:
        entry = self._now.get(word) if isinstance(word, str) else None
        return bool(entry) if entry is not None else isinstance(word, str) and self._was(word)

    def __iter__(self) -> Iterator[str]:
        return iter(self.words(self.touched()))

    def __len__(self) -> int:
        return len(self.words(self.touched()))

    def _was(self, word: str) -> bool:
        place = bisect_left(self.before, word)
        return place < len(self.before) and self.before[place] == word

    def _end_of(self, place: int) -> int:
        return self._starts[place + 1] if place + 1 < len(self._starts) else len(self.before)


def with_and_without(words: Sequence[str], touched: Sequence[str]) -> Sequence[str]:
    """Add the new ones of some words to a sorted list, and take away those that were in it."""
    if len(touched) > _MOST_INSERTED:
        return sorted(frozenset(words).symmetric_difference(touched))
    now = list(words)
    for word in touched:
        place = bisect_left(now, word)
        if place < len(now) and now[place] == word:
            del now[place]
        else:
            now.insert(place, word)
    return now
