"""How the cache keeps compiled documents: one table of summaries, and packs of bodies and highlighted code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from octavo.content import Document, DrawnCode
from octavo.documents.body import Body
from octavo.errors import CacheLostError
from octavo.runtime import Cache, PackPlace
from octavo.site import DocumentSummary

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
    body: PackPlace
    """Position of its body in the cache."""
    code: PackPlace | None
    """Where it holds the blocks of code, `Document.code`; None where there are none."""
    root: str = ""
    """Folder of the version that it was compiled for; empty where it cannot be used for its twins in others."""


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


class Compiled(NamedTuple):
    """A compiled document."""

    key: str
    """See `StoredSummary`."""
    document: Document
    summary: DocumentSummary
    body: Body
    root: str
    """See `StoredSummary`."""


def store_documents(compiled: Sequence[Compiled], cache: Cache) -> list[StoredSummary]:
    """Store documents in one pack."""
    with_code = [one.document.code for one in compiled if one.document.code]
    places = cache.save_pack([*(one.body for one in compiled), *with_code])
    bodies, codes = places[: len(compiled)], iter(places[len(compiled) :])
    return [
        StoredSummary(
            key=one.key,
            dependencies=one.document.dependencies,
            summary=msgspec.Raw(msgspec.msgpack.encode(one.summary)),
            body_key=one.summary.body_key,
            body=body,
            code=next(codes) if one.document.code else None,
            root=one.root,
        )
        for one, body in zip(compiled, bodies, strict=True)
    ]


def load_code(place: PackPlace | None, cache: Cache) -> dict[str, DrawnCode]:
    """Load the blocks of code of a document; none where the cache has lost them."""
    try:
        return cache.load_piece(place, dict[str, DrawnCode]) if place else {}
    except CacheLostError:
        return {}
