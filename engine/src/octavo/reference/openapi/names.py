"""Anchors and names: the same in every build, unique in a page, and what readers of other viewers know."""

from __future__ import annotations

import unicodedata
from typing import Any
from urllib.parse import unquote

from octavo.lazy import regex as re

_SPACES = re.compile(r"\s+")
_NOT_FILE = re.compile(r"[\W_]+")
_DEVICE = re.compile(r"con|prn|aux|nul|(?:com|lpt)[\d¹²³]")
_LONGEST_PART = 80
"""Characters of a name that an address keeps; file systems take 255 bytes."""


def anchor_part(name: str) -> str:
    """Make a name fit for an id: no white space, no slash that would look like a level of its own."""
    return _SPACES.sub("-", name.strip()).replace("/", "~1") or "-"


def file_part(name: str) -> str:
    """Make a name fit for an address: lower case, words joined by hyphens; letters of all languages stay."""
    name = unicodedata.normalize("NFC", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name)).lower()
    return portable(_NOT_FILE.sub("-", name).strip("-")[:_LONGEST_PART].strip("-") or "untitled")


def portable(part: str) -> str:
    """Make a part of an address one that a file on Windows may have: names of devices are taken there."""
    return f"{part}-named" if _DEVICE.fullmatch(part) else part


class Unique:
    """Gives names, each once: a second `x` becomes `x-2`."""

    def __init__(self, *, ignores_case: bool = False) -> None:
        """Initialize; names of files may not differ by case alone."""
        self._seen: dict[str, int] = {}
        self._ignores_case = ignores_case

    def name(self, wish: str) -> str:
        """Give the wished name, or the next one that is free."""
        key = wish.casefold() if self._ignores_case else wish
        count = self._seen.get(key, 0) + 1
        self._seen[key] = count
        return wish if count == 1 else self.name(f"{wish}-{count}")


def operation_id(method: str, path: str, operation: dict[str, Any]) -> str:
    """Name an operation: its `operationId`, else method and path as words (`get-pets-id`)."""
    return given_id(operation) or f"{method}-{file_part(path)}"


def given_id(operation: dict[str, Any]) -> str:
    """Give the `operationId` of an operation; empty where it has none."""
    given = operation.get("operationId")
    return given if isinstance(given, str) and given.strip() else ""


def schema_name(ref: str) -> str | None:
    """Name the schema that a reference leads to; None where that is not a named schema."""
    prefix = "#/components/schemas/"
    name = ref.removeprefix(prefix)
    if not ref.startswith(prefix) or "/" in name:
        return None
    return unquote(name).replace("~1", "/").replace("~0", "~")


def schema_anchor(name: str) -> str:
    """Give the anchor of a named schema, with which those of its fields begin."""
    return f"schema/{anchor_part(name)}"
