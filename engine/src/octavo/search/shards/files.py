"""How an index is cut into files: names by content, and cuts that a change in one place does not move elsewhere."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import count, pairwise
from pathlib import PurePosixPath
from zlib import crc32

import msgspec

SHARDS_FOLDER = "_octavo/files/find"
"""Path of the files, from the published folder; `_headers` tells hosts that files below `_octavo/files` never change."""

MODE_PATH = "_octavo/find.json"
"""Path of the file that says whether a server answers searches, and where the static index begins."""

FORMAT = 3
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


class Shards:
    """The files of one index: path in the published folder → content."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def add(self, content: object) -> str:
        """Add a file; give its name, which is made of its content."""
        data = _encode(content)
        for salt in count():
            name = _name(data + b"%d" % salt if salt else data, NAME_LETTERS)
            if self.files.setdefault(f"{SHARDS_FOLDER}/{name}.json", data) == data:
                return name
        raise AssertionError

    def add_series(self, groups: Mapping[int, Mapping[str, object]]) -> str:
        """Add files under names that a browser knows, but for the letters that tell their versions apart.

        Args:
            groups: Files by the last part of their names, for each of some numbers.

        Returns:
            The letters, which all of these share.
        """
        files = {
            f"{number}-{name}": _encode(content)
            for number, contents in sorted(groups.items())
            for name, content in contents.items()
        }
        version = _name(b"\n".join(files.values()), VERSION_LETTERS)
        self.files.update({f"{SHARDS_FOLDER}/{version}-{name}.json": data for name, data in files.items()})
        return version


def _name(data: bytes, letters: int) -> str:
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


def cut(tokens: Sequence[str], sizes: Iterable[int], wanted: int) -> list[int]:
    """Cut a sorted list of words into stretches: the index of the first word of each.

    A stretch may end only before some words, chosen by their letters, unless it grows too large: so a word more or
    less moves the cuts beside it, and no others.

    Args:
        tokens: The words.
        sizes: Of what is kept of each.
        wanted: Size of a stretch.
    """
    starts = [0] if tokens else []
    size = 0
    for index, (token, own) in enumerate(zip(tokens, sizes, strict=True)):
        may_end = crc32(token.encode()) % 4 == 0
        if size and ((size + own > wanted and may_end) or size + own > 2 * wanted):
            starts.append(index)
            size = 0
        size += own
    return starts
