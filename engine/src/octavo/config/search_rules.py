"""What `search.toml`, beside `octavo.toml`, may hold: what an editor decides about search, in the place of the ranking."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from octavo.config.mistakes import all_mistakes, explain, explain_syntax, line_of_text
from octavo.config.table import Table
from octavo.errors import ConfigError
from octavo.text_files import NotUtf8Error, parse_toml, read_utf8

SEARCH_RULES_NAME = "search.toml"

_MOST_WORDS = 24
"""Words of a query that search looks at."""


class SearchSynonym(Table, frozen=True, kw_only=True):
    """Words and phrases with the same meaning: `both_ways`, or a `word` with what it `also_finds`."""

    both_ways: list[str] = []
    """Each of these finds the others."""
    word: str = ""
    """What is typed."""
    also_finds: list[str] = []
    """What it finds beside itself; a search for one of these does not find the word."""


class SearchRule(Table, frozen=True, kw_only=True):
    """What happens to the hits of some queries."""

    queries: list[str]
    """Queries to which it applies, in any form of their words."""
    match: Literal["all", "part"] = "all"
    """`all`: the whole query is one of these; `part`: it contains one of these, word for word."""
    pin: list[str] = []
    """Pages that come first, in this order: paths from the root of the site, with or without `#` and a heading's id."""
    hide: list[str] = []
    """Pages that are left out."""
    redirect: str | None = None
    """The page that a reader wants who asks this: comes first, and Enter in the search box leads there."""

    @property
    def pages(self) -> list[str]:
        """All pages that it names."""
        return [*self.pin, *self.hide, *([self.redirect] if self.redirect else [])]


class SearchRules(Table, frozen=True, kw_only=True):
    """The file."""

    synonyms: list[SearchSynonym] = []
    rules: list[SearchRule] = []


def load_search_rules(site_dir: Path) -> SearchRules:
    """Read `search.toml` of a site; without one, nothing is decided.

    Raises:
        ConfigError: it is no TOML, or holds something that is not allowed.
    """
    path = site_dir / SEARCH_RULES_NAME
    try:
        text = read_utf8(path)
    except FileNotFoundError:
        return SearchRules()
    except NotUtf8Error as error:
        raise ConfigError(f"{path}:{error.line}:{error.column}: {error}") from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from error
    return parse_search_rules(text, name=str(path))


def parse_search_rules(text: str, *, name: str = SEARCH_RULES_NAME) -> SearchRules:
    """Parse the text of a `search.toml`.

    Raises:
        ConfigError: it is no TOML, or holds something that is not allowed.
    """
    try:
        raw: dict[str, Any] = parse_toml(text, refuses_nul=True)
    except tomllib.TOMLDecodeError as error:
        raise explain_syntax(str(error), text, name) from error
    try:
        rules = msgspec.convert(raw, SearchRules)
    except msgspec.ValidationError as error:
        raise all_mistakes([explain(error, raw, SearchRules, text)], text, name) from None
    problems = [(line_of_text(text, word), message) for word, message in _problems(rules)]
    if problems:
        raise all_mistakes(problems, text, name)
    return rules


def _problems(rules: SearchRules) -> Iterator[tuple[str, str]]:
    """Find what types alone can't say: (text in which it is, message)."""
    for synonym in rules.synonyms:
        yield from _problems_of_synonym(synonym)
    places: dict[tuple[str, str], int] = {}
    for number, rule in enumerate(rules.rules):
        for query in rule.queries:
            if places.setdefault((query.casefold().strip(), rule.match), number) != number:
                yield query, f'rules: two rules are for the query "{query}"; write them as one.'
        shown = next(iter(rule.queries), "queries")
        if not rule.queries:
            yield shown, "rules: queries is empty; expected at least one query."
        for query in rule.queries:
            if not query.strip() or len(query.split()) > _MOST_WORDS:
                yield query, f'rules: "{query}" is no query; expected one to {_MOST_WORDS} words.'
        for page in set(rule.pin) & set(rule.hide):
            yield page, f'rules: "{page}" is in pin and in hide of one rule; take it out of one of them.'
        if not rule.pages:
            yield shown, f'rules: the rule for "{shown}" does nothing; expected pin, hide, or redirect.'
        for page in rule.pages:
            if not page.startswith("/") or page.startswith("//"):
                yield (
                    page,
                    f'rules: "{page}" is no page; expected a path from the root of the site, such as "/guides/install".',
                )


def _problems_of_synonym(synonym: SearchSynonym) -> Iterator[tuple[str, str]]:
    both, word, others = synonym.both_ways, synonym.word, synonym.also_finds
    shown = next((text for text in (word, *both, *others) if text), "synonyms")
    if bool(both) == bool(word or others) or bool(word) != bool(others):
        yield shown, "synonyms: expected either both_ways, or word and also_finds."
    elif len(both) == 1:
        yield shown, f'synonyms: both_ways has "{both[0]}" alone; expected two or more.'
    pairs = [(one, other) for index, one in enumerate(both) for other in both[index + 1 :]]
    for one, other in [*pairs, *((word, other) for other in others if word)]:
        if one.strip() and one.strip().casefold() == other.strip().casefold():
            yield one, f'synonyms: "{one}" is named as a synonym of itself.'
        if not one.strip() or not other.strip():
            yield shown, "synonyms: an entry is empty; expected words."
        elif len(one.split()) > 1 and len(other.split()) > 1:
            yield one, f'synonyms: "{one}" and "{other}" are both phrases; one of two synonyms must be a single word.'
