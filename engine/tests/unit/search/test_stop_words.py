from octavo.search.text.comparing import question_stems
from octavo.search.text.stop_words import further_stop_words
from octavo.search.text.tokens import make_stream
from tests.support.each import each

LANGUAGES = [
    "cs",
    "da",
    "de",
    "es",
    "fi",
    "fr",
    "hu",
    "it",
    "nb",
    "nl",
    "nn",
    "no",
    "pl",
    "pt",
    "ro",
    "ru",
    "sv",
    "tr",
    "uk",
]


@each("language", LANGUAGES)
def test_stop_words_are_as_the_tokenizer_writes_them(language: str) -> None:
    words = further_stop_words([language])
    assert len(words) > 40
    assert all(make_stream(word).parts == [word] for word in words)


@each(
    "word",
    ["nicht", "kein", "ohne", "sans", "pas", "sin", "senza", "non", "zonder", "bez", "без", "не", "utan", "not", "no"],
)
def test_negations_say_what_is_asked_for(word: str) -> None:
    languages = [language for language in LANGUAGES if language not in ("pt", "sv", "da", "nb", "nn", "no", "es", "it")]
    assert word not in further_stop_words(languages)


def test_words_of_other_languages_count_where_a_site_is_not_in_them() -> None:
    assert not further_stop_words(["en-US", "ja"])
    assert "wie" in further_stop_words(["de-CH"])


def test_words_that_mean_something_in_english_count_where_a_site_is_in_it_too() -> None:
    assert "die" in further_stop_words(["de"])
    assert "die" not in further_stop_words(["de", "en"])


def test_question_is_compared_by_the_words_that_tell_in_its_language() -> None:
    assert set(question_stems("Wie reinige ich den Ofen?", "de")) == {"reinig", "ofen"}
    assert set(question_stems("¿Cómo limpio el horno?", "es")) == {"limpi", "horn"}
