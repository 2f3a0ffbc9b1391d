"""The texts of a page, in files so small that a hit costs little."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from octavo.search.index.record import Record
from octavo.search.index.record_text import CONTENT, Text


class Block(NamedTuple):
    """Which texts of a page share a file. By it alone the browser knows in which file a text is."""

    headings: int
    texts: int
    """Texts below one heading."""


ALL = 1 << 16
"""No limit: more headings or texts than a page can have."""

BLOCKS = (Block(4, 12), Block(4, ALL), Block(8, ALL), Block(16, ALL), Block(32, ALL), Block(ALL, ALL))
"""How a page can be cut, the smallest files first; the root says for each page which of these it is."""

TEXT_BYTES = 3_000
"""JSON of a file of texts, of which brotli leaves a third: of files that hold less, several become one, for each costs a request
and the build some time. Twice as much takes another quarter of the files, and adds 2 kB to a first answer."""

KINDS = ("code", "command", "api")
"""Kinds of texts that differ from their page's; numbered from 1."""

OWN_ANCHOR = 4
"""Flag of a text that has an address of its own."""

_encode_json = msgspec.json.Encoder().encode

Heading = tuple[int, int, str, str]
"""Its number on the page, its level, its text, its anchor."""


class PageTexts(NamedTuple):
    """What is shown of a page."""

    blocks: int
    """Place in `BLOCKS`: how it is cut."""
    files: Mapping[str, bytes]
    """`{block of headings}-{block of texts}` → JSON of the headings that matter there: number, level, text, anchor, then the texts
    below it, each alone or as text, anchor, kind."""


def texts_of(page: Sequence[tuple[Record, Text]]) -> PageTexts:
    """Cut what is shown of a page into files of about `TEXT_BYTES`."""
    finest = _cut(page, BLOCKS[0])
    chosen = _choose({name: len(rows) for name, rows in finest.items()})
    return PageTexts(chosen, _cut(page, BLOCKS[chosen]) if chosen and len(finest) > 1 else finest)


def _choose(sizes: Mapping[str, int]) -> int:
    """Choose how a page is cut.

    Args:
        sizes: Bytes of its files if it is cut finest.

    Returns:
        Place in `BLOCKS` of the last one whose files are small enough for a reader who loads that of any text.
    """
    total = sum(sizes.values())
    for place in range(len(BLOCKS) - 1, 0, -1):
        block = BLOCKS[place]
        joined: dict[int, int] = {}
        for name, size in sizes.items():
            number = int(name.partition("-")[0]) * BLOCKS[0].headings // block.headings
            joined[number] = joined.get(number, 0) + size
        if sum([size * size for size in joined.values()]) <= TEXT_BYTES * total:
            return place
    return 0


def _cut(page: Sequence[tuple[Record, Text]], block: Block) -> dict[str, bytes]:
    first = page[0][0]
    files: dict[str, list[list[object]]] = {}
    above: list[Heading] = []
    heading, below, last = -1, 0, first
    for record, text in page:
        if text.own == CONTENT:
            below += 1
            row = _row(record, first, last)
        else:
            heading, below, last = heading + 1, 0, record
            above = [one for one in above if one[1] < text.own]
            above.append((heading, text.own, record.hierarchy[text.own] or "", record.anchor))
            row = None
        rows = files.setdefault(f"{heading // block.headings}-{below // block.texts}", [])
        known = {one[0] for one in rows}
        rows += [list(one) for one in above if one[0] not in known]
        if row is not None:
            rows[-1].append(row)
    return {name: _encode_json(rows) for name, rows in files.items()}


def flags_of(record: Record, first: Record, heading: Record) -> int:
    """Describe a text: index of its kind, where that differs from its page's, and whether it has its own address."""
    kind = 0 if record.kind == first.kind or record.kind not in KINDS else 1 + KINDS.index(record.kind)
    return kind + (OWN_ANCHOR if record.anchor != heading.anchor else 0)


def _row(record: Record, first: Record, heading: Record) -> object:
    flags = flags_of(record, first, heading)
    text = record.content or ""
    if not flags:
        return text
    return [text, record.anchor if flags & OWN_ANCHOR else "", record.kind if flags & (OWN_ANCHOR - 1) else ""]
