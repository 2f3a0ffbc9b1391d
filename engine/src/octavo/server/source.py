"""Where the server's routes get their content: a build on disk, or a site whose pages are drawn on request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import BinaryIO, Protocol

from octavo.manifest import Manifest, ManifestFile
from octavo.server.addresses import Addresses


class PublishedFiles(Protocol):
    """One state of a site, as it is served."""

    @property
    def manifest(self) -> Manifest: ...

    @property
    def addresses(self) -> Addresses: ...

    def file(self, path: str) -> ManifestFile | None:
        """Name the content of a file, None where there is no such file."""

    async def ready(self, path: str) -> PublishedFiles:
        """Give the state in which a file can be sent, its entry in the manifest included."""

    def open(self, path: str) -> BinaryIO:
        """Open a file.

        Raises:
            UnreadableFileError: it is not there, or has another size than was published.
        """

    def read(self, path: str) -> bytes:
        """Read a file whole.

        Raises:
            UnreadableFileError: it is not there, or has another content than was published.
        """


class BuildSource(Protocol):
    """Gives the state to answer from."""

    @property
    def kept(self) -> Mapping[str, PublishedFiles]:
        """Hashed files of older states: path → the youngest that holds it."""

    async def current(self) -> PublishedFiles | None:
        """Give the state of now; None while there is none."""

    async def look(self) -> None:
        """Look for a new state, and wait until it can be answered from."""
