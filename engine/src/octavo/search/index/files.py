"""The files of an index on disk."""

from __future__ import annotations

import shutil
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp

import msgspec

LOCKS = (".tantivy-meta.lock", ".tantivy-writer.lock")
"""Files that are of no use once an index is written. A thread of tantivy's may still create and remove them afterwards."""

CHECKSUMS_NAME = "checksums.json"

_PIECE_BYTES = 1 << 18


class DamagedIndexError(Exception):
    """A file of an index is missing, or is not what was written."""


def write_checksums(folder: Path, known: Mapping[str, str] | None = None) -> None:
    """Write down what every file of a finished index holds.

    Args:
        folder: The index.
        known: Those of files that were taken over and have stayed.
    """
    names = sorted(file.name for file in folder.iterdir() if file.name not in (CHECKSUMS_NAME, *LOCKS))
    checksums = {name: (known or {}).get(name) or _checksum(folder / name) for name in names}
    (folder / CHECKSUMS_NAME).unlink(missing_ok=True)  # it may be a link to that of the base
    (folder / CHECKSUMS_NAME).write_bytes(msgspec.json.encode(checksums))


def kept_checksums(folder: Path, base: Path) -> dict[str, str]:
    """List the checksums of the files that an index shares with another: they are one file, so nothing has changed in them.

    Args:
        folder: The index.
        base: The other, which is whole.
    """
    try:
        checksums = msgspec.json.decode((base / CHECKSUMS_NAME).read_bytes(), type=dict[str, str])
    except (OSError, msgspec.MsgspecError):
        return {}
    kept = {}
    for name, checksum in checksums.items():
        with suppress(OSError):
            if (folder / name).samefile(base / name):
                kept[name] = checksum
    return kept


def check_index(folder: Path) -> None:
    """Compare an index with its checksums: the native library reads a damaged file as if it were whole, and fails later.

    Raises:
        DamagedIndexError: a file is missing, or has another content.
        OSError: the checksums cannot be read.
    """
    try:
        checksums = msgspec.json.decode((folder / CHECKSUMS_NAME).read_bytes(), type=dict[str, str])
    except msgspec.MsgspecError as error:
        raise DamagedIndexError(f"{CHECKSUMS_NAME} is damaged: {error}") from error
    for name, checksum in checksums.items():
        try:
            found = _checksum(folder / name)
        except OSError as error:
            raise DamagedIndexError(f"{name} cannot be read: {error.strerror}") from error
        if found != checksum:
            raise DamagedIndexError(f"{name} has another content than was written")


def is_whole(folder: Path) -> bool:
    """Return whether an index is there, and as it was written."""
    try:
        check_index(folder)
    except (OSError, DamagedIndexError):
        return False
    return True


def _checksum(file: Path) -> str:
    """Compute the checksum of a file. It guards against damage, not against forgery, and is read whole whenever an index is opened."""
    checksum = 0
    piece = memoryview(bytearray(min(_PIECE_BYTES, file.stat().st_size + 1)))
    with file.open("rb", buffering=0) as opened:
        while size := opened.readinto(
            piece
        ):  # into the same memory each time: allocating it anew costs more than the checksum
            checksum = zlib.crc32(piece[:size], checksum)
    return f"{checksum:08x}"


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
        if file.name not in LOCKS and file.stat().st_mode != mode:
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
            # A link to a lock that is gone would let tantivy make it anew in the published folder.
            if file.name not in LOCKS:
                (links / file.name).symlink_to(file.resolve())
        yield links
    finally:
        # A thread of tantivy's may put a lock there between two steps of the removal: under another name nobody does.
        shutil.rmtree(links.rename(links.with_suffix(".gone")), ignore_errors=True)
