"""Numbers as JavaScript writes them: `-1.5e3`, `0x1f`, `1_000`; and values within its templates."""

from __future__ import annotations

import math

from octavo.content.scan.expressions.methods import NotLiteralError
from octavo.lazy import regex as re

_NUMBER = re.compile(
    r"-?(?:0[xX](?P<hex>[0-9a-fA-F_]+)|0[oO](?P<octal>[0-7_]+)|0[bB](?P<binary>[01_]+)"
    r"|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?)(?![\w.$])"
)
_SHORT = re.compile(r"-?\d{1,15}(?![\w.$])")
"""Most numbers."""
_BASES = {"hex": 16, "octal": 8, "binary": 2}
_LONGEST = 300
"""Digits of a number; JavaScript has none that is larger."""


def read_number(text: str, position: int) -> tuple[int | float, int] | None:
    """Read a number; gives its value and the position behind it, or None where there is none."""
    if short := _SHORT.match(text, position):
        return int(short[0]), short.end()
    match = _NUMBER.match(text, position)
    if match is None or "__" in match[0] or match[0].endswith("_") or len(match[0]) > _LONGEST:
        return None
    written = match[0].replace("_", "")
    sign = -1 if written.startswith("-") else 1
    for name, base in _BASES.items():
        if match[name] is not None:
            return sign * int(match[name].replace("_", ""), base), match.end()
    if not re.search("[.eE]", written):
        return int(written), match.end()
    value = float(written)
    if not math.isfinite(value):
        return None
    is_whole = "." not in written and value.is_integer() and abs(value) < 2**53
    return int(value) if is_whole else value, match.end()


def in_text(value: object) -> str:
    """Write a value as a template of JavaScript does.

    Raises:
        NotLiteralError: it is neither text nor a number.
    """
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise NotLiteralError
    return str(value)
