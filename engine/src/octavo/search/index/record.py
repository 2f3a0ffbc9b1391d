"""`Record`: what search can find, a heading or a stretch of text of a page, and how a page becomes records."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import msgspec

from octavo.content import Heading, TextChunk
from octavo.search.index.facts import DATA_RANK, Kind, PageFacts
from octavo.search.index.record_text import CONTENT, LONGEST_SIZE, NAME_MARK, TITLE, Text, levels_of, line_of_text
from octavo.search.text.tokens import Stream, make_stream

RecordType = Literal["lvl1", "lvl2", "lvl3", "lvl4", "lvl5", "lvl6", "content"]

LONGEST_CONTENT = 4_000
"""Characters; longer texts (whole files as code) are split at their lines into records of about this length."""

LEVEL_WEIGHTS: dict[str, int] = {
    "lvl1": 100, "lvl2": 90, "lvl3": 80, "lvl4": 70, "lvl5": 60, "lvl6": 50, "content": 0,
}  # fmt: skip
"""`weight.level` by type, as the crawler of the hosted service sets it."""

_TYPES: dict[int, RecordType] = {1: "lvl1", 2: "lvl2", 3: "lvl3", 4: "lvl4", 5: "lvl5", 6: "lvl6"}

_CHUNK_KINDS: dict[str, Kind] = {
    "code": "code",
    "option": "command",
    "operation": "api",
    "parameter": "api",
    "field": "api",
}
"""Kinds of text that are found as something else than their page is."""


class Weight(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What decides between records that match equally well."""

    page_rank: int
    """Greater is better."""
    level: int
    """0 for text, 50 to 100 for headings; greater is better."""
    position: int
    """Place in the page, from 0; smaller is better."""


class Record(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One record, as it is stored."""

    object_id: str
    """Made of address and text: the same in every build in which both are."""
    url: str
    url_without_anchor: str
    anchor: str
    """Empty for text before the first heading."""
    type: RecordType
    content: str | None
    """None for headings."""
    hierarchy: list[str | None]
    """`lvl0` to `lvl6`."""
    language: str
    version: str | None
    tag: str
    kind: Kind
    section: str
    weight: Weight


ObjectId = tuple[bytes, int]
"""An id in fewer bytes: what is a hash in it, and the number behind that."""


class ObjectIds:
    """Makes the ids of the records of one page, in their order."""

    def __init__(self) -> None:
        self._seen: dict[bytes, int] = {}

    def make(self, url: str, type_: str, content: str | None) -> ObjectId:
        """Make the id of the next record, of its address and text."""
        base = hashlib.sha256(f"{url}\n{type_}\n{content or ''}".encode()).digest()[:8]
        count = self._seen[base] = self._seen.get(base, 0) + 1
        return base, count


def unpack_id(base: bytes, count: int) -> str:
    """Write an id as readers of the index see it."""
    return base.hex() if count == 1 else f"{base.hex()}-{count}"


class Indexed(NamedTuple):
    """A record and its tokens, which are kept apart: ranking reads many of these for each record that is shown."""

    record: Record
    text: Text


def make_records(facts: PageFacts, headings: Sequence[Heading], chunks: Sequence[TextChunk]) -> list[Indexed]:
    """Make the records of a page, in page order."""
    kinds = {chunk.kind for chunk in chunks} if facts.kind == "api" else ()
    if "field" in kinds and "operation" not in kinds:
        facts = msgspec.structs.replace(facts, page_rank=min(facts.page_rank, DATA_RANK))
    return list(_Maker(facts, headings).records(chunks))


_NOTHING = Stream([], [])


class _Maker:
    def __init__(self, facts: PageFacts, headings: Sequence[Heading]) -> None:
        self._facts = facts
        self._headings = headings
        self._titles: list[str | None] = [facts.lvl0, facts.title, None, None, None, None, None]
        self._streams = [make_stream(title) if title else _NOTHING for title in self._titles]
        self._levels = levels_of(self._streams)
        self._anchor = ""
        self._ids = ObjectIds()
        self._position = 0

    def records(self, chunks: Sequence[TextChunk]) -> Iterator[Indexed]:
        yield self._record("lvl1", None, self._facts.kind)
        first = chunks[0].text if chunks else ""
        if self._facts.description and not first.startswith(self._facts.description.rstrip("….")):
            yield self._record("content", self._facts.description, self._facts.kind)
        current = -1
        for chunk in chunks:
            if chunk.heading != current:
                current = chunk.heading
                yield from self._enter(current)
            if chunk.kind == "heading":
                continue
            kind = _CHUNK_KINDS.get(chunk.kind, self._facts.kind)
            for text in split_text(chunk.text):
                yield self._record("content", text, kind, chunk.anchor)

    def _enter(self, index: int) -> Iterator[Indexed]:
        heading = self._headings[index]
        if heading.level == 1 or not heading.text:
            return  # the page's title has a record already
        level = heading.level
        self._titles = [*self._titles[:level], heading.text, *[None] * (6 - level)]
        self._streams = [*self._streams[:level], make_stream(heading.text), *[_NOTHING] * (6 - level)]
        self._levels = levels_of(self._streams)
        self._anchor = heading.anchor
        yield self._record(_TYPES[heading.level], None, self._facts.kind)

    def _record(self, type_: RecordType, content: str | None, kind: Kind, own_anchor: str = "") -> Indexed:
        facts = self._facts
        anchor = own_anchor or self._anchor
        url = f"{facts.url}#{anchor}" if anchor else facts.url
        weight = Weight(facts.page_rank, LEVEL_WEIGHTS[type_], self._position)
        self._position += 1
        record = Record(
            object_id=unpack_id(*self._ids.make(url, type_, content)),
            url=url,
            url_without_anchor=facts.url,
            anchor=anchor,
            type=type_,
            content=content,
            hierarchy=self._titles,
            language=facts.language,
            version=facts.version,
            tag=facts.tag,
            kind=kind,
            section=facts.section,
            weight=weight,
        )
        return Indexed(record, self._text(type_, content, kind, weight))

    def _text(self, type_: RecordType, content: str | None, kind: Kind, weight: Weight) -> Text:
        stream = self._levels + _line_of_text(content) if content else self._levels
        level = TITLE if type_ == "content" else int(type_[3])
        return Text(
            stream=stream,
            content_start=len(self._levels),
            has_names=NAME_MARK.encode() in stream,
            own=CONTENT if type_ == "content" else level,
            is_code=kind == "code",
            custom=(weight.page_rank, weight.level, weight.position),
            size=min(LONGEST_SIZE, len(self._streams[level].parts)),
        )


@lru_cache(maxsize=1 << 11)
def _line_of_text(text: str) -> bytes:
    """Write the tokens of a text, which is half of the work of making records.

    Versions of a page, most of whose texts are equal, come one behind the other.
    """
    return line_of_text(text).encode()


def split_text(text: str, longest: int = LONGEST_CONTENT) -> Iterator[str]:
    """Split a long text at its lines, or at its spaces where a line is too long by itself."""
    while len(text) > longest:
        cut = text.rfind("\n", longest // 2, longest)
        cut = text.rfind(" ", longest // 2, longest) if cut < 0 else cut
        cut = longest if cut < 0 else cut
        yield text[:cut].rstrip()
        text = text[cut:].lstrip("\n ")
    if text:
        yield text
