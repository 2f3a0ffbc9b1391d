"""Read the text files of a site's folder, and nothing outside it."""

from __future__ import annotations

import hashlib
from pathlib import Path

from octavo.site import is_inside


class Files:
    """Reads text files of the site's folder, and no others."""

    def __init__(self, site_dir: Path) -> None:
        self._site_dir = site_dir
        self._hashes: dict[str, str] = {}

    def read_source(self, path: str) -> str:
        """Read a file that the walk over the site's folder has found; empty where it has vanished since."""
        return self._read(path) or ""

    def read(self, path: str) -> str | None:
        """Read a file that an author names; None where there is none inside the site's folder."""
        return self._read(path) if is_inside(self._site_dir, path) else None

    def _read(self, path: str) -> str | None:
        try:
            with open(f"{self._site_dir}/{path}", "rb") as file:  # noqa: PTH123 - for every page of the site
                return file.read().decode("utf-8", "replace").replace("\r\n", "\n")
        except OSError:
            return None

    def unchanged(self, dependencies: dict[str, str]) -> bool:
        """Tell whether all files still have the hashes that were noted."""
        return all(self._hash(path) == noted for path, noted in dependencies.items())

    def _hash(self, path: str) -> str:
        if path not in self._hashes:
            self._hashes[path] = hash_text(self.read(path))
        return self._hashes[path]


def hash_text(text: str | None) -> str:
    """Hash a partial as `Document.dependencies` notes it; a missing file has the empty hash."""
    return hashlib.sha256(text.encode()).hexdigest()[:16] if text is not None else ""
