"""Marking the matched words in a text, whole or cut to a snippet.

When the tags are markup (`<mark>`), so is the marked text: all else in it is escaped, for the reference widget puts it
into the page as it is. With other tags (`__ais-highlight__`) the text stays as it was written, and the client escapes.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import msgspec

from recto.search.query import Plan
from recto.search.tokens import spans, tokens_of_word
from recto.search.vocabulary import PREFIX, TYPO

MatchLevel = Literal["none", "partial", "full"]

_WORD = re.compile(r"\S+")


class Marks(msgspec.Struct, frozen=True):
    """The tags around a matched word, and what stands for text left out."""

    before: str
    after: str
    ellipsis: str = "…"

    def escape(self, text: str) -> str:
        """Write text as it stands beside the tags: escaped, where these are markup."""
        return html.escape(text, quote=False) if self.before[:1] == "<" else text


class Marked(msgspec.Struct, frozen=True, rename="camel"):
    """An entry of `_highlightResult`."""

    value: str
    match_level: MatchLevel
    matched_words: list[str]
    fully_highlighted: bool = False


class Snippet(msgspec.Struct, frozen=True, rename="camel"):
    """An entry of `_snippetResult`."""

    value: str
    match_level: MatchLevel


class _Mark(NamedTuple):
    start: int
    end: int
    terms: frozenset[int]


class Highlighter:
    """Marks texts for one query; texts that several hits share are marked once."""

    def __init__(self, plan: Plan, marks: Marks) -> None:
        self._plan = plan
        self._marks = marks
        self._found: dict[str, list[_Mark]] = {}
        self._words: dict[str, list[_Mark]] = {}
        self._marked: dict[str, Marked] = {}
        self._snippets: dict[tuple[str, int], Snippet] = {}

    def highlight(self, text: str) -> Marked:
        """Mark a whole text."""
        made = self._marked.get(text)
        if made is None:
            made = self._marked[text] = self._highlight(text)
        return made

    def snippet(self, text: str, words: int) -> Snippet:
        """Mark that part of a text, of so many words, in which most of the query stands."""
        made = self._snippets.get((text, words))
        if made is None:
            made = self._snippets[text, words] = self._snippet(text, words)
        return made

    def _highlight(self, text: str) -> Marked:
        found = self._find(text)
        if not found:
            return Marked(self._marks.escape(text), "none", [])
        terms = frozenset().union(*(mark.terms for mark in found))
        return Marked(
            value=self._mark(text, found, 0, len(text)),
            match_level=self._level(terms),
            matched_words=[self._plan.query.terms[index].form for index in sorted(terms)],
            fully_highlighted=_covers_all(text, found),
        )

    def _snippet(self, text: str, words: int) -> Snippet:
        found = self._find(text)
        level = self._level(frozenset().union(*(mark.terms for mark in found)))
        if len(text.split(None, words)) <= words:
            return Snippet(self._mark(text, found, 0, len(text)), level)
        places = [match.span() for match in _WORD.finditer(text)]
        first = _best_window(places, found, words)
        start, end = places[first][0], places[max(first, first + words - 1)][1] if words else places[first][0]
        before = self._marks.ellipsis if first else ""
        after = self._marks.ellipsis if first + words < len(places) else ""
        return Snippet(before + self._mark(text, found, start, end) + after, level)

    def _level(self, terms: frozenset[int]) -> MatchLevel:
        if not terms:
            return "none"
        return "full" if len(terms) == len(self._plan.query.terms) else "partial"

    def _find(self, text: str) -> list[_Mark]:
        found = self._found.get(text)
        if found is None:
            found = self._found[text] = list(self._search(text)) if self._plan.senses else []
        return found

    def _search(self, text: str) -> Iterator[_Mark]:
        known = self._words
        for match in _WORD.finditer(text):
            word = match[0]
            marks = known.get(word)
            if marks is None:
                marks = known[word] = _marks_in_word(word, self._plan)
            if marks:
                start = match.start()
                for mark in marks:
                    yield _Mark(start + mark.start, start + mark.end, mark.terms)

    def _mark(self, text: str, found: Sequence[_Mark], start: int, end: int) -> str:
        escape, before, after = self._marks.escape, self._marks.before, self._marks.after
        pieces: list[str] = []
        offset = start
        for mark in found:
            if mark.start >= offset and mark.end <= end:
                pieces += [escape(text[offset : mark.start]), before, escape(text[mark.start : mark.end]), after]
                offset = mark.end
        pieces.append(escape(text[offset:end]))
        return "".join(pieces)


def _marks_in_word(word: str, plan: Plan) -> list[_Mark]:
    """Find the marks between two spaces; most words have none, which their tokens tell at once."""
    senses, terms = plan.senses, plan.query.terms
    bare = word.rstrip(".,:;)!?")
    if bare not in senses and bare.isascii() and bare.isalpha() and bare.islower():
        return []
    tokens, token_names = tokens_of_word(word)
    if senses.keys().isdisjoint(tokens) and not any(name in senses for _, name in token_names):
        return []
    marks: list[_Mark] = []
    for span in spans(word):
        whole = next((senses[name.form] for name in span.chunk.names if name.form in senses), None)
        if whole is not None:
            name = next(name for name in span.chunk.names if name.form in senses)
            parts = span.chunk.parts[name.first : name.first + name.size]
            start = span.start if name.first == 0 else span.start + parts[0].start
            end = span.end if name.first + name.size == len(span.chunk.parts) else span.start + parts[-1].end
            marks.append(_Mark(start, end, frozenset(sense.term for sense in whole)))
            continue
        for part in span.chunk.parts:
            if part.form in senses:
                found = senses[part.form]
                begins = all(sense.quality % TYPO == PREFIX for sense in found)
                size = max(len(terms[sense.term].form) for sense in found) if begins else part.end - part.start
                start = span.start + part.start
                marks.append(
                    _Mark(start, start + min(size, part.end - part.start), frozenset(sense.term for sense in found))
                )
    return marks


def _best_window(places: Sequence[tuple[int, int]], found: Sequence[_Mark], words: int) -> int:
    """Find where to cut: the first window in which most different terms stand, a little text before them."""
    if not found or not words:
        return 0
    starts = [start for start, _ in places]
    numbered = []
    number = 0
    for mark in found:
        while number + 1 < len(starts) and starts[number + 1] <= mark.start:
            number += 1
        numbered.append((number, mark.terms))
    best, most = 0, 0
    for index, (first, _) in enumerate(numbered):
        inside = [terms for place, terms in numbered[index : index + words] if place < first + words]
        different = len(frozenset().union(*inside))
        if different > most:
            last = max(place for place, _ in numbered[index : index + words] if place < first + words)
            best, most = max(0, first - (words - (last - first + 1)) // 2), different
    return min(best, len(places) - words)


def _covers_all(text: str, found: Sequence[_Mark]) -> bool:
    offset = 0
    for mark in found:
        if any(map(str.isalnum, text[offset : mark.start])):
            return False
        offset = mark.end
    return not any(map(str.isalnum, text[offset:]))
