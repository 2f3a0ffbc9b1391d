"""Widths of text, from the advance widths of Inter.

Inter is wider than Arial, Segoe UI and San Francisco: a label that fits here fits in the fonts that readers have.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

_UNKNOWN = 600
"""Width of a character that the table lacks, per thousand of the font size."""
_WIDE = 1000
_BOLD_FROM = 600


class Run(NamedTuple):
    """Characters of one style."""

    text: str
    is_bold: bool = False
    is_slanted: bool = False


def text_width(text: str, size: float, *, is_bold: bool = False) -> float:
    """Measure one line in pixels; `size` is the font size in pixels."""
    widths = _widths("bold" if is_bold else "regular")
    return sum(widths.get(character) or _other_width(character) for character in text) * size / 1000


def is_bold(weight: str | None) -> bool:
    """Return whether a CSS font weight is drawn bold."""
    if weight is None:
        return False
    return int(weight) >= _BOLD_FROM if weight.isdigit() else weight in {"bold", "bolder"}


def wrap(lines: Iterable[Sequence[Run]], size: float, width: float | None) -> list[list[Run]]:
    """Break lines between words where they are wider than `width` pixels; None breaks none of them.

    A word that is wider by itself is broken behind its hyphens, as browsers do, and stays whole otherwise.
    """
    broken: list[list[Run]] = []
    for line in lines:
        broken.append([])
        used = 0.0
        for word in _words(line):
            length = text_width(word.text, size, is_bold=word.is_bold)
            if width is not None and used and used + length > width + 0.01 and _may_break(broken[-1], word):
                broken.append([])
                used = 0.0
                word = word._replace(text=word.text.lstrip())  # noqa: PLW2901
                length = text_width(word.text, size, is_bold=word.is_bold)
            broken[-1].append(word)
            used += length
    return [_joined(line) for line in broken]


def line_width(line: Iterable[Run], size: float) -> float:
    """Measure a line of runs in pixels."""
    return sum(text_width(run.text, size, is_bold=run.is_bold) for run in line)


def _words(line: Iterable[Run]) -> Iterable[Run]:
    """Split runs in front of spaces and behind hyphens: each piece is a word with the spaces before it."""
    for run in line:
        start = 0
        for index in range(1, len(run.text)):
            is_space = run.text[index] == " " and run.text[index - 1] != " "
            if is_space or _is_behind_hyphen(run.text, index):
                yield run._replace(text=run.text[start:index])
                start = index
        yield run._replace(text=run.text[start:])


def _is_behind_hyphen(text: str, index: int) -> bool:
    return text[index - 1] == "-" and text[index].isalpha() and text[max(index - 2, 0)].isalnum()


def _may_break(line: Sequence[Run], word: Run) -> bool:
    """Return whether a line, which has words, may be broken in front of one; spaces at the end of a line are left there."""
    if not word.text.strip():
        return False
    before = line[-1].text
    return word.text[0] == " " or before[-1:] == " " or _is_behind_hyphen(before + word.text, len(before))


def _joined(words: Iterable[Run]) -> list[Run]:
    runs: list[Run] = []
    for word in words:
        if runs and runs[-1][1:] == word[1:]:
            runs[-1] = runs[-1]._replace(text=runs[-1].text + word.text)
        else:
            runs.append(word)
    return runs


@cache
def _widths(style: str) -> dict[str, int]:
    """Give the advance width of each known character, per thousand of the font size."""
    table = json.loads(Path(__file__).with_name("widths.json").read_text(encoding="utf-8"))
    return {chr(start + index): width for start, run in table[style] for index, width in enumerate(run)}


@cache
def _other_width(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in {"Cf", "Cc", "Mn", "Me"}:
        return 0
    return _WIDE if unicodedata.east_asian_width(character) in "WF" else _UNKNOWN
