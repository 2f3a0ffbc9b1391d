"""`PagePart`: all that the static index has of one page, made without a look at other pages."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec

from octavo.search.index.facts import PageFacts
from octavo.search.index.record import Record
from octavo.search.index.record_text import CONTENT, Text
from octavo.search.shards.page_words import in_files, words_of_page
from octavo.search.shards.postings import write_rows
from octavo.search.shards.texts import BLOCKS, texts_of

_encode_json = msgspec.json.Encoder().encode


class PagePart(msgspec.Struct, frozen=True, array_like=True):
    """The words and texts of a page, without its address, version and language: twins in several versions have equal ones."""

    tokens: str
    """One a line, as in the files of words."""
    frequencies: list[int]
    """Of each token: records of the page that hold it, in their headings too."""
    rows: bytes
    """Of each token: its places; a line of `write_rows`."""
    size: int
    """Records."""
    length: int
    """Tokens, as the norm of a page counts them."""
    page_rank: int
    outline: bytes
    """JSON: level and number of words of each heading, one behind the other."""
    anchors: str
    """Of each heading, one a line."""
    blocks: int
    """How the texts are cut; see `PageTexts`."""
    texts: dict[str, bytes]
    """Name in the page → JSON of what is shown; see `PageTexts`."""


def part_key(body_key: str, facts: PageFacts) -> bytes:
    """Write down what decides about the part of a page, for a hash.

    Args:
        body_key: Hash of its headings and texts.
        facts: What its records share; of these, parts leave out what differs between versions.
    """
    return msgspec.msgpack.encode((body_key, facts.title, facts.description, facts.lvl0, facts.kind, facts.page_rank))


def make_part(page: Sequence[tuple[Record, Text]]) -> bytes:
    """Make the part of a page, as MessagePack, of its records in their order."""
    words = words_of_page(page)
    texts = texts_of(page)
    headings = [record for record, text in page if text.own != CONTENT]
    part = PagePart(
        tokens="\n".join(map(in_files, words.rows)),
        frequencies=[words.frequencies.get(token, 0) for token in words.rows],
        rows=b"\n".join([write_rows(rows, BLOCKS[texts.blocks]) for rows in words.rows.values()]),
        size=len(page),
        length=words.tokens,
        page_rank=page[0][0].weight.page_rank,
        outline=_encode_json(words.outline),
        anchors="\n".join([record.anchor for record in headings]),
        blocks=texts.blocks,
        texts=dict(texts.files),
    )
    return msgspec.msgpack.encode(part)


def read_part(part: bytes) -> PagePart:
    """Read what `make_part` has written."""
    return _decode(part)


def digest_of_part(part: bytes) -> bytes:
    """Hash a part: pages with the same one are twins."""
    return hashlib.sha256(part).digest()[:16]


_decode = msgspec.msgpack.Decoder(PagePart).decode
