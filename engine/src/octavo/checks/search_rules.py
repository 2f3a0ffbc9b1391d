"""Check what `search.toml` says: rules and synonyms without effect, which readers of a site would not notice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from octavo.checks.findings import SourceLines
from octavo.checks.links import LinkChecker
from octavo.config import SEARCH_RULES_NAME, RulePart, RulePlaces, SearchRule, SearchSynonym
from octavo.diagnostics import Diagnostic, Span
from octavo.search import LONGEST_QUERY, query_stems
from octavo.site import LinkResolver, Page, Site, Target

Stems = tuple[str, ...]


class _Mistake(NamedTuple):
    part: RulePart
    text: str
    """What is written there."""
    message: str
    hint: str


def check_search_rules(
    site: Site, checker: LinkChecker, *, resolver: LinkResolver, lines: SourceLines
) -> Iterator[Diagnostic]:
    """Find rules and synonyms that do nothing: those whose page is gone or is none that search finds, or whose words search does not see."""
    given = site.config.search.rules
    if not given.rules and not given.synonyms:
        return
    places = RulePlaces("\n".join(lines.of(SEARCH_RULES_NAME)))
    for mistake in _mistakes(site, checker, resolver, given.rules, given.synonyms):
        span = Span(SEARCH_RULES_NAME, *places.of(mistake.part, mistake.text))
        yield Diagnostic("search-rule", "warn", span, mistake.message, mistake.hint)


def _mistakes(
    site: Site,
    checker: LinkChecker,
    resolver: LinkResolver,
    rules: Iterable[SearchRule],
    synonyms: Iterable[SearchSynonym],
) -> Iterator[_Mistake]:
    targets = _Targets(site, checker, resolver)
    for number, rule in enumerate(rules):
        for key, page in rule.named_pages:
            problem = targets.problem(page, key)
            if problem is not None:
                yield _Mistake(RulePart("rules", number, key), page, *problem)
    yield from _mistakes_of_queries(rules)
    yield from _contradictions(rules, targets)
    for number, synonym in enumerate(synonyms):
        yield from _mistakes_of_synonym(RulePart("synonyms", number), synonym)


class _Targets:
    """The pages that rules name."""

    def __init__(self, site: Site, checker: LinkChecker, resolver: LinkResolver) -> None:
        self._site = site
        self._checker = checker
        self._resolver = resolver
        self._found: dict[str, Target] = {}

    def of(self, page: str) -> Target:
        if page not in self._found:
            self._found[page] = self._resolver.resolve_setting(page)
        return self._found[page]

    def problem(self, page: str, key: str) -> tuple[str, str] | None:
        """Say why search does nothing with a page that a rule names, and what helps."""
        target, checker = self.of(page), self._checker
        path = page.partition("#")[0]
        if target.kind != "page" or target.route not in self._site.by_route:
            close = checker.suggest_route(page, self._site.main_edition)
            hint = f'Did you mean "{close}"?' if close else "Name another page, or take the rule away."
            return f'"{page}" leads to no page, so this rule does nothing.', hint
        if "?" in path:
            return (
                f'"{page}" has a "?": the address of a page that search finds has none, so this rule does nothing.',
                f'Write "{path.partition("?")[0]}".',
            )
        if checker.problem(target) is not None:
            anchor = checker.suggest_anchor(target)
            hint = f'Did you mean "{path}#{anchor}"?' if anchor else "Take the part from # on away."
            return f'"{page}": "{target.route}" has no heading or element with the id "{target.anchor}".', hint
        found = self._site.by_route[target.route]
        if found.is_unlisted or found.hides_from_search:
            cause = "is unlisted" if found.is_unlisted else "has `search: false`"
            hint = "Name another page, or list this one." if found.is_unlisted else "Name another page."
            return f'"{page}" {cause}: search does not find it, so this rule does nothing.', hint
        if key != "hide" and target.anchor and not _has_record(found, target.anchor):
            return (
                f'"{page}" is not a heading: search finds headings only, so this rule does nothing.',
                f'Write "{path}", or the id of a heading.',
            )
        if key == "hide" and "#" in page:
            return (
                f'"{page}" names a part of a page: search hides whole pages only, so this rule does nothing.',
                f'Write "{path}", or take it away.',
            )
        return None


def _has_record(page: Page, anchor: str) -> bool:
    """Whether search finds a part of a page: each heading, and operations and parameters of APIs."""
    is_api = page.source is not None and page.source.maker == "openapi"
    return is_api or page.summary is None or any(heading.anchor == anchor for heading in page.summary.headings)


def _mistakes_of_queries(rules: Iterable[SearchRule]) -> Iterator[_Mistake]:
    """Find queries to which a rule never applies, and two rules for forms of one query."""
    first: dict[tuple[Stems, str], tuple[int, str]] = {}
    for number, rule in enumerate(rules):
        part = RulePart("rules", number, "queries")
        for query in rule.queries:
            stems = query_stems(query)
            if not stems:
                message = f'"{query}" has no words that search compares, so this rule does not apply to it.'
                yield _Mistake(part, query, message, "Take it away, or write a word.")
                continue
            if len(query) > LONGEST_QUERY:
                message = (
                    f"A query of {len(query)} letters is cut to {LONGEST_QUERY}, so this rule does not apply to it."
                )
                yield _Mistake(part, query, message, 'Shorten it; with match = "part" a part is enough.')
                continue
            other, written = first.setdefault((stems, rule.match), (number, query))
            if other != number:
                message = f'"{query}" is the same query to search as "{written}" of an earlier rule: both rules apply.'
                yield _Mistake(part, query, message, "Write them as one rule.")


def _contradictions(rules: Iterable[SearchRule], targets: _Targets) -> Iterator[_Mistake]:
    """Find pages that one rule puts first and another hides, or the same one in another spelling, wherever the first applies."""
    whole: dict[Stems, set[str]] = {}
    parts: dict[Stems, set[str]] = {}
    for rule in rules:
        hidden = {targets.of(page).route for page in rule.hide if "#" not in page}
        for stems in filter(None, map(query_stems, rule.queries)):
            (parts if rule.match == "part" else whole).setdefault(stems, set()).update(hidden)
    lengths = sorted({len(stems) for stems, hidden in parts.items() if hidden})
    for number, rule in enumerate(rules):
        shown = [
            (key, page)
            for key, page in rule.named_pages
            if key == "redirect" or (key == "pin" and page not in rule.hide)
        ]
        if not shown:
            continue
        for query in rule.queries:
            stems = query_stems(query)
            inside = (stems[start : start + length] for length in lengths for start in range(len(stems) - length + 1))
            hidden = set[str]().union(*(parts.get(one, ()) for one in inside))
            hidden |= whole.get(stems, set()) if rule.match == "all" else set()
            for key, page in shown:
                if targets.of(page).route in hidden:
                    message = (
                        f'"{page}" comes first for the query "{query}", and is hidden for it as well: it is not shown.'
                    )
                    yield _Mistake(
                        RulePart("rules", number, key), page, message, "Take it out of one of the two lists."
                    )


def _mistakes_of_synonym(part: RulePart, synonym: SearchSynonym) -> Iterator[_Mistake]:
    written = synonym.both_ways or [synonym.word, *synonym.also_finds]
    pairs = combinations(written, 2) if synonym.both_ways else ((synonym.word, other) for other in synonym.also_finds)
    for text, message, hint in idle_synonyms(written, pairs):
        yield _Mistake(part, text, message, hint)


def idle_synonyms(written: Iterable[str], pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    """Find words that search does not see, and pairs whose words find each other anyway.

    Args:
        written: The words and phrases.
        pairs: Those of them that mean the same.

    Returns:
        Of each mistake the word, message and hint.
    """
    empty = [word for word in dict.fromkeys(written) if not query_stems(word)]
    for word in empty:
        message = f'"{word}" has no words that search compares, so it is a synonym of nothing.'
        yield word, message, "Take it away, or write a word."
    for one, other in pairs:
        if one not in empty and other not in empty and query_stems(one) == query_stems(other):
            message = f'"{one}" and "{other}" are forms of one word, which find each other anyway.'
            yield other, message, "Take one of them away."
