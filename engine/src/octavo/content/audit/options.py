"""Words after a fence that are nearly an option, or an option that cannot be read."""

from __future__ import annotations

import difflib
from functools import lru_cache
from typing import NamedTuple

from octavo.content.audit.marks import cut
from octavo.content.code.fences import FenceInfo
from octavo.lazy import regex as re

_OPTIONS = (
    "title",
    "filename",
    "hl_lines",
    "linenums",
    "lineNumbers",
    "showLineNumbers",
    "startLineNumber",
    "line-numbers",
    "ins",
    "del",
    "mark",
    "collapse",
    "expandable",
    "npm2yarn",
)
"""Options that Octavo knows; other words may be those of another engine, and mean nothing here."""
_KNOWN = frozenset(_OPTIONS)
_QUOTED = re.compile(r"""(["']).*?\1|(?<!\S)/[^/]+/""")
_WORD = re.compile(r"(?<!\S)(?P<name>[A-Za-z][\w-]*)(?P<value>=\S*)?(?!\S)")
_BARE_TITLE = re.compile(r"""(?<!\S)(?P<name>title|filename)=[\w./@\[\]-]+(?!\S)(?P<rest>(?:[ \t]+[\w.-]+)*)""")
_OPEN_TITLE = re.compile(r"""(?<!\S)(?P<name>title|filename)=(?P<quote>["'])(?P<title>(?:(?!(?P=quote)).)*)\Z""")
_OPEN_WORDS = re.compile(r"""(?<!\S)(?:ins|del|mark)=(?P<quote>["'])(?:(?!(?P=quote)).)*\Z""")
_BRACES = re.compile(
    r"""(?:(?<!\S)(?:ins|del|mark|collapse)=\{(?![ \t]*["'])|(?<![={}$#%])\{(?=[ \t]*\d))(?P<lines>[^{}"':=]*+)(?P<end>\}?+)(?!["':={])"""
)
"""Braces with a label, `{"Added":1-3}`, or with pairs, `{start: 1}`, are not a list of lines."""
_RANGES = re.compile(r"[\d,\s.-]+")
_NUMBERS = re.compile(r"(?<!\S)showLineNumbers=(?!\{?(?:\d+|true|false)\}?(?!\S))\S+")
_ALIKE = 0.8
_SHORTEST = 4
"""Letters of the shortest word that is taken for a slip: `in` is nearly `ins`, and may mean anything."""


class OptionSlip(NamedTuple):
    """A mistake in the words after a fence."""

    at: int
    """Offset in these words."""
    message: str
    suggestion: str


@lru_cache(maxsize=1024)
def option_slips(text: str, info: FenceInfo) -> tuple[OptionSlip, ...]:
    """Find options that are misspelt, have no end, or a value that cannot be read; the first of each kind.

    Args:
        text: The words after the fence.
        info: What they say.
    """
    start = len(info.language) if text.lower().startswith(info.language) else 0
    if not text[start:].strip():
        return ()
    found = (
        _title(text, info, start),
        _words(text, start),
        _lines(text, start),
        _numbers(text, start),
        _misspelt(text, start),
    )
    return tuple(slip for slip in found if slip is not None)


def _title(text: str, info: FenceInfo, start: int) -> OptionSlip | None:
    if info.title is not None:
        return None
    if opened := _OPEN_TITLE.search(text, start):
        message = f"The title behind the fence, {cut(opened[0])}, is left out: its quotation mark has no end."
        return OptionSlip(opened.start(), message, f'Write {opened["name"]}="{opened["title"].strip()}".')
    if bare := _BARE_TITLE.search(text, start):
        title = bare[0].partition("=")[2]
        return OptionSlip(bare.start(), _left_out(bare[0].split()[0]), f'Write {bare["name"]}="{title}".')
    return None


def _words(text: str, start: int) -> OptionSlip | None:
    opened = _OPEN_WORDS.search(text, start)
    if opened is None:
        return None
    message = f"{cut(opened[0])} behind the fence marks nothing: its quotation mark has no end."
    return OptionSlip(opened.start(), message, "Write the text between two quotation marks.")


def _lines(text: str, start: int) -> OptionSlip | None:
    """Find braces that should name lines and hold something else, or have no end."""
    for match in _BRACES.finditer(_without_quoted(text), start):
        if match["end"] and _RANGES.fullmatch(match["lines"]):
            continue
        problem = "it can hold only numbers and ranges" if match["end"] else "its brace has no end"
        message = f'"{cut(match[0])}" behind the fence marks no lines: {problem}.'
        return OptionSlip(match.start(), message, "Write lines as in {1,3-5}.")
    return None


def _numbers(text: str, start: int) -> OptionSlip | None:
    match = _NUMBERS.search(_without_quoted(text), start)
    if match is None:
        return None
    message = f'"{cut(match[0])}" behind the fence has no effect: this is not a number.'
    return OptionSlip(match.start(), message, "Write showLineNumbers, or showLineNumbers=5 to count from 5.")


def _misspelt(text: str, start: int) -> OptionSlip | None:
    for word in _WORD.finditer(_without_quoted(text), start):
        name = word["name"]
        if name in _KNOWN or len(name) < _SHORTEST:
            continue
        if close := difflib.get_close_matches(name, _OPTIONS, n=1, cutoff=_ALIKE):
            return OptionSlip(word.start(), _left_out(name), f'Did you mean "{close[0]}"?')
    return None


def _without_quoted(text: str) -> str:
    """Blank what is quoted; all other signs keep their places."""
    return _QUOTED.sub(lambda quoted: f"{quoted[0][0]}{' ' * (len(quoted[0]) - 2)}{quoted[0][-1]}", text)


def _left_out(shown: str) -> str:
    return f'"{cut(shown)}" behind the fence is not an option; it is left out.'
