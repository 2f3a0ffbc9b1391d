"""What the last build has published, and what each page was drawn from."""

from __future__ import annotations

from pathlib import Path

import msgspec

from octavo.manifest import MANIFEST_PATH
from octavo.rendering import PageRecord
from octavo.runtime import Cache

_TABLE = "published.msgpack"


class PublishedPages(msgspec.Struct, frozen=True):
    """The pages of a published build."""

    build: str
    shared_key: str
    """Hash of what all pages were drawn from."""
    records: dict[str, PageRecord]
    """Route → page, the not-found pages of the locales included."""

    @staticmethod
    def load(out: Path | None, cache: Cache) -> PublishedPages:
        """Load the records of the output folder; none if it contains something else."""
        nothing = PublishedPages("", "", {})
        if out is None:
            return nothing
        table = cache.load_table(_TABLE, PublishedPages, nothing)
        try:
            manifest = msgspec.json.decode((out / MANIFEST_PATH).read_bytes(), type=_BuildOnly)
        except (OSError, msgspec.DecodeError, msgspec.ValidationError):
            return nothing
        return table if manifest.build == table.build else nothing

    @staticmethod
    def is_known(cache: Cache) -> bool:
        """Return whether there has been a build before."""
        return cache.has_table(_TABLE)

    def save(self, cache: Cache) -> None:
        """Keep them for the next build."""
        cache.save_table(_TABLE, self)


class _BuildOnly(msgspec.Struct, frozen=True):
    build: str
