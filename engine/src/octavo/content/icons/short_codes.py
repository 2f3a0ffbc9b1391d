"""Short codes such as `:smile:` and `:material-home:`."""

from __future__ import annotations

import re
from functools import lru_cache

SHORT_CODE = re.compile(r":(?P<name>[a-z0-9+][a-z0-9_+-]*):")
_ICON = re.compile(r"(?:material|fontawesome|octicons|simple|bootstrap|lucide|tabler|mdi|fa|oct|si)-[a-z0-9-]+")


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
