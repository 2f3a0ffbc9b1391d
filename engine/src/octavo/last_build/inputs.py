"""What the files of some folders look like, as one hash."""

from __future__ import annotations

import hashlib
import marshal
import os
import stat
import time
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from octavo.last_build.file_states import SETTLED_NS

_MOST_ENTRIES = 60_000
"""Files and folders that are looked at; with more, looking costs more than it saves."""

Seen = tuple[str, os.stat_result]
"""A path, and what it looks like."""


class FileLooks(msgspec.Struct, frozen=True):
    """Files, as they looked."""

    hash: str
    """Of names, sizes, times and inodes of all but the unsettled ones."""
    unsettled: dict[str, str]
    """Path → hash of the content. Of files that had changed a moment before, the time says nothing: a second change may
    bear the same one."""


class CannotTellError(Exception):
    """It cannot be told by looking at files whether they have changed."""


class InputFiles(Protocol):
    """Files to look at."""

    def look(self) -> Iterator[Seen]:
        """Walk over them."""


class Single:
    """Some files, of which some may be missing."""

    def __init__(self, *paths: str) -> None:
        self._paths = paths

    def look(self) -> Iterator[Seen]:
        """Walk over those that are there."""
        for path in self._paths:
            if os.path.lexists(path):
                yield path, os.lstat(path)


class InputFolder:
    """All that lies in a folder; nothing where it is not there."""

    def __init__(self, path: str, *, left_out: Container[str] = (), left_out_names: Container[str] = ()) -> None:
        """Name it.

        Args:
            path: Its path.
            left_out: Paths of folders and files in it that do not belong to it.
            left_out_names: Names of such, wherever they lie.
        """
        self._path = path
        self._left_out = left_out
        self._left_out_names = left_out_names

    def look(self) -> Iterator[Seen]:
        """Walk over it.

        Raises:
            CannotTellError: a link leads out of it.
        """
        root = os.path.realpath(self._path)
        folders = [self._path] if Path(self._path).is_dir() else []
        while folders:
            with os.scandir(folders.pop()) as entries:
                for entry in sorted(entries, key=_name):
                    path = entry.path
                    if path in self._left_out or entry.name in self._left_out_names:
                        continue
                    found = entry.stat(follow_symlinks=False)
                    if stat.S_ISLNK(found.st_mode):
                        target = os.path.realpath(path)
                        if target != root and not target.startswith(root + os.sep):
                            raise CannotTellError(path)
                    elif stat.S_ISDIR(found.st_mode):
                        folders.append(path)
                    yield path, found


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name


class Looks(NamedTuple):
    """Files, looked at once."""

    as_before: FileLooks
    """As the look before has noted them, to be compared with it."""
    now: FileLooks
    """As a first look notes them, for the next one."""


def look_at(parts: Iterable[InputFiles], known: Container[str] = ()) -> Looks | None:
    """Look at files.

    Args:
        parts: The files.
        known: Those that were unsettled when they were looked at before: their content decides about them.

    Returns:
        What they look like; None where that cannot be told.
    """
    soon = time.time_ns() - SETTLED_NS
    before, now = _Looking(), _Looking()
    try:
        for path, found in _walk(parts):
            if stat.S_ISDIR(found.st_mode):  # what it holds is looked at by itself
                before.states.append(path)
                now.states.append(path)
                continue
            state = (path, found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_mode)
            was_unsettled, is_unsettled = path in known, max(found.st_mtime_ns, found.st_ctime_ns) > soon
            hash_ = _hash_of(path, found) if was_unsettled or is_unsettled else ""
            before.note(path, state, hash_ if was_unsettled else "")
            now.note(path, state, hash_ if is_unsettled else "")
    except (OSError, CannotTellError):
        return None
    return Looks(before.finish(), now.finish())


class _Looking:
    """A look at files, file by file."""

    def __init__(self) -> None:
        self.states: list[object] = []
        self._unsettled: dict[str, str] = {}

    def note(self, path: str, state: Iterable[object], hash_: str) -> None:
        """Note a file, by its hash where it has one."""
        if hash_:
            self._unsettled[path] = hash_
        else:
            self.states += state

    def finish(self) -> FileLooks:
        # Later versions write an object that is used elsewhere in another way: the hash would tell more than the values.
        return FileLooks(hashlib.sha256(marshal.dumps(self.states, 2)).hexdigest(), self._unsettled)


def _walk(parts: Iterable[InputFiles]) -> Iterator[Seen]:
    count = 0
    for part in parts:
        for seen in part.look():
            count += 1
            if count > _MOST_ENTRIES:
                raise CannotTellError("too many files")
            yield seen


def _hash_of(path: str, found: os.stat_result) -> str:
    if stat.S_ISLNK(found.st_mode):
        return str(Path(path).readlink())
    if not stat.S_ISREG(found.st_mode):
        raise CannotTellError(path)
    return f"{found.st_mode} {hashlib.sha256(Path(path).read_bytes()).hexdigest()}"
