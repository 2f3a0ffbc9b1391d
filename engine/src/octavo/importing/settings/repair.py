"""Leave out settings that `octavo.toml` would refuse, so that one odd value of an old site does not stop its import."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from octavo.config import parse_config
from octavo.errors import ConfigError
from octavo.importing.model import Plan
from octavo.importing.navigation import words_of
from octavo.importing.settings.toml_text import write_toml

_NOTHING = object()
_REMEDY = "It is left out; write it into octavo.toml by hand."
_SHOWN = 200
"""Characters of a message that a note keeps."""


def leave_out_refused(plan: Plan) -> None:
    """Take out of a plan's settings the smallest parts without which they are allowed, and note each kind.

    Raises:
        ConfigError: no part can be left out, or only together they are refused.
    """
    if not str(plan.settings.get("title") or "").strip():
        plan.settings = {"title": words_of(plan.site_dir.name) or "Documentation", **_without_title(plan.settings)}
    problem = _problem_of(plan.settings)
    if not problem:
        return
    repair = _Repair()
    kept: dict[str, Any] = {}
    for key, value in plan.settings.items():
        # Labels are those of a language of the site.
        others = {"locales": plan.settings["locales"]} if key == "labels" and "locales" in plan.settings else {}
        kept[key] = repair.part_of(key, value, others if repair.allows(others) else {})
    plan.settings = {key: value for key, value in kept.items() if value is not _NOTHING}
    if problem := _problem_of(plan.settings):
        raise ConfigError(problem)
    for name, reasons in repair.left_out.items():
        why = reasons[0] if len(reasons[0]) <= _SHOWN else f"{reasons[0][:_SHOWN]}…"
        plan.note(f"Values of {name} that octavo.toml does not allow: {why.rstrip('.')}", _REMEDY, count=len(reasons))


def _without_title(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in settings.items() if key != "title"}


class _Repair:
    """Looks for what is refused in one setting of the top level at a time."""

    def __init__(self) -> None:
        """Nothing is left out yet."""
        self.left_out: dict[str, list[str]] = {}
        """Name of a setting → why its values are refused."""
        self._problem = ""

    def part_of(self, key: str, value: Any, others: Mapping[str, Any]) -> Any:
        """Give the largest part of a setting that is allowed beside others; `_NOTHING` where no part is."""
        return self._part(value, lambda one: self.allows({**others, key: one}), key)

    def allows(self, settings: Mapping[str, Any]) -> bool:
        """Return whether settings are allowed."""
        self._problem = _problem_of({"title": "…", **settings})  # an empty one is refused itself
        return not self._problem

    def _part(self, value: Any, is_allowed: Callable[[Any], bool], name: str, *, is_entry: bool = False) -> Any:
        if is_allowed(value):
            return value
        reason = self._problem.splitlines()[0].partition(": ")[2]
        found = _NOTHING
        if isinstance(value, Mapping):
            found = self._part_of_table(value, is_allowed, name, is_entry=is_entry)
        elif isinstance(value, list):
            found = self._part_of_list(value, is_allowed, name)
        if found is _NOTHING:
            self.left_out.setdefault(name, []).append(reason)
        return found

    def _part_of_table(
        self, value: Mapping[str, Any], is_allowed: Callable[[Any], bool], name: str, *, is_entry: bool
    ) -> Any:
        """Leave out entries one by one; what a table must have makes it refused, whatever is left out."""
        kept = dict(value)
        for key in value:
            rest = {other: one for other, one in kept.items() if other != key}
            if not rest and is_entry:
                break  # an entry of a list that says nothing
            if not (is_allowed(rest) or (isinstance(value[key], (Mapping, list)) and is_allowed({**rest, key: []}))):
                continue
            part = self._part(value[key], _within(rest, key, is_allowed), f"{name}.{key}")
            return rest if part is _NOTHING else {**rest, key: part}
        return self._table_of_allowed(value, is_allowed, name)

    def _table_of_allowed(self, value: Mapping[str, Any], is_allowed: Callable[[Any], bool], name: str) -> Any:
        """Where several entries are refused: put the table together from those that are not."""
        kept: dict[str, Any] = {}
        refused: list[str] = []
        for key, one in value.items():
            if is_allowed({**kept, key: one}):
                kept[key] = one
            else:
                refused.append(key)
        if not kept:
            return _NOTHING
        for key in refused:
            part = self._part(value[key], _within(kept, key, is_allowed), f"{name}.{key}")
            if part is not _NOTHING:
                kept[key] = part
        return kept

    def _part_of_list(self, value: list[Any], is_allowed: Callable[[Any], bool], name: str) -> Any:
        """Take entries that are allowed together, by halves: few of many are wrong."""
        kept: list[Any] = []

        def take(some: list[Any]) -> None:
            if is_allowed([*kept, *some]):
                kept.extend(some)
            elif len(some) == 1:
                part = self._part(some[0], lambda one: is_allowed([*kept, one]), name, is_entry=True)
                if part is not _NOTHING:
                    kept.append(part)
            else:
                take(some[: len(some) // 2])
                take(some[len(some) // 2 :])

        if value:
            take(value)
        return kept or _NOTHING


def _within(rest: Mapping[str, Any], key: str, is_allowed: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Check a value as that of a key in a table."""
    return lambda value: is_allowed({**rest, key: value})


def _problem_of(settings: Mapping[str, Any]) -> str:
    try:
        parse_config(write_toml(settings))
    except ConfigError as error:
        return str(error)
    return ""
