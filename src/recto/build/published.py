"""What the last build has published, and what each page was drawn from."""

from __future__ import annotations

from pathlib import Path

import msgspec

from recto.build.cache import Cache
from recto.manifest import MANIFEST_PATH, ManifestFile

_TABLE = "published.msgpack"


class PageRecord(msgspec.Struct, frozen=True):
    """A drawn page, as the next build and the link check need it."""

    key: str
    """Hash of everything it was drawn from."""
    body_key: str
    """Key of its body; with the site's key unchanged, this alone tells that the page is."""
    has_files: bool
    """It shows or offers files, whose content counts as well."""
    files: dict[str, ManifestFile]
    """Address in the published folder → file."""
    references: list[str]
    """What its HTML refers to: values of `href`, `src`, `poster`."""
    anchors: list[str]
    """What it can be referred to by: values of `id`, and of `name` on `a`."""


class Published(msgspec.Struct, frozen=True):
    """The pages of a published build."""

    build: str
    site_key: str
    """Hash of all that pages know of each other and share."""
    records: dict[str, PageRecord]
    """Route → page."""

    @staticmethod
    def load(out: Path | None, cache: Cache) -> Published:
        """Load the records of what stands in the output folder; none when something else stands there."""
        nothing = Published("", "", {})
        if out is None:
            return nothing
        table = cache.load_table(_TABLE, Published, nothing)
        try:
            manifest = msgspec.json.decode((out / MANIFEST_PATH).read_bytes(), type=_BuildOnly)
        except (OSError, msgspec.DecodeError, msgspec.ValidationError):
            return nothing
        return table if manifest.build == table.build else nothing

    def save(self, cache: Cache) -> None:
        """Keep them for the next build."""
        cache.save_table(_TABLE, self)


class _BuildOnly(msgspec.Struct, frozen=True):
    build: str
