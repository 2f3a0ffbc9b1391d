"""Marking the matched words in a text, whole or cut to a snippet.

When the tags are markup (`<mark>`), so is the marked text: all else in it is escaped, for the reference widget puts it
into the page as it is. With other tags (`__ais-highlight__`) the text stays as it was written, and the client escapes.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterable, Sequence
from typing import Literal

import msgspec

from recto.search.query import Plan, Sense, Term
from recto.search.tokens import LONGEST_TOKEN, spans
from recto.search.vocabulary import PREFIX, TYPO

MatchLevel = Literal["none", "partial", "full"]

_WORD = re.compile(r"\S+")
_END = re.compile(r"\S*")
_LETTERS = re.compile(r"\w+")
_FOREIGN = re.compile(r"[^\W\x00-\x7f]+")

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


_Mark = tuple[int, int, int]
"""(start, end, terms): characters, end exclusive; a bit for each term of the query that is meant."""


class Highlighter:
    """Marks texts for one query; texts that several hits share are marked once."""

    def __init__(self, plan: Plan, marks: Marks) -> None:
        self._plan = plan
        self._marks = marks
        self._is_markup = marks.before[:1] == "<"
        self._found: dict[str, list[_Mark]] = {}
        self._words: dict[str, list[_Mark]] = {}
        self._marked: dict[str, Marked] = {}
        self._snippets: dict[tuple[str, int], Snippet] = {}
        self._levels: dict[int, tuple[MatchLevel, list[str]]] = {}

    def knows(self, text: str) -> bool:
        """Tell whether a text has been noted already: headings stand above many hits."""
        return text in self._found

    def note(self, text: str, tokens: Collection[str]) -> None:
        """Find the words of the query in a text.

        Args:
            text: As it was written.
            tokens: Those of its tokens that have a meaning in the query.
        """
        self._found[text] = self._search(text, tokens) if tokens else []

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
        level, words = self._level(_terms_of(found))
        return Marked(self._mark(text, found, 0, len(text)), level, words, _covers_all(text, found))

    def _snippet(self, text: str, words: int) -> Snippet:
        if len(text.split(None, words)) <= words:
            whole = self.highlight(text)
            return Snippet(whole.value, whole.match_level)
        found = self._found[text]
        level, _ = self._level(_terms_of(found))
        if not words:
            return Snippet(self._marks.ellipsis, level)
        numbered = _number(text, found)
        first = _best_window(numbered, words) if found else 0
        start = _start_of_word(text, first)
        pieces = text[start:].split(None, words)
        if len(pieces) < words:  # the window begins so late that it would be too short
            first = max(0, first + len(pieces) - words)
            start = _start_of_word(text, first)
            pieces = text[start:].split(None, words)
        end = len(text) - len(pieces[words]) if len(pieces) > words else len(text)
        end = start + len(text[start:end].rstrip())
        before = self._marks.ellipsis if first else ""
        after = self._marks.ellipsis if len(pieces) > words else ""
        return Snippet(before + self._mark(text, found, start, end) + after, level)

    def _level(self, terms: int) -> tuple[MatchLevel, list[str]]:
        """Name the words that were found, and say whether these are all."""
        made = self._levels.get(terms)
        if made is None:
            forms = [term.form for index, term in enumerate(self._plan.query.terms) if terms >> index & 1]
            level: MatchLevel = "none" if not forms else "partial"
            made = self._levels[terms] = ("full" if len(forms) == len(self._plan.query.terms) else level, forms)
        return made

    def _search(self, text: str, tokens: Iterable[str]) -> list[_Mark]:
        """Take apart those words alone in which a token may stand: most words of a text have none."""
        known = self._words
        found: list[_Mark] = []
        for start, end in _words_with(text, tokens):
            word = text[start:end]
            marks = known.get(word)
            if marks is None:
                marks = known[word] = _marks_in_word(word, self._plan)
            found += [(start + first, start + last, terms) for first, last, terms in marks]
        return found

    def _mark(self, text: str, found: Sequence[_Mark], start: int, end: int) -> str:
        before, after = self._marks.before, self._marks.after
        pieces: list[str] = []
        offset = start
        for first, last, _ in found:
            if first >= offset and last <= end:
                pieces += (text[offset:first], before, text[first:last], after)
                offset = last
        pieces.append(text[offset:end])
        if self._is_markup and ("&" in text or "<" in text or ">" in text):
            pieces[::2] = map(self._marks.escape, pieces[::2])  # what stands between the tags
        return "".join(pieces)


def _terms_of(found: Iterable[_Mark]) -> int:
    together = 0
    for _, _, terms in found:
        together |= terms
    return together


def _number(text: str, found: Sequence[_Mark]) -> list[tuple[int, int]]:
    """Say for each mark in which word of the text it begins: (number of the word, terms)."""
    numbered: list[tuple[int, int]] = []
    number = last = -1
    for start, _, terms in found:
        if start > last:
            stretch = text[last + 1 : start + 1]
            goes_on = last >= 0 and not stretch[0].isspace()
            number += len(stretch.split()) - goes_on
            last = start
        numbered.append((number, terms))
    return numbered


def _start_of_word(text: str, number: int) -> int:
    return len(text) - len(text.split(None, number)[number] if number else text.lstrip())


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
    marks: list[_Mark] = []
    for span in spans(word):
        name = next((name for name in span.chunk.names if name.form in senses), None)
        if name is not None:
            parts = span.chunk.parts[name.first : name.first + name.size]
            start = span.start if name.first == 0 else span.start + parts[0].start
            end = span.end if name.first + name.size == len(span.chunk.parts) else span.start + parts[-1].end
            marks.append((start, end, _bits(senses[name.form])))
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
        end = min(end, start + max([len(terms[sense.term].form) for sense in senses]))
    return start, end, _bits(senses)


def _bits(senses: Iterable[Sense]) -> int:
    bits = 0
    for sense in senses:
        bits |= 1 << sense.term
    return bits


def _best_window(numbered: Sequence[tuple[int, int]], words: int) -> int:
    """Find where to cut: the first window in which most different terms stand, a little text before them."""
    possible = 0
    for _, terms in numbered:
        possible |= terms
    best, most = 0, 0
    for index, (first, _) in enumerate(numbered):
        inside, last = 0, first
        for place, terms in numbered[index : index + words]:
            if place >= first + words:
                break
            inside, last = inside | terms, place
        different = inside.bit_count()
        if different > most:
            best, most = max(0, first - (words - (last - first + 1)) // 2), different
            if inside == possible:
                break
    return best


def _covers_all(text: str, found: Sequence[_Mark]) -> bool:
    offset = 0
    for start, end, _ in found:
        if any(map(str.isalnum, text[offset:start])):
            return False
        offset = end
    return not any(map(str.isalnum, text[offset:]))
