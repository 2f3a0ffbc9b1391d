"""Names that style sheets may use."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

import msgspec


@cache
def known_names(kind: str) -> frozenset[str]:
    """List the names of a kind, such as `properties`, `pseudo-classes` or `descriptors of page`."""
    return frozenset(_tables()[kind])


@cache
def _tables() -> dict[str, list[str]]:
    """Load the lists: of csstype, which is made of MDN's data, and of Pygments for drafts and paged media."""
    content = files("octavo.stylesheets").joinpath("names.json").read_bytes()
    return msgspec.json.decode(content, type=dict[str, list[str]])


DESCRIPTORS = ("font-face", "counter-style", "font-palette-values", "property", "view-transition", "color-profile")
"""At-rules that hold nothing but descriptors."""


def nearest_name(word: str, known: Iterable[str]) -> str | None:
    """Give the known name that is most like a word; None where none is."""
    close = difflib.get_close_matches(word[:80].lower(), sorted(known), n=1, cutoff=0.7)
    return close[0] if close else None
