"""Put a finished build in the place of the old one, in one step.

A build is made in a staging folder; then the file system exchanges it with the published one. Whoever fails or is
killed before that leaves the published folder as it was.

The folder that was replaced is kept as the *spare*, and the next build starts from it: it only writes what the spare
has not got, or has otherwise. Files are never written in place, for the spare and the published folder share them as
hard links. Nothing is taken over unseen: see `file_states`.
"""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path

import msgspec

from octavo.errors import PublishError
from octavo.last_build import (
    KEPT_NAMES,
    NO_STATES,
    FileState,
    FolderStates,
    LinkedFolder,
    knows_no_case,
    load_states,
    note_states,
    remove_files,
    restore_folder,
    save_states,
    states_name,
    verified_state,
)
from octavo.manifest import MANIFEST_PATH, ManifestFile, hash_content
from octavo.publish.exchange import exchange_folders, recover
from octavo.runtime import is_running
from octavo.site import fold

_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
FULL_DISK = (errno.ENOSPC, errno.EDQUOT)
"""Error codes for a disk, or a user's part of it, that has no room left."""
_OWN_FOLDER = MANIFEST_PATH.partition("/")[0]
_IN_THE_WAY = (NotADirectoryError, FileExistsError, IsADirectoryError, PermissionError)
"""Error codes for a file where a folder is expected, or the reverse."""


class Staging:
    """The folder in which a build is made.

    Workers write into it from several processes, each its own files.
    """

    def __init__(self, path: Path, out: Path, work_name: Path, before: FolderStates) -> None:
        self.path = path
        self._out = out
        self._work_name = work_name
        self._before = before
        self._links: LinkedFolder | None = None
        """Links the files of the published folder meanwhile, where there is no spare."""
        self._linked: set[str] = set()
        """Files that have been linked to those of the published folder."""
        self._knows_no_case = knows_no_case(path)

    @staticmethod
    def make(out: Path, work_dir: Path, *, is_clean: bool = False) -> Staging:
        """Make the staging folder of a build, after clearing away those of builds that were killed.

        Args:
            out: The folder to publish.
            work_dir: Folder for staging and spare; the output's parent where that is another file system.
            is_clean: Take nothing over from earlier builds.

        Raises:
            PublishError: the output is a file or holds what Octavo has not written, or the folders can't be made.
        """
        recover(out)
        check_output(out, work_dir)
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
            work_dir.mkdir(parents=True, exist_ok=True)
            work_name = states_name(out, work_dir)
            _clear_abandoned(work_name.parent, work_name.name)
            path = work_name.with_name(f"{work_name.name}.staging-{os.getpid()}")
            shutil.rmtree(path, ignore_errors=True)
            before = _claim(work_name, path, is_clean=is_clean)
        except OSError as error:
            raise unwritable(error.filename or out.parent, error) from error
        staging = Staging(path, out, work_name, before)
        if not before.files and not is_clean and LinkedFolder.is_worth_it(out, path, staging._published):
            staging._links = LinkedFolder(out, path, staging._published)
        return staging

    def settle(self) -> None:
        """Wait for what is linked meanwhile: processes that are forked later cannot, and write into this folder as well."""
        _ = self._present

    def write(self, address: str, content: bytes) -> ManifestFile:
        """Write a file, unless it is there already.

        Raises:
            PublishError: it cannot be written.
        """
        file = ManifestFile(hash=hash_content(content), size=len(content))
        if not self.holds(address, file):
            self._unlink(address)
            try:
                self._write_file(address, content)
            except OSError as error:
                raise unwritable(self._out / address, error) from error
        return file

    def write_hashed(self, address: str, read: Callable[[], bytes]) -> ManifestFile:
        """Write a file whose address contains its hash: an existing file of that name is not read."""
        return self.known(address) or self.write(address, read())

    def known(self, address: str) -> ManifestFile | None:
        """Tell what the spare has brought under an address."""
        state = self._present.get(address)
        return ManifestFile(state.hash, state.size) if state is not None else None

    def holds(self, address: str, file: ManifestFile) -> bool:
        """Return whether the spare has brought this file."""
        state = self._present.get(address)
        return state is not None and state.hash == file.hash and state.size == file.size

    def reuse(self, address: str, file: ManifestFile) -> bool:
        """Take a file over from the published folder, as a hard link where the file system has them.

        Returns:
            False when it is not there any more, or is not what was published.
        """
        if self.holds(address, file):
            return True
        if verified_state(self._out, address, self._published.files.get(address), file.hash) is None:
            return False
        if address in self._linked:
            return True
        self._unlink(address)
        source, target = f"{self._out}/{address}", f"{self.path}/{address}"
        for _ in range(3):  # a file may have to make way for the folder, and the folder to be made
            try:
                os.link(source, target)
            except FileNotFoundError:
                _make_parent(self.path, address)
            except _IN_THE_WAY as error:
                # A file system without hard links refuses them by the error that Windows has for a folder in the place.
                if isinstance(error, PermissionError) and not Path(target).is_dir():
                    break
                _make_way(self.path, address)
            except OSError:
                break
            else:
                self._linked.add(address)
                return True
        else:
            return False
        shutil.copyfile(source, target)
        return True

    def reuse_form(self, form: str, address: str, file: ManifestFile) -> ManifestFile | None:
        """Take over the compressed form of a file from a build in which that file was the same.

        Returns:
            The form, None where no such build has left one.
        """
        if self.holds(address, file) and (known := self.known(form)) is not None:
            return known
        state, kept = self._published.files.get(form), self._published.files.get(address)
        if state is None or kept is None or not kept.holds(file):
            return None
        found = ManifestFile(state.hash, state.size)
        return found if self.reuse(form, found) else None

    def publish(self, files: Mapping[str, ManifestFile]) -> None:
        """Put the folder in the place of the published one, which becomes the spare.

        Args:
            files: All files of the build; what else the spare has brought is removed.

        Raises:
            PublishError: the file system refused; the published folder is as it was.
        """
        gone = self._present.keys() - files.keys()
        if self._knows_no_case:
            # A file whose name has changed by case only was overwritten, and is no other file now.
            there = frozenset(map(fold, files))
            gone = {address for address in gone if fold(address) not in there}
        remove_files(self.path, gone)
        states = note_states(self.path, files, self._before)
        if not exchange_folders(self.path, self._out):
            states = note_states(self._out, files, NO_STATES)
        spare, published = self._named("spare"), self._named("published.files")
        with suppress(OSError):
            shutil.rmtree(spare, ignore_errors=True)
            self.path.rename(spare)
            if self._linked:
                # The link has changed a time of what is the spare now.
                linked = {address: states.files[address] for address in self._linked if address in states.files}
                before = msgspec.structs.replace(self._published, files=self._published.files | linked)
                save_states(self._named("spare.files"), before)
            else:
                published.replace(self._named("spare.files"))
        save_states(published, states)

    def discard(self) -> None:
        """Remove the folder, if it is still there."""
        if self._links is not None:
            self._links.close()
        shutil.rmtree(self.path, ignore_errors=True)

    @cached_property
    def _present(self) -> Mapping[str, FileState]:
        """What the spare has brought, each file as it was written, or what was linked in its place."""
        if self._links is None:
            return self._before.files
        linked = self._links.wait()
        self._linked |= linked.keys()
        return linked

    @cached_property
    def _published(self) -> FolderStates:
        """What the published folder holds; needed only where something has changed."""
        return load_states(self._named("published.files"))

    def _named(self, ending: str) -> Path:
        return _with_ending(self._work_name, ending)

    def _unlink(self, address: str) -> None:
        """Unlink what the spare has under an address: writing into it would change the published file too."""
        self._linked.discard(address)
        # Without case it may be there under another spelling.
        if address in self._present or self._knows_no_case:
            # A folder in its place is removed when the file can't be written.
            with suppress(OSError):
                os.unlink(f"{self.path}/{address}")  # noqa: PTH108

    def _write_file(self, address: str, content: bytes) -> None:
        try:
            write_file(self.path, address, content)
        except _IN_THE_WAY:
            # The spare has a file where this build has a folder, or the reverse.
            _make_way(self.path, address)
            write_file(self.path, address, content)


def check_output(out: Path, work_dir: Path) -> None:
    """Check that a folder may be replaced.

    Args:
        out: The folder to publish.
        work_dir: Where builds keep what they have written.

    Raises:
        PublishError: it is a file, or holds what Octavo has not written.
    """
    if out.exists() and not out.is_dir():
        raise PublishError(f"{out} is a file; name a folder with --out.")
    if not out.is_dir() or (out / _OWN_FOLDER).is_dir():
        return
    entries = {entry.name for entry in out.iterdir()}.difference(KEPT_NAMES)
    # The folder by which a published one is known may have been removed: then its other files are known by their names.
    if entries and (foreign := entries - _written_names(out, work_dir)):
        raise PublishError(
            f'{out} contains files that Octavo has not written, such as "{min(foreign)}". Name another folder with --out, '
            "or empty this one."
        )


def _written_names(out: Path, work_dir: Path) -> set[str]:
    """Name the entries of a folder that the last build of it has written; none where there was no build."""
    try:
        states = load_states(_with_ending(states_name(out, work_dir), "published.files"))
    except OSError:
        return set()
    return {address.partition("/")[0] for address in (*states.files, *states.folders)}


def unwritable(path: object, error: OSError) -> PublishError:
    """Explain why a file of a build cannot be written."""
    if error.errno in FULL_DISK:
        return PublishError(
            f"{path} cannot be written: the disk is full ({error.strerror}). Make room and build again; "
            "what was published before is untouched."
        )
    if error.errno in (errno.EEXIST, errno.ENOTDIR):
        return PublishError(f"{path} is a file where a folder is needed. Remove it, or name another folder.")
    if error.errno == errno.ELOOP:
        return PublishError(f"{path} is a link that leads to itself. Replace it by a folder.")
    return PublishError(f"{path} cannot be written: {error.strerror}.")


def write_file(folder: Path, address: str, content: bytes) -> None:
    """Write a new file below a folder, making the folders between."""
    path = system_path(f"{folder}/{address}")
    try:
        handle = os.open(path, _NEW_FILE, 0o666)
    except FileNotFoundError:
        _make_parent(folder, address)
        handle = os.open(path, _NEW_FILE, 0o666)
    try:
        # Straight to the system: file objects cost as much again, thousands of times.
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(handle, rest) :]
    finally:
        os.close(handle)


def system_path(path: str) -> str:
    r"""Write a path as the system takes it: Windows takes more than 260 characters only behind `\\?\`."""
    if sys.platform == "win32":
        return "\\\\?\\" + os.path.abspath(path)  # noqa: PTH100 - strings: this runs for every file of the site
    return path


def _make_parent(folder: Path, address: str) -> None:
    os.makedirs(os.path.dirname(system_path(f"{folder}/{address}")), exist_ok=True)  # noqa: PTH103, PTH120


def _make_way(folder: Path, address: str) -> None:
    """Remove what is in the way of a file or of one of its parent folders."""
    path = folder / address
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    for parent in path.parents:
        if parent == folder:
            return
        if os.path.lexists(parent) and (parent.is_symlink() or not parent.is_dir()):
            with suppress(FileNotFoundError):
                parent.unlink()


def _claim(work_name: Path, path: Path, *, is_clean: bool) -> FolderStates:
    """Turn the spare into the staging folder, or make an empty one; only one of several builds gets the spare.

    Returns:
        What it brings.
    """
    spare = _with_ending(work_name, "spare")
    known = NO_STATES if is_clean else load_states(_with_ending(work_name, "spare.files"))
    try:
        spare.rename(path)
        if known.files:
            return restore_folder(path, known)
    except OSError:
        pass
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir()
    return NO_STATES


def _with_ending(work_name: Path, ending: str) -> Path:
    return work_name.with_name(f"{work_name.name}.{ending}")


def _clear_abandoned(work_dir: Path, name: str) -> None:
    for old in work_dir.glob(f"{name}.staging-*"):
        if not is_running(old.name.rpartition("-")[2]):
            shutil.rmtree(old, ignore_errors=True)
