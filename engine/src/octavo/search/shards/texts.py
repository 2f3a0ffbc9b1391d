"""The texts of a page, in files so small that a hit costs little."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from octavo.search.index.record import Record
from octavo.search.index.record_text import CONTENT, Text

TEXT_HEADINGS, TEXT_TEXTS = 4, 12
"""Headings, and texts below one of them, that share a file. By them alone the browser knows in which file a text is."""

KINDS = ("code", "command", "api")
"""Kinds of texts that differ from their page's; numbered from 1."""

OWN_ANCHOR = 4
"""Flag of a text that has an address of its own."""

Heading = tuple[int, int, str, str]
"""Its number on the page, its level, its text, its anchor."""


def texts_of(page: Sequence[tuple[Record, Text]]) -> Mapping[str, Sequence[object]]:
    """Cut what is shown of a page.

    Returns:
        `{block of headings}-{block of texts}` → the headings that matter there: number, level, text, anchor, then the texts
        below it, each alone or as text, anchor, kind.
    """
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
        rows = files.setdefault(f"{heading // TEXT_HEADINGS}-{below // TEXT_TEXTS}", [])
        known = {one[0] for one in rows}
        rows += [list(one) for one in above if one[0] not in known]
        if row is not None:
            rows[-1].append(row)
    return files


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
