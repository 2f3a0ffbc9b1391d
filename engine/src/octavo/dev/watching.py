"""Notice that something in a site's folder has changed: told by the system, or looked for where it doesn't tell."""

from __future__ import annotations

import contextlib
import os
import platform
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

_STEP_MS = 3
"""Time without a further change after which a series of them counts as one."""
_LONGEST_MS = 60
"""Longest time that changes are collected before they are reported, in seconds."""
_LOOK_MS = 200
"""Time between two looks at whether to stop."""
_POLL_S = 0.3
"""Time between two looks at the files, where the system does not tell."""
LEFT_OUT = frozenset({".octavo", "node_modules", "__pycache__", ".venv", ".git"})
_COMMITS = os.path.join(".git", "logs", "HEAD")  # noqa: PTH118 - the end of a path


class Watcher:
    """Tells of changes from a thread of its own."""

    def __init__(self, site_dir: Path, follow: Callable[[frozenset[str]], object], since_ns: int) -> None:
        """Prepare.

        Args:
            site_dir: The site's folder.
            follow: Told the paths of files that may have changed, from the site's folder, with forward slashes.
            since_ns: Time of the system's clock from which on changes count, in ns: the site was read from then on.
        """
        self._site_dir = site_dir
        self._follow = follow
        self._since_ns = since_ns
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="octavo-watch", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def close(self, timeout_s: float) -> None:
        """End."""
        self._stop.set()
        self._thread.join(timeout_s)

    def _run(self) -> None:
        if not _is_told():
            self._look_for()
            return
        try:
            self._listen()
        except OSError:
            # The system has no more watches to give.
            self._look_for()

    def _listen(self) -> None:
        from watchfiles import watch

        is_first = True
        for changes in watch(
            *self._folders(),
            watch_filter=None,
            debounce=_LONGEST_MS,
            step=_STEP_MS,
            stop_event=self._stop,
            rust_timeout=_LOOK_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
            force_polling=False,
        ):
            self._tell(name for _, name in changes)
            if is_first:
                is_first = False
                self._tell_of_earlier()

    def _look_for(self) -> None:
        """Look at all files now and then, to the nanosecond: watchfiles' own polling takes two saves in a second for one."""
        before = self._look()
        self._tell_of_earlier()
        while not self._stop.wait(_POLL_S):
            now = self._look()
            self._tell(dict(before.items() ^ now.items()))
            before = now

    def _look(self) -> dict[str, tuple[int, int, int]]:
        return {
            os.fspath(path): (found.st_mtime_ns, found.st_size, found.st_ino)
            for folder in self._folders()
            for path, found in _files(folder)
        }

    def _tell_of_earlier(self) -> None:
        """Tell what was saved after the site had been read, and before watching began."""
        if paths := changed_since(self._site_dir, self._since_ns):
            self._follow(frozenset(paths))

    def _tell(self, names: Iterable[str]) -> None:
        if paths := {path for name in names if (path := self.path_of(name)) is not None}:
            self._follow(frozenset(paths))

    def _folders(self) -> list[Path]:
        """The site, and what tells of commits: the dates of pages come from there."""
        roots = (self._site_dir, *self._site_dir.parents)
        commits = next((root / ".git" / "logs" for root in roots if (root / ".git" / "logs").is_dir()), None)
        return [self._site_dir, *([commits] if commits is not None else [])]

    def path_of(self, name: str) -> str | None:
        """Name a file from the site's folder; None for what is none of a site's business."""
        if name.endswith(_COMMITS):
            return ".git/logs/HEAD"
        if not name.startswith(f"{self._site_dir}{os.sep}"):
            return None
        path = name[len(os.fspath(self._site_dir)) + 1 :].replace(os.sep, "/")
        parts = path.split("/")
        if not LEFT_OUT.isdisjoint(parts) or self._is_published(parts[0]):
            return None
        return path

    def _is_published(self, folder: str) -> bool:
        """Tell whether a folder is one that builds publish to."""
        return (self._site_dir / folder / "_octavo" / "manifest.json").is_file()


def changed_since(site_dir: Path, since_ns: int) -> set[str]:
    """List what was changed after a time of the system's clock, as paths from the site's folder.

    Folders are among it: they tell of files that have gone, or came under another name and are as old as before.
    """
    return {path.relative_to(site_dir).as_posix() for path, found in _files(site_dir) if found.st_mtime_ns >= since_ns}


def _files(root: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Go through all files and folders that are a site's business."""
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in LEFT_OUT]
        if folder != os.fspath(root) and "_octavo" in folders:
            folders[:] = []
            continue
        for name in (*folders, *names):
            path = Path(folder) / name
            with contextlib.suppress(OSError):  # gone between two steps; its folder has changed
                yield path, path.stat()


def _is_told() -> bool:
    """Tell whether the system says what changes; the one name and the one machine for which not are watchfiles' own."""
    if wish := os.environ.get("WATCHFILES_FORCE_POLLING"):
        return wish.lower() in {"false", "disable", "disabled"}
    return "microsoft-standard" not in platform.uname().release
