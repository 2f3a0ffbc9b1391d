"""Comments in code that should mark lines, and do nothing: misspelt, without a counterpart, or about lines that are not there."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from octavo.content.code.fences import BUILT_IN_COMMENTS, comment_pattern, reads_comments_of
from octavo.content.code.notations import NOTE_CLASSES
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.code.fences import FenceInfo

_FORMS = {"nextline": "next-line", "next": "next-line", "line": "next-line", "begin": "start", "stop": "end"}
"""What authors write for the forms of a comment."""
_COMMENT = re.compile(
    r"[ \t]*(?://|/\*|\{[ \t]*/\*|#|<!--|--|%|;+)[ \t]*(?P<at>(?P<word>[A-Za-z]+)[-_ ]?"
    rf"(?P<form>next-?line|start|end|{'|'.join(_FORMS)}))[ \t]*(?:\*/[ \t]*\}}?|-->)?[ \t]*",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"(?://|/\*|<!--|--|\#|;|%)[ \t]*(?P<at>\[!code[ \t]*:?[ \t]*(?P<name>[^\]\s:]*)(?::(?P<value>[^\]\n]*))?[ \t]*\])"
)
_ALIKE = 0.8
_CODE_OF_MARKDOWN = frozenset({"md", "mdx", "markdown", "mdc"})
"""Code in these languages often shows how a notation is written."""


class WrongComment(NamedTuple):
    """A comment that does not do what its author wants."""

    line: int
    """Of the code, from 1."""
    column: int
    """Signs before it in its line."""
    message: str
    suggestion: str


def wrong_comments(info: FenceInfo, code: str, magic_comments: Mapping[str, str]) -> Iterator[WrongComment]:
    """Find comments for lines, and notes of Shiki, that have no effect.

    Args:
        info: What the words after the fence say.
        code: The text between the fences.
        magic_comments: Further comments, CSS class → comment word.
    """
    words = tuple(dict.fromkeys((*BUILT_IN_COMMENTS.values(), *magic_comments.values())))
    if "[!code" in code and info.language not in _CODE_OF_MARKDOWN:
        yield from _notes(code)
    if info.language not in _CODE_OF_MARKDOWN and _may_have_comments(words).search(code):
        yield from _comments(info, code, words)


@lru_cache(maxsize=16)
def _may_have_comments(words: tuple[str, ...]) -> re.Pattern[str]:
    """Find what every comment and every misspelt one has: most blocks of code are not looked at any further."""
    return re.compile(rf"light|next-?line|{'|'.join(map(re.escape, words))}", re.IGNORECASE)


def _comments(info: FenceInfo, code: str, words: tuple[str, ...]) -> Iterator[WrongComment]:
    lines = code.split("\n")
    pattern = comment_pattern(words)
    opened: dict[str, list[WrongComment]] = {}
    for number, line in enumerate(lines, 1):
        match = pattern.fullmatch(line)
        if match is None or not reads_comments_of(info.language, line):
            if slip := _misspelt(line, number, words):
                yield slip
            continue
        word, form, column = match["word"].lower(), match["form"].lower(), match.start("word")
        shown = f"{match['word']}-{match['form']}"
        if info.highlighted:
            message = f'"{shown}" is shown as code: the braces behind the fence name the lines of this block.'
            yield WrongComment(number, column, message, "Use either the braces or the comments.")
        elif form == "next-line" and not any(pattern.fullmatch(one) is None for one in lines[number:]):
            yield WrongComment(number, column, f'"{shown}" marks nothing: no line comes after it.', "Take it out.")
        elif form == "start":
            message = f'"{shown}" has no end: all lines below it are marked.'
            hint = f"Write a comment with {word}-end behind the last line."
            opened.setdefault(word, []).append(WrongComment(number, column, message, hint))
        elif form == "end" and not opened.get(word):
            message = f'"{shown}" ends nothing: no "{word}-start" is above it.'
            yield WrongComment(number, column, message, f"Write a comment with {word}-start above the first line.")
        elif form == "end":
            opened[word].pop()
    for left in opened.values():
        yield from left


def _misspelt(line: str, number: int, words: tuple[str, ...]) -> WrongComment | None:
    match = _COMMENT.fullmatch(line)
    if match is None:
        return None
    close = difflib.get_close_matches(match["word"].lower(), words, 1, _ALIKE)
    form = match["form"].lower()
    meant = f"{close[0]}-{_FORMS.get(form, form)}" if close else ""
    if not meant or meant == match["at"].lower():
        return None
    message = f'"{match["at"]}" marks no lines: readers see the comment.'
    return WrongComment(number, match.start("at"), message, f'Did you mean "{meant}"?')


def _notes(code: str) -> Iterator[WrongComment]:
    lines = code.split("\n")
    for number, line in enumerate(lines, 1):
        for match in _NOTE.finditer(line):
            name, value, column = match["name"], match["value"], match.start("at")
            if name == "word" and value:
                word = re.sub(r"\\(.)", r"\1", re.split(r"(?<!\\):", value)[0])
                if word not in "\n".join((line[: match.start()], *lines[: number - 1], *lines[number:])):
                    message = f'"{word}" is to be marked, but this block does not hold it.'
                    yield WrongComment(number, column, message, "")
                continue
            if name not in NOTE_CLASSES:
                close = difflib.get_close_matches(name, [one for one in NOTE_CLASSES if one.isalpha()], 1, 0.6)
                hint = f'Did you mean "[!code {close[0]}]"?' if close else "Write [!!code if readers should see it."
                yield WrongComment(number, column, f'"{match["at"]}" marks nothing: readers see it.', hint)
            elif value and value.isdecimal():
                is_alone = not line[: match.start()].strip()
                left = len(lines) - number + (not is_alone)
                if int(value[:9]) > left:
                    message = f'"{match["at"]}" is about {value} lines, but only {left} are left.'
                    yield WrongComment(number, column, message, "")
