"""The name of a site's product, which its readers add to what they look for, and which hardly any of its pages is about."""

from __future__ import annotations

from octavo.lazy import regex as re
from octavo.search.text.stop_words import STOP_WORDS

_WORDS = """
api app blog book center centre cli dev developer developers doc docs documentation guide guides handbook help home
learn manual official portal project reference sdk site tutorial tutorials user users website welcome wiki
"""

_GENERIC = frozenset(_WORDS.split())
"""Words of titles of sites that are not part of a name."""

_SUBTITLE = re.compile(r"\s+[-–—|·:]\s|[|:]\s")
_MOST_WORDS = 3
"""Words of a name; more are a sentence."""


def name_in_title(title: str) -> str:
    """Give the name in the title of a site: `Kiln` of `The Kiln Docs | Fire better`; empty where it has none."""
    words = [
        word
        for word in _SUBTITLE.split(title.strip(), maxsplit=1)[0].split()
        if word.casefold() not in _GENERIC and word.casefold() not in STOP_WORDS
    ]
    return " ".join(words) if len(words) <= _MOST_WORDS else ""
