"""Words of a query that a record need not hold."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from octavo.search.query.query import Query, QueryTerm
from octavo.search.text.scripts import is_grammar
from octavo.search.text.stop_words import STOP_WORDS
from octavo.search.text.tokens import make_stream


def small_words(query: Query, further: Collection[str] = ()) -> frozenset[int]:
    """Find small words, and arguments of pasted code, beside others: a record need not hold them.

    Args:
        query: The query.
        further: Small words of the site's languages, besides the English ones.
    """
    quoted = {index for first, count in query.phrases for index in range(first, first + count)}
    small = frozenset(
        index
        for index, term in enumerate(query.terms)
        if index in query.literals or (_says_little(term, further) and index not in quoted)
    )
    return small if len(small) < len(query.terms) else frozenset()


def _says_little(term: QueryTerm, further: Collection[str]) -> bool:
    return not term.names and (term.form in STOP_WORDS or term.form in further or is_grammar(term.form))


def site_name_words(query: Query, name: Sequence[str]) -> frozenset[int]:
    """Find the name of the site's product beside other words, of which nearly all pages might be about it.

    Args:
        query: The query.
        name: The words of the name.
    """
    quoted = {index for first, count in query.phrases for index in range(first, first + count)}
    plain = [term.form if not term.names and index not in quoted else None for index, term in enumerate(query.terms)]
    size = len(name)
    return frozenset(
        index
        for first in range(len(plain) - size + 1)
        if size and plain[first : first + size] == list(name)
        for index in range(first, first + size)
    )


def named_words(query: Query, phrases: Sequence[str]) -> frozenset[int]:
    """Find the words that a request names as optional."""
    named = {part for phrase in phrases for part in make_stream(phrase).parts}
    return frozenset(index for index, term in enumerate(query.terms) if term.form in named)
