"""Findings in documents that are made from data: moved to the file that an author changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from octavo.diagnostics import Diagnostic, Span, cut_line
from octavo.lazy import regex as re
from octavo.site import Page, Source

_MARKDOWN = ("extension", "blog", "changes")
"""Makers whose data is the Markdown of the document."""
_WORD = re.compile(r"\w{2,}")
_PLACE = re.compile(r"[\w./-]*\w")
_LEAST_SHARED = 0.5
"""Part of the words of a line that the line it was made from has as well."""


def made_sources(pages: Iterable[Page]) -> dict[str, Source]:
    """Collect the documents that no file has, as path → source."""
    sources = (page.source for page in pages)
    return {one.path: one for one in sources if one is not None and one.data is not None and one.maker in _MARKDOWN}


def at_origin(finding: Diagnostic, source: Source, lines_of: Callable[[str], Sequence[str]]) -> Diagnostic:
    """Move a finding in a made document to what it is made from.

    Args:
        finding: Its place is in the document.
        source: The document.
        lines_of: Gives the lines of a file.
    """
    span = finding.span
    made = (source.data or b"").decode("utf-8", "replace").split("\n")
    line = made[span.line - 1] if 0 < span.line <= len(made) else ""
    path, start, end = _origin(source, span.line)
    lines = lines_of(path)
    place = _closest(line, lines, start, end) or start
    said = finding.message.rstrip()
    said += "" if said.endswith((".", "!", "?", "…")) else "."  # an extension's may not be a whole sentence
    message = f'{said} It is in the document "{span.path}", line {span.line}, which is made from this file.'
    shown = lines[place - 1] if 0 < place <= len(lines) else line
    column = 1
    word, before = _word_at(line, span.column)
    if word and (match := re.search(rf"(?<!\w){re.escape(word)}(?!\w)", shown)):
        column = max(1, match.start() + 1 - before)
    excerpt, cut = cut_line(shown, column)
    return msgspec.structs.replace(
        finding, span=Span(path, place, column), message=message, excerpt=excerpt, excerpt_start=cut
    )


def _origin(source: Source, line: int) -> tuple[str, int, int | None]:
    """Find the file from which a line is made, and the lines of it that may be meant: the first, and the one behind the last."""
    earlier = [one for one in source.origins if one[0] <= line]
    if not earlier:
        return source.origin, 1, None
    _, path, start = max(earlier)
    end = min((number for _, other, number in source.origins if other == path and number > start), default=None)
    return path, start, end


def _closest(line: str, lines: Sequence[str], start: int, end: int | None) -> int | None:
    """Find the line that has most words of a made line; None where none has enough of them."""
    words = set(_WORD.findall(line))
    if not words:
        return None
    numbers = range(start, len(lines) + 1 if end is None else end)
    shared = [
        (len(words & set(_WORD.findall(lines[number - 1]))), -number) for number in numbers if number <= len(lines)
    ]
    count, number = max(shared, default=(0, 0))
    return -number if count >= len(words) * _LEAST_SHARED else None


def _word_at(line: str, column: int) -> tuple[str, int]:
    """Give the word in which a column is, or the next one, and how far it begins behind the column."""
    match = next((one for one in _PLACE.finditer(line) if one.end() >= column), None)
    return (match[0], match.start() + 1 - column) if match else ("", 0)
