"""Regular expressions of JavaScript, as far as pages use them to change a text: no groups, and a bounded number of steps.

Python's own engine would do more, but has no bound: a pattern that takes years would stop the build.

Source:
    ECMA-262, 16th edition, section 22.2, read 2026-11-30.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from octavo.lazy import regex as re

_MOST_STEPS = 300_000
_LONGEST = 200
_UNBOUNDED = 1_000_000
_QUANTIFIER = re.compile(r"(?:[*+?]|\{(\d{1,4})(,(\d{1,4})?)?\})(\??)")
_ATOM = re.compile(
    r"\[\^?(?:\\.|[^\]\\])*\]|\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[nrtfv0sSdDwW]|[^A-Za-z0-9])|[^\\()|\[\]{}*+?^$]",
    re.DOTALL,
)
_BOUNDARY = re.compile(r"[\^$]|\\b")


class UnknownPatternError(ValueError):
    """A pattern uses what is not known here, or takes too many steps."""


class _Atom(NamedTuple):
    """A character, or a boundary between two."""

    boundary: str
    """`^`, `$` or `\\b`; empty for characters."""
    characters: re.Pattern[str] | None
    least: int
    most: int
    is_lazy: bool


class JsPattern:
    """A regular expression."""

    def __init__(self, source: str, flags: str) -> None:
        """Read a pattern.

        Args:
            source: What is between the slashes.
            flags: `g`, `i`, `m`, `s` and `u`.

        Raises:
            UnknownPatternError: it uses what is not known here.
        """
        if len(source) > _LONGEST or set(flags) - set("gimsu") or len(set(flags)) < len(flags):
            raise UnknownPatternError
        self.is_global = "g" in flags
        self._has_lines = "m" in flags
        self._flags = (re.IGNORECASE if "i" in flags else 0) | (re.DOTALL if "s" in flags else 0)
        self._atoms = list(self._read(source))
        self._steps = 0

    def _read(self, source: str) -> Iterator[_Atom]:
        position = 0
        while position < len(source):
            if boundary := _BOUNDARY.match(source, position):
                yield _Atom(boundary[0], None, 1, 1, is_lazy=False)
                position = boundary.end()
                continue
            atom = _ATOM.match(source, position)
            if atom is None:
                raise UnknownPatternError
            position = atom.end()
            least, most, is_lazy = 1, 1, False
            if quantifier := _QUANTIFIER.match(source, position):
                position = quantifier.end()
                least, most = _bounds(quantifier)
                is_lazy = bool(quantifier[4])
            yield _Atom("", self._characters(atom[0]), least, most, is_lazy)

    def _characters(self, atom: str) -> re.Pattern[str]:
        """Compile what matches one character; digits and letters of words are those of ASCII, as in JavaScript."""
        ascii_only = "" if atom.startswith("[") else atom
        known = {"\\d": "[0-9]", "\\D": "[^0-9]", "\\w": "[A-Za-z0-9_]", "\\W": "[^A-Za-z0-9_]"}
        try:
            return re.compile(known.get(ascii_only, atom), self._flags)
        except re.error as error:
            raise UnknownPatternError from error

    def replace(self, text: str, replacement: str) -> str:
        """Replace the first match, or with the flag `g` all of them.

        Raises:
            UnknownPatternError: it takes too many steps.
        """
        self._steps = 0
        parts: list[str] = []
        position = copied = 0
        while position <= len(text):
            end = self._match(text, position, 0)
            if end is None:
                position += 1
                continue
            parts += [text[copied:position], _filled(replacement, text[position:end])]
            copied = end
            position = end if end > position else position + 1
            if not self.is_global:
                break
        return "".join([*parts, text[copied:]])

    def _match(self, text: str, position: int, number: int) -> int | None:
        """Find where a match of the atoms from a number on ends that starts at a position."""
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise UnknownPatternError
        if number == len(self._atoms):
            return position
        atom = self._atoms[number]
        if atom.characters is None:
            is_there = self._is_at(atom.boundary, text, position)
            return self._match(text, position, number + 1) if is_there else None
        end = position
        while end - position < atom.most and end < len(text) and atom.characters.match(text, end, end + 1):
            self._steps += 1
            end += 1
        ends = range(position + atom.least, end + 1)
        for one in ends if atom.is_lazy else reversed(ends):
            found = self._match(text, one, number + 1)
            if found is not None:
                return found
        return None

    def _is_at(self, boundary: str, text: str, position: int) -> bool:
        if boundary == "^":
            return position == 0 or (self._has_lines and text[position - 1] == "\n")
        if boundary == "$":
            return position == len(text) or (self._has_lines and text[position] == "\n")
        around = (text[position - 1 : position] if position else "", text[position : position + 1])
        before, behind = (re.fullmatch(r"[A-Za-z0-9_]", one) is not None for one in around)
        return before != behind


def _bounds(quantifier: re.Match[str]) -> tuple[int, int]:
    if quantifier[1] is None:
        return {"*": (0, _UNBOUNDED), "+": (1, _UNBOUNDED), "?": (0, 1)}[quantifier[0][0]]
    least = int(quantifier[1])
    if quantifier[2] is None:
        return least, least
    return least, int(quantifier[3]) if quantifier[3] else _UNBOUNDED


def _filled(replacement: str, matched: str) -> str:
    """Write what replaces a match: `$&` is the match, and `$$` a dollar sign."""
    return re.sub(r"\$([$&])", lambda one: "$" if one[1] == "$" else matched, replacement)
