"""The file of SQLite's log: how much of it is in use.

A log begins anew at the start of its file, which stays as long as it was. So the size of the file says nothing about how
much is left to copy. Each transaction's pages carry the two random numbers of the file's header, which change whenever
the log begins anew: https://sqlite.org/fileformat2.html#walformat
"""

from __future__ import annotations

import os
from io import FileIO
from pathlib import Path

_HEADER_BYTES, _FRAME_HEADER_BYTES = 32, 24
_PAGE_SIZE = slice(8, 12)
_SALTS = slice(16, 24)
_FRAME_SALTS = slice(8, 16)


def used_bytes(log: Path) -> int:
    """Measure the log up to its last page since it began anew; 0 where there is none.

    Nothing is locked: beside somebody who writes, the answer is as old as the reading.
    """
    try:
        with log.open("rb", buffering=0) as file:
            return _used_bytes(file)
    except OSError:
        return 0


def _used_bytes(file: FileIO) -> int:
    header = file.read(_HEADER_BYTES)
    if len(header) < _HEADER_BYTES:
        return 0
    frame = int.from_bytes(header[_PAGE_SIZE], "big") + _FRAME_HEADER_BYTES
    # Pages in use come before those of earlier rounds.
    used, rest = 0, (os.fstat(file.fileno()).st_size - _HEADER_BYTES) // frame
    while used < rest:
        middle = (used + rest) // 2
        file.seek(_HEADER_BYTES + middle * frame)
        if file.read(_FRAME_HEADER_BYTES)[_FRAME_SALTS] == header[_SALTS]:
            used = middle + 1
        else:
            rest = middle
    return _HEADER_BYTES + used * frame if used else 0
