"""Read a parsed settings file to its end, past each mistake, so that all mistakes are reported together.

The validator stops at the first mistake. What it refuses is taken out of the file, and the file is given to it again.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from octavo.config.mistakes.explain import (
    MISSING,
    UNKNOWN,
    explain_at,
    field_types,
    hint_at,
    members_of,
    named_parts,
    what_and_where,
)

_MOST = 50
"""The mistakes of one file that are collected."""

T = TypeVar("T", bound=msgspec.Struct)


class SettingsRead(NamedTuple, Generic[T]):
    """What a settings file says."""

    settings: T | None
    """All that is right; None where no rest could be read."""
    problems: list[tuple[int, str]]
    """(1-based line, message) of each mistake."""
    paths: list[tuple[str, ...]]
    """Of each mistake: keys, and places in lists from 0, of the setting, or of the table that lacks one."""
    incomplete: frozenset[str]
    """Settings of the top level of which something was left out: what refers to it would pass for wrong."""


def read_settings(
    raw: dict[str, Any], root: type[T], text: str, *, defaults: Mapping[str, object] | None = None
) -> SettingsRead[T]:
    """Read a parsed file, and go on behind each mistake to find the next.

    Args:
        raw: The parsed file.
        root: The struct that it becomes.
        text: The file's text: TOML or YAML.
        defaults: Settings of the top level that must be given → what is read in their place.
    """
    return _Reader(raw, root, text, defaults or {}).read()


class _Reader(Generic[T]):
    def __init__(self, raw: dict[str, Any], root: type[T], text: str, defaults: Mapping[str, object]) -> None:
        self._written = raw
        self._rest: Any = raw
        self._root = root
        self._text = text
        self._defaults = defaults
        self._problems: list[tuple[int, str]] = []
        self._paths: list[tuple[str, ...]] = []
        self._incomplete: set[str] = set()
        self._taken: set[tuple[str, ...]] = set()
        """Paths of the settings that were taken out, in the file as it is written."""
        self._kept: dict[tuple[str, ...], list[int]] = {}
        """Path of a list of which entries were taken out → places of the others in the file as it is written."""

    def read(self) -> SettingsRead[T]:
        while len(self._problems) < _MOST:
            try:
                settings = msgspec.convert(self._rest, self._root)
            except msgspec.ValidationError as error:
                if self._rest is self._written:
                    self._rest = copy.deepcopy(self._written)
                if not self._pass(error):
                    break
            else:
                return SettingsRead(settings, self._problems, self._paths, frozenset(self._incomplete))
        return SettingsRead(None, self._problems, self._paths, frozenset(self._incomplete))

    def _pass(self, error: msgspec.ValidationError) -> bool:
        """Note a mistake and take it out; returns False where that is not possible."""
        what, parts = what_and_where(error)
        named = named_parts(parts, self._rest, self._root)
        written = self._as_written(named)
        missing, unknown = MISSING.fullmatch(what), UNKNOWN.fullmatch(what)
        # A setting that must be given and was taken out has its message already.
        if not (missing and (*written, missing["key"]) in self._taken):
            self._problems.append(explain_at(what, parts, written, self._written, self._root, self._text))
            self._paths.append((*written, *([unknown["key"]] if unknown else [])))
        if missing and not parts:
            if missing["key"] not in self._defaults:
                return False
            self._rest[missing["key"]] = self._defaults[missing["key"]]
            return True
        if unknown:
            table = self._value_at(named)
            if not isinstance(table, dict) or unknown["key"] not in table:
                return False
            del table[unknown["key"]]
            return True
        return self._take_out(parts, named, lacks_something=missing is not None)

    def _as_written(self, named: list[str]) -> list[str]:
        """Give a path in the rest as path in the file: entries behind one that was taken out have moved."""
        written: list[str] = []
        for name in named:
            places = self._kept.get(tuple(written))
            written.append(str(places[int(name)]) if places is not None and name.isdigit() else name)
        return written

    def _take_out(self, parts: list[str], named: list[str], *, lacks_something: bool) -> bool:
        """Take out a setting.

        Args:
            parts: Its path, with `...` for a step into any value of a mapping.
            named: Its path, with the keys of mappings.
            lacks_something: It is a table without a setting that must be given. Where it must be given itself, the
                table or the entry around it is taken out.
        """
        written = self._as_written(named)
        self._incomplete.update(named[:1])
        for length in range(len(named), 0, -1):
            holder, name = self._value_at(named[: length - 1]), named[length - 1]
            if isinstance(holder, list) and name.isdigit() and int(name) < len(holder):
                places = self._kept.setdefault(tuple(written[: length - 1]), list(range(len(holder))))
                del holder[int(name)], places[int(name)]
                return True
            if not isinstance(holder, dict) or name not in holder:
                return False
            if lacks_something and self._is_needed(parts[: length - 1], name):
                continue
            del holder[name]
            self._taken.add(tuple(written[:length]))
            return True
        return False

    def _is_needed(self, parts: list[str], key: str) -> bool:
        """Whether the table at a path must have a setting."""
        return any(
            field.required
            for member in members_of(hint_at(self._root, parts))
            if key in field_types(member)
            for field in msgspec.structs.fields(member)
            if field.encode_name == key
        )

    def _value_at(self, named: list[str]) -> Any:
        value: Any = self._rest
        for name in named:
            if isinstance(value, list) and name.isdigit() and int(name) < len(value):
                value = value[int(name)]
            elif isinstance(value, dict) and name in value:
                value = value[name]
            else:
                return None
        return value
