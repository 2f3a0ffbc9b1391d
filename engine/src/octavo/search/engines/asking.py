"""From what a reader has typed to the words and phrases that another engine is asked for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from octavo.lazy import regex as re
from octavo.search.query.optional import small_words
from octavo.search.query.parameters import Parameters
from octavo.search.query.query import Query
from octavo.search.text.tokens import make_stream

_PHRASE = re.compile(r'"([^"]*)"?')
_EXCLUDED = re.compile(r'(?<!\S)-(?:"([^"]*)"?|(?=[^\W\d_])(\S+))')


class TypedQuery(NamedTuple):
    """A query, taken apart for an engine that has its own idea of what a word is."""

    words: Sequence[str]
    phrases: Sequence[str]
    excluded: Sequence[str]
    is_open: bool
    """The last word may be unfinished."""


def take_apart(query: Query, parameters: Parameters, further: Collection[str] = ()) -> TypedQuery:
    """Take a query apart at its spaces.

    Args:
        query: As our own engine reads it; says which words are small, and whether the last one is finished.
        parameters: Hold the query as it was typed.
        further: As in `small_words`.
    """
    text = parameters.query
    phrases: list[str] = []
    excluded: list[str] = []
    if parameters.reading.has_syntax:
        excluded = [found[1] or found[2] or "" for found in _EXCLUDED.finditer(text)]
        text = _EXCLUDED.sub(" ", text)
        phrases = [found[1] for found in _PHRASE.finditer(text)]
        text = _PHRASE.sub(" ", text)
    small: set[str] = set()
    if not parameters.needs_small_words:
        small = {query.terms[index].form for index in small_words(query, further)}
    words = [word for word in text.replace('"', " ").split() if _has_letters(word) and not _is_small(word, small)]
    is_open = bool(query.terms) and query.terms[-1].is_prefix
    return TypedQuery(words, _with_letters(phrases), _with_letters(excluded), is_open)


def _with_letters(texts: Sequence[str]) -> list[str]:
    return [text for text in texts if _has_letters(text)]


def _has_letters(text: str) -> bool:
    """Return whether an engine would find a word in it: of signs alone it takes a search for everything."""
    return any(letter.isalnum() for letter in text)


def _is_small(word: str, small: set[str]) -> bool:
    return bool(small) and set(make_stream(word).parts) <= small
