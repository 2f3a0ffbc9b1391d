"""Which form of a word stands with a count, as CLDR has it."""

from __future__ import annotations

from octavo.words import LANGUAGE, PLURAL_CATEGORIES, languages, plural_category, word_for, words_of
from tests.support.each import each


@each(
    "language, counts, expected",
    [
        ("en", (0, 1, 2, 21), "other one other other"),
        ("de-AT", (1, 2), "one other"),
        ("fr", (0, 1, 2), "one one other"),
        ("pt_BR", (0, 1, 2), "one one other"),
        ("ru", (1, 2, 5, 11, 12, 21, 24, 100), "one few many many many one few many"),
        ("pl", (1, 2, 5, 12, 21, 22), "one few many many many few"),
        ("cs", (1, 3, 5), "one few other"),
        ("ar", (0, 1, 2, 3, 10, 11, 99, 100, 103), "zero one two few few many many other few"),
    ],
)
def test_numbers_have_the_category_of_their_language(language: str, counts: tuple[int, ...], expected: str) -> None:
    assert " ".join(plural_category(language, count) for count in counts) == expected


def test_each_language_has_the_form_that_its_rule_asks_for() -> None:
    for language in languages():
        words = {**words_of(language), LANGUAGE: language}
        for count in range(1, 130):
            category = plural_category(language, count)
            assert category in PLURAL_CATEGORIES
            assert f"blog.reading.{category}" in words or set(words).isdisjoint(
                f"blog.reading.{other}" for other in PLURAL_CATEGORIES if other != "other"
            ), (language, count)
            assert word_for(words, "blog.reading", count)


def test_words_that_name_no_language_are_english() -> None:
    assert word_for({"a.one": "x", "a.other": "y"}, "a", 1) == "x"
    assert word_for({"a.other": "y", LANGUAGE: "ja"}, "a", 1) == "y"
