"""Text as HTML: escaping, and code within a line."""

from __future__ import annotations

import re
from typing import Final

_FLAG: Final = re.compile(r"(?<![^\s\[(|=,])-{1,2}\w+(?:-\w+)*")
_LONGEST_FLAG: Final = 24
"""Characters of a flag that fit beside others on the narrowest phones."""


def escape(text: str) -> str:
    """Escape text between tags."""
    if "&" in text:
        text = text.replace("&", "&amp;")
    if "<" in text:
        text = text.replace("<", "&lt;")
    if ">" in text:
        text = text.replace(">", "&gt;")
    return text


def escape_attribute(text: str) -> str:
    """Escape text in a double-quoted attribute."""
    text = escape(text)
    return text.replace('"', "&quot;") if '"' in text else text


def inline_code(text: str) -> str:
    """Write code within a line; browsers, which break a line after every hyphen, keep flags such as `--dry-run` whole."""
    shown = escape(text)
    if "-" not in text or not (flags := list(_FLAG.finditer(shown))):
        return f"<code>{shown}</code>"
    if len(flags) == 1 and flags[0].end() - flags[0].start() == len(shown) <= _LONGEST_FLAG:
        return f'<code class="whole">{shown}</code>'
    return f"<code>{_FLAG.sub(_whole, shown)}</code>"


def _whole(flag: re.Match[str]) -> str:
    start, hyphen, rest = flag[0], "", ""
    if len(start) > _LONGEST_FLAG:
        # At least its first word stays with what marks it as a flag.
        marks = len(start) - len(start.lstrip("-"))
        first, hyphen, rest = start[marks:].partition("-")
        start = start[:marks] + first
    return f'<span class="whole">{start}</span>{hyphen}{rest}'
