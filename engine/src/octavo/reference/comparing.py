"""Compare what two versions describe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

import msgspec


class Member(msgspec.Struct, frozen=True):
    """An operation or a command, as far as its users depend on it."""

    parts: dict[str, str]
    """Parameter, option, field of a body or status → what is settled about it, such as `integer, required`."""


Surface = dict[str, Member]
"""Name of an operation (`GET /kilns`) or of a command → what it takes and gives."""

Kind = Literal["added", "changed", "removed"]


class MemberChange(NamedTuple):
    """What has become of one member from a version to the next."""

    kind: Kind
    name: str
    """Name of the member in the surface."""
    details: Sequence[tuple[Kind, str, str, str]] = ()
    """For a changed one: what became of each part, its name, what was settled before and what is."""


class Since(NamedTuple):
    """Which versions brought a member and its parts, and changed them; empty where the oldest version has it already."""

    version: str
    parts: dict[str, str]
    changed: dict[str, str]
    """Part → the last version that has changed what is settled about it."""
    removed: dict[str, str]
    """Part that there is no longer → version that has removed it."""
    last: str
    """The last version that has added, changed or removed a part of what was there before; empty for none."""


NO_SINCE = Since("", {}, {}, {}, "")


def compare(old: Surface, new: Surface) -> list[MemberChange]:
    """List the changes, what is new first and what is gone last."""
    added = [MemberChange("added", name) for name in new if name not in old]
    changed = [
        MemberChange("changed", name, details)
        for name, member in new.items()
        if name in old and (details := _details(old[name].parts, member.parts))
    ]
    return [*added, *changed, *(MemberChange("removed", name) for name in old if name not in new)]


def _details(old: Mapping[str, str], new: Mapping[str, str]) -> list[tuple[Kind, str, str, str]]:
    details: list[tuple[Kind, str, str, str]] = []
    for part in dict.fromkeys((*new, *old)):
        if part not in old:
            details.append(("added", part, "", new[part]))
        elif part not in new:
            details.append(("removed", part, old[part], ""))
        elif old[part] != new[part]:
            details.append(("changed", part, old[part], new[part]))
    return details


def find_since(surfaces: Sequence[tuple[str, Surface]]) -> dict[str, Since]:
    """Find out which version brought what the newest one has.

    Args:
        surfaces: Label of each version and what it describes, oldest first.
    """
    if not surfaces:
        return {}
    newest = surfaces[-1][1]
    changes = {name: _part_changes(name, surfaces) for name in newest}
    return {
        name: Since(
            _first([(label, name in surface) for label, surface in surfaces]),
            {
                part: label
                for part in member.parts
                if (label := _first([(one, name in of and part in of[name].parts) for one, of in surfaces]))
            },
            {part: label for label, kind, part in changes[name] if kind == "changed"},
            {part: label for label, kind, part in changes[name] if kind == "removed" and part not in member.parts},
            changes[name][-1][0] if changes[name] else "",
        )
        for name, member in newest.items()
    }


def _part_changes(name: str, surfaces: Sequence[tuple[str, Surface]]) -> list[tuple[str, Kind, str]]:
    """List (version, what, part) of a member since it is there without a gap, oldest first."""
    found: list[tuple[str, Kind, str]] = []
    for (_, old), (label, new) in pairwise(surfaces):
        if name not in old or name not in new:
            found.clear()
            continue
        found += [(label, kind, part) for kind, part, _, _ in _details(old[name].parts, new[name].parts)]
    return found


def _first(has: Sequence[tuple[str, bool]]) -> str:
    """Name the version since which all have something; empty where the oldest one has it, too."""
    label = ""
    for before, (version, is_there) in pairwise(has):
        if is_there and not before[1]:
            label = version
    return label
