"""Browsing: all records of an index, or those that a search finds, page by page."""

from __future__ import annotations

import base64
import binascii
import time
from typing import Any

import msgspec

from octavo.search.engines.interface import IndexEngine
from octavo.search.errors import ProtocolError, bad_parameter
from octavo.search.protocol.answer import FieldSelection
from octavo.search.query.parameters import MOST_HITS, Parameters
from octavo.search.query.values import Raw

Answer = dict[str, Any]


class _Cursor(msgspec.Struct, frozen=True, array_like=True):
    offset: int
    size: int
    """Records of the index: another number is another index."""


def browse(engine: IndexEngine, parameters: Parameters, raw: Raw, cursor: object) -> Answer:
    """Give the next records.

    Without words, all records come in the order of the index, however many there are. With words, they come in the order
    of their rank, up to `MOST_HITS`.

    Args:
        engine: The index.
        parameters: What to find, and which fields to give; a page holds 1,000 records unless they say otherwise.
        raw: The same, as they were sent.
        cursor: Of the answer before; None at the beginning.

    Raises:
        ProtocolError: the cursor is none, or of an index that has been replaced.
    """
    started = time.perf_counter()
    size = parameters.hits_per_page if raw.get("hitsPerPage") is not None else MOST_HITS
    offset = _read(cursor, engine.size) if cursor else parameters.page * size
    if parameters.query.strip():
        found = engine.results(msgspec.structs.replace(parameters, offset=offset, length=size))
        records, total = [hit.record for hit in found.hits(offset, size)], found.reachable
    else:
        records, total = engine.records(parameters.filter, offset, size)
    selection = FieldSelection(parameters.retrieve)
    answer: Answer = {
        "hits": [selection.of(record) for record in records],
        "page": offset // size if size else 0,
        "nbHits": total,
        "nbPages": -(-total // size) if size else 0,
        "hitsPerPage": size,
        "query": parameters.query,
        "params": "",
        "processingTimeMS": round((time.perf_counter() - started) * 1000),
    }
    if size and offset + size < total:
        answer["cursor"] = _write(_Cursor(offset + size, engine.size))
    return answer


def _write(cursor: _Cursor) -> str:
    return base64.urlsafe_b64encode(msgspec.msgpack.encode(cursor)).decode()


def _read(text: object, size: int) -> int:
    if not isinstance(text, str):
        raise bad_parameter("cursor", "a string")
    try:
        cursor = msgspec.msgpack.decode(base64.urlsafe_b64decode(text), type=_Cursor)
    except (binascii.Error, ValueError, msgspec.MsgspecError):
        raise bad_parameter("cursor", "the cursor of an answer before") from None
    if cursor.size != size or cursor.offset < 0:
        raise ProtocolError(400, "The index has been replaced since this cursor was given; begin again")
    return cursor.offset
