"""Copy the static folder, and the files that documents refer to, into the published folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from octavo.manifest import ManifestFile
from octavo.publish.staging import Staging
from octavo.site import is_inside


def copy_static(site_dir: Path, static_root: str, staging: Staging) -> dict[str, ManifestFile]:
    """Copy the static folder.

    Returns:
        Address in the published folder → file.
    """
    return {
        address: staging.write(address, (site_dir / source).read_bytes())
        for address, source in static_files(site_dir, static_root)
    }


def copy_documents_files(site_dir: Path, staging: Staging, copies: Mapping[str, str]) -> dict[str, ManifestFile]:
    """Copy files that lie beside the documents, given as address in the published folder → path from the site's folder.

    Returns:
        Address in the published folder → file.
    """
    return {
        address: staging.write_hashed(address, (site_dir / source).read_bytes) for address, source in copies.items()
    }


def static_files(site_dir: Path, static_root: str) -> Iterator[tuple[str, str]]:
    """List the files of the static folder: (address in the published folder, path from the site's folder)."""
    root = site_dir / static_root
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != ".git"]
        for name in names:
            path = Path(folder) / name
            source = path.relative_to(site_dir).as_posix()
            # A link that leads out of the site would publish what nobody meant to publish.
            if not path.is_symlink() or is_inside(site_dir, source):
                yield path.relative_to(root).as_posix(), source
