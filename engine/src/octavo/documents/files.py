"""Read the text files of a site's folder, and nothing outside it."""

from __future__ import annotations

import hashlib
import os
import posixpath
import stat
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from octavo.content import EXTENSION_INPUTS
from octavo.revisions import ReleaseReader, release_folder
from octavo.site import is_inside
from octavo.text_files import read_plain

_NO_WAIT = getattr(os, "O_NONBLOCK", 0)
_BYTES = "b:"
"""Begins the hashes of bytes."""
_MOST_KEPT = 16_000_000
"""Characters of files that are kept: where each page of a site lists all others, each file is asked for thousands of times."""


class Files:
    """Reads text files of the site's folder, and no others."""

    def __init__(self, site_dir: Path, others: Mapping[str, str] | None = None) -> None:
        """Initialize.

        Args:
            site_dir: The site's folder.
            others: What documents depend on that is not a file: name → hash.
        """
        self._site_dir = site_dir
        self._others = others or {}
        self._hashes: dict[str, str] = {}
        self._texts: dict[str, str | None] = {}
        self._room = _MOST_KEPT
        self._inside: dict[str, bool] = {}
        self.releases = ReleaseReader(site_dir)
        """Fetches files of releases that lie outside of their documents."""

    def read_source(self, path: str) -> str:
        """Read a file that the walk over the site's folder has found; empty where it has vanished since."""
        return self._read(path) or ""

    def read(self, path: str, above: int = 0) -> str | None:
        """Read a file that an author names; None where there is none inside the site's folder, or that many folders above it.

        The same holds for files behind links. A path that ends with a slash gives the names in a folder, one a line, those of
        folders with a slash; None where it has none.
        """
        if not path.startswith("../") and self._is_inside(path):
            return self._kept(path, above)
        return self._read(path) if above and self._is_reached(path, above) else None

    def _kept(self, path: str, above: int) -> str | None:
        """Read a file, once as long as there is room for what files hold."""
        if path in self._texts:
            return self._texts[path]
        text = self._read(path, above)
        self._room -= len(path) + len(text or "")
        if self._room >= 0:
            self._texts[path] = text
        return text

    def _is_inside(self, path: str) -> bool:
        """Return whether a path stays in the site's folder; where links lead is looked up once for each folder."""
        folder, name = posixpath.split(path)
        if name in (".", "..") or os.path.islink(f"{self._site_dir}/{path}"):  # noqa: PTH114 - for every file that is named
            return is_inside(self._site_dir, path)
        if folder not in self._inside:
            self._inside[folder] = is_inside(self._site_dir, folder)
        return self._inside[folder]

    def _is_reached(self, path: str, above: int) -> bool:
        folder = self._site_dir.resolve()
        root = folder.parents[min(above, len(folder.parents)) - 1] if folder.parents else folder
        try:
            behind = Path(os.path.normpath(folder / path)).resolve().relative_to(root)
        except (OSError, RuntimeError, ValueError):
            return False  # outside, or a link to itself
        # Hidden files are not for readers: keys, and settings of programs.
        return not any(
            part.startswith(".") and part not in ("..", ".github") for part in [*path.split("/"), *behind.parts]
        )

    def _read(self, path: str, above: int = 0) -> str | None:
        if path.endswith("/"):
            is_released = bool(release_folder(path))
            return self.releases.names(path, above) if is_released else _names_in(f"{self._site_dir}/{path}")
        text = self._read_file(path)
        if text is None and release_folder(path) and self.releases.fetch(path, above):
            return self._read_file(path)
        return text

    def _read_file(self, path: str) -> str | None:
        try:
            with open(f"{self._site_dir}/{path}", "rb", opener=_open_at_once) as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    return None  # a pipe would not end
                return file.read().decode("utf-8", "replace").replace("\r\n", "\n")
        except OSError:
            return None

    def unchanged(self, dependencies: dict[str, str]) -> bool:
        """Return whether all files, and what is not a file, still have the hashes that were noted."""
        return all(self._hash_now(path, noted) == noted for path, noted in dependencies.items())

    def _hash_now(self, path: str, noted: str) -> str:
        if path.startswith(EXTENSION_INPUTS):
            return self._others.get(path, "")
        return self._hash_bytes(path) if noted.startswith(_BYTES) else self._hash(path)

    def _hash(self, path: str) -> str:
        if path not in self._hashes:
            # What a page has read above the site's folder was allowed; other settings compile it anew.
            self._hashes[path] = hash_text(self._read(path) if path.startswith("../") else self.read(path))
        return self._hashes[path]

    def _hash_bytes(self, path: str) -> str:
        """Hash a file as extensions note it: by its bytes, as it may not be text."""
        name = f"{_BYTES}{path}"
        if name not in self._hashes:
            if release_folder(path) and not os.path.lexists(f"{self._site_dir}/{path}"):
                self.releases.fetch(path)
            try:
                data = read_plain(self._site_dir / path)
                self._hashes[name] = f"{_BYTES}{hashlib.sha256(data).hexdigest()[:16]}"
            except OSError:
                self._hashes[name] = ""
        return self._hashes[name]


def _names_in(folder: str) -> str | None:
    try:
        with os.scandir(folder) as entries:
            names = [f"{one.name}/" if one.is_dir() else one.name for one in entries if not one.name.startswith(".")]
    except OSError:
        return None
    return "\n".join(sorted(names)) or None


def _open_at_once(path: str, flags: int) -> int:
    """Open a file; a pipe without waiting for somebody who writes into it."""
    return os.open(path, flags | _NO_WAIT)


def takes_in(dependencies: Iterable[str], changed: Collection[str]) -> bool:
    """Return whether one of these files is among those that a page depends on, or lies in a folder whose names it lists."""
    folders = {f"{posixpath.dirname(path) or '.'}/" for path in changed}
    return any(path in changed or path in folders for path in dependencies)


def hash_text(text: str | None) -> str:
    """Hash a partial as `Document.dependencies` notes it; a missing file has the empty hash."""
    return hashlib.sha256(text.encode()).hexdigest()[:16] if text is not None else ""
