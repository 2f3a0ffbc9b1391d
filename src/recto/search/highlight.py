"""Marking the matched words in a text, whole or cut to a snippet.

When the tags are markup (`<mark>`), so is the marked text: all else in it is escaped, for the reference widget puts it
into the page as it is. With other tags (`__ais-highlight__`) the text stays as it was written, and the client escapes.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Literal, NamedTuple

import msgspec

from recto.search.query import Plan, Sense, Term
from recto.search.tokens import LONGEST_TOKEN, spans, tokens_of_word
from recto.search.vocabulary import PREFIX, TYPO

MatchLevel = Literal["none", "partial", "full"]

_WORD = re.compile(r"\S+")
_END = re.compile(r"\S*")
_LETTERS = re.compile(r"\w+")
_FOREIGN = re.compile(r"[^\x00-\x7f]+")

_LEAST_NEEDLE = 3
"""Letters of a token from which it is looked for in a text; shorter ones stand in too many words."""


class Marks(msgspec.Struct, frozen=True):
    """The tags around a matched word, and what stands for text left out."""

    before: str
    after: str
    ellipsis: str = "…"

    def escape(self, text: str) -> str:
        """Write text as it stands beside the tags: escaped, where these are markup."""
        if self.before[:1] != "<" or not ("&" in text or "<" in text or ">" in text):
            return text
        return html.escape(text, quote=False)


class Marked(msgspec.Struct, frozen=True, rename="camel", gc=False):
    """An entry of `_highlightResult`."""

    value: str
    match_level: MatchLevel
    matched_words: list[str]
    fully_highlighted: bool = False


class Snippet(msgspec.Struct, frozen=True, rename="camel", gc=False):
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

    def knows(self, text: str) -> bool:
        """Tell whether a text has been noted already: headings stand above many hits."""
        return text in self._found

    def note(self, text: str, stream: str, names: Sequence[str]) -> None:
        """Find the words of the query in a text, by the tokens that the index keeps of it.

        Args:
            text: As it was written.
            stream: Its parts, separated by spaces.
            names: Its identifiers.
        """
        senses = self._plan.senses
        tokens = senses.keys() & stream.split(" ")
        if names and not senses.keys().isdisjoint(names):
            tokens.update(name for name in names if name in senses)
        self._found[text] = list(self._search(text, tokens)) if tokens else []

    def highlight(self, text: str) -> Marked:
        """Mark a whole text that has been noted."""
        made = self._marked.get(text)
        if made is None:
            made = self._marked[text] = self._highlight(text)
        return made

    def snippet(self, text: str, words: int) -> Snippet:
        """Mark that part of a noted text, of so many words, in which most of the query stands."""
        made = self._snippets.get((text, words))
        if made is None:
            made = self._snippets[text, words] = self._snippet(text, words)
        return made

    def _highlight(self, text: str) -> Marked:
        found = self._found[text]
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
        if len(text.split(None, words)) <= words:
            whole = self.highlight(text)
            return Snippet(whole.value, whole.match_level)
        found = self._found[text]
        level = self._level(frozenset().union(*(mark.terms for mark in found))) if found else "none"
        if not found or not words:
            end = next(islice(_WORD.finditer(text), words - 1, None)).end() if words else 0
            return Snippet(self._marks.escape(text[:end]) + self._marks.ellipsis, level)
        places = [match.span() for match in _WORD.finditer(text)]
        first = _best_window(places, found, words)
        start, end = places[first][0], places[first + words - 1][1]
        before = self._marks.ellipsis if first else ""
        after = self._marks.ellipsis if first + words < len(places) else ""
        return Snippet(before + self._mark(text, found, start, end) + after, level)

    def _level(self, terms: frozenset[int]) -> MatchLevel:
        if not terms:
            return "none"
        return "full" if len(terms) == len(self._plan.query.terms) else "partial"

    def _search(self, text: str, tokens: Iterable[str]) -> Iterator[_Mark]:
        """Take apart those words alone in which a token may stand: most words of a text have none."""
        known = self._words
        for start, end in _words_with(text, tokens):
            word = text[start:end]
            marks = known.get(word)
            if marks is None:
                marks = known[word] = _marks_in_word(word, self._plan)
            for mark in marks:
                yield _Mark(start + mark.start, start + mark.end, mark.terms)

    def _mark(self, text: str, found: Sequence[_Mark], start: int, end: int) -> str:
        escape, before, after = self._marks.escape, self._marks.before, self._marks.after
        if not found:
            return escape(text[start:end])
        pieces: list[str] = []
        offset = start
        for mark in found:
            if mark.start >= offset and mark.end <= end:
                pieces += [escape(text[offset : mark.start]), before, escape(text[mark.start : mark.end]), after]
                offset = mark.end
        pieces.append(escape(text[offset:end]))
        return "".join(pieces)


def _words_with(text: str, tokens: Iterable[str]) -> list[tuple[int, int]]:
    """Find the words, from space to space, in which one of some tokens may stand, and those with other letters than a-z."""
    needles = {token if token.isalnum() else max(_LETTERS.findall(token), key=len, default="") for token in tokens}
    folded = text.lower()
    if len(folded) != len(text) or min(map(len, needles)) < _LEAST_NEEDLE:
        return [match.span() for match in _WORD.finditer(text)]
    places = [] if text.isascii() else [match.start() for match in _FOREIGN.finditer(text)]
    for needle in needles:
        place = folded.find(needle)
        while place >= 0:
            places.append(place)
            place = folded.find(needle, place + len(needle))
    words: list[tuple[int, int]] = []
    end = -1
    for place in sorted(places):
        if place >= end:
            before = text[max(end, 0) : place]
            start = place if before[-1:].isspace() or not before else place - len(before.rsplit(None, 1)[-1])
            end = _END.match(text, place).end()  # type: ignore[union-attr]  # matches the empty text
            words.append((start, end))
    return words


def _marks_in_word(word: str, plan: Plan) -> list[_Mark]:
    """Find the marks between two spaces; most words have none, which their tokens tell at once."""
    senses, terms = plan.senses, plan.query.terms
    bare = word.rstrip(".,:;)!?").lstrip("(")
    if bare.isascii() and bare.isalpha() and (bare.islower() or bare.istitle()) and len(bare) <= LONGEST_TOKEN:
        start = word.find(bare)
        return [_mark_of(start, start + len(bare), senses[bare.lower()], terms)] if bare.lower() in senses else []
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
        marks += [
            _mark_of(span.start + part.start, span.start + part.end, senses[part.form], terms)
            for part in span.chunk.parts
            if part.form in senses
        ]
    return marks


def _mark_of(start: int, end: int, senses: Sequence[Sense], terms: Sequence[Term]) -> _Mark:
    """Mark a word, or of one that only begins with what was typed, its beginning."""
    if all(sense.quality % TYPO == PREFIX for sense in senses):
        end = min(end, start + max(len(terms[sense.term].form) for sense in senses))
    return _Mark(start, end, frozenset([sense.term for sense in senses]))


def _best_window(places: Sequence[tuple[int, int]], found: Sequence[_Mark], words: int) -> int:
    """Find where to cut: the first window in which most different terms stand, a little text before them."""
    if not found or not words:
        return 0
    starts = [start for start, _ in places]
    numbered = [(bisect_right(starts, mark.start) - 1, mark.terms) for mark in found]
    possible = len(frozenset().union(*[mark.terms for mark in found]))
    best, most = 0, 0
    for index, (first, _) in enumerate(numbered):
        inside = [terms for place, terms in numbered[index : index + words] if place < first + words]
        different = len(frozenset().union(*inside))
        if different > most:
            last = max(place for place, _ in numbered[index : index + words] if place < first + words)
            best, most = max(0, first - (words - (last - first + 1)) // 2), different
            if most == possible:
                break
    return min(best, len(places) - words)


def _covers_all(text: str, found: Sequence[_Mark]) -> bool:
    offset = 0
    for mark in found:
        if any(map(str.isalnum, text[offset : mark.start])):
            return False
        offset = mark.end
    return not any(map(str.isalnum, text[offset:]))
