"""`::: code-group`: the blocks of code in it, each with its label."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from octavo.content.scan.buffer import Buffer

if TYPE_CHECKING:
    from octavo.content.source import Fragment

_FENCE = re.compile(r"^[ \t]*(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)(?:\n|\Z)", re.MULTILINE)
_LABEL = re.compile(r"\[([^\]\n]+)\]")
_TITLE = re.compile(r"""title=(["'])(.+?)\1""")


def split_code_group(body: Fragment) -> list[tuple[str, Fragment, int]]:
    """Find the blocks of code: (label, block, offset in `body`); a block without a label is called by its language."""
    found: list[tuple[str, Fragment, int]] = []
    position = 0
    while opening := _FENCE.search(body.text, position):
        closing = re.compile(rf"^[ \t]*{opening['fence'][0]}{{{len(opening['fence'])},}}[ \t]*(?:\n|\Z)", re.MULTILINE)
        match = closing.search(body.text, opening.end())
        position = match.end() if match else len(body.text)
        buffer = Buffer(body)
        buffer.copy(opening.start(), position)
        found.append((_label(opening["info"], len(found)), buffer.fragment(is_contained=False), opening.start()))
    return found


def _label(info: str, number: int) -> str:
    if label := _LABEL.search(info):
        return label[1].strip()
    if title := _TITLE.search(info):
        return title[2]
    words = re.split(r"[\s{:]", info.strip(), maxsplit=1)
    return words[0] or f"{number + 1}"
