"""`Synonyms`: words with the same meaning, such as an abbreviation and its long form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from octavo.search.text.stemming import stem
from octavo.search.text.tokens import make_stream

Phrase = tuple[str, ...]
"""One word or several, as tokens."""


class Synonyms:
    """Alternatives for what was typed, in any form of its words."""

    def __init__(
        self, given: Mapping[str, Sequence[str]] | None = None, one_way: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        """Take synonyms as the settings have them.

        Args:
            given: Word → words and phrases that mean the same, in both directions. What gives no token means nothing.
            one_way: Word or phrase → words and phrases that it finds, but which do not find it.
        """
        self._others: dict[str, list[Phrase]] = {}
        self._words: dict[Phrase, list[str]] = {}
        self._phrases: dict[Phrase, list[Phrase]] = {}
        for written, meanings in (given or {}).items():
            word, phrases = tokens_of_phrase(written), [tokens_of_phrase(meaning) for meaning in meanings]
            for phrase in filter(None, phrases):
                self._add(word, phrase)
                self._add(phrase, word)
        for written, meanings in (one_way or {}).items():
            word = tokens_of_phrase(written)
            for phrase in filter(None, map(tokens_of_phrase, meanings)):
                self._add(word, phrase)

    def of(self, form: str) -> Sequence[Phrase]:
        """Synonyms of a word."""
        return self._others.get(stem(form), ())

    def within(self, forms: Sequence[str]) -> Iterator[tuple[int, int, str]]:
        """Find phrases for which there is one word: (index of the first of these forms, number of forms, the word)."""
        for first, phrase in _found(self._words, forms):
            yield from ((first, len(phrase), word) for word in self._words[phrase])

    def phrases_within(self, forms: Sequence[str]) -> Iterator[tuple[int, int, Phrase]]:
        """Find phrases for which there is another phrase: (index of the first form, number of forms, the other phrase).

        In Chinese, Japanese and Thai that concerns most words: a word of two characters may be two tokens.
        """
        for first, phrase in _found(self._phrases, forms):
            yield from ((first, len(phrase), other) for other in self._phrases[phrase])

    def _add(self, one: Phrase, other: Phrase) -> None:
        if len(one) == 1:
            self._others.setdefault(stem(one[0]), []).append(other)
        elif len(other) == 1:
            self._words.setdefault(tuple(map(stem, one)), []).append(other[0])
        elif one:
            self._phrases.setdefault(tuple(map(stem, one)), []).append(other)


def _found(known: Iterable[Phrase], forms: Sequence[str]) -> Iterator[tuple[int, Phrase]]:
    """Find phrases in a query: the index of the first form, and the phrase as stems."""
    stems = tuple(map(stem, forms))
    for phrase in known:
        for first in range(len(forms) - len(phrase) + 1):
            if stems[first : first + len(phrase)] == phrase:
                yield first, phrase


def tokens_of_phrase(written: str) -> Phrase:
    """Take apart what the settings name as a synonym."""
    return tuple(make_stream(written).parts)
