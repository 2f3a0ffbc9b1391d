"""Plural categories of numbers, by language: which form of a word stands with a count."""

from __future__ import annotations

from collections.abc import Mapping

LANGUAGE = "language"
"""Key of the language among the words that the compiler writes; they differ with counts, and the rules with the language."""
_LIKE_RUSSIAN = frozenset({"be", "bs", "hr", "ru", "sr", "uk"})
_LIKE_CZECH = frozenset({"cs", "sk"})
_ZERO_IS_ONE = frozenset({"am", "bn", "fa", "fr", "gu", "hi", "hy", "kn", "pt", "zu"})


def plural_category(language: str, count: int) -> str:
    """Give the plural category of a whole number, one of `PLURAL_CATEGORIES`.

    Source:
        CLDR 46, cardinal rules of whole numbers, read in 2026-11.
    """
    base = language.lower().replace("_", "-").split("-")[0]
    last, two = count % 10, count % 100
    if base == "ar":
        if count < 3:
            return ("zero", "one", "two")[count]
        return "few" if 3 <= two <= 10 else "many" if two >= 11 else "other"
    if base in _LIKE_RUSSIAN or base == "pl":
        if (last == 1 and two != 11) if base != "pl" else count == 1:
            return "one"
        return "few" if 2 <= last <= 4 and not 12 <= two <= 14 else "many"
    if base in _LIKE_CZECH:
        return "one" if count == 1 else "few" if 2 <= count <= 4 else "other"
    return "one" if count == 1 or (count == 0 and base in _ZERO_IS_ONE) else "other"


def word_for(words: Mapping[str, str], key: str, count: int) -> str:
    """Pick the form of a word for a count, by the language that the words name; "other" where it has none for the count."""
    category = plural_category(words.get(LANGUAGE, "en"), count)
    return words.get(f"{key}.{category}") or words[f"{key}.other"]
