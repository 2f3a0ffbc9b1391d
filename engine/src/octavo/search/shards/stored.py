"""`Stored`: what an index in static files was made of, from which the next one is made."""

from __future__ import annotations

import msgspec


class StoredContent(msgspec.Struct, frozen=True, array_like=True):
    """What one page says, or several of different editions that are equal."""

    digest: bytes
    number: int
    count: int
    """Pages that say it."""
    rest: str
    tokens: str
    """One a line."""
    size: int
    """Records of one page."""
    length: int
    """Tokens of one page."""
    page_rank: int
    outline: bytes
    """As in `PagePart`."""
    anchors: str
    """As in `PagePart`."""
    blocks: int
    """As in `PagePart`."""
    texts: list[str]
    """Names in the page of its files of texts."""
    shown_hash: bytes
    """Of its address, outline and texts."""
    version: str
    """As in `StoredGroup`."""


class StoredUnit(msgspec.Struct, frozen=True, array_like=True):
    """A file of words, with the files of their postings."""

    start: int
    """Place of its first word among all."""
    apart: str
    """Words written apart that are found here; one a line."""
    name: str
    postings: str
    """Names, one behind the other."""


class StoredEndings(msgspec.Struct, frozen=True, array_like=True):
    """The files of words read backwards."""

    words: str = ""
    """Sorted, one a line."""
    starts: list[int] = []
    """Place of the first word of each file."""
    names: str = ""
    """One behind the other."""


class StoredGroup(msgspec.Struct, frozen=True, array_like=True):
    """Contents whose numbers are of one group."""

    contents: list[str]
    """Their names."""
    version: str
    """Letters that tell the versions of the files of their outlines and texts apart."""


class Stored(msgspec.Struct, frozen=True, array_like=True):
    """An index."""

    root: str = ""
    """Name of its root, which tells it from others; empty: there is none."""
    pages: dict[str, tuple[str, bytes]] = {}
    """Address → key, and digest of the part."""
    contents: dict[str, StoredContent] = {}
    """By their names."""
    groups: dict[int, StoredGroup] = {}
    """By their numbers."""
    words: str = ""
    """Sorted, one a line."""
    units: list[StoredUnit] = []
    entries: list[int] = []
    """Of each unit, number of the entries of its words in an `EntryStore`."""
    languages: list[str] = []
    endings: StoredEndings = StoredEndings()
    common: int = 0
    """Records from which a word was common in it."""
