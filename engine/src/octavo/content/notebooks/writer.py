"""`CellWriter`: the Markdown of a notebook while it is written, each piece with its place in the file."""

from __future__ import annotations

from octavo.content.source import DocumentText, Fragment


class CellWriter:
    """Puts blocks of Markdown together."""

    def __init__(self, source: DocumentText) -> None:
        self._source = source
        self._pieces: list[str] = []
        self._starts: list[int] = []
        self._origins: list[int] = []
        self._length = 0

    def write(self, text: str, offset: int) -> None:
        """Write a text whose first character is at this offset of the file, or which takes the place of what is there."""
        if text:
            self._pieces.append(text)
            self._starts.append(self._length)
            self._origins.append(offset)
            self._length += len(text)

    def block(self, text: str, offset: int) -> None:
        """Write a block of our own, all of which has one place."""
        for line in text.strip("\n").split("\n"):
            self.write(f"{line}\n", offset)
        self.write("\n", offset)

    def fragment(self) -> Fragment:
        """Give what was written."""
        return Fragment(self._source, "".join(self._pieces), self._starts or [0], self._origins or [0])
