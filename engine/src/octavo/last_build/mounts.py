"""Which mounted file system a path is on: only within one can files be renamed and linked."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from octavo.lazy import regex as re

_TABLE = Path("/proc/self/mountinfo")
_ESCAPED = re.compile(r"\\(\d{3})")


def is_one_mount(first: Path, second: Path) -> bool:
    """Return whether what is in one folder can be renamed into the other.

    The same disk may be mounted in several places, as containers mount folders of their host: then the number of the device
    is the same, and the system refuses to rename all the same.

    Raises:
        OSError: one of the folders is not there.
    """
    if first.stat().st_dev != second.stat().st_dev:
        return False
    points = _mount_points()
    return _mount_of(first, points) == _mount_of(second, points)


def _mount_points() -> set[str]:
    """List where file systems are mounted; empty on systems that do not list them."""
    with suppress(OSError):
        lines = _TABLE.read_bytes().decode(errors="surrogateescape").splitlines()
        return {_ESCAPED.sub(_unescape, fields[4]) for fields in map(str.split, lines) if len(fields) > 4}
    return set()


def _unescape(match: re.Match[str]) -> str:
    return chr(int(match[1], 8))


def _mount_of(folder: Path, points: set[str]) -> str:
    path = folder.resolve()
    return next((str(parent) for parent in (path, *path.parents) if str(parent) in points), "")
