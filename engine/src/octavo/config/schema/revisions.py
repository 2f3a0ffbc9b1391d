"""`[versions]` as a table: versions that are tags or branches."""

from __future__ import annotations

from typing import Literal

import msgspec


class VersionsFrom(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Versions of the documentation from version control, written `[versions]` in place of a list `[[versions]]`."""

    source: Literal["tags", "branches"] = msgspec.field(name="from", default="tags")
    """What a version is in the repository."""
    pattern: str = "v*"
    """Which tags or branches; the star stands for the version, as in `release/*`."""
    docs: str | None = None
    """Folder of the documents in them, from the site's folder; by default `docs` of the settings."""
    label: str = "{version}"
    """Name that readers see."""
    newest: Literal["patch", "minor", "major"] = "patch"
    """Show every version, or only the newest of each minor or major one."""
    most: int = 0
    """Releases shown at most, newest first; 0 for all. A version before its release is not counted."""
    supported: int = 0
    """How many are supported, newest first; the pages of others have a banner and stay out of search engines. 0 for all."""
    ended: list[str] = []
    """More versions that have ended, as patterns: `1.*`."""
    hidden: list[str] = []
    """Versions that are not shown, as patterns."""
    next: str = "next"
    """Part of the route of the documents as they are now; empty where only versions are shown."""
    next_label: str = "Next"
    """Name of these documents for readers."""
