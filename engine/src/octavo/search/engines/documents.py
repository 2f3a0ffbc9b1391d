"""What another search engine is given of each record, and the record that is read from what it gives back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from octavo.search.index.record import Record, RecordType, Weight
from octavo.search.index.record_text import CONTENT, LONGEST_SIZE, NAME_MARK, TITLE, Text, levels_of, line_of
from octavo.search.index.tantivy_index import GENERATED, IndexReader
from octavo.search.text.tokens import Stream, make_stream

Document = dict[str, Any]

LEVELS = ("lvl0", "lvl1", "lvl2", "lvl3", "lvl4", "lvl5", "lvl6")
OWN_HEADING = "own_heading"
"""Field with the heading that a record is about, so that it outranks the records below that heading."""

_NOTHING = Stream([], [])


class StoredRecord(msgspec.Struct, frozen=True):
    """A record as another engine keeps it."""

    record: Record
    is_generated: bool
    """Its page was made from a description."""
    text_below: str | None
    """For a heading: the text that follows it."""


class LoadedRecord(NamedTuple):
    """A record that another engine has found, with its tokens."""

    stored: StoredRecord
    text: Text


def documents(reader: IndexReader) -> Iterator[Document]:
    """Write all records of an index, page by page."""
    for page in reader.pages():
        is_generated = page[0][0].kind in GENERATED
        for place, (record, _) in enumerate(page):
            following = page[place + 1][0] if place + 1 < len(page) else None
            below = following.content if following is not None and record.content is None else None
            yield document_of(StoredRecord(record, is_generated, below))


def document_of(stored: StoredRecord) -> Document:
    """Write a record. Names are those of the protocol, dots as objects; what has no value is left out."""
    record = stored.record
    own = record.hierarchy[int(record.type[3])] if record.type != "content" else None
    fields: Document = {
        "objectID": record.object_id,
        "url": record.url,
        "url_without_anchor": record.url_without_anchor,
        "anchor": record.anchor,
        "type": record.type,
        "kind": record.kind,
        "language": record.language,
        "version": record.version,
        "docusaurus_tag": record.tag,
        "section": record.section,
        "hierarchy": {level: text for level, text in zip(LEVELS, record.hierarchy, strict=True) if text},
        "content": record.content,
        OWN_HEADING: own,
        "weight": {
            "pageRank": record.weight.page_rank,
            "level": record.weight.level,
            "position": record.weight.position,
        },
        "is_generated": stored.is_generated,
        "text_below": stored.text_below,
    }
    return {name: value for name, value in fields.items() if value is not None}


def read_document(document: Mapping[str, Any]) -> StoredRecord:
    """Read a record.

    Raises:
        KeyError: the document is none that `document_of` has written.
    """
    hierarchy, weight = document["hierarchy"], document["weight"]
    record = Record(
        object_id=document["objectID"],
        url=document["url"],
        url_without_anchor=document["url_without_anchor"],
        anchor=document.get("anchor", ""),
        type=document["type"],
        content=document.get("content"),
        hierarchy=[hierarchy.get(level) for level in LEVELS],
        language=document["language"],
        version=document.get("version"),
        tag=document["docusaurus_tag"],
        kind=document["kind"],
        section=document["section"],
        weight=Weight(weight["pageRank"], weight["level"], weight["position"]),
    )
    return StoredRecord(record, document["is_generated"], document.get("text_below"))


def with_tokens(stored: StoredRecord) -> LoadedRecord:
    """Take the texts of a record apart, as the index of a build keeps them."""
    record = stored.record
    streams = [make_stream(title) if title else _NOTHING for title in record.hierarchy]
    levels = levels_of(streams)
    stream = levels + line_of(make_stream(record.content)).encode() if record.content else levels
    own = _own(record.type)
    text = Text(
        stream=stream,
        content_start=len(levels),
        has_names=NAME_MARK.encode() in stream,
        own=own,
        is_code=record.kind == "code",
        custom=(record.weight.page_rank, record.weight.level, record.weight.position),
        size=min(LONGEST_SIZE, len(streams[TITLE if own == CONTENT else own].parts)),
    )
    return LoadedRecord(stored, text)


def _own(type_: RecordType) -> int:
    return CONTENT if type_ == "content" else int(type_[3])
