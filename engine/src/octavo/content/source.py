"""The text of a file, and pieces of it that still know where each character came from."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate, pairwise

from octavo.content.dialect import Dialect
from octavo.diagnostics import Span
from octavo.text_files import replace_unshown

MARK_OPEN = "\ufdd0"
MARK_CLOSE = "\ufdd1"
"""Noncharacters around the number of a lifted piece. They are removed from sources, so none can be forged."""


def normalize(text: str) -> str:
    r"""Give a text `\n` line ends and no byte-order mark, and replace the characters that we use ourselves."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.isascii():
        text = text.removeprefix("\ufeff").replace(MARK_OPEN, "\ufffd").replace(MARK_CLOSE, "\ufffd")
        text = text.encode("utf-8", "replace").decode("utf-8")
    return replace_unshown(text, "\ufffd")


class DocumentText:
    """A source file: its path from the site's folder and its normalized text."""

    __slots__ = ("_line_starts", "dialect", "is_mdx", "path", "text")

    def __init__(self, path: str, text: str, dialect: Dialect) -> None:
        self.path = path
        self.text = normalize(text)
        self.dialect = dialect
        self.is_mdx = dialect.is_mdx
        self._line_starts: list[int] | None = None

    def span(self, offset: int) -> Span:
        """Give the place of a character; `offset` counts characters from the start of the file."""
        starts = self._starts()
        line = bisect_right(starts, offset)
        return Span(self.path, line, offset - starts[line - 1] + 1)

    def line(self, number: int) -> str:
        """Give the text of a 1-based line, without its line break."""
        start = self._starts()[number - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]

    def _starts(self) -> list[int]:
        if self._line_starts is None:
            lengths = map((1).__add__, map(len, self.text.split("\n")))
            self._line_starts = list(accumulate(lengths, initial=0))
            self._line_starts.pop()
        return self._line_starts


class MadeText(DocumentText):
    """A text that an extension has made. Everything in it has one place: that of the use in the author's file."""

    __slots__ = ("_line", "_span", "depth")

    def __init__(self, text: str, around: DocumentText, offset: int) -> None:
        super().__init__(around.path, text, around.dialect)
        self._span = around.span(offset)
        self._line = around.line(self._span.line)
        self.depth: int = getattr(around, "depth", 0) + 1
        """Texts made within made texts."""

    @classmethod
    def beside(cls, other: DocumentText, text: str) -> MadeText:
        """Make another text of the same use."""
        made = cls(text, other, 0)
        made.depth = getattr(other, "depth", 1)
        return made

    def span(self, offset: int) -> Span:
        """Give the place of the use."""
        del offset
        return self._span

    def line(self, number: int) -> str:
        """Give the line of the use."""
        del number
        return self._line


class Fragment:
    """A stretch of Markdown cut out of a source, and the way back from its characters to the file's."""

    __slots__ = ("_origins", "_starts", "is_contained", "source", "text")

    def __init__(
        self, source: DocumentText, text: str, starts: list[int], origins: list[int], *, is_contained: bool = False
    ) -> None:
        self.source = source
        self.text = text
        self._starts = starts
        self._origins = origins
        self.is_contained = is_contained
        """It is inside a component, where indentation never means code."""

    @classmethod
    def whole(cls, source: DocumentText, start: int) -> Fragment:
        """Everything from an offset to the end of the file, as it is."""
        return cls(source, source.text[start:], [0], [start], is_contained=source.is_mdx)

    def origin(self, offset: int) -> int:
        """Offset in the file of a character of this fragment."""
        if len(self._starts) == 1:
            return self._origins[0] + offset
        index = bisect_right(self._starts, offset) - 1
        return self._origins[index] + offset - self._starts[index]

    def runs(self, start: int, end: int) -> list[tuple[int, int]]:
        """Split a stretch where its characters stop being neighbours in the file: list of (start, end)."""
        if len(self._starts) == 1:
            return [(start, end)]
        inner = self._starts[bisect_right(self._starts, start) : bisect_left(self._starts, end)]
        edges = [start, *inner, end]
        return list(pairwise(edges))

    def realigned(self, text: str, start: int, end: int) -> Fragment:
        """Make a fragment of a text that came from a part of this one and lost the prefix of its lines."""
        starts: list[int] = []
        origins: list[int] = []
        position = 0
        place = start
        lines = self.text[start:end].split("\n")
        for index, line in enumerate(text.split("\n")):
            own = lines[index] if index < len(lines) else ""
            starts.append(position)
            origins.append(self.origin(min(place + max(len(own) - len(line), 0), end)))
            position += len(line) + 1
            place += len(own) + 1
        return Fragment(self.source, text, starts, origins, is_contained=self.is_contained)

    def span(self, offset: int) -> Span:
        """Place in the file of a character of this fragment."""
        return self.source.span(self.origin(offset))


class ByteOffsets:
    """Turns UTF-8 byte offsets into character offsets; cheap if they are requested in rising order."""

    __slots__ = ("_byte", "_bytes", "_char")

    def __init__(self, text: str) -> None:
        self._bytes = None if text.isascii() else text.encode()
        self._byte = 0
        self._char = 0

    def char(self, byte: int) -> int:
        """Character offset of a byte offset that lies on a character's boundary."""
        if self._bytes is None:
            return byte
        if byte < self._byte:
            self._byte = self._char = 0
        self._char += len(self._bytes[self._byte : byte].decode("utf-8", "replace"))
        self._byte = byte
        return self._char
