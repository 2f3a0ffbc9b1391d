"""The store: what releases of a site contain, as folders that look like the repository at each release.

A release has the folder `.octavo/versions/ID`, where `ID` begins the hash that git gives to the whole commit's files. Documents are
written into it as a whole, see `extract_folder`; other files when something asks for them, see `ReleaseReader`.
"""

from __future__ import annotations

import errno
import os
import posixpath
import subprocess
import tempfile
import threading
import weakref
from contextlib import suppress
from pathlib import Path

from octavo.errors import UsageError

STORE = ".octavo/versions"
"""Holds the releases, from the site's folder."""
ID_LENGTH = 16
BAD_NAMES = (errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL, errno.ENOTDIR, errno.EISDIR)
"""Errors of a file system that does not take a name."""
_LONGEST = 1000


def release_folder(path: str) -> str:
    """Name the folder of the release that a path lies in, both from the site's folder; empty for one that is in none."""
    if not path.startswith(f"{STORE}/"):
        return ""
    return f"{STORE}/{path[len(STORE) + 1 :].partition('/')[0]}"


class ReleaseReader:
    """Reads files of releases that are not in the store yet, by one process of git that is started for the first of them."""

    def __init__(self, site_dir: Path) -> None:
        """Initialize. Args: site_dir: The site's folder."""
        self._site_dir = site_dir
        self._prefix: str | None = None
        self._git: subprocess.Popen[bytes] | None = None
        self._owner = os.getpid()
        """Process whose pipes lead to git: one that is forked from it must not use them."""
        self._lock = threading.Lock()
        """A question and its answer are on the pipes alone."""
        self._missing: set[tuple[str, int]] = set()
        self._hash_letters = 40

    def home(self, path: str) -> str:
        """Name the folder that is the site's in the release of a path, which must lie in one."""
        return posixpath.normpath(f"{release_folder(path)}/{self._site_prefix()}")

    def find(self, page: str, path: str) -> str | None:
        """Find a file as it was in the release of a page, and put it into the store.

        Args:
            page: Path of the page, from the site's folder.
            path: Path of the file, from the site's folder, or above it.

        Returns:
            Path in the store, from the site's folder; None where the release has no such file.
        """
        own = posixpath.normpath(f"{self.home(page)}/{path}")
        is_inside = own.startswith(f"{release_folder(page)}/")
        if is_inside and ((self._site_dir / own).is_file() or self.fetch(own, path.count("../"))):
            return own
        return None

    def fetch(self, path: str, above: int = 0) -> bool:
        """Put a file into the store, so that it can be read there.

        Args:
            path: From the site's folder, in the folder of a release.
            above: Number of folders above the site's whose files may be read; hidden files there never are.

        Returns:
            Whether it is there now; not for a name that this file system does not take.

        Raises:
            UsageError: the store cannot be written to.
        """
        if (path, above) in self._missing:
            return False
        content = self._read(path, above, b"blob")
        if content is None:
            self._missing.add((path, above))
            return False
        target = self._site_dir / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            handle, made = tempfile.mkstemp(prefix=f".new-{os.getpid()}-", dir=self._site_dir / STORE)
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            Path(made).replace(target)
        except OSError as error:
            if error.errno in BAD_NAMES:
                self._missing.add((path, above))
                return False
            raise UsageError(f"The file {path} cannot be written: {error.strerror}.") from error
        return True

    def names(self, folder: str, above: int = 0) -> str | None:
        """List the names in a folder of a release, one a line, those of folders with a slash; hidden ones are left out.

        Args:
            folder: From the site's folder.
            above: See `fetch`.
        """
        content = self._read(folder.rstrip("/"), above, b"tree")
        if content is None:
            return None
        hash_bytes = 20 if self._hash_letters == 40 else 32
        found, start = [], 0
        while start < len(content):
            end = content.index(b"\0", start)
            mode, _, name = content[start:end].partition(b" ")
            text = os.fsdecode(name)
            if not text.startswith(".") and mode.startswith((b"100", b"40000")):
                found.append(f"{text}/" if mode == b"40000" else text)
            start = end + 1 + hash_bytes
        return "\n".join(sorted(found)) or None

    def _read(self, path: str, above: int, kind: bytes) -> bytes | None:
        release = release_folder(path)
        identifier = release.rpartition("/")[2]
        inside = path[len(release) + 1 :]
        if len(identifier) != ID_LENGTH or not self._is_allowed(inside, above):
            return None
        return self._ask(f"{identifier}:{inside}", kind)

    def _is_allowed(self, path: str, above: int) -> bool:
        """Return whether authors may name a file of the repository. Args: path: From the repository's folder."""
        parts = path.split("/")
        if len(path) > _LONGEST or "\n" in path or ".." in parts or ".git" in parts:
            return False
        prefix = self._site_prefix()
        if f"{path}/".startswith(prefix):
            return True
        steps = posixpath.relpath(path or ".", prefix or ".").split("/").count("..")
        return steps <= above and not any(part.startswith(".") and part != ".github" for part in parts)

    def _site_prefix(self) -> str:
        """Where the site lies in its repository, with a final slash; empty where they have the same folder."""
        if self._prefix is None:
            command = ["git", "-C", str(self._site_dir), "rev-parse", "--show-prefix"]
            try:
                said = subprocess.run(command, capture_output=True, check=True, timeout=60).stdout
                self._prefix = os.fsdecode(said).rstrip("\n")
            except (OSError, subprocess.SubprocessError):
                self._prefix = ""  # then nothing can be read either
        return self._prefix

    def _ask(self, name: str, kind: bytes) -> bytes | None:
        if self._owner != os.getpid():
            # A thread that is not in this fork may have held the lock.
            self._owner, self._git, self._lock = os.getpid(), None, threading.Lock()
        with self._lock:
            return self._answer(name, kind)

    def _answer(self, name: str, kind: bytes) -> bytes | None:
        try:
            git = self._running_git()
            if git.stdin is None or git.stdout is None:
                return None
            git.stdin.write(os.fsencode(f"{name}\n"))
            git.stdin.flush()
            # HASH KIND SIZE, then the content; or NAME missing, and for odd links KIND SIZE, then a path.
            said = git.stdout.readline().split()
            if len(said) < 2 or not said[-1].isdigit():
                return None
            content = git.stdout.read(int(said[-1]))
            git.stdout.read(1)
        except (OSError, ValueError):
            return None
        self._hash_letters = len(said[0])
        return content if len(said) == 3 and said[1] == kind else None

    def _running_git(self) -> subprocess.Popen[bytes]:
        if self._git is None or self._git.poll() is not None:
            # Little of a packed repository in memory at once: the process of extensions may use a limited address space.
            options = ["-c", "core.packedGitWindowSize=16m", "-c", "core.packedGitLimit=64m", "-C", str(self._site_dir)]
            # Links are followed within the repository, and nowhere else.
            command = ["git", *options, "cat-file", "--batch", "--follow-symlinks"]
            git = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self._git = git
            weakref.finalize(self, _end, git, os.getpid())
        return self._git


def _end(git: subprocess.Popen[bytes], owner: int) -> None:
    """End a process of git, unless this process is a fork of the one that has started it."""
    if os.getpid() != owner:
        return
    with suppress(OSError):
        git.kill()
    for pipe in (git.stdin, git.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    git.wait()
