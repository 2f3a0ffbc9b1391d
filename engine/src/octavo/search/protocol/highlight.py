"""Marking the matched words in a text, whole or cut to a snippet.

When the tags are markup (`<mark>`), so is the marked text: all else in it is escaped, for the reference widget puts it
into the page as it is. With other tags (`__ais-highlight__`) the text stays as it was written, and the client escapes.
"""

from __future__ import annotations

import html
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from octavo.lazy import regex as re
from octavo.search.query.query import QueryPlan, QueryTerm, Sense, parse_query
from octavo.search.query.vocabulary import PREFIX, TYPO
from octavo.search.text.scripts import is_unspaced_text
from octavo.search.text.tokens import LONGEST_TOKEN, spans_of_word

MatchLevel = Literal["none", "partial", "full"]

_WORD = re.compile(r"\S+")
_LETTERS = re.compile(r"\w+")
_FOREIGN = re.compile(r"[^\W\x00-\x7f]+|[\u0300-\u036f]")

_BEFORE, _BEHIND = "([<\"'`*“‘", ".,:;)]>!?\"'`*”’…"
"""Characters beside a word that are part of no identifier."""

_LETTERS_OF_WORD = 5
"""Letters that count as one word of a snippet in scripts without spaces."""

_LONGEST_KEPT = 200
"""Characters of a text up to which its form without marks is cached."""

_LEAST_NEEDLE = 3
"""Least letters of a token that is searched for in a text; shorter ones are in too many words."""


class Marks(msgspec.Struct, frozen=True):
    """The tags around a matched word, and the mark for omitted text."""

    before: str
    after: str
    ellipsis: str = "…"

    def escape(self, text: str) -> str:
        """Write text outside the tags: escaped if the tags are markup."""
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


MarkedText = tuple[Marked | None, Snippet | None]
"""A whole text, and its snippet; None for what was not requested."""

_Mark = tuple[int, int, int]
"""(start, end, terms): characters, end exclusive; a bit for each term of the query that is meant."""


class Highlighter:
    """Marks texts for one query."""

    def __init__(self, plan: QueryPlan, marks: Marks) -> None:
        self._plan = plan
        self._marks = marks
        self._is_markup = marks.before[:1] == "<"
        self._words: dict[str, list[_Mark]] = {}
        self._needles: dict[str, str] = {}
        self._levels: dict[int, tuple[MatchLevel, list[str]]] = {}

    def mark(self, text: str, tokens: Collection[str], *, is_whole: bool, words: int | None) -> MarkedText:
        """Mark the words of the query in a text.

        Args:
            text: As it was written.
            tokens: Those of its tokens that have a meaning in the query.
            is_whole: The whole text is wanted.
            words: Words of the snippet that is wanted; None: none.
        """
        if not tokens and len(text) <= _LONGEST_KEPT:
            return _unmarked(text, self._marks.ellipsis, words, self._is_markup, is_whole)
        return self.write(text, self._search(text, tokens) if tokens else [], is_whole=is_whole, words=words)

    def write(self, text: str, found: Sequence[_Mark], *, is_whole: bool, words: int | None) -> MarkedText:
        """Write a text with marks at the given places."""
        is_short = words is not None and (len(text) < 2 * words or self._has_few_words(text, words))
        whole = self._highlight(text, found) if is_whole or is_short else None
        if words is None:
            return whole, None
        if is_short and whole is not None:
            return whole if is_whole else None, Snippet(whole.value, whole.match_level)
        return whole, self._cut(text, found, words)

    @staticmethod
    def _has_few_words(text: str, words: int) -> bool:
        if not text.isascii() and is_unspaced_text(text):
            return len(text) <= words * _LETTERS_OF_WORD
        return len(text.split(None, words)) <= words

    def beginning(self, text: str, words: int) -> Snippet:
        """Write the first words of a text, without marks."""
        if not text.isascii() and is_unspaced_text(text):
            return self._cut(text, (), words)
        pieces = text.split(None, words)
        if len(pieces) <= words:
            return Snippet(self._marks.escape(text), "none")
        shown = text[: len(text) - len(pieces[words])].strip()
        return Snippet(self._marks.escape(shown) + self._marks.ellipsis, "none")

    def _highlight(self, text: str, found: Sequence[_Mark]) -> Marked:
        if not found:
            return Marked(self._marks.escape(text), "none", [])
        level, words = self._level(_terms_of(found))
        return Marked(self._write(text, found, 0, len(text)), level, words, _covers_all(text, found))

    def _cut(self, text: str, found: Sequence[_Mark], words: int) -> Snippet:
        """Highlight the part of the given number of words that contains most of the query."""
        level, _ = self._level(_terms_of(found))
        ellipsis = self._marks.ellipsis
        if not words:
            return Snippet(ellipsis, level)
        if not text.isascii() and is_unspaced_text(text):
            start, end = _window_of_letters(text, found, words * _LETTERS_OF_WORD)
            before, after = ellipsis if start else "", ellipsis if end < len(text) else ""
            return Snippet(before + self._write(text, found, start, end) + after, level)
        start = _start_of_word(text, *(_best_window(text, found, words) if found else (0, 0)))
        pieces = text[start:].split(None, words)
        if len(pieces) < words:  # the window begins so late that it would be too short
            start = _start_of_word(text, start, words - len(pieces))
            pieces = text[start:].split(None, words)
        end = len(text) - len(pieces[words]) if len(pieces) > words else len(text)
        end = start + len(text[start:end].rstrip())
        before = ellipsis if start and not text[:start].isspace() else ""
        after = ellipsis if len(pieces) > words else ""
        return Snippet(before + self._write(text, found, start, end) + after, level)

    def _level(self, terms: int) -> tuple[MatchLevel, list[str]]:
        """Name the words that were found, and say whether these are all."""
        made = self._levels.get(terms)
        if made is None:
            forms = [term.form for index, term in enumerate(self._plan.query.terms) if terms >> index & 1]
            level: MatchLevel = "none" if not forms else "partial"
            made = self._levels[terms] = (
                "full" if forms and len(forms) == len(self._plan.query.terms) else level,
                forms,
            )
        return made

    def _search(self, text: str, tokens: Iterable[str]) -> list[_Mark]:
        """Split only words that may contain a token: most words of a text do not."""
        known = self._words
        found: list[_Mark] = []
        for start, word in _words_with(text, [self._needles.get(token) or self._needle(token) for token in tokens]):
            marks = known.get(word)
            if marks is None:
                marks = known[word] = _marks_in_word(word, self._plan)
            for first, last, terms in marks:
                found.append((start + first, start + last, terms))
        return found if text.isascii() else _joined(found)

    def _needle(self, token: str) -> str:
        """The part of a token that appears unchanged in a text."""
        needle = token if token.isalnum() else max(_LETTERS.findall(token), key=len, default="")
        self._needles[token] = needle
        return needle

    def _write(self, text: str, found: Sequence[_Mark], start: int, end: int) -> str:
        before, after = self._marks.before, self._marks.after
        pieces: list[str] = []
        offset = start
        for first, last, _ in found:
            if first >= offset and last <= end:
                pieces += (text[offset:first], before, text[first:last], after)
                offset = last
        pieces.append(text[offset:end])
        if self._is_markup and ("&" in text or "<" in text or ">" in text):
            pieces[::2] = map(self._marks.escape, pieces[::2])  # the text between the tags
        return "".join(pieces)


@lru_cache(maxsize=4096)
def _unmarked(text: str, ellipsis: str, words: int | None, is_markup: bool, is_whole: bool) -> MarkedText:
    """Write a text that holds no word of the query; cached, because it is the same for all queries: titles above hits."""
    return _unmarking(ellipsis, is_markup).write(text, (), is_whole=is_whole, words=words)


@lru_cache(maxsize=16)
def _unmarking(ellipsis: str, is_markup: bool) -> Highlighter:
    return Highlighter(_NO_PLAN, Marks("<" if is_markup else "", "", ellipsis))


_NO_PLAN = QueryPlan(parse_query(""), {}, [])


def _joined(found: Sequence[_Mark]) -> list[_Mark]:
    """Join marks that overlap: pairs of letters do, see `text.scripts`."""
    joined: list[_Mark] = []
    for mark in found:
        if joined and mark[0] < joined[-1][1]:
            start, end, terms = joined[-1]
            joined[-1] = start, max(end, mark[1]), terms | mark[2]
        else:
            joined.append(mark)
    return joined


def _window_of_letters(text: str, found: Sequence[_Mark], size: int) -> tuple[int, int]:
    """Find the part of a text without spaces to show: (start, end), around the first mark."""
    first = found[0][0] if found else 0
    start = max(0, min(first - size // 3, len(text) - size))
    return start, min(len(text), start + size)


def _terms_of(found: Iterable[_Mark]) -> int:
    together = 0
    for _, _, terms in found:
        together |= terms
    return together


def _number(text: str, found: Iterable[_Mark]) -> Iterator[tuple[int, int]]:
    """Say for each mark how many words after the first one it begins: (number of words, terms)."""
    number, last = 0, -1
    for start, _, terms in found:
        if last < 0:
            last = start
        elif start > last:
            stretch = text[last + 1 : start + 1]
            number += len(stretch.split()) - (not stretch[0].isspace())
            last = start
        yield number, terms


def _start_of_word(text: str, place: int, before: int) -> int:
    """Find where a word begins: the one at a place, or one so many words before it, as far as there are any.

    Counting from the place rather than from the start of the text spares splitting long texts.
    """
    head = text[:place]
    if head and not head[-1].isspace():  # the place is inside a word
        before += 1
    if before:
        pieces = head.rsplit(None, before)
        place = len(pieces[0]) if len(pieces) > before else 0
    return len(text) - len(text[place:].lstrip())


def _words_with(text: str, needles: Collection[str]) -> list[tuple[int, str]]:
    """Find the words, from space to space, in which one of some texts may stand, and those with other letters than a-z.

    Returns:
        (start, word) of each, in their order.
    """
    folded = text.lower()
    if len(folded) != len(text) or min([len(needle) for needle in needles]) < _LEAST_NEEDLE:
        return [(match.start(), match[0]) for match in _WORD.finditer(text)]
    places = [] if text.isascii() else [match.start() for match in _FOREIGN.finditer(text)]
    for needle in needles:
        place = folded.find(needle)
        while place >= 0:
            places.append(place)
            place = folded.find(needle, place + len(needle))
    places.sort()
    words: list[tuple[int, str]] = []
    end = 0
    for place in places:
        if place >= end:
            start = text.rfind(" ", end, place) + 1 or end
            before = text[start:place]
            if before and not before.isalnum():  # there are other spaces than blanks
                start = place if before[-1].isspace() else place - len(before.rsplit(None, 1)[-1])
            end = text.find(" ", place)
            word = (text[start:] if end < 0 else text[start:end]).split(None, 1)[0]
            end = start + len(word)
            words.append((start, word))
    return words


def _marks_in_word(word: str, plan: QueryPlan) -> list[_Mark]:
    """Find the marks between two spaces; most words have none, which their tokens tell at once."""
    senses, terms = plan.senses, plan.query.terms
    bare = word.rstrip(_BEHIND).lstrip(_BEFORE)
    if bare.isascii() and bare.isalpha() and (bare.islower() or bare.istitle()) and len(bare) <= LONGEST_TOKEN:
        start = word.find(bare)
        return [_mark_of(start, start + len(bare), senses[bare.lower()], terms)] if bare.lower() in senses else []
    marks: list[_Mark] = []
    for start, end, _, chunk in spans_of_word(word):
        for name in chunk.names:
            if name.form in senses:
                parts = chunk.parts[name.first : name.first + name.size]
                first = start if name.first == 0 else start + parts[0].start
                last = end if name.first + name.size == len(chunk.parts) else start + parts[-1].end
                marks.append((first, last, _bits(senses[name.form])))
                break
        else:
            for form, first, last in chunk.parts:
                if form in senses:
                    marks.append(_mark_of(start + first, start + last, senses[form], terms))
    return marks


def _mark_of(start: int, end: int, senses: Sequence[Sense], terms: Sequence[QueryTerm]) -> _Mark:
    """Highlight a word, or only its first letters if it is matched by prefix."""
    longest = bits = 0
    is_beginning = True
    for term, _, quality in senses:
        bits |= 1 << term
        if quality % TYPO != PREFIX:
            is_beginning = False
        elif (size := len(terms[term].form)) > longest:
            longest = size
    return start, min(end, start + longest) if is_beginning else end, bits


def _bits(senses: Iterable[Sense]) -> int:
    bits = 0
    for term, _, _ in senses:
        bits |= 1 << term
    return bits


def _best_window(text: str, found: Sequence[_Mark], words: int) -> tuple[int, int]:
    """Find where to cut: the first window with the most different terms: (its first mark, words shown before that)."""
    possible = _terms_of(found)
    source = _number(text, found)
    numbered = [next(source)]
    best, most = (0, 0), 0
    for index in range(len(found)):
        first = numbered[index][0]
        while len(numbered) < len(found) and numbered[-1][0] < first + words:  # no farther than needed: texts are long
            numbered.append(next(source))
        inside, last = 0, first
        for place, terms in numbered[index : index + words]:
            if place >= first + words:
                break
            inside, last = inside | terms, place
        different = inside.bit_count()
        if different > most:
            best, most = (found[index][0], (words - (last - first + 1)) // 2), different
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
