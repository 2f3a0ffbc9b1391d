"""Files that people take for lines of text, recognised by how they begin."""

from __future__ import annotations

_UTF_16 = (b"\xff\xfe", b"\xfe\xff", b"{\0", b"\0{")
"""Byte order marks, and the first character of a line without one."""

_COMPRESSED = (b"\x1f\x8b", b"\xfd7zXZ\0", b"BZh", b"\x28\xb5\x2f\xfd", b"PK\x03\x04")
"""gzip, xz, bzip2, Zstandard, zip."""


def other_format(start: bytes) -> str | None:
    """Say what a file is that begins so, and what to do: the rest of a sentence; None where it may be lines in UTF-8."""
    if start.startswith(_UTF_16):
        return "UTF-16 text; write it in UTF-8 (in PowerShell: -Encoding utf8)"
    if start.startswith(_COMPRESSED):
        return "compressed; unpack it to lines of text in UTF-8 first"
    if start.startswith(b"SQLite format 3\0"):
        return "a database of SQLite; lines of text in UTF-8 are read here"
    return None
