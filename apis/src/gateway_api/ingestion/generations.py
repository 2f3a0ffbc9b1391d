"""Where the rest of a followed file is after a rotation: under its path, another name, or in a copy.

Log rotation renames a file and makes a new one, or copies a file and truncates it. A file is known by its device and
inode together with a mark: a hash of what was read last. So a file that was truncated and has grown again, or another
one that has got a freed inode, is not taken for the old one, and a copy is recognized by the same mark.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

MARK_BYTES = 1_024
"""Bytes at the beginning of a file, and before the position, that its mark is made of."""

_MOST_PASSES = 20
"""How often a folder is listed at most until no file is renamed meanwhile."""

_COMPRESSED = (".gz", ".bz2", ".xz", ".zst")


@dataclass(frozen=True)
class Generation:
    """One of the files that are, or were, at the followed path, and how far it was read."""

    device: int
    inode: int
    name: str
    """Its file name when it was last seen."""
    position: int = 0
    """Bytes that were read; always the end of a line."""
    mark: str = ""
    """Hash of what was read last; see `mark_of`."""

    @property
    def key(self) -> tuple[int, int]:
        """What the system tells it from other files by."""
        return self.device, self.inode


@dataclass(frozen=True)
class Found:
    """A file in the folder, open: its path may lead to another file at any moment."""

    name: str
    file: BinaryIO
    device: int
    inode: int
    size: int
    changed_ns: int

    @property
    def key(self) -> tuple[int, int]:
        """What the system tells it from other files by."""
        return self.device, self.inode


@dataclass(frozen=True)
class Plan:
    """What to read, and what to say."""

    generations: tuple[Generation, ...]
    """All files that are known now, in the order in which they are read: the one at the path comes last."""
    lost: tuple[tuple[Generation, str], ...] = ()
    """Files that are not to be found any more, with a sentence for the operator."""


def plan(path: Path, known: Collection[Generation], found: Collection[Found]) -> Plan:
    """Work out from what is known and what is in the folder where to read on.

    Args:
        path: The followed path.
        known: What was written down; empty at the first start. Then rotated files that are there are skipped.
        found: See `look`.
    """
    files = {file.key: file for file in found}
    placed: dict[tuple[int, int], Generation] = {}
    lost: list[tuple[Generation, str]] = []
    astray = []
    for generation in known:
        file = files.get(generation.key)
        if file and _has_read(file, generation):
            placed[file.key] = replace(generation, name=file.name)
        elif generation.position:
            astray.append(generation)
    for generation in astray:
        copy = next((file for file in found if file.key not in placed and _has_read(file, generation)), None)
        if copy:
            placed[copy.key] = Generation(*copy.key, copy.name, generation.position, generation.mark)
        elif generation.name == path.name:
            what = "was truncated or replaced" if generation.key in files else "has gone"
            sentence = (
                f"{path}: the file {what} after its first {generation.position} bytes were read; "
                "if it had more lines, they were not recorded"
            )
            lost.append((generation, sentence))
    for file in found:
        if file.key not in placed:
            is_skipped = not known and file.name != path.name
            position = file.size if is_skipped else 0
            placed[file.key] = Generation(*file.key, file.name, position, mark_of(file.file, position))
    ordered = sorted(placed.values(), key=lambda one: (one.name == path.name, files[one.key].changed_ns))
    return Plan(tuple(ordered), tuple(lost))


@contextmanager
def look(path: Path) -> Iterator[list[Found]]:
    """Open the file at a path and its rotated ones, until the context ends; compressed ones are left out.

    A file that is renamed while its folder is listed may be missing from the list, under both names. So the folder is
    listed until a pass finds no file that the passes before it have not found.

    Raises:
        OSError: A file cannot be opened.
    """
    with ExitStack() as files:
        found: dict[tuple[int, int], Found] = {}
        for _ in range(_MOST_PASSES):
            if not _list(path, found, files.enter_context):
                break
        yield list(found.values())


def _list(path: Path, found: dict[tuple[int, int], Found], keep: Callable[[BinaryIO], BinaryIO]) -> bool:
    """List a folder once; add files that are new, and correct the names of those that were renamed.

    Returns:
        Whether there were new ones.
    """
    is_rotated = rotated_names(path.name)
    try:
        names = [entry.name for entry in path.parent.iterdir() if is_rotated.fullmatch(entry.name)]
    except FileNotFoundError:
        return False
    count = len(found)
    for name in names:
        try:
            seen = path.with_name(name).stat()
        except FileNotFoundError:  # renamed or deleted just now
            continue
        key = seen.st_dev, seen.st_ino
        if key in found:
            found[key] = replace(found[key], name=name)
        elif stat.S_ISREG(seen.st_mode) and (opened := _opened(path.with_name(name), keep)):
            found[opened.key] = opened
    return len(found) > count


def _opened(path: Path, keep: Callable[[BinaryIO], BinaryIO]) -> Found | None:
    try:
        file = keep(path.open("rb"))
    except FileNotFoundError:
        return None
    seen = os.fstat(file.fileno())  # of what was opened, which need not be what was listed
    return Found(path.name, file, seen.st_dev, seen.st_ino, seen.st_size, seen.st_mtime_ns)


def rotated_names(name: str) -> re.Pattern[str]:
    """Describe the names that rotation gives: `x.log.1`, `x.log-20260101`, `x.log.2026-01-01`, `x-20260101.log`."""
    stem, dot, end = name.rpartition(".")
    number = r"[.\-_][0-9][0-9T:.\-_]*"
    inner = rf"|{re.escape(stem)}{number}{re.escape(dot + end)}" if stem else ""
    return re.compile(rf"{re.escape(name)}(?:{number})?{inner}")


def compressed(path: Path) -> list[str]:
    """List rotated files that were compressed before they were read, perhaps; they cannot be read on."""
    is_rotated = rotated_names(path.name)
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except FileNotFoundError:
        return []
    return [name for name in names if name.endswith(_COMPRESSED) and is_rotated.fullmatch(name.rpartition(".")[0])]


def mark_of(file: BinaryIO, position: int) -> str:
    """Hash the beginning of a file and what is before a position, 64 hex digits; empty where the file is shorter."""
    length = min(position, MARK_BYTES)
    parts = [os.pread(file.fileno(), length, 0), os.pread(file.fileno(), length, position - length)]
    if any(len(part) < length for part in parts):
        return ""
    return hashlib.sha256(b"".join(parts)).hexdigest()


def _has_read(file: Found, generation: Generation) -> bool:
    """Return whether a file begins with what was read of a generation."""
    return file.size >= generation.position and mark_of(file.file, generation.position) == generation.mark
