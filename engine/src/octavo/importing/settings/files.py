"""Read settings files of other engines: text in any Unicode encoding, YAML, TOML and JSON; errors name file and line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from octavo.errors import UsageError
from octavo.lazy import regex as re
from octavo.text_files import (
    DEEPEST_VALUE,
    MOST_VALUES,
    SyntaxMistakeError,
    count_values,
    parse_json,
    parse_toml,
    parse_yaml,
    read_plain,
)

SAFE_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class UnreadableError(UsageError):
    """A file of settings of the old site cannot be read."""


def read_text(path: Path) -> str:
    """Read a text in UTF-8, or in UTF-16 with its mark; without the mark, with plain line ends.

    Raises:
        UnreadableError: it can't be opened, or is in another encoding.
    """
    try:
        raw = read_plain(path)
    except OSError as error:
        raise UnreadableError(f"{path} cannot be read: {error.strerror}.") from error
    encoding = "utf-16" if raw.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise UnreadableError(f"{path}:{line}: This is not UTF-8. Save the file in UTF-8, and import again.") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def text_or_empty(path: Path) -> str:
    """Read a text that only tells more about a site; empty where it cannot be read."""
    try:
        return read_text(path)
    except UnreadableError:
        return ""


def read_yaml(path: Path, loader: Any = SAFE_LOADER) -> Any:
    """Read a file in YAML.

    Args:
        path: The file.
        loader: A loader of PyYAML that makes plain values only.

    Raises:
        UnreadableError: it is not YAML, or its references make it endless or huge.
    """
    text = read_text(path)
    try:
        found = parse_yaml(text, loader)
    except SyntaxMistakeError as error:
        raise UnreadableError(f"{path}:{error.line}:{error.column}: This is not YAML: {error}.") from error
    if count_values(found, {}, 0) > MOST_VALUES:
        raise UnreadableError(f"{path} cannot be read: it is deeper than {DEEPEST_VALUE} levels, or huge.")
    return found


def read_toml(path: Path) -> dict[str, Any]:
    """Read a file in TOML.

    Raises:
        UnreadableError: it is none.
    """
    found: dict[str, Any] = _parsed(path, _parse_toml)
    return found


_TOML_TOKEN = re.compile(
    r'"""(?:[^\\]|\\.)*?"""'
    r"|'''.*?'''"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'|#[^\n]*|[{}\n]|,(?=\s*(?:#[^\n]*\n\s*)*\})",
    re.DOTALL,
)
"""Strings, comments, braces, line ends, and the comma that ends a table within braces."""


def _parse_toml(text: str) -> dict[str, Any]:
    """Parse TOML 1.0, and tables within braces that go over several lines and end in a comma, as TOML 1.1 has them."""
    try:
        return parse_toml(text)
    except ValueError as mistake:
        try:
            return parse_toml(_joined_tables(text))
        except ValueError:
            raise mistake from None


def _joined_tables(text: str) -> str:
    """Write each table within braces on one line, without comments and without a comma at its end."""
    depth = 0

    def written(match: re.Match[str]) -> str:
        nonlocal depth
        found = match[0]
        depth += (found == "{") - (found == "}")
        return found if depth <= 0 or found[0] not in "\n#," else " "

    return _TOML_TOKEN.sub(written, text)


def read_json(path: Path) -> Any:
    """Read a file in JSON.

    Raises:
        UnreadableError: it is none.
    """
    return _parsed(path, parse_json)


def _parsed(path: Path, parse: Callable[[str], Any]) -> Any:
    try:
        return parse(read_text(path))
    except SyntaxMistakeError as error:
        raise UnreadableError(f"{path}:{error.line}:{error.column}: {error}.") from error
    except ValueError as error:
        raise UnreadableError(f"{path} cannot be read: {error}.") from error
