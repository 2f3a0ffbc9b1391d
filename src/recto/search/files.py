"""The files of an index on disk."""

from __future__ import annotations

import shutil
from pathlib import Path

LOCKS = (".tantivy-meta.lock", ".tantivy-writer.lock")
"""Files that are of no use once an index is written."""


def copy_index(source: Path, target: Path) -> None:
    """Take over the files of an index. What tantivy changes, it writes anew under a name of its own."""
    for file in source.iterdir():
        if file.name in LOCKS:
            continue
        if file.suffix == ".json":
            shutil.copyfile(file, target / file.name)
            continue
        try:
            (target / file.name).hardlink_to(file)
        except OSError:
            shutil.copyfile(file, target / file.name)
