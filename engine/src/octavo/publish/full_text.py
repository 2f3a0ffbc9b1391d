"""Publish `llms-full.txt`: it is made of files that the build has just written."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from octavo.manifest import ManifestFile
from octavo.pipeline import SiteFiles
from octavo.publish.staging import Staging
from octavo.runtime import Cache, digest, pages_key

_TABLE = "full-text-parts.msgpack"


class _Part(msgspec.Struct, frozen=True):
    """A part, as it was published."""

    key: str
    """Hash of what it was made of."""
    file: ManifestFile


def publish_full_text(
    site_files: SiteFiles, files: Mapping[str, ManifestFile], staging: Staging, cache: Cache
) -> dict[str, ManifestFile]:
    """Write the parts, or take over those of the last build in which no page has changed.

    Args:
        site_files: The site.
        files: What is published already, the Markdown of the pages included; files of the author with the name of a
            part take its place.
        staging: Holds them.
        cache: Remembers what the parts were made of.

    Returns:
        Address → file.
    """
    # An author's file in the place of a page has no place in the order of the pages.
    pages = [(address, files[address].size) for address in site_files.full_text_pages() if address in files]
    if not pages:
        return {}
    before = cache.load_table(_TABLE, dict[str, _Part], {})
    made: dict[str, _Part] = {}
    for part in site_files.full_text(pages):
        if part.path in files:
            continue
        key = digest(pages_key(), part.head, *(f"{address} {files[address].hash}" for address in part.pages))
        known = before.get(part.path)
        if known is None or known.key != key or not staging.reuse(part.path, known.file):
            content = part.write((staging.path / address).read_bytes() for address in part.pages)
            known = _Part(key, staging.write(part.path, content))
        made[part.path] = known
    if made != before:
        cache.save_table(_TABLE, made)
    return {address: part.file for address, part in made.items()}
