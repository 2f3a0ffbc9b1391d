"""What the files of a published folder looked like when they were written, so that damage is noticed without reading them.

A file counts as untouched when size, times, mode and inode are those that were noted. When one of them differs, its
content is hashed: copying a folder changes times and inodes, but not the content.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from octavo.last_build.mounts import is_one_mount
from octavo.manifest import MANIFEST_PATH, ManifestFile, hash_content
from octavo.runtime import load_checked, save_checked

KEPT_NAMES = (".git", "lost+found")
"""Entries of a published folder that belong to somebody else and stay: the folder may be a checkout that is deployed, or a
volume of its own."""

SEARCH_FOLDER = "_octavo/search"
"""Holds the search indexes, each in a folder of its own; they have checksums of their own."""

SETTLED_NS = 50_000_000
"""Clocks of file systems tick every few milliseconds: a change so soon after the writing may bear the same time."""
_UNSETTLED = 0
"""Noted instead of such a time; equal to none, so the content is hashed."""


class FileState(msgspec.Struct, frozen=True, array_like=True):
    """One file, as it was written."""

    hash: str
    """As in `ManifestFile`."""
    size: int
    """In bytes."""
    mtime_ns: int
    ctime_ns: int
    """Nobody can set it back; another link to the file changes it too. On Windows the time of creation."""
    mode: int
    inode: int
    """0 where the system does not tell."""

    @staticmethod
    def of(found: os.stat_result, hash_: str, now_ns: int) -> FileState:
        """Note what a file looks like now."""
        time_ns = found.st_mtime_ns if found.st_mtime_ns < now_ns - SETTLED_NS else _UNSETTLED
        return FileState(hash_, found.st_size, time_ns, found.st_ctime_ns, found.st_mode, found.st_ino)

    def matches(self, found: os.stat_result) -> bool:
        """Return whether a file still looks like this."""
        return (
            found.st_mtime_ns == self.mtime_ns
            and found.st_ctime_ns == self.ctime_ns
            and found.st_size == self.size
            and found.st_mode == self.mode
            and (found.st_ino == self.inode or not found.st_ino or not self.inode)
        )

    def has_content(self, path: str, found: os.stat_result) -> bool:
        """Return whether a file that does not look like this has this content all the same."""
        return _state_by_content(path, self, found, 0) is not None

    def holds(self, file: ManifestFile) -> bool:
        """Return whether this is the content that a manifest names."""
        return self.hash == file.hash and self.size == file.size


FileStates = dict[str, FileState]
"""Address in the published folder → file."""


class FolderStates(msgspec.Struct, frozen=True, array_like=True):
    """A published folder, as it was written."""

    files: FileStates
    folders: dict[str, tuple[int, int]]
    """Folder in it, with a slash at its end, "" for itself → time of change and inode. An entry that comes or goes
    changes the time."""


NO_STATES = FolderStates({}, {})


def states_name(out: Path, work_dir: Path) -> Path:
    """Name what is kept of a published folder: `.spare`, `.published.files` and so on are added to it.

    Raises:
        OSError: one of the folders is not there.
    """
    name = f"{out.name}-{hashlib.sha256(os.fsencode(out)).hexdigest()[:8]}"
    # What is exchanged must lie on one file system.
    return work_dir / name if is_one_mount(work_dir, out.parent) else out.parent / f".{out.name}"


def is_untouched(folder: Path, known: FolderStates) -> bool:
    """Return whether a folder is as it was written: nothing is changed, gone, or has come.

    What each build makes anew, the manifest and the search index, is not looked at.
    """
    root, lstat = f"{folder}/", os.lstat
    try:
        for prefix, state in known.folders.items():
            found = lstat(root + prefix)
            if (found.st_mtime_ns, found.st_ino) != state and not _holds_only(root, prefix, known):
                return False
        for address, file in known.files.items():
            path = root + address
            found = lstat(path)
            if not file.matches(found) and not file.has_content(path, found):
                return False
    except OSError:
        return False
    return bool(known.files)


def _holds_only(root: str, prefix: str, known: FolderStates) -> bool:
    """Return whether all entries of a folder are known; what is missing is noticed elsewhere."""
    with os.scandir(root + prefix) as entries:
        for entry in entries:
            address = prefix + entry.name
            if entry.is_dir(follow_symlinks=False):
                if (
                    f"{address}/" not in known.folders
                    and address != SEARCH_FOLDER
                    and (prefix or entry.name not in KEPT_NAMES)
                ):
                    return False
            elif address not in known.files and address != MANIFEST_PATH and (prefix or entry.name not in KEPT_NAMES):
                return False
    return True


def load_states(path: Path) -> FolderStates:
    """Load a table; an empty one where there is none, or an unusable one: then every file is hashed."""
    return load_checked(path, FolderStates, NO_STATES)


def save_states(path: Path, states: FolderStates) -> None:
    """Save a table. Without it the next build takes longer, and is as correct."""
    with suppress(OSError):
        save_checked(path, states)


def note_states(folder: Path, files: Mapping[str, ManifestFile], present: FolderStates) -> FolderStates:
    """Note what a finished folder looks like.

    Args:
        folder: The folder.
        files: The files that it holds now.
        present: What it held before they were written; what is unchanged is not looked at again.
    """
    states: FileStates = {}
    gone = present.files.keys() - files.keys()
    touched = {prefix for address in (*gone, MANIFEST_PATH) for prefix in _prefixes(address)}
    now_ns = time.time_ns()
    for address, file in files.items():
        state = present.files.get(address)
        if state is not None and state.holds(file):
            states[address] = state
            continue
        with suppress(OSError):
            states[address] = FileState.of(os.lstat(f"{folder}/{address}"), file.hash, now_ns)
        touched.update(_prefixes(address))
    folders = {prefix: state for prefix, state in present.folders.items() if prefix not in touched}
    for prefix in touched:
        with suppress(OSError):
            folders[prefix] = _folder_state(os.lstat(f"{folder}/{prefix}"), now_ns)
    return FolderStates(states, folders)


def _prefixes(address: str) -> Iterator[str]:
    """List the folders in which a file lies, each with a slash at its end: `a/b/`, `a/`, and "" for the whole."""
    end = address.rfind("/")
    while end > 0:
        yield address[: end + 1]
        end = address.rfind("/", 0, end)
    yield ""


def _all_prefixes(addresses: Iterable[str]) -> set[str]:
    """List the folders in which files lie, as `_prefixes` does for one."""
    parents = {address.rpartition("/")[0] for address in addresses}
    return {prefix for parent in parents for prefix in _prefixes(f"{parent}/")}


def _folder_state(found: os.stat_result, now_ns: int) -> tuple[int, int]:
    return (found.st_mtime_ns if found.st_mtime_ns < now_ns - SETTLED_NS else _UNSETTLED, found.st_ino)


def knows_no_case(folder: Path) -> bool:
    """Return whether a folder lies on a file system for which `A` and `a` are one name, as on macOS and Windows.

    Args:
        folder: A folder that exists, with a letter in its name.
    """
    return os.path.lexists(folder.with_name(folder.name.swapcase()))


def restore_folder(folder: Path, known: FolderStates) -> FolderStates:
    """Remove from a folder whatever is not as it was written: foreign files, changed ones, links, empty folders.

    Links are removed, never followed. What each build makes anew is removed as well: the manifest, so that the folder
    passes neither for the old build nor for the new one, and the search index.

    Returns:
        What is left.
    """
    now_ns = time.time_ns()
    files = _untouched_files(folder, known, now_ns)
    # Of some folders nothing may be known but the files in them.
    prefixes = known.folders.keys() | _all_prefixes(known.files)
    folders: dict[str, tuple[int, int]] = {}
    for prefix in prefixes:
        try:
            # Without the slash at the end, which would lead through a link.
            found = os.lstat(f"{folder}/{prefix}"[:-1])
        except OSError:
            continue
        if stat.S_ISLNK(found.st_mode):
            files = {address: file for address, file in files.items() if not address.startswith(prefix)}
        elif (found.st_mtime_ns, found.st_ino) == known.folders.get(prefix):
            folders[prefix] = known.folders[prefix]
    # A folder that is as it was holds what it held.
    lost = known.files.keys() - files.keys()
    used = _all_prefixes(files) if lost else prefixes
    doubtful = (prefixes - folders.keys()) | _all_prefixes(lost)
    to_clear = sorted(doubtful | {""} - folders.keys())
    if to_clear:
        # Not at the top: to see that nothing has changed, a build does without the site.
        from octavo.site import fold

        # A name may be spelled there as a file of an earlier build was.
        has_no_case = knows_no_case(folder)
        kept_files: Container[str] = frozenset(map(fold, files)) if has_no_case else files
        kept_folders: Container[str] = frozenset(map(fold, used)) if has_no_case else used
        for prefix in to_clear:
            _clear(folder, prefix, kept_files, kept_folders, fold if has_no_case else str)
    for prefix in doubtful & used:
        with suppress(OSError):
            folders[prefix] = _folder_state(os.lstat(f"{folder}/{prefix}"), now_ns)
    (folder / MANIFEST_PATH).unlink(missing_ok=True)
    shutil.rmtree(folder / SEARCH_FOLDER, ignore_errors=True)
    return FolderStates(files, folders)


def _untouched_files(folder: Path, known: FolderStates, now_ns: int) -> FileStates:
    root, lstat = f"{folder}/", os.lstat
    left: FileStates = {}
    for address, state in known.files.items():
        path = root + address
        try:
            found = lstat(path)
        except OSError:
            continue
        if state.matches(found):
            left[address] = state
        elif (same := _state_by_content(path, state, found, now_ns)) is not None:
            left[address] = same
    return left


def _clear(
    folder: Path, prefix: str, files: Container[str], used: Container[str], as_compared: Callable[[str], str]
) -> None:
    """Remove from one folder all but some files, and the folders in which none of them lies."""
    path = f"{folder}/{prefix}"
    if os.path.islink(path.rstrip("/")) or not os.path.isdir(path):  # noqa: PTH112, PTH114
        return  # gone with a folder around it
    with os.scandir(path) as entries:
        for entry in entries:
            address = prefix + entry.name
            if not prefix and entry.name in KEPT_NAMES:
                continue
            if not entry.is_dir(follow_symlinks=False):
                if as_compared(address) not in files:
                    os.unlink(entry.path)  # noqa: PTH108
            elif as_compared(f"{address}/") not in used:
                shutil.rmtree(entry.path)


def verified_state(folder: Path, address: str, known: FileState | None, hash_: str) -> FileState | None:
    """Look at one file of a folder.

    Returns:
        Its state, None where it is missing or has not the content of this hash.
    """
    path = f"{folder}/{address}"
    try:
        found = os.lstat(path)
    except OSError:
        return None
    if known is not None and known.hash == hash_ and known.matches(found):
        return known
    expected = FileState(hash_, found.st_size, 0, 0, known.mode if known else found.st_mode, 0)
    return _state_by_content(path, expected, found, time.time_ns())


def _state_by_content(path: str, known: FileState, found: os.stat_result, now_ns: int) -> FileState | None:
    """Hash a file that looks otherwise; None where its content or its mode is not that which was written."""
    if not stat.S_ISREG(found.st_mode) or found.st_mode != known.mode or found.st_size != known.size:
        return None
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            hash_ = hash_content(file.read())
    except OSError:
        return None
    return FileState.of(found, hash_, now_ns) if hash_ == known.hash else None


def remove_files(folder: Path, addresses: Iterable[str]) -> None:
    """Remove files from a folder, and the folders that are empty then."""
    for address in addresses:
        path = folder / address
        with suppress(OSError):
            path.unlink()
            while path.parent != folder:
                path = path.parent
                path.rmdir()
