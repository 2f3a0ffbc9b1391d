"""The words of an index, and which of them a typed word may mean."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from heapq import nlargest
from itertools import filterfalse, groupby
from typing import NamedTuple

from octavo.lazy import regex as re
from octavo.search.text.distance import begins_within, digits, within
from octavo.search.text.scripts import is_unspaced
from octavo.search.text.stemming import COMPOUNDING, Stems, languages_of, stem

EXACT, FORM, PREFIX, COMPOUND = 0, 1, 2, 3
"""Kinds of match, best first: the word itself, another form of it (`runs`), a word that begins with it, a word that is
made of it and others (`Datenbankverbindung`)."""

TYPO = 4
"""Quality of a match is `TYPO * typos + kind`; smaller is better."""

ONE_TYPO_FROM, TWO_TYPOS_FROM = 4, 8
"""Letters of a typed word from which so many mistakes are forgiven."""

RIGHT_LETTERS = 3
"""Letters at the beginning of an unfinished word in which no mistake is looked for."""

LEAST_JOINED = 4
"""Letters of a word from which it may be two, written as one."""

LEAST_OF_COMPOUND = 4
"""Letters of the stem of a word from which compounds with it are looked for, and of what more these must have."""

LEAST_BEFORE = 2
JOINTS = ("", "s", "es", "n", "en", "er", "e", "-")
"""Letters between the words of a compound."""

MOST_COMPOUNDS = 24

_FIRST_SEPARATOR = re.compile(r"[^\W_]{2,}[-_./](?=[^\W_]{2})")
MOST_APART = 8
_WORD_AND_NUMBER = re.compile(r"([a-z]{2,})(\d+)")

LEAST_PART = 3
"""Letters of each of two words that an unknown one may be written together of: `dockerhub`."""

LEAST_NUMBERED = 3
"""Letters of a word that is found without the number behind it."""

LONGEST_NEAR = 32
"""Letters of a word up to which its misspellings are recognised."""


class Meanings(NamedTuple):
    """The tokens of an index that a typed word may mean."""

    tokens: Mapping[int, Sequence[str]]
    """Quality of the match → tokens, each token once."""
    frequency: int
    """Records that hold them, added up."""
    phrases: Sequence[tuple[str, ...]] = ()
    """Tokens that mean it together."""

    @property
    def is_known(self) -> bool:
        """There is something in the index that the word may mean."""
        return bool(self.tokens or self.phrases)


class Vocabulary:
    """All tokens of an index with the number of records that hold them."""

    def __init__(self, frequencies: Mapping[str, int], languages: Iterable[str] = ()) -> None:
        """Take the words of an index.

        Args:
            frequencies: Token → records that hold it.
            languages: Tags of the languages that its pages are said to be in.
        """
        self._frequencies = frequencies
        self._sorted = sorted(frequencies)
        plain = [token for token in filter(str.isalnum, self._sorted) if len(token) <= LONGEST_NEAR]
        self._plain = plain
        """Words without separators: no mistake is forgiven in the others."""
        spoken = languages_of(languages, frequencies.keys())
        marked = [token for token in filterfalse(str.isalnum, self._sorted) if not token.isascii()]
        self._stems = Stems([*plain, *marked], spoken)
        self._compounding = [language for language in spoken if language in COMPOUNDING]
        self._lines = "\n".join(plain) if self._compounding else ""
        self._joined = _joined_forms(filterfalse(str.isalnum, self._sorted))
        """Place of the first separator → (token without it, token), for words in two parts, sorted."""
        self.meanings = lru_cache(maxsize=4096)(self._meanings)
        self.misspellings = lru_cache(maxsize=1024)(self._misspellings)

    @cached_property
    def _reversed(self) -> list[str]:
        """Plain words, read backwards; made for the first mistyped word, as what follows: opening does without them."""
        return sorted([token[::-1] for token in self._plain])

    @cached_property
    def _by_length(self) -> dict[int, str]:
        """Length → the plain words of this length, a line each: one search in a text instead of one in each word."""
        return {length: "\n".join(tokens) for length, tokens in groupby(sorted(self._plain, key=len), key=len)}

    def __contains__(self, token: str) -> bool:
        return token in self._frequencies

    def frequency(self, token: str) -> int:
        """Count the records that hold a token; 0 for one that is unknown."""
        return self._frequencies.get(token, 0)

    def most_frequent(self, count: int, tokens: Sequence[str]) -> Sequence[str]:
        """Keep the tokens of the index that most records hold."""
        return nlargest(count, tokens, key=self._frequencies.__getitem__) if len(tokens) > count else tokens

    def _meanings(self, word: str, *, is_prefix: bool, has_forms: bool) -> Meanings:
        """Find what a word may mean when it is spelt right.

        Args:
            word: In the form of a token.
            is_prefix: It may be the beginning of a word.
            has_forms: Its plural and other forms count as well.
        """
        if len(word) == 1 and is_unspaced(word):
            around = [*self.beginning_with(word), *self._ending_with(word)]
            return self._with_frequency({FORM: list(dict.fromkeys(around))} if around else {})
        found: dict[int, Sequence[str]] = {}
        known = {word}
        if word in self._frequencies:
            found[EXACT] = [word]
        if has_forms and (forms := [token for token in self._stems.forms(word) if token != word]):
            found[FORM] = forms
            known.update(forms)
        if has_forms and (apart := [token for token in self._written_apart(word, is_prefix) if token not in known]):
            found[FORM] = [*found.get(FORM, ()), *apart]
            known.update(apart)
        if is_prefix and (longer := self._longer(word, known)):
            found[PREFIX] = longer
        if has_forms and self._compounding:
            known.update(found.get(PREFIX, ()))  # one that is both would count twice
            if whole := [token for token in self._compounds(word) if token not in known]:
                found[COMPOUND] = whole
        meanings = self._with_frequency(found)
        if has_forms and self._compounding and not found and (halves := self._halves(word)):
            return Meanings({}, min(map(self.frequency, halves)), [halves])
        if has_forms and not found and (number := _WORD_AND_NUMBER.fullmatch(word)):
            parts = number[1], number[2]
            if parts[0] in self._frequencies and len(parts[0]) >= LEAST_NUMBERED:
                alone = {TYPO + FORM: [parts[0]]}  # `wsl2`, on a site that writes of WSL alone
                phrases = [parts] if parts[1] in self._frequencies else []
                return Meanings(alone, self.frequency(parts[0]), phrases)
            if all(part in self._frequencies for part in parts):
                return Meanings({}, min(map(self.frequency, parts)), [parts])
        return meanings

    def _written_apart(self, word: str, is_prefix: bool) -> Iterator[str]:
        """Find the identifiers and hyphenated words that are this one with a separator in it: `wi-fi`, `node.js`."""
        if len(word) < LEAST_JOINED or not word.isalnum():
            return
        found: list[tuple[str, int, str]] = []
        for cut in range(2, len(word) - 1):
            tokens = self._joined.get(cut, ())
            begins: Counter[str] = Counter()
            for index in range(bisect_left(tokens, (word,)), len(tokens)):
                joined, token = tokens[index]
                if joined != word:
                    if not is_prefix or cut > len(word) - 3 or not joined.startswith(word):
                        break
                    begins[token[cut]] += 1
                    if begins[token[cut]] > MOST_APART:
                        continue
                found.append((joined, cut, token))
        for _, _, token in sorted(found):
            yield token

    def _misspellings(self, word: str, *, limit: int, is_prefix: bool) -> Meanings:
        """Find what a word may mean when it is misspelt, by as few mistakes as possible; right spellings left out."""
        right = self.meanings(word, is_prefix=is_prefix, has_forms=True).tokens.values()
        known = {token for tokens in right for token in tokens}
        for typos in range(1, limit + 1):
            near = dict.fromkeys(token for token in self._near(word, typos) if token not in known)
            for token in list(near):  # who mistypes "workspace" looks for the page "Workspaces" as well
                near.update(dict.fromkeys(form for form in self._stems.forms(token) if form not in known))
            known.update(near)
            begun = [token for token in self._nearly_beginning(word, typos) if token not in known] if is_prefix else []
            found = {TYPO * typos + FORM: list(near), TYPO * typos + PREFIX: begun}
            if near or begun:
                return self._with_frequency({quality: tokens for quality, tokens in found.items() if tokens})
            if typos == 1 and not known and (parts := self._parts(word)):
                return Meanings({}, min(map(self.frequency, parts)), [parts])
        return Meanings({}, 0)

    def _with_frequency(self, found: Mapping[int, Sequence[str]]) -> Meanings:
        frequency_of = self._frequencies.__getitem__
        return Meanings(found, sum([sum(map(frequency_of, tokens)) for tokens in found.values()]))

    def beginning_with(self, prefix: str) -> list[str]:
        """List the tokens that begin with some letters, sorted."""
        tokens = self._sorted
        start = bisect_left(tokens, prefix)
        # This code point sorts after every character of a token.
        return tokens[start : bisect_left(tokens, prefix + "\U0010ffff", start)]

    def _longer(self, word: str, known: Iterable[str]) -> list[str]:
        """List the tokens that begin with a word, but for a few: two letters begin thousands."""
        longer = self.beginning_with(word)
        for token in known:
            if token.startswith(word):
                place = bisect_left(longer, token)
                if longer[place : place + 1] == [token]:
                    del longer[place]
        return longer

    def _compounds(self, word: str) -> list[str]:
        """Find the words that are made of this one and others."""
        found: set[str] = set()
        lines = self._lines
        for root in _shortest({stem(word, language) for language in self._compounding}):
            place = lines.find(root)
            while place >= 0:
                start, end = lines.rfind("\n", 0, place) + 1, lines.find("\n", place)
                token = lines[start:] if end < 0 else lines[start:end]
                before, more = place - start, len(token) - len(root)
                if (before >= LEAST_BEFORE or not before) and more >= LEAST_OF_COMPOUND - bool(before):
                    found.add(token)
                place = lines.find(root, start + len(token))
        return nlargest(MOST_COMPOUNDS, sorted(found), key=self.frequency)

    def _halves(self, word: str) -> tuple[str, str] | None:
        """Take an unknown compound apart into two words that are known."""
        for cut in range(len(word) - LEAST_OF_COMPOUND, LEAST_OF_COMPOUND - 1, -1):
            second = word[cut:]
            if second not in self._frequencies:
                continue
            for joint in JOINTS:
                first = word[: cut - len(joint)] if word[:cut].endswith(joint) else ""
                if len(first) >= LEAST_OF_COMPOUND and first in self._frequencies:
                    return first, second
        return None

    def _parts(self, word: str) -> tuple[str, str] | None:
        """Take an unknown word apart into the two most frequent known ones that it may be written together of."""
        cuts = range(LEAST_PART, len(word) - LEAST_PART + 1) if word.isalpha() and word.isascii() else range(0)
        pairs = [(word[:cut], word[cut:]) for cut in cuts]
        known = [pair for pair in pairs if all(part in self._frequencies for part in pair)]
        return max(known, key=lambda pair: min(map(self.frequency, pair)), default=None)

    def _near(self, word: str, limit: int) -> Iterator[str]:
        """Find the words within so many mistakes: of `limit + 1` pieces of the typed one, one at least has none in it."""
        size, kept = len(word), digits(word)
        cut = size // (limit + 1)
        candidates = set(self.beginning_with(word[:cut]))
        candidates.update(self._ending_with(word[-(size - size * limit // (limit + 1)) :]))
        candidates.add(word[: cut - 1] + word[cut] + word[cut - 1] + word[cut + 1 :])  # swapped across two pieces
        if limit > 1:
            middle = word[cut : size * 2 // (limit + 1)]
            for length in range(size - limit, size + limit + 1):
                candidates.update(self._containing(middle, length))
        shortest, longest, missing = size - limit, size + limit, set(word).difference
        for token in candidates:
            # A mistake takes away one letter at most: this leaves few candidates to compare letter by letter.
            if not shortest <= len(token) <= longest or len(missing(token)) > limit or not token.isalnum():
                continue
            if within(token, word, limit) and token in self._frequencies and digits(token) == kept:
                yield token

    def _containing(self, part: str, length: int) -> Iterator[str]:
        """Find the words of a length that hold some letters."""
        lines, step = self._by_length.get(length, ""), length + 1
        place = lines.find(part)
        while place >= 0:
            start = place - place % step
            yield lines[start : start + length]
            place = lines.find(part, start + step)

    def _nearly_beginning(self, word: str, limit: int) -> Iterator[str]:
        """Find longer words; their first letters must be right, for all others would be candidates else."""
        size, kept, missing = len(word), digits(word), set(word).difference
        for token in self.beginning_with(word[: max(RIGHT_LETTERS, size // 2)]):
            if len(token) <= size or len(missing(token[: size + limit])) > limit or not token.isalnum():
                continue
            if digits(token[:size]) == kept and begins_within(token, word, limit):
                yield token

    def _ending_with(self, suffix: str) -> Iterator[str]:
        tokens = self._reversed
        backwards = suffix[::-1]
        start = bisect_left(tokens, backwards)
        end = bisect_left(tokens, backwards + "\U0010ffff", start)
        return (token[::-1] for token in tokens[start:end])


def _shortest(roots: Collection[str]) -> list[str]:
    """Keep the stems of a word, one for each language, that begin with no other of them, and are long enough."""
    long = sorted(root for root in roots if len(root) >= LEAST_OF_COMPOUND and root.isalpha())
    return [root for index, root in enumerate(long) if not any(map(root.startswith, long[:index]))]


def _joined_forms(tokens: Iterable[str]) -> dict[int, list[tuple[str, str]]]:
    """Write tokens of two words or more without their first separator; one search in these finds what is written apart.

    Lists by the place of the separator are short where it is near the beginning, as it is in what a few letters may mean.
    """
    joined: dict[int, list[tuple[str, str]]] = {}
    for token in tokens:
        if found := _FIRST_SEPARATOR.match(token):
            cut = found.end() - 1
            joined.setdefault(cut, []).append((token[:cut] + token[cut + 1 :], token))
    for forms in joined.values():
        forms.sort()
    return joined


def allowed_typos(word: str, *, one_from: int = ONE_TYPO_FROM, two_from: int = TWO_TYPOS_FROM) -> int:
    """Say how many mistakes a typed word may have; none in one with separators, marks or digits only."""
    if not word.isalnum() or word.isdigit():
        return 0
    return 2 if len(word) >= two_from else 1 if len(word) >= one_from else 0
