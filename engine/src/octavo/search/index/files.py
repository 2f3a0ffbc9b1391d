"""The files of an index on disk."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

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


def open_to_readers(folder: Path, *, like: Path) -> None:
    """Let everybody read an index who may read the rest of a site: tantivy keeps two of its files to their owner.

    Args:
        folder: The index.
        like: A file whose rights are those of the site.
    """
    mode = like.stat().st_mode
    for file in folder.iterdir():
        if file.stat().st_mode != mode:
            file.chmod(mode & 0o777)


@contextmanager
def linked_index(folder: Path) -> Iterator[Path]:
    """Show an index in a folder of links, as long as it takes to open it.

    Tantivy writes its locks beside the files that it opens, also where it only reads; a published folder belongs to
    the build, and may lie on a disk that nobody writes to. What was opened stays open without the links.
    """
    links = Path(mkdtemp(prefix="octavo-index-"))
    try:
        for file in folder.iterdir():
            (links / file.name).symlink_to(file.resolve())
        yield links
    finally:
        # A thread of tantivy's may put a lock there between two steps of the removal: under another name nobody does.
        shutil.rmtree(links.rename(links.with_suffix(".gone")), ignore_errors=True)
