"""Versions of documentation in version control: which tags or branches there are, and their files without a checkout."""

from __future__ import annotations

from octavo.revisions.git import (
    Revision,
    UnreadableRevisionError,
    contents_at_change,
    cut_revision,
    extract_folder,
    is_shallow,
    list_revisions,
    places_of_refs,
    read_object,
    read_text,
    with_folder,
)
from octavo.revisions.order import address_part, is_prerelease, keep_newest, version_key, version_name
from octavo.revisions.store import STORE, ReleaseReader, release_folder

__all__ = [
    "STORE",
    "ReleaseReader",
    "Revision",
    "UnreadableRevisionError",
    "address_part",
    "contents_at_change",
    "cut_revision",
    "extract_folder",
    "is_prerelease",
    "is_shallow",
    "keep_newest",
    "list_revisions",
    "places_of_refs",
    "read_object",
    "read_text",
    "release_folder",
    "version_key",
    "version_name",
    "with_folder",
]
