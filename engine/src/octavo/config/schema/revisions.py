"""`[versions]` as a table: versions that are tags or branches."""

from __future__ import annotations

from typing import Literal

import msgspec

from octavo.config.table import Table


class VersionsFrom(Table, frozen=True, kw_only=True):
    """Versions of the documentation from version control, written `[versions]` in place of a list `[[versions]]`."""

    source: Literal["tags", "branches"] = msgspec.field(name="from", default="tags")
    """Read versions from tags or from branches."""
    pattern: str = "v*"
    """Pattern of the tags or branches. The star stands for the version, as in `release/*`."""
    docs: str | None = None
    """Folder of the documents in the tags or branches. By default, `docs` of the settings."""
    label: str = "{version}"
    """Name of the versions for readers."""
    newest: Literal["patch", "minor", "major"] = "patch"
    """Publish all versions (`patch`), or only the latest of each minor or major version. Addresses then contain only that
    part of the version, `/2.1/` for 2.1.4, so that they stay when the next patch is released."""
    most: int = 0
    """Maximum number of versions, the latest first. 0 means all. Pre-releases are not counted."""
    supported: int = 0
    """Number of supported versions, the latest first. Pages of older versions have a banner and are not indexed by
    search engines. 0 means all."""
    ended: list[str] = []
    """More unsupported versions, as patterns: `1.*`."""
    hidden: list[str] = []
    """Versions that are not published, as patterns: `0.*`."""
    next: str = "next"
    """Part of the route of the current documents, which are not released yet. Empty to publish only released versions.
    """
    next_label: str = "Next"
    """Name of the current documents for readers."""
