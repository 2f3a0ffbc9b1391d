"""How the cache keeps compiled documents: one table of summaries, and packs of bodies and highlighted code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from octavo.content import Document, DrawnCode
from octavo.documents.body import split_document
from octavo.errors import CacheLostError
from octavo.runtime import Cache, Place

_TABLE = "summaries.msgpack"


class StoredSummary(msgspec.Struct, frozen=True):
    """A summary as the cache keeps it, with what tells whether it still holds."""

    key: str
    """Hash of the source, of the options and of the compiler."""
    dependencies: dict[str, str]
    """Path of each partial → hash of its content."""
    summary: msgspec.Raw
    """The `DocumentSummary`, encoded."""
    body_key: str
    body: Place
    """Position of its body in the cache."""
    code: Place | None
    """Where it holds the blocks of code, `Document.code`; None where there are none."""


class _StoredSummaries(msgspec.Struct, frozen=True):
    """The summaries of a site."""

    compiler: str
    """See `Compiler.key`."""
    summaries: dict[str, StoredSummary]
    """Source path → summary."""


def load_stored(cache: Cache, compiler: str) -> dict[str, StoredSummary]:
    """Load what a compiler has stored, as source path → summary; nothing of what another one has."""
    table = cache.load_table(_TABLE, _StoredSummaries, _StoredSummaries("", {}))
    if table.compiler != compiler:
        return {}
    packs = cache.has_packs({entry.body.pack for entry in table.summaries.values()})
    return {path: entry for path, entry in table.summaries.items() if entry.body.pack in packs}


def save_stored(summaries: Mapping[str, StoredSummary], compiler: str, cache: Cache) -> None:
    """Save the table, and remove the packs that it does not name."""
    cache.save_table(_TABLE, _StoredSummaries(compiler, dict(summaries)))
    cache.drop_packs_but({entry.body.pack for entry in summaries.values()})


def store_documents(compiled: Sequence[tuple[str, str, Document]], cache: Cache) -> list[StoredSummary]:
    """Store documents in one pack, given as (source key, body key, document)."""
    split = [split_document(document, body_key) for _, body_key, document in compiled]
    with_code = [document.code for *_, document in compiled if document.code]
    places = cache.save_pack([*(body for _, body in split), *with_code])
    bodies, codes = places[: len(split)], iter(places[len(split) :])
    return [
        StoredSummary(
            key=key,
            dependencies=document.dependencies,
            summary=msgspec.Raw(msgspec.msgpack.encode(summary)),
            body_key=summary.body_key,
            body=body,
            code=next(codes) if document.code else None,
        )
        for (key, _, document), (summary, _), body in zip(compiled, split, bodies, strict=True)
    ]


def load_code(place: Place | None, cache: Cache) -> dict[str, DrawnCode]:
    """Load the blocks of code of a document; none where the cache has lost them."""
    try:
        return cache.load_piece(place, dict[str, DrawnCode]) if place else {}
    except CacheLostError:
        return {}
