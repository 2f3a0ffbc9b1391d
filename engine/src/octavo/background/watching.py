"""Notice changes in a site's folder: reported by the system, or found by polling where it reports none."""

from __future__ import annotations

import contextlib
import os
import platform
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from octavo.lazy import regex as re

_STEP_MS = 3
"""Time without a further change after which a series of them counts as one."""
_LONGEST_MS = 60
"""Longest time that changes are collected before they are reported."""
_LOOK_MS = 200
"""Interval of checks whether to stop."""
_POLL_S = 0.3
"""Polling interval where the system reports no changes."""
LEFT_OUT = frozenset({".octavo", "node_modules", "__pycache__", ".venv", ".git"})
_OF_EDITORS = re.compile(r"4913|.*~|\..*\.sw[a-z]|#.*#|\.#.*|.*___jb_(?:tmp|old)___|\.~lock\..*")
"""Names of files that editors write beside the one that is edited: vim, Emacs, JetBrains, LibreOffice."""
_COMMITS = os.path.join(".git", "logs", "HEAD")  # noqa: PTH118 - the end of a path


class Watcher:
    """Reports changes from a thread of its own."""

    def __init__(
        self,
        site_dir: Path,
        follow: Callable[[frozenset[str]], object],
        since_ns: int,
        others: Callable[[], list[Path]] = list,
        files: Callable[[], list[Path]] = list,
    ) -> None:
        """Initialize.

        Args:
            site_dir: The site's folder.
            follow: Called with the paths of files that may have changed, relative to the site's folder, with forward
                slashes.
            since_ns: Changes after this time of the system's clock are reported, in ns: the site was read later.
            others: Returns the folders that matter too, outside the site's folder or among what is left out of it. Called
                by the thread.
            files: Returns the single files outside of it that matter, of which some may be missing. Called by the thread.
        """
        self._site_dir = site_dir
        self._follow = follow
        self._since_ns = since_ns
        self._others = others
        self._files = files
        self._file_states: dict[Path, tuple[int, int, int] | None] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="octavo-watch", daemon=True)

    def start(self) -> None:
        """Start watching."""
        self._thread.start()

    def close(self, timeout_s: float) -> None:
        """Stop watching."""
        self._stop.set()
        self._thread.join(timeout_s)

    def _run(self) -> None:
        if not _has_events():
            self._poll()
            return
        try:
            self._listen()
        except OSError:
            # The system has no watches left.
            self._poll()

    def _listen(self) -> None:
        while not self._stop.is_set():
            self._listen_to(self._folders())

    def _listen_to(self, folders: list[Path]) -> None:
        """Listen until other folders matter, or watching ends."""
        from watchfiles import watch

        is_first = True
        for changes in watch(
            *folders,
            watch_filter=None,
            debounce=_LONGEST_MS,
            step=_STEP_MS,
            stop_event=self._stop,
            rust_timeout=_LOOK_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
            force_polling=False,
        ):
            self._report(name for _, name in changes)
            self._look_at_files()
            if is_first:
                is_first = False
                self._report_earlier()
            if self._folders() != folders:
                break

    def _poll(self) -> None:
        """Compare the times of all files at intervals, in ns: watchfiles' own polling sees one save a second."""
        before = self._states()
        self._report_earlier()
        while not self._stop.wait(_POLL_S):
            now = self._states()
            self._report(dict(before.items() ^ now.items()))
            self._look_at_files()
            before = now

    def _states(self) -> dict[str, tuple[int, int, int]]:
        return {
            os.fspath(path): (found.st_mtime_ns, found.st_size, found.st_ino)
            for folder in self._folders()
            for path, found in _files(folder)
        }

    def _look_at_files(self) -> None:
        """Report single files that have changed: to watch their folders would be to watch all that is in these."""
        before = self._file_states
        self._file_states = {path: _state(path) for path in self._files()}
        changed = {path for path, state in self._file_states.items() if path in before and before[path] != state}
        # One that is named from now on has been read before it was looked at, perhaps too early.
        changed |= {
            path
            for path, state in self._file_states.items()
            if path not in before and state is not None and state[0] >= self._since_ns
        }
        if changed:
            self._follow(frozenset(os.path.relpath(path, self._site_dir).replace(os.sep, "/") for path in changed))

    def _report_earlier(self) -> None:
        """Report what was saved after the site had been read and before watching started."""
        if paths := changed_since(self._site_dir, self._since_ns):
            self._follow(frozenset(paths))

    def _report(self, names: Iterable[str]) -> None:
        if paths := {path for name in names if (path := self.path_of(name)) is not None}:
            self._follow(frozenset(paths))

    def _folders(self) -> list[Path]:
        """List the folders to watch: the site, and the log of commits, from which dates of pages are read."""
        roots = (self._site_dir, *self._site_dir.parents)
        commits = next((root / ".git" / "logs" for root in roots if (root / ".git" / "logs").is_dir()), None)
        others = [folder for folder in self._others() if folder.is_dir()]
        return [self._site_dir, *([commits] if commits is not None else []), *others]

    def path_of(self, name: str) -> str | None:
        """Return a path relative to the site's folder; None for files that no site is made of."""
        if name.endswith(_COMMITS):
            return ".git/logs/HEAD"
        root = f"{self._site_dir}{os.sep}"
        wanted = [folder for folder in map(os.fspath, self._others()) if name.startswith(f"{folder}{os.sep}")]
        if not name.startswith(root):
            return os.path.relpath(name, self._site_dir).replace(os.sep, "/") if wanted else None
        path = name[len(root) :].replace(os.sep, "/")
        parts = path.split("/")
        if not LEFT_OUT.isdisjoint(parts):
            # A folder around the site, which an extension reads, brings nothing that builds and git write in it.
            return path if any(folder.startswith(root) for folder in wanted) else None
        if _OF_EDITORS.fullmatch(parts[-1]) or self._is_published(parts[0]):
            return None
        return path

    def _is_published(self, folder: str) -> bool:
        """Return whether a folder holds a published build."""
        return (self._site_dir / folder / "_octavo" / "manifest.json").is_file()


def _state(path: Path) -> tuple[int, int, int] | None:
    """Tell what shows that a file has changed; None where it is missing."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def changed_since(site_dir: Path, since_ns: int) -> set[str]:
    """List files and folders changed after a time of the system's clock, as paths from the site's folder.

    Folders are included: they change when files are removed, or are renamed without a new time.
    """
    return {path.relative_to(site_dir).as_posix() for path, found in _files(site_dir) if found.st_mtime_ns >= since_ns}


def _files(root: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """List the files and folders that a site may be made of."""
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in LEFT_OUT]
        if folder != os.fspath(root) and "_octavo" in folders:
            folders[:] = []
            continue
        for name in (*folders, *names):
            path = Path(folder) / name
            with contextlib.suppress(OSError):  # removed meanwhile; its folder has changed
                yield path, path.stat()


def _has_events() -> bool:
    """Return whether the system reports changes: not on WSL, nor where WATCHFILES_FORCE_POLLING asks for polling."""
    if wish := os.environ.get("WATCHFILES_FORCE_POLLING"):
        return wish.lower() in {"false", "disable", "disabled"}
    return "microsoft-standard" not in platform.uname().release
