"""The words of the theme: whole in each language, and what a site says otherwise."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from octavo.config import missing_words, parse_config, site_words
from octavo.errors import ConfigError
from octavo.words import (
    direction_of,
    english_key,
    fill_word,
    format_date,
    language_of,
    languages,
    placeholders,
    words_of,
)

ENGLISH = words_of("en")
LOCALES = '\n[[locales]]\nid = "de-AT"\nlabel = "Deutsch"\n[[locales]]\nid = "ar"\nlabel = "العربية"\npath = "ar"\n'


@pytest.mark.parametrize("language", languages())
def test_language_has_each_word(language: str) -> None:
    words = words_of(language)
    keys = {english_key(key) for key in words}
    # Languages without a form for one have that for other.
    assert {key for key in ENGLISH if key not in keys and not key.endswith(".one")} == set()
    assert None not in keys


@pytest.mark.parametrize("language", languages())
def test_words_have_the_values_of_the_english_ones(language: str) -> None:
    for key, word in words_of(language).items():
        english = ENGLISH[english_key(key) or ""]
        is_form = key.rpartition(".")[0] + ".other" in ENGLISH
        # A form for one or two may say the number in words.
        assert placeholders(word) <= placeholders(english), key
        assert is_form or placeholders(word) == placeholders(english), key
        assert word == word.strip()
        assert word


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("en-GB", "en"),
        ("de_AT", "de"),
        ("pt-BR", "pt"),
        ("zh", "zh-Hans"),
        ("zh-CN", "zh-Hans"),
        ("zh-TW", None),
        ("zh-Hant-HK", None),
        ("nl", None),
    ],
)
def test_tags_find_their_language(tag: str, language: str | None) -> None:
    assert language_of(tag) == language


def test_direction_goes_by_the_language() -> None:
    assert [direction_of(tag) for tag in ("ar-EG", "he", "fa_IR", "en", "arn")] == ["rtl", "rtl", "rtl", "ltr", "ltr"]
    config = parse_config(f'title = "Docs"{LOCALES}[[locales]]\nid = "fa"\nlabel = "F"\npath = "fa"\ndir = "ltr"\n')
    assert [locale.direction for locale in config.locales] == ["ltr", "rtl", "ltr"]


def test_site_says_words_otherwise() -> None:
    config = parse_config(
        f'title = "Docs"\n[words.de-AT]\ntoc = "Inhalt"\n"search.count.many" = "{{count}} M"\n{LOCALES}'
    )
    words = site_words(config, "de-AT")
    assert (words["toc"], words["close"], words["search.count.many"]) == ("Inhalt", "Schließen", "{count} M")
    assert site_words(config, "ar")["toc"] == words_of("ar")["toc"]


def test_english_forms_stay_out_of_languages_without_them() -> None:
    config = parse_config('title = "Docs"\n[[locales]]\nid = "ja"\nlabel = "日本語"\n')
    assert "search.count.one" not in site_words(config, "ja")


def test_language_without_words_is_english_until_it_has_them() -> None:
    config = parse_config('title = "Docs"\n[[locales]]\nid = "nl"\nlabel = "Nederlands"\n[words.nl]\ntoc = "Inhoud"\n')
    assert site_words(config, "nl")["close"] == "Close"
    missing = missing_words(config, "nl")
    assert "toc" not in missing
    assert len(missing) == len(ENGLISH) - 1
    assert missing_words(config, "en") == []


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('[words.fr]\ntoc = "X"', 'octavo.toml:2: words.fr: the site has no language "fr"; it has de-AT, ar.'),
        ('[words.ar]\ntocs = "X"', 'octavo.toml:3: words.ar: the theme has no word "tocs". Did you mean "toc"?'),
        (
            '[words.ar]\n"diagram.failed" = "{eror}"',
            'octavo.toml:3: words.ar: "diagram.failed" has {eror}, for which there is no value. In English it is',
        ),
        ('[words.ar]\n"toc.few" = "X"', 'words.ar: the theme has no word "toc.few".'),
    ],
)
def test_mistake_names_line_and_remedy(lines: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(f'title = "Docs"\n{lines}\n{LOCALES}')
    assert message in str(caught.value)


ENGINE = Path(__file__).parents[3]
THEME = ENGINE / "theme/src"
NAMES_IN_ANY_LANGUAGE = {"Esc", "JSON", "Markdown"}
"""Of a key and of formats."""
LITERAL = re.compile(
    r"""(?:aria-label|title|placeholder|alt)="([^"{}]*[A-Za-z]{2}[^"{}]*)"|>\s*([A-Za-z][^<>{}=;()]*)</"""
)


def test_theme_has_no_text_outside_of_the_lists_of_words() -> None:
    found = [
        (path.name, text)
        for path in sorted(THEME.rglob("*.tsx"))
        for match in LITERAL.finditer(path.read_text(encoding="utf-8"))
        if (text := (match[1] or match[2]).strip()) not in NAMES_IN_ANY_LANGUAGE
    ]
    assert found == []


@pytest.mark.costly
def test_each_word_is_used() -> None:
    sources = (*THEME.rglob("*.ts*"), *(ENGINE / "src/octavo").rglob("*.py"))
    code = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    quoted = "\n".join(sorted({f'"{text}' for text in re.findall(r"[\"'`]([a-z][\w.-]*)", code)}))
    # Forms and parts are chosen by the beginning of their key.
    assert [key for key in ENGLISH if f'"{key}' not in quoted and not _has_beginning(key, code)] == []


def _has_beginning(key: str, code: str) -> bool:
    parts = key.split(".")
    return any(
        re.search(re.escape(".".join(parts[:size])) + r"(?:\.\$?\{|[\"'`])", code) for size in range(1, len(parts))
    )


@pytest.mark.parametrize(
    ("date", "written"),
    [
        ("2026-01-31", "Jan 31, 2026"),
        ("2026-12-05T10:00:00Z", "Dec 5, 2026"),
        ("2026-00-05", "2026-00-05"),
        ("2026-13-05", "2026-13-05"),
        ("yesterday", "yesterday"),
    ],
)
def test_dates_are_written_in_words_and_what_is_no_date_stays(date: str, written: str) -> None:
    assert format_date(date, words_of("en")) == written


def test_days_have_two_digits_where_months_are_numbers() -> None:
    months = "|".join(f"{number:02}" for number in range(1, 13))
    words = {"blog.months": months, "blog.date": "{day}.{month}.{year}"}
    assert format_date("2026-03-05", words) == "05.03.2026"


def test_values_are_put_into_words_and_names_without_one_stay() -> None:
    assert fill_word("{count} of {total}", count=3) == "3 of {total}"
    assert placeholders("{count} of {total}") == {"count", "total"}
