"""What a page of a release takes in from outside of its documents: as it was in that release."""

from __future__ import annotations

import posixpath
from typing import TypeVar

import msgspec

from octavo.content import Asset, Document, Link
from octavo.diagnostics import Diagnostic, Span
from octavo.documents.files import Files
from octavo.revisions import release_folder

P = TypeVar("P", Asset, Diagnostic, Link)


class ReleasedFiles:
    """Reads files for one page of a release.

    Paths that start at the page lead into the store by themselves. Those that start at the site's folder are looked for in the
    release first; what it does not have is read from the files at hand.
    """

    def __init__(self, files: Files, page: str, above: int, components: str) -> None:
        """Initialize.

        Args:
            files: Reads them.
            page: Path of the page, from the site's folder.
            above: Number of folders above the site's whose files may be read.
            components: Folder of components, which all versions share.
        """
        self._files = files
        self._shared = f"{components}/"
        self._above = above
        self._release = release_folder(page)
        self._home = files.releases.home(page)
        self._moved: dict[str, str] = {}
        """Path as it was asked for → path in the store."""
        self._missing: set[str] = set()
        """Paths in the store."""

    def read(self, path: str) -> str | None:
        """Read a file; see `Files.read`."""
        if release_folder(path) or path.startswith(self._shared):
            return self._files.read(path, self._above)
        ending = "/" if path.endswith("/") else ""
        own = posixpath.normpath(f"{self._home}/{path}")
        if own.startswith(f"{self._release}/"):
            text = self._files.read(own + ending, self._above)
            if text is not None:
                self._moved[path] = own + ending
                return text
            self._missing.add(own + ending)
        return self._files.read(path, self._above)

    def with_places(self, document: Document) -> Document:
        """Name the files of the release in a document that was compiled of them."""
        dependencies = {self._moved.get(path, path): noted for path, noted in document.dependencies.items()}
        return msgspec.structs.replace(
            document,
            dependencies=dict.fromkeys(self._missing, "") | dependencies,
            links=list(map(self._placed, document.links)),
            assets=list(map(self._placed, document.assets)),
            diagnostics=list(map(self._placed, document.diagnostics)),
        )

    def _placed(self, part: P) -> P:
        path = self._moved.get(part.span.path)
        if path is None:
            return part
        return msgspec.structs.replace(part, span=Span(path, *msgspec.structs.astuple(part.span)[1:]))
