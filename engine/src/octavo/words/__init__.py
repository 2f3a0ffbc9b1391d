"""The words of the theme in the languages that Octavo speaks: one JSON file a language, key → word.

`{name}` in a word is replaced by a value. Words that differ with a count have a key for each plural category of the
language (CLDR): `search.count.one`, `search.count.other`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from octavo.lazy import regex as re
from octavo.words.plurals import LANGUAGE as LANGUAGE
from octavo.words.plurals import plural_category as plural_category
from octavo.words.plurals import word_for as word_for

COMPILED_WORDS = (
    "admonition.",
    "api.about.",
    "api.body",
    "api.parameters",
    "api.responses",
    "api.schemas",
    "blog.",
    "changes.",
    "commands.",
    "code.lines",
    "diagram.source",
    "directive.",
    "footnote",
    "heading.",
    "mark.",
    "notebook.",
    "task.",
)
"""Beginnings of the keys of words that are part of articles; all others are drawn by the theme."""
SERVER_WORDS = "api."
"""Beginning of the keys of words that are drawn when the site is built, and that browsers do without."""
CONSOLE_WORDS = "console."
"""Beginning of the keys of words that browsers load when a reader opens the console of an API."""
PAGE_WORDS = ("changes.", "commands.", "directive.", "mark.", "notebook.", "sections.")
"""Beginnings of the keys of words that are written at build time, and that no part of the theme needs."""
PLURAL_CATEGORIES = ("zero", "one", "two", "few", "many", "other")
RIGHT_TO_LEFT = frozenset({"ar", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "ug", "ur", "yi"})
"""Languages that are mostly written from right to left."""

_FOLDER = Path(__file__).parent
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_DATE = re.compile(r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})(?!\d)")
_TRADITIONAL = frozenset({"hant", "tw", "hk", "mo"})
"""Subtags of Chinese that are not written in the simplified script."""


@cache
def languages() -> tuple[str, ...]:
    """List the tags of the languages that Octavo speaks."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))


@cache
def words_of(language: str) -> Mapping[str, str]:
    """Give the words of one of `languages()`: key → word."""
    return MappingProxyType(json.loads((_FOLDER / f"{language}.json").read_text(encoding="utf-8")))


def language_of(tag: str) -> str | None:
    """Find the language whose words readers of a BCP 47 tag know: `de` for `de-AT`; None where Octavo has none."""
    base, *subtags = tag.lower().replace("_", "-").split("-")
    if base == "zh":
        return None if _TRADITIONAL.intersection(subtags) else "zh-Hans"
    return base if base in languages() else None


def direction_of(tag: str) -> Literal["ltr", "rtl"]:
    """Tell how a language is mostly written: `ltr` or `rtl`."""
    return "rtl" if tag.lower().replace("_", "-").split("-")[0] in RIGHT_TO_LEFT else "ltr"


def english_key(key: str) -> str | None:
    """Find the English key of a word: itself, or the form for `other` where English has no such plural; None if unknown."""
    english = words_of("en")
    if key in english:
        return key
    base, _, category = key.rpartition(".")
    return f"{base}.other" if category in PLURAL_CATEGORIES and f"{base}.other" in english else None


def placeholders(word: str) -> frozenset[str]:
    """Collect the names of the values in a word."""
    return frozenset(_PLACEHOLDER.findall(word))


def fill_word(word: str, **values: object) -> str:
    """Put values into a word; a name without a value stays as it is."""
    return _PLACEHOLDER.sub(lambda match: str(values.get(match[1], match[0])), word)


def format_date(date: str, words: Mapping[str, str]) -> str:
    """Write an ISO 8601 date as a language does, such as `Jan 31, 2026`; what is no date stays as it is.

    Months are CLDR's, which the browser has as well: the dates of the theme look the same.
    """
    match = _DATE.match(date)
    months = words["blog.months"].split("|")
    if match is None or not 1 <= int(match["month"]) <= len(months):
        return date
    month = months[int(match["month"]) - 1]
    # Where months are numbers of two digits, so are days.
    day = match["day"] if months[0] == "01" else str(int(match["day"]))
    return fill_word(words["blog.date"], year=match["year"], month=month, day=day)
