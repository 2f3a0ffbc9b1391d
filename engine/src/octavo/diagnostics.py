"""What is wrong in content: plain values, collected everywhere, shown together at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal

import msgspec

Level = Literal["error", "warn", "ignore"]
"""How much a finding weighs: `error` fails the build, `warn` is shown, `ignore` is dropped."""


class Span(msgspec.Struct, frozen=True, order=True):
    """A place in a source file."""

    path: str
    """Path from the site's folder, with forward slashes."""
    line: int = 1
    """1-based line."""
    column: int = 1
    """1-based column, in characters."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


class Diagnostic(msgspec.Struct, frozen=True):
    """One problem: where, what, and how to mend it."""

    code: str
    """Stable kebab-case name of the kind of problem, such as `broken-link`."""
    level: Level
    span: Span
    message: str
    """One or two full sentences: the value in quotes, what was expected."""
    suggestion: str = ""
    """What to write instead, or nothing."""
    excerpt: str = ""
    """The source line, without its line break; of a long one the part around the place."""
    excerpt_start: int = 0
    """Characters of the line that are left out before the excerpt."""
    page: str | msgspec.UnsetType = msgspec.UNSET
    """Source of the page that brings it about, where its place is in another file, such as that of a component; unset in
    findings that are shown, whose message names the page."""


_LONGEST_EXCERPT = 1_000
_BEFORE = 200


def cut_line(line: str, column: int) -> tuple[str, int]:
    """Cut a long line around a 1-based column: a page in one line can have thousands of findings, each with an excerpt.

    Returns:
        (the part to show, number of characters that are left out before it).
    """
    if len(line) <= _LONGEST_EXCERPT:
        return line, 0
    start = max(0, min(column - 1 - _BEFORE, len(line) - _LONGEST_EXCERPT))
    return line[start : start + _LONGEST_EXCERPT], start


def count_levels(diagnostics: Iterable[Diagnostic]) -> tuple[int, int]:
    """Count errors and warnings, as (errors, warnings)."""
    levels = Counter(diagnostic.level for diagnostic in diagnostics)
    return levels["error"], levels["warn"]
