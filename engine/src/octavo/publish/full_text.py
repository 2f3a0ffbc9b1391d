"""Publish `llms-full.txt`: it is made of files that the build has just written."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from octavo.manifest import ManifestFile
from octavo.pipeline import SiteFiles
from octavo.publish.staging import Staging
from octavo.runtime import Cache, digest, pages_key

_TABLE = "full-text.msgpack"


class _Made(msgspec.Struct, frozen=True):
    """What the last build has made."""

    key: str = ""
    """Hash of what it was made of."""
    files: dict[str, ManifestFile] = {}


def publish_full_text(
    site_files: SiteFiles, files: Mapping[str, ManifestFile], staging: Staging, cache: Cache
) -> dict[str, ManifestFile]:
    """Write the parts, or take over those of the last build where no page has changed.

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
    pages = [address for address in site_files.full_text_pages() if address in files]
    if not pages:
        return {}
    config = site_files.site.config
    own = sorted(address for address in files if address.startswith("llms-full"))
    settings = f"{own} {config.title} {config.published_url} {config.base_url} {config.programs.full_text_size}"
    key = digest(pages_key(), settings, *(f"{address} {files[address].hash}" for address in pages))
    made = cache.load_table(_TABLE, _Made, _Made())
    if made.key != key or not all(staging.reuse(address, file) for address, file in made.files.items()):
        texts = ((staging.path / address).read_bytes() for address in pages)
        parts = site_files.full_text(texts)
        made = _Made(key, {path: staging.write(path, data) for path, data in parts.items() if path not in files})
        cache.save_table(_TABLE, made)
    return {address: file for address, file in made.files.items() if address not in files}
