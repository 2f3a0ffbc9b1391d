"""`Rules`: which rules of `search.toml` apply to a query, and what they leave out. Knows nothing of an index."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from octavo.search.fields import PAGE
from octavo.search.index.settings import Rule
from octavo.search.query.filters import All, Equals, Filter, Not
from octavo.search.query.parameters import Parameters
from octavo.search.text.comparing import Stems, query_stems


class Rules:
    """The rules of one index, to be found by the words of a query, however many there are."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = rules
        self._whole: dict[Stems, list[int]] = {}
        self._parts: dict[Stems, list[int]] = {}
        for number, rule in enumerate(rules):
            known = self._parts if rule.is_part else self._whole
            for stems in filter(None, map(query_stems, rule.queries)):
                known.setdefault(stems, []).append(number)
        self._lengths = sorted({len(stems) for stems in self._parts})

    def rules_for(self, parameters: Parameters) -> list[Rule]:
        """Find the rules that apply to a search."""
        if not self._rules or not parameters.uses_rules:
            return []
        typed = query_stems(parameters.query)
        found = set(self._whole.get(typed, ()))
        for length in self._lengths:
            for start in range(len(typed) - length + 1):
                found.update(self._parts.get(typed[start : start + length], ()))
        return [self._rules[number] for number in sorted(found)]

    def before(self, parameters: Parameters, rules: Sequence[Rule]) -> Parameters:
        """Leave out the pages that are hidden."""
        hidden: list[Filter] = [Not(Equals(PAGE.attribute, page)) for rule in rules for page in rule.hidden]
        if not hidden:
            return parameters
        given = [parameters.filter] if parameters.filter is not None else []
        return msgspec.structs.replace(parameters, filter=All([*given, *hidden]))


def pinned_addresses(rules: Sequence[Rule]) -> list[list[str]]:
    """List what comes first, each once: its address, and those of the same page in other languages and versions.

    The first of them that meets the filters of a search is pinned.
    """
    others = {address: alike for rule in rules for address, alike in rule.others.items()}
    redirects = [rule.redirect for rule in rules if rule.redirect]
    named = dict.fromkeys([*redirects, *(address for rule in rules for address in rule.pinned)])
    return [[address, *others.get(address, ())] for address in named]


def redirect_of(rules: Sequence[Rule], first_hit: str) -> str | None:
    """Give the address that a reader wants, the first of several; no page that one of the rules hides.

    Args:
        rules: Those that apply to the search.
        first_hit: Address of the first hit, which is the page that is redirected to in the reader's language and version.
    """
    hidden = {page for rule in rules for page in rule.hidden}
    for rule in rules:
        if rule.redirect and rule.redirect.partition("#")[0] not in hidden:
            return first_hit if first_hit in rule.others.get(rule.redirect, ()) else rule.redirect
    return None
