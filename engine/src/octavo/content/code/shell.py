"""Commands and their options in shell code: Pygments knows variables, strings and comments, but not what is run.

It also takes parts of words for numbers and operators (the `0` of `0.0.6`); a word has one look here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

from pygments.token import Comment, Generic, Keyword, Literal, Name, String, Text

from octavo.content.code.heredocs import find_texts, mask_openings
from octavo.lazy import regex as re

_PART = re.compile(r"\n|[^\S\n]+|\d*(?:[<>]&\d|&>>?|<<<?-?|[<>]+\|?)|[|&;(){}]|[^\s|&;(){}<>]+")
_STARTS = frozenset("|&;({")
"""A command starts after these."""
_RUNS_ANOTHER = frozenset({"sudo", "env", "exec", "nohup", "time", "xargs", "command", "then", "do", "else", "if"})
_BEFORE_COMMAND = frozenset({"if", "then", "else", "elif", "do", "while", "until", "time", "!", "{"})
_OWN_LOOK = (String, Comment, Name.Variable, Keyword, Generic)
"""Kinds that Pygments recognises well."""
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_OPTION = re.compile(r"--?[A-Za-z][^=]*|-\d?(?=\Z)")
_RUN = re.compile(rb"(.)\1*", re.DOTALL)
"""Neighbours of one kind."""
_CONTINUED = frozenset({"\\", "`"})

_Token = tuple[int, Any, str]


def mark_commands(lex: Callable[[str], Iterable[_Token]], code: str) -> Iterator[_Token]:
    """Give the tokens of shell code, with commands as functions, options as tags and here-documents as text.

    Args:
        lex: Code → (offset, type, text) without gaps.
        code: The code.
    """
    texts = list(find_texts(code))
    masked = code
    for start, first, last in texts:
        blank = re.sub(r"[^\n]", " ", code[first:last])
        masked = masked[:start] + mask_openings(code[start:first]) + blank + masked[last:]
    looks = _Looks()
    codes = bytearray()
    for _, kind, text in lex(masked):
        codes += bytes((looks.code(kind),)) * len(text)
    _mark(masked, codes, looks)
    for _, first, last in texts:
        codes[first:last] = bytes((looks.code(String),)) * (last - first)
    for run in _RUN.finditer(codes):
        yield run.start(), looks.kinds[run[0][0]], code[run.start() : run.end()]


class _Looks:
    """Kinds of tokens as one byte for each character: runs and replacements of these are native operations."""

    def __init__(self) -> None:
        self.kinds: list[Any] = []
        self._codes: dict[Any, int] = {}
        self._own = bytearray()

    def code(self, kind: Any) -> int:
        """Give the byte of a kind; Pygments has fewer than 256 kinds."""
        found = self._codes.get(kind)
        if found is None:
            found = self._codes[kind] = len(self.kinds)
            self.kinds.append(kind)
            self._own.append(_has_own_look(kind))
        return found

    def paint(self, codes: bytearray, start: int, end: int, look: Any) -> None:
        """Give characters a look, except those that Pygments recognises well."""
        new = self.code(look)
        table = bytearray(range(256))
        for old, is_own in enumerate(self._own):
            if not is_own:
                table[old] = new
        codes[start:end] = codes[start:end].translate(table)


def _mark(code: str, codes: bytearray, looks: _Looks) -> None:
    is_command, is_continued = True, False
    for part in _PART.finditer(code):
        text, start, end = part[0], part.start(), part.end()
        kind = looks.kinds[codes[start]]
        if text == "\n":
            is_command, is_continued = is_command if is_continued else True, False
        elif text.isspace():
            continue
        elif text in _CONTINUED:
            is_continued = True
        elif _is_argument_taken_for_assignment(text, kind, is_command=is_command):
            length = text.index("=") + 1
            codes[start : start + length] = bytes((looks.code(Text),)) * length
            looks.paint(codes, start, end, Text)
        elif _has_own_look(kind):
            is_command = is_command and _keeps_waiting(text, kind)
            is_command = is_command or (kind in Keyword and text[-1] == "(")
        elif text[0] in "|&;(){}":
            is_command = text[-1] in _STARTS
        elif text[0] not in "<>" and not text.lstrip("0123456789").startswith(("<", ">")):
            look, length = _look(text, is_command=is_command)
            looks.paint(codes, start, start + length, look)
            looks.paint(codes, start + length, end, Text)
            is_command = is_command and (text in _RUNS_ANOTHER or _ASSIGNMENT.match(text) is not None)


@cache
def _has_own_look(kind: Any) -> bool:
    return kind is not None and any(kind in look for look in _OWN_LOOK) and kind not in Literal.Number


def _is_argument_taken_for_assignment(text: str, kind: Any, *, is_command: bool) -> bool:
    """Whether a word such as `type=volume` follows a command."""
    return not is_command and kind in Name.Variable and _ASSIGNMENT.match(text) is not None


def _keeps_waiting(text: str, kind: Any) -> bool:
    """Whether a command is still to come: behind a comment, an assignment, or words such as `then`."""
    if kind in Keyword:
        return text in _BEFORE_COMMAND
    return kind in Comment or _ASSIGNMENT.match(text) is not None


def _look(text: str, *, is_command: bool) -> tuple[Any, int]:
    """Look of a word's beginning, and how long that is."""
    if is_command and not _ASSIGNMENT.match(text):
        return Name.Function, len(text)
    option = _OPTION.match(text)
    return (Name.Tag, option.end()) if option else (Text, 0)
