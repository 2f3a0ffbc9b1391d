"""`Text`: the tokens of a record as one piece of bytes, made for being searched rather than taken apart."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from octavo.search.text.tokens import LONGEST_KEPT, Stream, bare_word, make_stream

NAME_MARK = "\x01"
"""Stands behind an identifier, as a token of its own: the identifier has no place beside the part that follows."""

TITLE, CONTENT = 1, 7
"""Indexes of the page's title and of the content among the attributes; `lvl0` to `lvl6` come before the content."""

LONGEST_SIZE = 255
"""Parts of a heading that are counted."""

_MOST_WORDS = 131_072
"""Words of which the tokens are kept."""

Sighting = tuple[int, int, str]
"""(attribute, position in it, token). Plain tuples: thousands are made for each search."""


class Text(msgspec.Struct, frozen=True, gc=False):
    """The tokens of a record, as ranking needs them: some fifty are looked through for each search."""

    stream: bytes
    """A line for each attribute, `lvl0` to `lvl6` and the content; see `line_of`. In UTF-8."""
    content_start: int
    """Where in the stream the content begins, in bytes."""
    has_names: bool
    """There are identifiers in it."""
    own: int
    """Index of the attribute that this record is about: its own heading, or the content."""
    is_code: bool
    custom: tuple[int, int, int]
    """Page rank, level, position: the first two are better when greater, the last when smaller."""
    size: int
    """Parts of this heading, or of the title of the page whose text this is; up to `LONGEST_SIZE`."""

    @property
    def lines(self) -> list[str]:
        """The tokens of each attribute."""
        return self.stream.decode().split("\n")

    def parts(self, attribute: int) -> list[str]:
        """List the parts of an attribute, without its identifiers."""
        tokens = pairwise([*self.lines[attribute].split(), ""])
        return [token for token, behind in tokens if NAME_MARK not in (token, behind)]


def line_of(stream: Stream) -> str:
    """Write the tokens of a text: each with a space before and behind it, an identifier before its first part."""
    parts, names = stream
    if not parts:
        return ""
    if names:
        parts = list(parts)
        for position, name in names:
            parts[position] = f"{name} {NAME_MARK} {parts[position]}"
    return f" {' '.join(parts)} "


class _Words(dict[str, str]):
    """Word of a text, between two spaces → what `line_of` writes of it; pages contain few different words."""

    def __missing__(self, word: str) -> str:
        bare = bare_word(word)
        # Every third word, each counted once, is prose: it needs no stream.
        written = bare if bare is not None else line_of(make_stream(word))[1:-1]
        if len(word) <= LONGEST_KEPT:
            if len(self) >= _MOST_WORDS:
                self.clear()
            self[word] = written
        return written


_words = _Words()


def line_of_text(text: str) -> str:
    """Write the tokens of a text, as `line_of` does, in a quarter of the time."""
    line = " ".join(filter(None, map(_words.__getitem__, text.split())))
    return f" {line} " if line else ""


def take_apart(line: Sequence[str]) -> list[tuple[int, str]]:
    """List the tokens of a line, which is given as its words: (position, token)."""
    found: list[tuple[int, str]] = []
    position = 0
    for word in line:
        if word == NAME_MARK:
            position -= 1  # the identifier before it has the place of the part behind it
        else:
            found.append((position, word))
            position += 1
    return found


def without_marks(line: str) -> str:
    """Leave all tokens of a line, and nothing else."""
    return line.replace(f"{NAME_MARK} ", "") if NAME_MARK in line else line


def levels_of(streams: Sequence[Stream]) -> bytes:
    """Write the first seven lines, with the end of the last."""
    return "".join([f"{line_of(stream)}\n" for stream in streams]).encode()
