"""Compare what two versions describe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

import msgspec

from octavo.lazy import regex as re


class Member(msgspec.Struct, frozen=True):
    """An operation, a named schema or a command, as far as its users depend on it."""

    parts: dict[str, str]
    """Parameter, option, field of a body or status → what is settled about it, such as `integer, required`."""
    identity: str = ""
    """What stays the same where only names of parameters in the path change; empty for members whose name is all they have."""
    placeholders: list[str] = []
    """Names of the parameters in the path, in their order."""
    is_part: bool = False
    """Whether it is a part of other members, which say when it comes and goes."""


Surface = dict[str, Member]
"""Name of an operation (`GET /kilns`), of a schema or of a command → what it takes and gives."""

_IS_HEADER = re.compile(r"(?:\S+ )?header ")
"""Start of the part that is a header: of a request, or of the answers with a status."""

Kind = Literal["added", "changed", "removed"]


class MemberChange(NamedTuple):
    """What has become of one member from a version to the next."""

    kind: Kind
    name: str
    """Name of the member in the surface."""
    details: Sequence[tuple[Kind, str, str, str]] = ()
    """For a changed one: what became of each part, its name, what was settled before and what is."""
    old_name: str = ""
    """Its name in the version before, where that was another one."""


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
    renamed = _old_names(old, new)
    old = _align(old, new)
    added = [MemberChange("added", name) for name, member in new.items() if name not in old and not member.is_part]
    changed = [
        MemberChange("changed", name, details, renamed.get(name, ""))
        for name, member in new.items()
        if name in old and ((details := _details(old[name].parts, member.parts)) or name in renamed)
    ]
    gone = [MemberChange("removed", name) for name, member in old.items() if name not in new and not member.is_part]
    return [*added, *changed, *gone]


def _old_names(old: Surface, new: Surface) -> dict[str, str]:
    """Find members of which only the names of parameters in the path have changed, as new name → old name."""
    gone = {member.identity: name for name, member in old.items() if member.identity and name not in new}
    return {name: gone[member.identity] for name, member in new.items() if name not in old and member.identity in gone}


def _align(old: Surface, new: Surface) -> Surface:
    """Write an older surface with the names that a newer one has for the same things."""
    names = {before: after for after, before in _old_names(old, new).items()}
    aligned: Surface = {}
    for before, member in old.items():
        after = names.get(before, before)
        aligned[after] = _align_parts(member, new[after]) if after in new else member
    return aligned


def _align_parts(old: Member, new: Member) -> Member:
    """Name parameters in the path as the newer version does, and headers in its spelling, as their case has no meaning."""
    places = zip(old.placeholders, new.placeholders, strict=False)
    names = {f"path {before}": f"path {after}" for before, after in places}
    spelled = {part.casefold(): part for part in new.parts if _IS_HEADER.match(part)}
    names |= {
        part: spelled[key] for part in old.parts if _IS_HEADER.match(part) and (key := part.casefold()) in spelled
    }
    parts = {names.get(part, part): settled for part, settled in old.parts.items()}
    return msgspec.structs.replace(old, parts=parts, placeholders=new.placeholders)


def _details(old: Mapping[str, str], new: Mapping[str, str]) -> list[tuple[Kind, str, str, str]]:
    details: list[tuple[Kind, str, str, str]] = []
    for part in dict.fromkeys((*new, *old)):
        if part not in old:
            if not _is_within(part, new, old):
                details.append(("added", part, "", new[part]))
        elif part not in new:
            if not _is_within(part, old, new):
                details.append(("removed", part, old[part], ""))
        elif old[part] != new[part]:
            details.append(("changed", part, old[part], new[part]))
    return details


def _is_within(part: str, here: Mapping[str, str], there: Mapping[str, str]) -> bool:
    """Whether a part that only one version has is within another change: a field of a new body, or of one with another type.

    An object without a name may have got one: its fields are described with that name then, and not gone.
    """
    for place in range(1, len(part)):
        outer = part[:place] if part[place] in " ." else ""
        if outer in here and (outer not in there or _type_in(here[outer]) != _type_in(there[outer])):
            return True
    return False


def _type_in(settled: str) -> str:
    return settled.partition(",")[0].removesuffix(" or null")


def find_since(surfaces: Sequence[tuple[str, Surface]]) -> dict[str, Since]:
    """Find out which version brought what the newest one has.

    Args:
        surfaces: Label of each version and what it describes, oldest first.
    """
    if not surfaces:
        return {}
    aligned = [surfaces[-1]]
    for label, surface in surfaces[-2::-1]:
        aligned.append((label, _align(surface, aligned[-1][1])))
    surfaces = aligned[::-1]
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
