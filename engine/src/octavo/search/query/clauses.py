"""Queries of tantivy: the candidates of a plan, and filters."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Literal

import tantivy

from octavo.search.fields import FACET_OF, NUMBER_OF
from octavo.search.query.filters import All, Any, Between, Compares, Equals, Filter, Not, Scored
from octavo.search.query.query import QueryPlan
from octavo.search.query.vocabulary import EXACT, PREFIX, TYPO, Vocabulary

VARIANT_BOOST = 0.5
"""What another form of a word counts beside the word itself."""

MOST_VARIANTS = 24
"""Most variants of a word that are looked up one by one; with more, prefixes are looked up as one range."""

MOST_PAGE_VARIANTS = 12
"""Most variants of a word that are looked up among the words of pages; these only tell good pages from better ones."""

_MUST, _SHOULD, _MUST_NOT = tantivy.Occur.Must, tantivy.Occur.Should, tantivy.Occur.MustNot
_Q = tantivy.Query


class Clauses:
    """Makes the queries of one index."""

    def __init__(self, schema: tantivy.Schema, vocabulary: Vocabulary, size: int) -> None:
        self._schema = schema
        self._vocabulary = vocabulary
        self._size = size

    def term(
        self, plan: QueryPlan, index: int, field: Literal["words", "page_words"] = "words"
    ) -> tantivy.Query | None:
        """Match one word of a query, in any of its meanings; None where the index has none of them.

        Args:
            plan: The query.
            index: Which of its words.
            field: `words` of a record, or `page_words` of all records of a page, which only its title has.
        """
        meanings = plan.meanings[index]
        if not meanings.is_known:
            return None
        weight = self.weight(meanings.frequency)
        parts = [(_SHOULD, self._of(token, field)) for token in meanings.tokens.get(EXACT, ())]
        room = MOST_VARIANTS if field == "words" else MOST_PAGE_VARIANTS
        for quality in sorted(meanings.tokens.keys() - {EXACT}):
            tokens = meanings.tokens[quality]
            scale = weight * VARIANT_BOOST / (1 + quality // TYPO)
            if quality == PREFIX and len(tokens) > room and field == "words":
                parts.append((_SHOULD, self._beginning(plan.query.terms[index].form, weight, field)))
                continue
            tokens = self._vocabulary.most_frequent(room, tokens)
            room -= len(tokens)
            parts += [(_SHOULD, _Q.const_score_query(self._of(token, field), scale)) for token in tokens]
        for phrase in meanings.phrases:
            together = _Q.boolean_query([(_MUST, self._of(token, field)) for token in phrase])
            parts.append((_SHOULD, _Q.const_score_query(together, weight * VARIANT_BOOST)))
        return parts[0][1] if len(parts) == 1 else _Q.boolean_query(parts)

    def holding(self, tokens: Collection[str]) -> tantivy.Query:
        """Match what an identifier that is not finished may become; it counts as much as a word that few records hold."""
        most = self._vocabulary.most_frequent(MOST_VARIANTS, list(tokens))
        weight = self.weight(sum(map(self._vocabulary.frequency, most)))
        together = _Q.boolean_query([(_SHOULD, self._of(token)) for token in most])
        return _Q.const_score_query(together, weight)

    def page_word(self, token: str, boost: float) -> tantivy.Query:
        """Match a word among all words of a page."""
        return _Q.boost_query(self._of(token, "page_words"), boost)

    def excluding(self, plan: QueryPlan) -> list[tuple[tantivy.Occur, tantivy.Query]]:
        """Leave out what the query does not want."""
        return [
            (_MUST_NOT, _Q.boolean_query([(_MUST, self._of(token)) for token in tokens]))
            for tokens in plan.query.excluded
        ]

    def filter(self, filter_: Filter) -> tantivy.Query:
        """Make a filter; what it compares with an attribute that is not a facet matches nothing."""
        match filter_:
            case Equals(attribute, value):
                return self._equals(attribute, value)
            case Compares(attribute, operator, number):
                return self._compares(attribute, operator, number)
            case Between(attribute, low, high):
                return self._range(attribute, math.ceil(low), math.floor(high))
            case Not(item):
                return _Q.boolean_query([(_MUST, _Q.all_query()), (_MUST_NOT, self.filter(item))])
            case Scored(item, _):
                return self.filter(item)
            case All(items):
                return _Q.boolean_query([(_MUST, self.filter(item)) for item in items])
            case Any(items):
                return _Q.boolean_query([(_SHOULD, self.filter(item)) for item in items])

    def _beginning(self, prefix: str, weight: float, field: str) -> tantivy.Query:
        query = _Q.fuzzy_term_query(self._schema, field, prefix, 0, prefix=True)
        return _Q.const_score_query(query, weight * VARIANT_BOOST)

    def _of(self, token: str, field: str = "words") -> tantivy.Query:
        return _Q.term_query(self._schema, field, token, "freq")

    def weight(self, frequency: int) -> float:
        """Weigh a word by how rare it is, as BM25 does."""
        count = min(self._size, frequency)
        return math.log(1 + (self._size - count + 0.5) / (count + 0.5))

    def _equals(self, attribute: str, value: str) -> tantivy.Query:
        if attribute in NUMBER_OF:
            try:
                return self._compares(attribute, "=", float(value))
            except (ValueError, OverflowError):  # no number, not a number, infinite
                return _Q.empty_query()
        facet = FACET_OF.get(attribute)
        return _Q.term_query(self._schema, facet.field, value, "basic") if facet and value else _Q.empty_query()

    def _compares(self, attribute: str, operator: str, number: float) -> tantivy.Query:
        match operator:
            case "<":
                return self._range(attribute, None, math.ceil(number) - 1)
            case "<=":
                return self._range(attribute, None, math.floor(number))
            case ">":
                return self._range(attribute, math.floor(number) + 1, None)
            case ">=":
                return self._range(attribute, math.ceil(number), None)
            case _:
                same = self._range(attribute, math.ceil(number), math.floor(number))
                if operator == "=":
                    return same
                return _Q.boolean_query([(_MUST, self._range(attribute, None, None)), (_MUST_NOT, same)])

    def _range(self, attribute: str, low: int | None, high: int | None) -> tantivy.Query:
        number = NUMBER_OF.get(attribute)
        if number is None or (low is not None and high is not None and low > high):
            return _Q.empty_query()
        largest = 1 << 40  # numbers of the index are small, those of a request need not be
        low = -largest if low is None else max(-largest, min(low, largest))
        high = largest if high is None else max(-largest, min(high, largest))
        return _Q.range_query(self._schema, number.field, tantivy.FieldType.Integer, low, high)
