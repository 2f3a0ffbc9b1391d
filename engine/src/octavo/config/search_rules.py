"""What `search.toml`, beside `octavo.toml`, may hold: what an editor decides about search, in the place of the ranking."""

from __future__ import annotations

import tomllib
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

from octavo.config.mistakes import all_mistakes, explain_syntax, read_settings
from octavo.config.table import Table
from octavo.errors import ConfigError
from octavo.lazy import regex as re
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
        return [page for _, page in self.named_pages]

    @property
    def named_pages(self) -> list[tuple[Literal["pin", "hide", "redirect"], str]]:
        """All pages that it names, with the setting that does."""
        redirects = [self.redirect] if self.redirect else []
        return [
            *(("pin", page) for page in self.pin),
            *(("hide", page) for page in self.hide),
            *(("redirect", page) for page in redirects),
        ]


class SearchRules(Table, frozen=True, kw_only=True):
    """The file."""

    synonyms: list[SearchSynonym] = []
    rules: list[SearchRule] = []


def load_search_rules(site_dir: Path) -> SearchRules:
    """Read `search.toml` of a site; without one, nothing is decided.

    Raises:
        ConfigError: it is not TOML, or holds something that is not allowed.
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
        ConfigError: it is not TOML, or holds something that is not allowed.
    """
    try:
        raw: dict[str, Any] = parse_toml(text, refuses_nul=True)
    except tomllib.TOMLDecodeError as error:
        raise explain_syntax(str(error), text, name) from error
    rules, mistakes, *_ = read_settings(raw, SearchRules, text)
    if rules is None or mistakes:
        raise all_mistakes(mistakes, text, name)
    places = RulePlaces(text)
    problems = [(places.of(where, word), message) for where, word, message in _problems(rules)]
    if problems:
        columns = {(line, message): column for (line, column), message in problems}
        raise all_mistakes([(line, message) for (line, _), message in problems], text, name, columns)
    return rules


class RulePart(NamedTuple):
    """A table of the file, or one of its settings."""

    table: str
    """`rules` or `synonyms`."""
    number: int
    """Of the table among those of its name, from 0."""
    key: str = ""
    """Empty: any setting."""


_TABLES = ("rules", "synonyms")
_TEXT = r"""
      "{3} (?: [^"\\] | \\. | "(?!"") )* "{3,5}
    | '{3} (?: [^'] | '(?!'') )* '{3,5}
    | " (?: [^"\\\n] | \\. )* "
    | ' [^'\n]* '
"""
_TOKEN = re.compile(
    rf"""
      \#[^\n]*
    | ^[ \t]* (?P<head> \[\[ [ \t]* ["']? ({"|".join(_TABLES)}) ["']? [ \t]* \]\] )
    | (?P<key> (?<![\w-]) [\w-]+ | {_TEXT} ) (?= [ \t]* = )
    | (?P<text> {_TEXT} )
    | (?P<brace> \{{ )
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
"""What a table, a setting, or a text of the file begins with; a comment, so that nothing is looked for in it."""


class RulePlaces:
    """Knows where each text of `search.toml` is written, which a parser of TOML does not tell."""

    def __init__(self, text: str) -> None:
        self._places: dict[tuple[RulePart, str], tuple[int, int]] = {}
        starts = [0, *(match.end() for match in re.finditer("\n", text))]
        counts = dict.fromkeys(_TABLES, 0)
        table = key = ""
        for match in _TOKEN.finditer(text):
            kind = match.lastgroup or ""
            if kind == "key":
                key = _value_of(match["key"])
                if key in _TABLES:  # a list of tables in braces
                    table = key
                continue
            if kind == "head":
                table, key = match["head"].strip("[]\t \"'"), ""
            if not table or not kind:
                continue
            if kind in ("head", "brace"):
                counts[table] += 1
            line = bisect_right(starts, match.start(kind))
            place = (line, match.start(kind) - starts[line - 1] + 1)
            value = _value_of(match["text"]) if kind == "text" else ""
            part = RulePart(table, counts[table] - 1)
            for known in (part, part._replace(key=key)):
                self._places.setdefault((known, value), place)

    def of(self, part: RulePart, text: str) -> tuple[int, int]:
        """Give line and column, from 1, where a text is written first in a part of the file; else those of its table."""
        return self._places.get((part, text)) or self._places.get((part._replace(key=""), ""), (1, 1))


def _value_of(written: str) -> str:
    """Read a text, or the name of a setting, as it is written in TOML."""
    if written[0] not in "\"'":
        return written
    if "\\" not in written and written[:3] not in ('"""', "'''"):
        return written[1:-1]
    return str(parse_toml(f"a = {written}")["a"])


def _problems(rules: SearchRules) -> Iterator[tuple[RulePart, str, str]]:
    """Find what types alone can't say: (part of the file, text in which it is, message)."""
    for number, synonym in enumerate(rules.synonyms):
        for word, message in _problems_of_synonym(synonym):
            yield RulePart("synonyms", number), word, message
    places: dict[tuple[str, str], int] = {}
    for number, rule in enumerate(rules.rules):
        part = RulePart("rules", number)
        queries = part._replace(key="queries")
        for query in rule.queries:
            if places.setdefault((query.casefold().strip(), rule.match), number) != number:
                yield queries, query, f'rules: two rules are for the query "{query}"; write them as one.'
        shown = next(iter(rule.queries), "queries")
        if not rule.queries:
            yield queries, shown, "rules: queries is empty; expected at least one query."
        for query in rule.queries:
            if not query.strip() or len(query.split()) > _MOST_WORDS:
                yield queries, query, f'rules: "{query}" is not a query; expected one to {_MOST_WORDS} words.'
        for page in set(rule.pin) & set(rule.hide):
            message = f'rules: "{page}" is in pin and in hide of one rule; take it out of one of them.'
            yield part._replace(key="pin"), page, message
        if not rule.pages:
            yield queries, shown, f'rules: the rule for "{shown}" does nothing; expected pin, hide, or redirect.'
        for key, page in rule.named_pages:
            if not page.startswith("/") or page.startswith("//"):
                yield (
                    part._replace(key=key),
                    page,
                    f'rules: "{page}" is not a page; expected a path from the root of the site, such as "/guides/install".',
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
