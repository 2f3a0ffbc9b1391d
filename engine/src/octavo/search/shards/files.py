"""How an index is cut into files: names by content, and cuts that a change in one place does not move elsewhere."""

from __future__ import annotations

import base64
import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count, pairwise
from pathlib import PurePosixPath
from typing import Any, Protocol
from zlib import crc32

import msgspec

from octavo.manifest import hash_content

SHARDS_FOLDER = "_octavo/files/find"
"""Path of the files, from the published folder; `_headers` tells hosts that files below `_octavo/files` never change."""

MODE_PATH = "_octavo/find.json"
"""Path of the file that says whether a server answers searches, and where the static index begins."""

FORMAT = 8
"""Of the files; a script that knows another one leaves them alone."""

NAME_LETTERS, VERSION_LETTERS = 6, 4
"""Letters of base 64 in a name: enough for different names of all files of an index, and of the versions of one file. One index in a few
hundred has two files with the same six letters at 20,000 files; a salt gives them different names."""

_encode = msgspec.json.Encoder().encode


def mode_file(root: str, *, has_server: bool = False, has_bundle: bool = False) -> tuple[str, bytes]:
    """Write the file by which a browser learns what answers searches: (path in the published folder, content).

    Args:
        root: Name of the root of the static index; empty for none.
        has_server: Whoever sends this file answers searches as well.
        has_bundle: All files of the index are published as one too.
    """
    return MODE_PATH, _encode({"server": has_server, "root": root, "bundle": has_bundle})


def bundle_shards(root: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Write all files of an index as one: name of each → its content.

    Args:
        root: Name of the root, which is part of the name of the file.
        files: As `export_shards` gives them.

    Returns:
        Path in the published folder → content.
    """
    entries = (_encode(PurePosixPath(path).stem) + b":" + content for path, content in sorted(files.items()))
    return {f"{SHARDS_FOLDER}/all-{root}.json": b"{" + b",\n".join(entries) + b"}"}


class ShardSink(Protocol):
    """Where the files of an index are put."""

    def write(self, path: str, content: bytes) -> str:
        """Write a file: its hash, as in a manifest."""

    def keep(self, path: str) -> str:
        """Take over a file of the index before: its hash.

        Raises:
            LookupError: there is none.
        """

    def read(self, path: str) -> bytes:
        """Read a file of the previous index.

        Raises:
            LookupError: there is none.
        """


class InMemory:
    """Files that are kept as they are: path in the published folder → content."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def write(self, path: str, content: bytes) -> str:
        self.files[path] = content
        return hash_content(content)

    def keep(self, path: str) -> str:
        return hash_content(self.files[path])

    def read(self, path: str) -> bytes:
        return self.files[path]


class Shards:
    """Writes the files of one index under names that are made of their contents."""

    def __init__(self, sink: ShardSink) -> None:
        self._sink = sink
        self._hashes: dict[str, str] = {}

    def add(self, content: object) -> str:
        """Add a file; give its name."""
        data = _encode(content)
        for salt in count():
            name = name_of(data + b"%d" % salt if salt else data, NAME_LETTERS)
            path = _path(name)
            if path not in self._hashes:
                self._hashes[path] = self._sink.write(path, data)
                return name
            if self._hashes[path] == hash_content(data):
                return name
        raise AssertionError

    def read(self, name: str) -> Any:
        """Read a file of the index before.

        Raises:
            LookupError: it is not there.
        """
        return msgspec.json.decode(self._sink.read(_path(name)))

    def keep(self, names: str) -> None:
        """Take over files of the index before.

        Args:
            names: Their names, one behind the other.

        Raises:
            LookupError: one of them is not there, or another file has its name now.
        """
        for start in range(0, len(names), NAME_LETTERS):
            path = _path(names[start : start + NAME_LETTERS])
            kept = self._sink.keep(path)
            if self._hashes.setdefault(path, kept) != kept:
                raise LookupError(path)

    def add_text(self, version: str, number: int, name: str, content: bytes) -> None:
        """Add a file of texts or outlines under a name that a browser knows, but for the letters that tell its versions apart."""
        self._sink.write(_path(f"{version}-{number}-{name}"), content)

    def keep_text(self, version: str, number: int, name: str, *, before: str) -> None:
        """Take over a file of texts or outlines.

        Args:
            version: Its letters now.
            number: Of its page, or group of pages.
            name: Its name in the page.
            before: Its letters in the index before.

        Raises:
            LookupError: it is not there.
        """
        path = _path(f"{before}-{number}-{name}")
        if before == version:
            self._sink.keep(path)
        else:
            self.add_text(version, number, name, self._sink.read(path))


def _path(name: str) -> str:
    return f"{SHARDS_FOLDER}/{name}.json"


def name_of(data: bytes, letters: int) -> str:
    """Make a name of a content."""
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest())[:letters].decode()


def sizes_of(starts: Sequence[int]) -> list[int]:
    """Give the distances between the first words of files, which are shorter numbers."""
    return [start - before for before, start in pairwise([0, *starts])]


def firsts_of(words: Sequence[str], starts: Sequence[int]) -> list[str]:
    """Cut the first word of each file to what tells it from the word before."""
    firsts = []
    for start in starts:
        word, before = words[start], words[start - 1] if start else ""
        firsts.append(next((word[:size] for size in range(1, len(word)) if word[:size] > before), word))
    return firsts


_ALWAYS_CUT = 256
"""One word in so many begins a stretch wherever the ones before it began, unless its stretch would be very short."""


def cut(tokens: Sequence[str], sizes: Iterable[int], wanted: int, *, is_anchored: bool = False) -> list[int]:
    """Cut a sorted list of words into stretches: the index of the first word of each.

    A stretch may end only before some words, chosen by their letters, unless it grows too large. So a word more or less moves
    the cuts beside it, and soon no others.

    Args:
        tokens: The words.
        sizes: Of what is kept of each.
        wanted: Size of a stretch.
        is_anchored: Before a few words a stretch always ends, so that a word moves no cut beyond the next of them; this makes
            some more stretches.
    """
    starts = [0] if tokens else []
    size = 0
    for index, (token, own) in enumerate(zip(tokens, sizes, strict=True)):
        if _ends_before(token, size, own, wanted, is_anchored=is_anchored):
            starts.append(index)
            size = 0
        size += own
    return starts


def stretches(starts: Sequence[int], total: int) -> list[tuple[int, int]]:
    """Give the first word of each stretch and the one behind its last.

    Args:
        starts: As `cut` gives them; none where there are no words.
        total: Number of all words.
    """
    return list(pairwise([*starts, total]))


def recut(
    tokens: Sequence[str],
    size_of: Callable[[str], int],
    wanted: int,
    firsts: Sequence[str],
    touched: Iterable[str],
    *,
    is_anchored: bool = False,
) -> list[int]:
    """Cut a list of which only some words are others than before: as `cut`, but looking at the stretches around these alone.

    Where a stretch begins depends on nothing before the beginning of the stretch in front of it.

    Args:
        tokens: The words.
        size_of: Size of what is kept of a word.
        wanted: As in `cut`.
        firsts: First word of each stretch before.
        touched: Words that are new, and those that are no more.
        is_anchored: As in `cut`.
    """
    places = {word: place for place, word in enumerate(firsts)}
    unsure: set[int] = set()
    for word in touched:
        place = max(0, bisect_right(firsts, word) - 1)
        unsure.add(place)
        if firsts and firsts[place] == word:  # the stretch in front of it may go on
            unsure.add(max(0, place - 1))
    if not firsts or not tokens:
        return cut(tokens, map(size_of, tokens), wanted, is_anchored=is_anchored)
    starts: list[int] = []
    place = 0
    while place < len(firsts):
        start = bisect_left(tokens, firsts[place]) if place else 0
        starts.append(start)
        place += 1
        if place - 1 not in unsure:
            continue
        size = 0
        place = len(firsts)
        for index in range(start, len(tokens)):
            token = tokens[index]
            own = size_of(token)
            if _ends_before(token, size, own, wanted, is_anchored=is_anchored):
                if token in places:
                    place = places[token]
                    break
                starts.append(index)
                size = 0
            size += own
    return starts


def _ends_before(token: str, size: int, own: int, wanted: int, *, is_anchored: bool) -> bool:
    """Return whether a stretch of some size ends before a word."""
    if not size:
        return False
    if size + own > 2 * wanted:
        return True
    may_end = size + own > wanted
    must_end = is_anchored and size * 4 > wanted
    if not (may_end or must_end):
        return False
    chosen = crc32(token.encode())
    return (may_end and chosen % 4 == 0) or (must_end and chosen % _ALWAYS_CUT == 0)
