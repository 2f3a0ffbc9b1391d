"""`Curation`: what an editor has decided about the hits of a query, applied before and after the ranking."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec
import tantivy

from octavo.search.fields import PAGE
from octavo.search.index.settings import Rule
from octavo.search.index.tantivy_index import IndexReader, stable_number
from octavo.search.query.filters import All, Equals, Filter, Not
from octavo.search.query.parameters import Parameters
from octavo.search.ranking.finder import Finder
from octavo.search.ranking.found import Found, Ranked
from octavo.search.ranking.meets import meets
from octavo.search.ranking.rank import Rank
from octavo.search.text.stemming import stem
from octavo.search.text.tokens import make_stream

Stems = tuple[str, ...]

_MOST_OF_PAGE = 10_000
"""Records of a page among which a heading is looked for."""

PINNED = Rank(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (0, 0, 0, 0))
"""Rank of what was pinned: no criterion has put it there."""


class Curation:
    """The rules of one index."""

    def __init__(self, rules: Sequence[Rule], reader: IndexReader) -> None:
        self._rules = [([_stems(query) for query in rule.queries], rule) for rule in rules]
        self._reader = reader
        self._numbers = _numbers_of(rules, reader)

    def rules_for(self, parameters: Parameters) -> list[Rule]:
        """Find the rules that apply to a search."""
        if not self._rules or not parameters.uses_rules:
            return []
        typed = _stems(parameters.query)
        return [rule for queries, rule in self._rules if any(_applies(typed, query, rule) for query in queries)]

    def before(self, parameters: Parameters, rules: Sequence[Rule]) -> Parameters:
        """Leave out the pages that are hidden."""
        hidden: list[Filter] = [Not(Equals(PAGE.attribute, page)) for rule in rules for page in rule.hidden]
        if not hidden:
            return parameters
        given = [parameters.filter] if parameters.filter is not None else []
        return msgspec.structs.replace(parameters, filter=All([*given, *hidden]))

    def after(self, found: Found, parameters: Parameters, rules: Sequence[Rule]) -> Found:
        """Put first what is pinned, as far as it meets the filters of the search."""
        numbers = [self._numbers[address] for address in _pinned(rules) if address in self._numbers]
        find = Finder(found.plan).find
        pinned = [
            (number, Ranked(PINNED, candidate, find(candidate.text)))
            for number, candidate in zip(numbers, self._reader.candidates(numbers), strict=True)
            if parameters.filter is None or meets(candidate.record, parameters.filter)
        ]
        if not pinned:
            return found
        addresses = self._reader.columns.addresses
        known = {addresses[number] for number in found.numbers}
        added = [number for number, _ in pinned if addresses[number] not in known]
        first = {item.candidate.url for _, item in pinned}
        rest = [item for item in found.ranked if item.candidate.url not in first]
        ranked = [*(item for _, item in pinned), *rest]
        count = len(ranked) if found.has_partial else found.count + len(added)
        return msgspec.structs.replace(
            found,
            ranked=ranked,
            count=count,
            reachable=count if found.has_partial else found.reachable + len(added),
            numbers=[*found.numbers, *added],
        )


def _pinned(rules: Sequence[Rule]) -> Iterator[str]:
    """List the addresses that come first, each once."""
    redirects = [rule.redirect for rule in rules if rule.redirect]
    yield from dict.fromkeys([*redirects, *(address for rule in rules for address in rule.pinned)])


def _applies(typed: Stems, query: Stems, rule: Rule) -> bool:
    if not query or not rule.is_part:
        return bool(query) and typed == query
    return any(typed[start : start + len(query)] == query for start in range(len(typed) - len(query) + 1))


def _stems(text: str) -> Stems:
    return tuple(map(stem, make_stream(text).parts))


def _numbers_of(rules: Iterable[Rule], reader: IndexReader) -> dict[str, int]:
    """Find the records under the addresses that rules name: of each address its title or heading."""
    columns = reader.columns
    found: dict[str, int] = {}
    for address in _pinned(list(rules)):
        page, wanted = address.partition("#")[0], stable_number(address)
        query = tantivy.Query.term_query(reader.schema, PAGE.field, page, "basic")
        hits = reader.searcher.search(query, _MOST_OF_PAGE, count=False).hits  # none that were removed, as columns have
        numbers = [number for number in columns.numbers(hits) if columns.addresses[number] == wanted]
        if numbers:
            found[address] = max(numbers, key=lambda number: (columns.levels[number], -number))
    return found
