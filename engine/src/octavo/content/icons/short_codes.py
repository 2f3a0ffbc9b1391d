"""Short codes such as `:smile:` and `:material-home:`."""

from __future__ import annotations

import difflib
import re
from functools import lru_cache

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
    from emoji import EMOJI_DATA

    if len(name) < _SHORTEST:
        return None
    names = {alias.strip(":") for one in EMOJI_DATA.values() for alias in one.get("alias", ())}
    close = difflib.get_close_matches(name, names, 1, _ALIKE)
    return close[0] if close else None
