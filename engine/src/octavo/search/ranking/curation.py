"""`Curation`: what an editor has decided about the hits of a query, applied before and after the ranking."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import msgspec
import tantivy

from octavo.search.fields import PAGE
from octavo.search.index.settings import Rule
from octavo.search.index.tantivy_index import IndexReader, stable_number
from octavo.search.query.parameters import Parameters
from octavo.search.ranking.finder import Finder
from octavo.search.ranking.found import Found, Ranked
from octavo.search.ranking.meets import meets
from octavo.search.ranking.rank import Rank
from octavo.search.ranking.rules import Rules, pinned_addresses

_MOST_OF_PAGE = 10_000
"""Records of a page among which a heading is looked for."""

PINNED = Rank(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (0, 0, 0, 0))
"""Rank of what was pinned: no criterion has put it there."""


class Curation(Rules):
    """The rules of one index, and the records that they name."""

    def __init__(self, rules: Sequence[Rule], reader: IndexReader) -> None:
        super().__init__(rules)
        self._reader = reader
        self._numbers = _numbers_of(rules, reader)

    def after(self, found: Found, parameters: Parameters, rules: Sequence[Rule]) -> Found:
        """Put first what is pinned, as far as it meets the filters of the search."""
        groups = [
            [self._numbers[address] for address in alike if address in self._numbers]
            for alike in pinned_addresses(rules)
        ]
        numbers = list(dict.fromkeys(number for group in groups for number in group))
        candidates = dict(zip(numbers, self._reader.candidates(numbers), strict=True))
        fitting = {
            number
            for number, candidate in candidates.items()
            if parameters.filter is None or meets(candidate.record, parameters.filter)
        }
        chosen = dict.fromkeys(next((one for one in group if one in fitting), None) for group in groups)
        find = Finder(found.plan).find
        pinned = [
            (number, Ranked(PINNED, candidates[number], find(candidates[number].text)))
            for number in chosen
            if number is not None
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


def _numbers_of(rules: Iterable[Rule], reader: IndexReader) -> dict[str, int]:
    """Find the records under the addresses that rules name: of each address its title or heading."""
    columns = reader.columns
    found: dict[str, int] = {}
    for address in dict.fromkeys(chain.from_iterable(pinned_addresses(list(rules)))):
        page, wanted = address.partition("#")[0], stable_number(address)
        query = tantivy.Query.term_query(reader.schema, PAGE.field, page, "basic")
        hits = reader.searcher.search(query, _MOST_OF_PAGE, count=False).hits  # none that were removed, as columns have
        numbers = [number for number in columns.numbers(hits) if columns.addresses[number] == wanted]
        if numbers:
            found[address] = max(numbers, key=lambda number: (columns.levels[number], -number))
    return found
