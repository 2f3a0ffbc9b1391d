"""The order of versions by their names, and which of them are kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from octavo.lazy import regex as re

_NUMBERS = re.compile(r"\d+")
_PRERELEASE = re.compile(r"[-.]?(?:alpha|beta|dev|pre|preview|rc|a|b)[-.]?\d*\b", re.IGNORECASE)
_DEPTH = {"major": 1, "minor": 2}


def version_name(ref: str, pattern: str) -> str:
    """Name the version of a tag or branch: what the star of the pattern stands for, with `-` for `/`."""
    before, _, after = pattern.partition("*")
    return ref.removeprefix(before).removesuffix(after).replace("/", "-")


def address_part(name: str, per: Literal["patch", "minor", "major"]) -> str:
    """Give the part of addresses for a version: where only the newest patch is kept, it is the same for the next one."""
    depth = _DEPTH.get(per)
    if depth is None or is_prerelease(name):
        return name
    numbers = _NUMBERS.finditer(name)
    end = next((one.end() for index, one in enumerate(numbers, 1) if index == depth), len(name))
    return name[:end]


def is_prerelease(name: str) -> bool:
    """Return whether a version is one before its release, such as `2.0-rc1`."""
    return _PRERELEASE.search(name) is not None


def version_key(name: str) -> tuple[list[int], bool, list[int], str]:
    """Order versions: by their numbers, those before a release below it."""
    marked = _PRERELEASE.search(name)
    release = name[: marked.start()] if marked else name
    numbers = [int(number) for number in _NUMBERS.findall(release)]
    while numbers and numbers[-1] == 0:
        numbers.pop()  # 2.0 and 2.0.0 are one release
    return numbers, marked is None, [int(number) for number in _NUMBERS.findall(name)], name


def keep_newest(names: Iterable[str], per: Literal["patch", "minor", "major"]) -> list[str]:
    """Order versions, newest first, and keep the newest of each minor or major one.

    A version before its release is kept only while nothing newer is released.
    """
    kept: list[str] = []
    seen: set[tuple[int, ...]] = set()
    has_release = False
    for name in sorted(names, key=version_key, reverse=True):
        if is_prerelease(name):
            if not has_release and not kept:
                kept.append(name)
            continue
        has_release = True
        group = tuple(int(number) for number in _NUMBERS.findall(name)[: _DEPTH.get(per)])
        if per == "patch" or group not in seen:
            seen.add(group)
            kept.append(name)
    return kept
