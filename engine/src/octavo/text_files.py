"""Read text files that authors write by hand: UTF-8, with or without the byte order mark that editors of Windows put first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


class NotUtf8Error(ValueError):
    """A file is not UTF-8; the text says where, and what to do."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        """1-based."""
        self.column = column
        """1-based, in characters."""


def read_utf8(path: Path) -> str:
    """Read a text file without its byte order mark, with line ends of one character.

    Raises:
        OSError: it cannot be read.
        NotUtf8Error: it is not UTF-8.
    """
    return decode_utf8(path.read_bytes()).replace("\r\n", "\n")


def decode_utf8(data: bytes) -> str:
    """Decode the content of a text file, line ends as they are; see `read_utf8`."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if data.startswith(_UTF_16):
            raise NotUtf8Error(1, 1, "the file is UTF-16. Save it as UTF-8.") from error
        raise NotUtf8Error(*_place(data, error.start), "this byte is not UTF-8. Save the file as UTF-8.") from error


def parse_toml(text: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """Parse TOML.

    Raises:
        TOMLDecodeError: it is none, or nested so deeply that Python's parser would fail.
    """
    import tomllib  # not at the top: most commands and pages have none to read

    try:
        return tomllib.loads(text, parse_float=parse_float)
    except RecursionError:
        raise tomllib.TOMLDecodeError("it is nested too deeply") from None


def find_bad_byte(data: bytes) -> tuple[int, int] | None:
    """Find the first byte that is not UTF-8, as (1-based line, 1-based column in characters)."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return _place(data, error.start)
    return None


def _place(data: bytes, position: int) -> tuple[int, int]:
    before = data[:position]
    start = before.rfind(b"\n") + 1
    return before.count(b"\n") + 1, len(before[start:].decode("utf-8", "replace")) + 1
