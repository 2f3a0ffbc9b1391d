"""`[words]`: words of the theme that a site says otherwise, and the words of each of its languages."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

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


def check_words(config: Config) -> Iterator[tuple[str, str, str]]:
    """Find mistakes in `[words]`: (language, key, message), the key empty where the language is meant."""
    known = [locale.id for locale in config.locales]
    for locale, words in config.words.items():
        if locale not in known:
            yield locale, "", f'words.{locale}: the site has no language "{locale}"; it has {", ".join(known)}.'
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
