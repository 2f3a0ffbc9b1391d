"""Anchors and slugs by the rule of github-slugger, which readers' existing links rely on."""

from __future__ import annotations

import re
import unicodedata

_DROPPED_ASCII = re.compile(r"[^a-z0-9_\- ]")
_KEPT_CATEGORIES = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "Pc"})
_ENCLOSED_LETTERS = ((0x24B6, 0x24E9), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189))
"""Symbols that Unicode counts as alphabetic; the rule keeps them."""


def slugify(text: str) -> str:
    """Turn a text into a slug, without regard to others.

    Lower-cases, deletes what is neither letter, mark, digit, connector, hyphen nor space, and turns each
    space into one hyphen. Nothing is trimmed or merged.

    Source:
        github-slugger 1.5, read in 2026-11.
    """
    lowered = text.lower()
    if lowered.isascii():
        return _DROPPED_ASCII.sub("", lowered).replace(" ", "-")
    return "".join(char for char in lowered if _is_kept(char)).replace(" ", "-")


def _is_kept(char: str) -> bool:
    if char in "- " or unicodedata.category(char) in _KEPT_CATEGORIES:
        return True
    return any(first <= ord(char) <= last for first, last in _ENCLOSED_LETTERS)


class Slugger:
    """Slugs that are unique among all that were given out by the same slugger."""

    __slots__ = ("_repeats",)

    def __init__(self) -> None:
        self._repeats: dict[str, int] = {}

    def slug(self, text: str) -> str:
        """Give out a slug for a text; repeats get `-1`, `-2`, …, skipping any already used."""
        return self.unique(slugify(text))

    def unique(self, slug: str) -> str:
        """Give out this slug as it is, or numbered when it is taken."""
        repeats = self._repeats
        result = slug
        while result in repeats:
            repeats[slug] += 1
            result = f"{slug}-{repeats[slug]}"
        repeats[result] = 0
        return result

    def has(self, slug: str) -> bool:
        """Whether this slug was given out already."""
        return slug in self._repeats
