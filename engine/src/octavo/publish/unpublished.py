"""The output of a check: takes everything and writes nothing."""

from __future__ import annotations

from collections.abc import Callable

from octavo.manifest import ManifestFile

_NOT_KNOWN = ManifestFile("", 0)


class Unpublished:
    """Stands for the staging folder where nothing will be published."""

    def write(self, address: str, content: bytes) -> ManifestFile:
        """See `Staging`; returns the size only."""
        del address
        return ManifestFile("", len(content))

    def write_hashed(self, address: str, read: Callable[[], bytes]) -> ManifestFile:
        """See `Staging`; nothing is read."""
        del address, read
        return _NOT_KNOWN

    def known(self, address: str) -> ManifestFile | None:
        """See `Staging`; nothing need be made."""
        del address
        return _NOT_KNOWN

    def reuse(self, address: str, file: ManifestFile) -> bool:
        """See `Staging`."""
        del address, file
        return True

    def discard(self) -> None:
        """See `Staging`."""
