"""What authors mark within a block of code: words, labels of lines, and lines that are folded away."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from octavo.content.escape import escape
from octavo.lazy import regex as re

MarkKind = Literal["mark", "ins", "del"]
"""Also the HTML element that draws it."""

SHOWN_LINES = 10
"""Lines of a folded block that stay in view, where its author names none."""
_LEAST_FOLDED = 4
"""Fewer lines are not worth a click."""

_RANGE = r"[\d,\s.-]+"
_VALUE = re.compile(r"""(?<!\S)(?!(?:ins|del|mark)=)[\w.:-]+=(["']).*?\1(?!\S)""")
"""A value in quotes that is not a mark, such as `linenums="5"`."""
_WORDS = re.compile(r"""(?<!\S)(?:(ins|del|mark)=)?(?:(["'])(.+?)\2|/((?:[^/\\]|\\.)+)/)(?!\S)""")
_LABELED = re.compile(rf"""(?<!\S)(?:(ins|del|mark)=)?\{{\s*(["'])(.*?)\2\s*:({_RANGE})\}}""")
_FOLDED = re.compile(rf"(?<!\S)(?:collapse=\{{({_RANGE})\}}|(?:collapse|expandable)(?=\s|\Z))")
_PATTERN_SIGNS = re.compile(r"[\[\](){}^$*+?|\\.]")
_SINGLE = re.compile(r"\\.|\[(?:\\.|[^\]\\])+\]")
"""What stands for one character in a regular expression and may hold signs that have another meaning outside."""
_REPEAT = re.compile(r"[*+]|\{\d")
_REPEATED_CHOICE = re.compile(r"[*+?{|)][^()]*\)(?:[*+]|\{\d)")
"""A group that is repeated and has repetitions, choices or groups inside: the time that it takes may double with each letter."""
_MOST_REPEATS = 3
_LONGEST_LINE = 200
"""Characters of a line in which a regular expression is looked for: with three repetitions it may take the fourth power of that, but
real ones repeat classes of letters that exclude each other."""
_PIECE = re.compile(r"(<span [^>]*>)|(</span>)|(&[^;\s]{1,40};|[^<&])")
"""Spans are flat in highlighted code: none is inside another."""


class WordMark(NamedTuple):
    """A text that is marked wherever a line holds it."""

    kind: MarkKind
    text: str
    is_between_slashes: bool = False
    """It may be a regular expression, as in Expressive Code."""


class FoundMark(NamedTuple):
    """A mark that a block holds."""

    kind: MarkKind
    pattern: re.Pattern[str]
    longest: int
    """Characters of a line in which it is looked for."""


class LineLabel(NamedTuple):
    """A remark beside the first of the lines that it is about."""

    kind: MarkKind
    text: str
    ranges: str


class FenceMarks(NamedTuple):
    """What the words after a fence ask for, besides lines to highlight."""

    words: tuple[WordMark, ...] = ()
    labels: tuple[LineLabel, ...] = ()
    folded: str | None = None
    """Ranges of lines to fold away; empty for all behind the first ones; None for none."""


def take_marks(meta: str) -> tuple[FenceMarks, str]:
    """Read marks from the words after a fence; gives them, and the words without them."""
    labels = tuple(LineLabel(_kind(kind), text, ranges) for kind, _, text, ranges in _LABELED.findall(meta))
    meta = _LABELED.sub("", meta)
    fold = _FOLDED.search(meta)
    meta = _FOLDED.sub("", meta)
    bare = _VALUE.sub("", meta)
    words = tuple(
        WordMark(_kind(kind), quoted or slashed, bool(slashed)) for kind, _, quoted, slashed in _WORDS.findall(bare)
    )
    if words:
        meta = _WORDS.sub("", bare)
    return FenceMarks(words, labels, None if fold is None else fold[1] or ""), meta


def _kind(name: str) -> MarkKind:
    return "ins" if name == "ins" else "del" if name == "del" else "mark"


def folded_lines(ranges: Iterable[int], count: int) -> frozenset[int]:
    """Return which of `count` lines are folded: those of `ranges`, all behind the first ones where it is empty."""
    named = frozenset(line for line in ranges if 1 <= line <= count)
    if named or count < SHOWN_LINES + _LEAST_FOLDED:
        return named
    return frozenset(range(SHOWN_LINES + 1, count + 1))


def find_mark(word: WordMark, code: str) -> FoundMark | None:
    """Look for a text in a block; None where no line holds it.

    What is between slashes is the text itself where the block holds it (Nextra), and else a regular expression (Expressive Code).
    """
    if word.text in code:
        return FoundMark(word.kind, re.compile(re.escape(word.text)), len(code))
    pattern = read_pattern(word.text) if word.is_between_slashes else None
    if pattern is None or not any(pattern.search(line[:_LONGEST_LINE]) for line in code.split("\n")):
        return None
    return FoundMark(word.kind, pattern, _LONGEST_LINE)


@lru_cache(maxsize=256)
def read_pattern(text: str) -> re.Pattern[str] | None:
    """Read a regular expression in the notation of JavaScript; None where it is none, or may take long."""
    plain = _SINGLE.sub("x", text)
    if not is_pattern(text) or len(_REPEAT.findall(plain)) > _MOST_REPEATS or _REPEATED_CHOICE.search(plain):
        return None
    try:
        return re.compile(text.replace("(?<", "(?P<").replace("(?P<=", "(?<=").replace("(?P<!", "(?<!"))
    except re.error:
        return None


def is_pattern(text: str) -> bool:
    """Whether a text between slashes has signs of a regular expression."""
    return _PATTERN_SIGNS.search(text) is not None


def mark_words(line: str, words: Sequence[FoundMark]) -> str:
    """Mark texts in a highlighted line, over the ends of its spans; a text that overlaps a marked one stays as it is."""
    pieces = list(_pieces(line))
    plain = "".join(html.unescape(sign) for _, sign in pieces)
    places = _places(plain, words)
    if not places:
        return line
    kinds: dict[int, tuple[int, MarkKind]] = {
        at: (start, kind) for start, end, kind in places for at in range(start, end)
    }
    parts: list[str] = []
    span, mark = "", None
    for at, (wanted_span, sign) in enumerate(pieces):
        wanted = kinds.get(at)
        if span and (span != wanted_span or mark != wanted):
            parts.append("</span>")
            span = ""
        if mark != wanted:
            parts.append((f"</{mark[1]}>" if mark else "") + (f"<{wanted[1]}>" if wanted else ""))
            mark = wanted
        if wanted_span and not span:
            parts.append(wanted_span)
            span = wanted_span
        parts.append(sign)
    return "".join(parts) + ("</span>" if span else "") + (f"</{mark[1]}>" if mark else "")


def _places(plain: str, words: Sequence[FoundMark]) -> list[tuple[int, int, MarkKind]]:
    """Find where the texts are: start, end and kind; none overlaps another.

    Of a regular expression with groups, these are marked.
    """
    found: list[tuple[int, int, MarkKind]] = []
    for kind, pattern, longest in words:
        for match in pattern.finditer(plain, 0, longest):
            for start, end in map(match.span, range(1, pattern.groups + 1) if pattern.groups else (0,)):
                if start < end and all(end <= other_start or start >= other_end for other_start, other_end, _ in found):
                    found.append((start, end, kind))
    return found


def _pieces(line: str) -> Iterator[tuple[str, str]]:
    """Split highlighted code into characters: the tag of the span that each is in, and its HTML."""
    span = ""
    for match in _PIECE.finditer(line):
        opened, closed, sign = match.groups()
        if opened or closed:
            span = opened or ""
        else:
            yield span, sign


def label_html(text: str) -> str:
    """Draw a label; it is text for all readers, and left out when the code is copied."""
    return f'<span class="line-label">{escape(text)}</span>'
