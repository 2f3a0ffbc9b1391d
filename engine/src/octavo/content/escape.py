"""Text as HTML: escaping, and code within a line."""

from __future__ import annotations

from html import unescape
from typing import Final

from octavo.lazy import regex as re

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_FLAG: Final = re.compile(r"(?<![^\s\[(|=,])-{1,2}\w+(?:-\w+)*")
_HYPHENATED: Final = re.compile(r"(?<!\S)\S*-\S*")
_LONGEST_NAME: Final = 24
"""Characters of a name that fit beside others on the narrowest phones."""


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
    """Write code within a line; browsers, which break a line after every hyphen, keep names such as `--dry-run` whole."""
    shown = escape(text)
    if "-" not in text:
        return f"<code>{shown}</code>"
    whole = _HYPHENATED.sub(_keep_whole, shown)
    start = f'<span class="whole">{shown}</span>'
    return f'<code class="whole">{shown}</code>' if whole == start else f"<code>{whole}</code>"


def _keep_whole(name: re.Match[str]) -> str:
    text = unescape(name[0])
    if not any(map(str.isalnum, text)):
        return name[0]
    if len(text) <= _LONGEST_NAME:
        return f'<span class="whole">{name[0]}</span>'
    return _FLAG.sub(_keep_flag, name[0])


def _keep_flag(flag: re.Match[str]) -> str:
    start, hyphen, rest = flag[0], "", ""
    if len(start) > _LONGEST_NAME:
        # At least its first word stays with what marks it as a flag.
        marks = len(start) - len(start.lstrip("-"))
        first, hyphen, rest = start[marks:].partition("-")
        start = start[:marks] + first
    return f'<span class="whole">{start}</span>{hyphen}{rest}'


def with_pairs(text: str) -> str | None:
    """Join the two halves in which JavaScript writes characters beyond U+FFFF; None where there is half of one."""
    if not _SURROGATE.search(text):
        return text
    try:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError:
        return None
