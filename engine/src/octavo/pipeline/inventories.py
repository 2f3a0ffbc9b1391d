"""Inventories: what other projects describe and where, in the files `objects.inv` of Sphinx and mkdocstrings.

The format: https://sphobjinv.readthedocs.io/en/stable/syntax.html
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

from octavo.config import CONFIG_NAME, Config, line_of_text
from octavo.diagnostics import Diagnostic, Span
from octavo.lazy import regex as re

_MOST_BYTES = 100_000_000
"""Of an inventory when it is unpacked; that of Python has 1 MB."""
_HEAD_LINES = 4
_VERSION = re.compile(rb"# Sphinx inventory version (?P<number>[12])[ \t\r]*")
_ENTRY = re.compile(r"(?P<name>.+?)\s+(?P<kind>\S+)\s+-?\d+\s+(?P<place>\S*)\s+(?P<shown>.*)")
_OLD_ENTRY_PARTS = 3


def load_inventories(site_dir: Path, config: Config, settings: str) -> tuple[dict[str, str], list[Diagnostic]]:
    """Read the inventories that the settings name.

    Args:
        site_dir: The site's folder.
        config: Its settings.
        settings: Their text, for the places of findings.

    Returns:
        (name → address, of names that several have that of the first inventory; what cannot be read).
    """
    found: dict[str, str] = {}
    problems: list[Diagnostic] = []
    for inventory in config.inventories.values():
        base = f"{inventory.url.rstrip('/')}/"
        file = site_dir / inventory.file
        span = Span(CONFIG_NAME, line_of_text(settings, inventory.file))
        if not base.startswith(("https://", "http://")):
            message = f'"{inventory.url}" is not an address of an inventory\'s project.'
            problems.append(Diagnostic("config-error", "error", span, message, "Begin it with https://."))
            continue
        try:
            entries = read_inventory(file.read_bytes())
        except (OSError, ValueError) as error:
            reason = f"cannot be read: {error.strerror}" if isinstance(error, OSError) else str(error)
            message = f'"{inventory.file}" {reason}.' if file.exists() else f'There is no inventory "{inventory.file}".'
            hint = f"Download {base}objects.inv to it."
            problems.append(Diagnostic("config-error", "error", span, message, hint))
            continue
        for one, place in entries.items():
            found.setdefault(one, base + place)
    return found, problems


def read_inventory(data: bytes) -> dict[str, str]:
    """Read an inventory.

    Args:
        data: The file, in the first or the second version of the format.

    Returns:
        Name → address, from that of the project. Objects come before labels, terms and documents of the same name.

    Raises:
        ValueError: it is none; the text follows its name.
    """
    *head, rest = data.split(b"\n", _HEAD_LINES) if data.count(b"\n") >= _HEAD_LINES else [data, b""]
    version = _VERSION.fullmatch(head[0])
    if version is None:
        raise ValueError("is not an inventory of Sphinx")
    if version["number"] == b"1":
        return _read_old(b"\n".join([*head[3:], rest]))
    found: dict[str, str] = {}
    others: dict[str, str] = {}
    for line in _unpacked(rest).splitlines():
        if (match := _ENTRY.fullmatch(line)) is None:
            continue
        place = match["place"]
        place = place[:-1] + match["name"] if place.endswith("$") else place
        (others if match["kind"].startswith("std:") else found).setdefault(match["name"], place)
    return others | found


def _unpacked(data: bytes) -> str:
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(data, _MOST_BYTES)
    except zlib.error as error:
        raise ValueError("is an inventory that cannot be unpacked") from error
    if unpacker.unconsumed_tail:
        raise ValueError(f"is an inventory larger than {_MOST_BYTES // 1_000_000} MB")
    if not unpacker.eof:
        raise ValueError("is an inventory whose end is missing")
    return text.decode("utf-8", "replace")


def _read_old(data: bytes) -> dict[str, str]:
    return dict(_old_entries(data.decode("utf-8", "replace")))


def _old_entries(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        parts = line.split()
        if len(parts) == _OLD_ENTRY_PARTS:
            name, kind, place = parts
            yield name, f"{place}#{'module-' if kind == 'mod' else ''}{name}"
