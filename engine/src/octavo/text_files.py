"""Read files that authors write by hand, whatever is wrong with them: special files, encodings, JSON, YAML and TOML."""

from __future__ import annotations

import datetime as dt
import errno
import json
import os
import stat
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path
from typing import Any

from octavo.lazy import regex as re

_NO_WAIT = getattr(os, "O_NONBLOCK", 0)
_BINARY = getattr(os, "O_BINARY", 0)
NUL = "\x00"
NUL_MISTAKE = "this stands for the character NUL, which no page can show. Remove it"
"""Marks slots in rendered HTML; as in CommonMark, U+FFFD replaces it wherever an author writes it."""
_REPLACEMENT = "\ufffd"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


UNSHOWN = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ufffe\uffff]")
"""Characters that no page can show: control characters but tab, line feed, form feed and carriage return, and noncharacters. HTML calls
them errors, and XML forbids most."""


_UNSHOWN_BYTES = bytes(code for code in range(128) if UNSHOWN.match(chr(code)))


def replace_unshown(text: str, other: str) -> str:
    """Put another character in the place of those that no page can show."""
    # Hardly any text has one, and looking for them among bytes takes a fifth of the time.
    data = text.encode("utf-8", "surrogatepass")
    has_none = len(data.translate(None, _UNSHOWN_BYTES)) == len(data)
    if has_none and (text.isascii() or ("\ufffe" not in text and "\uffff" not in text)):
        return text
    return UNSHOWN.sub(other, text)


def escape_xml(text: str) -> str:
    """Write a text as a part of XML, also in an attribute, without the characters that XML cannot hold."""
    return escape(UNSHOWN.sub("", text).replace("\f", " "))


class NotUtf8Error(ValueError):
    """A file is not UTF-8; the text says where, and what to do."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        """1-based."""
        self.column = column
        """1-based, in characters."""


class SyntaxMistakeError(ValueError):
    """A text is not JSON, YAML or TOML; the message says why, without a full stop."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.line = line
        """1-based."""
        self.column = column
        """1-based, in characters."""


def read_plain(path: Path, most: int = -1) -> bytes:
    """Read a file, and nothing that is none: reading a pipe would wait for a writer, and a device has no end.

    Args:
        path: The file.
        most: Bytes to read at most; -1 for all.

    Raises:
        OSError: it cannot be read, or is a pipe, a socket or a device.
    """
    descriptor = os.open(path, os.O_RDONLY | _NO_WAIT | _BINARY)
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "It is a pipe, a socket or a device, and no file", os.fspath(path))
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(most)
    finally:
        # Not left to `open`, which refuses a folder without closing its descriptor.
        os.close(descriptor)


def read_utf8(path: Path) -> str:
    """Read a text file without its byte order mark, with line ends of one character.

    Raises:
        OSError: it cannot be read.
        NotUtf8Error: it is not UTF-8.
    """
    return decode_utf8(read_plain(path)).replace("\r\n", "\n")


def decode_utf8(data: bytes) -> str:
    """Decode the content of a text file, line ends as they are; see `read_utf8`."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if data.startswith(_UTF_16):
            raise NotUtf8Error(1, 1, "the file is UTF-16. Save it as UTF-8.") from error
        raise NotUtf8Error(*_place(data, error.start), "this byte is not UTF-8. Save the file as UTF-8.") from error


def parse_toml(text: str, parse_float: Callable[[str], Any] = float, *, refuses_nul: bool = False) -> dict[str, Any]:
    """Parse TOML.

    Args:
        text: The text.
        parse_float: Makes the value of a number with a fraction.
        refuses_nul: The character NUL is a mistake; otherwise it is replaced.

    Raises:
        TOMLDecodeError: it is none, nested so deeply that Python's parser would fail, or holds NUL although it may not.
    """
    import tomllib  # not at the top: most commands and pages have none to read

    try:
        table: dict[str, Any] = without_nul(tomllib.loads(text, parse_float=parse_float), text)
    except RecursionError:
        raise tomllib.TOMLDecodeError("it is nested too deeply") from None
    if refuses_nul and (place := find_nul(table, text)):
        raise tomllib.TOMLDecodeError(f"{NUL_MISTAKE} (at line {place[0]}, column {place[1]})")
    if (mistake := _unreadable(table, text)) is not None:
        raise tomllib.TOMLDecodeError(mistake)
    return table


_DEEPEST = 100
"""Tables and lists within each other: dotted keys nest without any recursion of the parser, and later code has some."""
_INTEGERS = range(-(2**63), 2**63)
"""What TOML promises to take; Python's parser takes any."""


def _unreadable(table: dict[str, Any], text: str) -> str | None:
    """Find what is TOML by its syntax, and yet more than programs must take."""
    level: list[Any] = [table]
    for _ in range(_DEEPEST):
        values = [value for one in level for value in (one.values() if isinstance(one, dict) else one)]
        for value in values:
            if isinstance(value, int) and value not in _INTEGERS:
                start = text.find(str(value))
                place = (
                    f" (at line {text.count(chr(10), 0, start) + 1}, column {start - text.rfind(chr(10), 0, start)})"
                )
                return "An integer does not fit into 64 bits" + (place if start >= 0 else "")
        level = [value for value in values if isinstance(value, dict | list)]
        if not level:
            return None
    return "it is nested too deeply"


def parse_json(text: str, parse_float: Callable[[str], Any] = float, *, refuses_nul: bool = False) -> Any:
    """Parse JSON; see `parse_toml` for the arguments.

    Raises:
        SyntaxMistakeError: it is none, or holds NUL although it may not.
    """
    try:
        value = without_nul(json.loads(text, parse_float=parse_float), text)
    except json.JSONDecodeError as error:
        raise SyntaxMistakeError(f"it is not valid JSON: {error.msg}", error.lineno, error.colno) from None
    except RecursionError:
        raise SyntaxMistakeError("it is nested too deeply") from None
    except ValueError as error:
        raise _with_long_number(text, error) from None
    return _checked(value, text) if refuses_nul else value


MOST_VALUES = 500_000
"""Values of a file, those of references counted each time; settings of large sites have some thousands."""
DEEPEST_VALUE = 100
"""Lists and tables within each other."""
_ALIAS = re.compile(r"(?<![^\s\[{,:])\*[^\s\[\]{},*]+")
"""What may be a reference in YAML."""


def parse_yaml(text: str, loader: Any = None, *, refuses_nul: bool = False) -> Any:
    """Parse YAML.

    Args:
        text: The text.
        loader: A loader of PyYAML that creates plain values only; its safe one by default.
        refuses_nul: The character NUL is a mistake; otherwise it is replaced.

    Raises:
        SyntaxMistakeError: it is none, its references make it endless or huge, or it holds NUL although it may not.
    """
    import yaml  # not at the top: most commands and pages have none to read

    chosen: Any = loader or getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        value = yaml.load(text, chosen)  # noqa: S506 - the loaders are safe ones
    except RecursionError:
        raise SyntaxMistakeError("it is nested too deeply") from None
    except (yaml.YAMLError, ValueError) as error:
        raise _explain_yaml(error, text) from None
    if (alias := _ALIAS.search(text)) and count_values(value, {}, 0) > MOST_VALUES:
        line, column = text.count("\n", 0, alias.start()) + 1, alias.start() - text.rfind("\n", 0, alias.start())
        raise SyntaxMistakeError("its references (&, *) lead in a circle, or make it huge", line, column)
    value = without_nul(value, text)
    return _checked(value, text) if refuses_nul else value


def count_values(value: Any, known: dict[int, int], depth: int) -> int:
    """Count the values that a value holds, those of references each time; too many where it holds itself.

    Args:
        value: What YAML gave; parts that are referred to are the same object.
        known: Sizes by identity; those that are being counted are too large.
        depth: How deep it lies.
    """
    if not isinstance(value, (Mapping, list)):
        return 1
    if id(value) in known:
        return known[id(value)]
    if depth > DEEPEST_VALUE:
        return MOST_VALUES + 1
    known[id(value)] = MOST_VALUES + 1
    inner = value.values() if isinstance(value, Mapping) else value
    known[id(value)] = 1 + sum(count_values(one, known, depth + 1) for one in inner)
    return known[id(value)]


def _checked(value: Any, text: str) -> Any:
    if place := find_nul(value, text):
        raise SyntaxMistakeError(NUL_MISTAKE, *place)
    return value


def find_nul(value: Any, text: str) -> tuple[int, int] | None:
    """Find the escape sequence by which a text that has been parsed asks for NUL.

    Args:
        value: What was read from the text, with the character replaced.
        text: The text.

    Returns:
        (line, column), both from 1; None where the text asks for no NUL.
    """
    found = _NUL_ESCAPE.search(text)
    # In a literal string the same characters are a backslash and digits.
    if found is None or _REPLACEMENT in text or not _holds_replacement(value):
        return None
    start = found.start()
    return text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)


def _holds_replacement(value: Any) -> bool:
    waiting, seen = [value], set[int]()
    while waiting:
        one = waiting.pop()
        if isinstance(one, str) and _REPLACEMENT in one:
            return True
        # What YAML refers to many times is looked at once: references of references would take for ever.
        if isinstance(one, dict | list) and id(one) not in seen:
            seen.add(id(one))
            waiting += [*one, *one.values()] if isinstance(one, dict) else one
    return False


def without_nul(value: Any, text: str) -> Any:
    """Replace the character NUL in values that were read from a text, in keys as well.

    Args:
        value: Lists and mappings of plain values; those that hold themselves are left as they are.
        text: Where they were read: without an escape sequence of NUL nothing is looked at.
    """
    return _Replacer().value(value) if _NUL_ESCAPE.search(text) else value


_NUL_ESCAPE = re.compile(r"\\(?:0|x00|u0000|U0{8})")


class _Replacer:
    def __init__(self) -> None:
        # A value that YAML refers to many times is replaced once: references of references would take for ever.
        self._made: dict[int, Any] = {}

    def value(self, value: Any) -> Any:
        if isinstance(value, str):
            return value.replace(NUL, _REPLACEMENT)
        if not isinstance(value, dict | list):
            return value
        if id(value) not in self._made:
            self._made[id(value)] = value  # found again while it is being replaced: it contains itself
            self._made[id(value)] = (
                {self.value(key): self.value(inner) for key, inner in value.items()}
                if isinstance(value, dict)
                else [self.value(inner) for inner in value]
            )
        return self._made[id(value)]


_DATE = re.compile(r"(?<![\w-])(\d{4})-(\d{1,2})-(\d{1,2})(?![\w-])")
_LONG_NUMBER = re.compile(r"\d{4301}")
"""More digits than Python turns into a number."""


def _with_long_number(text: str, error: ValueError) -> SyntaxMistakeError:
    found = _LONG_NUMBER.search(text)
    if found is None:
        return SyntaxMistakeError(str(error) or "it cannot be read")
    start = found.start()
    line = text.count("\n", 0, start)
    return SyntaxMistakeError("this number has too many digits", line + 1, start - text.rfind("\n", 0, start))


def _explain_yaml(error: Exception, text: str) -> SyntaxMistakeError:
    """Find the place of a mistake in YAML."""
    problem, mark = getattr(error, "problem", None), getattr(error, "problem_mark", None)
    begun, context = getattr(error, "context_mark", None), str(getattr(error, "context", None) or "")
    if begun is not None and problem is not None and ("quoted" in context or "flow" in context):
        # A quote or a bracket that is not closed; the parser notices it lines later.
        return SyntaxMistakeError(f"{problem} {context}", begun.line + 1, begun.column + 1)
    if mark is not None:
        return SyntaxMistakeError(problem or "it cannot be read", mark.line + 1, mark.column + 1)
    for number, line in enumerate(text.split("\n"), start=1):
        # The parser names no place for a date that no calendar has.
        for found in _DATE.finditer(line):
            try:
                dt.date(*map(int, found.groups()))
            except ValueError as reason:
                message = f'"{found[0]}" is not a date ({reason}); put it in quotes if it is a text'
                return SyntaxMistakeError(message, number, found.start() + 1)
    return _with_long_number(text, ValueError() if not isinstance(error, ValueError) else error)


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
