"""Copy the static folder, and the files that documents refer to, into the published folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from recto.build.draw import hash_content, write_file
from recto.server.manifest import ManifestFile
from recto.site.assets import AssetStore
from recto.site.sources import is_inside


def copy_static(
    site_dir: Path, static_root: str, staging: Path, assets: AssetStore, *, only_copies: bool = False
) -> dict[str, ManifestFile]:
    """Copy files into the staging folder.

    Args:
        site_dir: The site's folder.
        static_root: The static folder, from the site's folder.
        staging: Where to.
        assets: Knows the files that documents refer to.
        only_copies: Leave the static folder out.

    Returns:
        Address in the published folder → file.
    """
    files: dict[str, ManifestFile] = {}
    pairs = list(assets.copies.items())
    if not only_copies:
        pairs += _static_files(site_dir, static_root)
    for address, source in pairs:
        content = (site_dir / source).read_bytes()
        write_file(staging, address, content)
        files[address] = ManifestFile(hash=hash_content(content), size=len(content))
    return files


def _static_files(site_dir: Path, static_root: str) -> Iterator[tuple[str, str]]:
    root = site_dir / static_root
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != ".git"]
        for name in names:
            path = Path(folder) / name
            source = path.relative_to(site_dir).as_posix()
            # A link that leads out of the site would publish what nobody meant to publish.
            if not path.is_symlink() or is_inside(site_dir, source):
                yield path.relative_to(root).as_posix(), source
