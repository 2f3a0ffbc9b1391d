"""Short codes such as `:smile:` and `:material-home:`."""

from __future__ import annotations

import difflib
from functools import cache, lru_cache

from octavo.lazy import regex as re

SHORT_CODE = re.compile(r":(?P<name>[a-z0-9+][a-z0-9_+-]*):")
_ICON = re.compile(r"(?:material|fontawesome|octicons|simple|bootstrap|lucide|tabler|mdi|fa|oct|si)-[a-z0-9-]+")

_SHORTEST = 5
"""Letters of the shortest name that is taken for a mistyped one."""
_ALIKE = 0.85


def is_icon(name: str) -> bool:
    """Whether a short code names a picture of an icon set."""
    return _ICON.fullmatch(name) is not None


@lru_cache(maxsize=512)
def emoji(name: str) -> str | None:
    """Give the characters of an emoji by the name that GitHub gives it; None where there is none."""
    from emoji import emojize

    code = f":{name}:"
    shown = emojize(code, language="alias")
    return None if shown == code else shown


@lru_cache(maxsize=512)
def similar_emoji(name: str) -> str | None:
    """Give the name of an emoji that is nearly this one; None where nothing comes near."""
    if len(name) < _SHORTEST:
        return None
    # Names of another length or with another first letter are left out: comparing all 4,000 takes 20 ms.
    lengths = range(len(name) - 1, len(name) + 2)
    known = [one for length in lengths for one in _names().get((name[0], length), ())]
    exchanged = next((one for one in known if len(one) == len(name) and sorted(one) == sorted(name)), None)
    return exchanged or next(iter(difflib.get_close_matches(name, known, 1, _ALIKE)), None)


@cache
def _names() -> dict[tuple[str, int], list[str]]:
    """Sort the names of emoji by their first letter and their length."""
    from emoji import EMOJI_DATA

    found: dict[tuple[str, int], list[str]] = {}
    for one in EMOJI_DATA.values():
        for alias in (one.get("en", ""), *one.get("alias", ())):
            if name := alias.strip(":"):
                found.setdefault((name[0], len(name)), []).append(name)
    return found
