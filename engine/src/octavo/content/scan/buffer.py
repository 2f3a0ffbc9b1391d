"""A text put together from pieces of another one, which remembers where each piece came from."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from octavo.content.source import MARK_CLOSE, MARK_OPEN, Fragment
from octavo.lazy import regex as re


class Buffer:
    """Collects pieces of a fragment, and lifted pieces between them, into a new fragment."""

    __slots__ = ("_fragment", "_length", "_line", "_origins", "_pieces", "_starts", "begins_in_line")

    def __init__(self, fragment: Fragment, *, begins_in_line: bool = False) -> None:
        self._fragment = fragment
        self._pieces: list[str] = []
        self._starts: list[int] = []
        self._origins: list[int] = []
        self._length = 0
        self.begins_in_line = begins_in_line
        """The first line begins in the middle of a line of the source."""
        self._line: list[str] = []
        """Pieces of the line that is being written."""

    @property
    def tail(self) -> str:
        """Text of the line that is being written."""
        if len(self._line) > 1:
            self._line = ["".join(self._line)]
        return self._line[0] if self._line else ""

    def copy(self, start: int, end: int) -> None:
        """Take over a stretch of the fragment."""
        if start < end:
            for first, last in self._fragment.runs(start, end):
                self.write(self._fragment.text[first:last], self._fragment.origin(first))

    def copy_shifted(self, start: int, end: int, shift: int) -> int:
        """Take over a line without so many of the columns of white space at its head; gives its end."""
        if shift:
            line = self._fragment.text[start:end]
            bare = start + len(line) - len(line.lstrip(" \t"))
            blank = self._fragment.text[start:bare].expandtabs(4)
            self.write(blank[shift:], self._fragment.origin(start))
            start = bare
        self.copy(start, end)
        return end

    def write(self, text: str, origin: int) -> None:
        """Write a text of our own; `origin` is the offset in the file of what it replaces."""
        self._pieces.append(text)
        self._starts.append(self._length)
        self._origins.append(origin)
        self._length += len(text)
        if "\n" in text:
            self._line = [text[text.rindex("\n") + 1 :]]
        else:
            self._line.append(text)

    def write_node(self, number: int, origin: int) -> None:
        """Write the placeholder of a block, which takes the rest of its line."""
        self.write(f"<?{MARK_OPEN}{number}{MARK_CLOSE}?>\n", origin)

    def write_mark(self, number: int, origin: int) -> None:
        """Write the placeholder of a piece inside a line."""
        self.write(f"{MARK_OPEN}{number}{MARK_CLOSE}", origin)

    def write_tag(self, number: int, origin: int) -> None:
        """Write the placeholder of a piece inside a line as a tag, which is punctuation to what is beside it."""
        self.write(f"<?{MARK_OPEN}{number}{MARK_CLOSE}?>", origin)

    def mark(self) -> int:
        """Remember this place for `is_blank_since`."""
        return len(self._pieces)

    def is_blank_since(self, mark: int) -> bool:
        """Whether nothing but white space was written after a place."""
        return not any(piece.strip() for piece in self._pieces[mark:])

    def fragment(self, *, is_contained: bool) -> Fragment:
        """Give what was written; where it is contained, the indentation that all lines share goes away."""
        text = "".join(self._pieces)
        starts, origins = self._starts or [0], self._origins or [self._fragment.origin(0)]
        whole = Fragment(self._fragment.source, text, starts, origins, is_contained=is_contained)
        if not is_contained:
            return whole
        shared = _shared_indentation(text, begins_in_line=self.begins_in_line)
        return _outdent(whole, shared, starts) if shared else whole


def _shared_indentation(text: str, *, begins_in_line: bool) -> int:
    """Count the white space that all lines have in common; placeholders and blank lines don't count."""
    shared: int | None = None
    for index, line in enumerate(text.split("\n")):
        stripped = line.lstrip(" \t")
        if not stripped or (index == 0 and begins_in_line) or stripped.startswith("<?" + MARK_OPEN):
            continue
        indent = len(line) - len(stripped)
        shared = indent if shared is None else min(shared, indent)
    return shared or 0


def _outdent(fragment: Fragment, width: int, segment_starts: list[int]) -> Fragment:
    """Take up to `width` characters of white space from the head of each line."""
    pieces: list[str] = []
    starts: list[int] = []
    origins: list[int] = []
    length = position = 0
    for line in re.findall(r"[^\n]*\n|[^\n]+", fragment.text):
        indent = len(line) - len(line.lstrip(" \t"))
        first, last = position + min(indent, width), position + len(line)
        inner = segment_starts[bisect_right(segment_starts, first) : bisect_left(segment_starts, last)]
        for begin in (first, *inner):
            starts.append(length + begin - first)
            origins.append(fragment.origin(begin))
        pieces.append(fragment.text[first:last])
        length += last - first
        position = last
    return Fragment(fragment.source, "".join(pieces), starts or [0], origins or [fragment.origin(0)], is_contained=True)
