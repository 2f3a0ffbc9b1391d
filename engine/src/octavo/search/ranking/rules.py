"""`Rules`: which rules of `search.toml` apply to a query, and what they leave out. Knows nothing of an index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from octavo.search.fields import PAGE
from octavo.search.index.settings import Rule
from octavo.search.query.filters import All, Equals, Filter, Not
from octavo.search.query.parameters import Parameters
from octavo.search.text.stemming import stem
from octavo.search.text.tokens import make_stream

Stems = tuple[str, ...]


class Rules:
    """The rules of one index."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = [([_stems(query) for query in rule.queries], rule) for rule in rules]

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


def pinned_addresses(rules: Sequence[Rule]) -> Iterator[str]:
    """List the addresses that come first, each once."""
    redirects = [rule.redirect for rule in rules if rule.redirect]
    yield from dict.fromkeys([*redirects, *(address for rule in rules for address in rule.pinned)])


def _applies(typed: Stems, query: Stems, rule: Rule) -> bool:
    if not query or not rule.is_part:
        return bool(query) and typed == query
    return any(typed[start : start + len(query)] == query for start in range(len(typed) - len(query) + 1))


def _stems(text: str) -> Stems:
    return tuple(map(stem, make_stream(text).parts))
