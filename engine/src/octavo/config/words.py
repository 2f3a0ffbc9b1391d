"""Texts that are not in pages, by language: `[words]` for those of the theme, `[labels]` for those of the settings."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from octavo.words import english_key, language_of, placeholders, words_of

if TYPE_CHECKING:
    from octavo.config.schema import Config


def site_words(config: Config, locale: str) -> Mapping[str, str]:
    """Give the words of one language of a site: English, then the language's own, then those of the settings.

    Args:
        config: The site's settings.
        locale: Id of one of its languages.
    """
    return _merged(locale, tuple(config.words.get(locale, {}).items()))


@lru_cache(maxsize=64)
def _merged(locale: str, given: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    language = language_of(locale) or "en"
    own = words_of(language)
    # A language without a plural form must not get the English one.
    english = {key: word for key, word in words_of("en").items() if key.rpartition(".")[0] + ".other" not in own}
    return {**english, **own, **dict(given)}


def missing_words(config: Config, locale: str) -> list[str]:
    """List the keys of the words that readers of a language see in English."""
    if language_of(locale) is not None:
        return []
    given = {english_key(key) for key in config.words.get(locale, {})}
    return [key for key in words_of("en") if key not in given]


def _unknown_languages(config: Config, setting: str, given: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    known = [locale.id for locale in config.locales]
    for locale in given:
        if locale not in known:
            yield locale, "", f'{setting}.{locale}: the site has no language "{locale}"; it has {", ".join(known)}.'


def check_labels(config: Config) -> Iterator[tuple[str, str, str]]:
    """Find mistakes in `[labels]` that the settings alone show: (language, text, message), the text empty where the language is meant."""
    yield from _unknown_languages(config, "labels", config.labels)
    for locale, labels in config.labels.items():
        for text, translation in labels.items():
            if text.strip() and not translation.strip():
                yield locale, text, f'labels.{locale}: the translation of "{text}" is empty.'


def check_words(config: Config) -> Iterator[tuple[str, str, str]]:
    """Find mistakes in `[words]`: (language, key, message), the key empty where the language is meant."""
    yield from _unknown_languages(config, "words", config.words)
    for locale, words in config.words.items():
        for key, word in words.items():
            english = english_key(key)
            if english is None:
                near = difflib.get_close_matches(key, list(words_of("en")), 1)
                hint = f'Did you mean "{near[0]}"?' if near else "`octavo explain words` lists the keys."
                yield locale, key, f'words.{locale}: the theme has no word "{key}". {hint}'
                continue
            unknown = placeholders(word) - placeholders(words_of("en")[english])
            if unknown:
                names = ", ".join(f"{{{name}}}" for name in sorted(unknown))
                message = f'words.{locale}: "{key}" has {names}, for which there is no value.'
                yield locale, key, f'{message} In English it is "{words_of("en")[english]}".'


_LABELS: Mapping[str, tuple[str, ...]] = {
    "Config": ("title", "tagline", "navbar", "footer", "announcements", "feedback", "search", "sidebars", "blogs"),
    "Logo": ("alt",),
    "Navbar": ("title", "logo", "items"),
    "NavItem": ("label", "items"),
    "Footer": ("logo", "copyright", "columns"),
    "FooterColumn": ("title", "items"),
    "Announcement": ("content",),
    "Feedback": ("question",),
    "Search": ("placeholder",),
    "Sidebar": ("label",),
    "Blog": ("title", "description"),
}
"""Type of a table of settings → its fields that are texts for readers, or hold tables with such texts. Entries of sidebars
are not here: sidebars are built with the ids of the settings, and `SidebarBuilder` translates their labels afterwards."""


def localized(config: Config, locale: str) -> Config:
    """Give the settings as readers of a language see them: with the translations of `[labels]`.

    Languages and versions are the same objects as before, and entries of sidebars stay as they are.
    """
    labels = config.labels.get(locale)
    return _translated(config, labels, set()) if labels else config


def label_in(config: Config, locale: str, text: str) -> str:
    """Give one text of the settings in a language."""
    return config.labels.get(locale, {}).get(text, text)


def label_texts(config: Config) -> set[str]:
    """Collect the texts that `localized` translates, and the labels of versions where there are several."""
    found = {version.label for version in config.versions} if len(config.versions) > 1 else set()
    _translated(config, {}, found)
    found.discard("")
    return found


def _translated(value: Any, labels: Mapping[str, str], found: set[str]) -> Any:
    if isinstance(value, str):
        found.add(value)
        return labels.get(value, value)
    if isinstance(value, list):
        return [_translated(one, labels, found) for one in value]
    if not isinstance(value, msgspec.Struct):
        return value
    fields = {name: _translated(getattr(value, name), labels, found) for name in _LABELS.get(type(value).__name__, ())}
    return msgspec.structs.replace(value, **fields)
