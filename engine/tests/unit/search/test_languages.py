"""One site in many languages: a reader finds the page of a language by the words and forms that they would type.

The pages say that they are in English, as those of a site without locales do; nothing but their letters and words tells
their language.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from octavo.search.query.vocabulary import COMPOUND, EXACT, PREFIX, Vocabulary
from tests.support.each import each

from .conftest import Index, records

FOLDER = Path(__file__).parent / "languages"
MOST_FAILURES = 5


def rows(name: str) -> list[list[str]]:
    return [line.split("\t") for line in (FOLDER / name).read_text(encoding="utf-8").splitlines() if line]


PROBES = [(language, query) for language, query in rows("probes.tsv")]

FURTHER = [(language, query) for language, query in rows("probes_2.tsv")]
"""Written before any of them was asked: other languages, inflected and joined words, other letters."""

NEWEST = [(language, query) for language, query in rows("probes_3.tsv")]
"""Written later, and before any of them was asked: further languages, and words of other subjects."""

UNSAID = {("de", "Verzeichnis"), ("de", "Datum"), ("sv", "mappar"), ("tr", "bildirimler")}
"""Found only where the pages say their language: so few sentences do not tell it."""

NOT_FOUND = {("de", "Administrator"), ("nl", "groep"), ("es", "permiso")}
"""Found in one way of the two only, or in none: Administrator is a whole word of four other languages, three Dutch
sentences do not tell their language, and Portuguese and Romanian write a word that Spanish readers mean as well."""


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    pages = [records(title, "\n".join(texts), section=language) for language, title, *texts in rows("pages.tsv")]
    return Index(tmp_path_factory.mktemp("languages") / "index", pages)


@pytest.fixture(scope="module", params=[False, True], ids=["one language", "languages said"])
def further(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Index:
    pages = [
        records(title, "\n".join(texts), section=language, language=language if request.param else "en")
        for language, title, *texts in rows("pages_2.tsv")
    ]
    return Index(tmp_path_factory.mktemp("further") / "index", pages)


@pytest.fixture(scope="module", params=[False, True], ids=["one language", "languages said"])
def newest(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Index, bool]:
    is_said = bool(request.param)
    pages = [
        records(title, "\n".join(texts), section=language, language=language if is_said else "en")
        for language, title, *texts in rows("pages_3.tsv")
    ]
    return Index(tmp_path_factory.mktemp("newest") / "index", pages), is_said


def is_found(index: Index, language: str, query: str, **parameters: object) -> bool:
    """Return whether one of the first three hits is of the language's page."""
    return language in [hit["section"] for hit in index.answer(query, **parameters)["hits"][:3]]


def test_there_are_probes_of_many_languages() -> None:
    assert len(PROBES) >= 72
    assert len({language for language, _ in PROBES}) >= 12


@pytest.mark.costly
def test_nearly_all_probes_find_their_page(index: Index) -> None:
    failures = [f"{language} {query}" for language, query in PROBES if not is_found(index, language, query)]
    assert len(failures) <= MOST_FAILURES, failures


@pytest.mark.costly
@each(("language", "query"), [probe for probe in FURTHER if probe not in NOT_FOUND])
def test_a_further_probe_finds_its_page(further: Index, language: str, query: str) -> None:
    assert is_found(further, language, query)


@pytest.mark.parametrize("further", [True], indirect=True, ids=["languages said"])
@pytest.mark.parametrize(
    ("language", "query"),
    [
        ("pl", "użytkownika"), ("pl", "uprawnień"), ("pl", "dziennikiem"), ("pl", "zapasowych"), ("cs", "uživatelem"),
        ("cs", "zálohami"), ("cs", "správci"), ("cs", "žurnálem"), ("hi", "फ़ाइलें"), ("hi", "व्यवस्थापकों"), ("hi", "सत्रों"),
        ("hi", "अनुमतियों"),
    ],
)  # fmt: skip
def test_typed_inflection_that_no_page_holds_finds_its_page(further: Index, language: str, query: str) -> None:
    """Written before any was asked. Three sentences do not tell Polish or Czech by small words, so pages must say it."""
    assert is_found(further, language, query)


@pytest.mark.parametrize(("language", "query"), NEWEST)
def test_a_probe_of_other_subjects_finds_its_page(newest: tuple[Index, bool], language: str, query: str) -> None:
    index, is_said = newest
    if is_said or (language, query) not in UNSAID:
        assert is_found(index, language, query)


def test_few_further_probes_are_left_out() -> None:
    assert len(FURTHER) >= 130
    assert len(NOT_FOUND) * 72 <= MOST_FAILURES * len(FURTHER)


@each("query", [query for language, query in PROBES if language in ("de", "fr", "ja", "ko")])
def test_decomposed_letters_find_what_composed_ones_do(index: Index, query: str) -> None:
    decomposed = unicodedata.normalize("NFD", query)
    composed = index.answer(query)["hits"]
    assert [hit["objectID"] for hit in index.answer(decomposed)["hits"]] == [hit["objectID"] for hit in composed]


@pytest.mark.parametrize(
    ("query", "marked"),
    [
        ("数据库", "<em>数据库</em>"),
        ("接続", "<em>接続</em>"),
        ("비밀번호", "<em>비밀번호</em>"),
        ("รหัสผ่าน", "<em>รหัสผ่าน</em>"),
        ("oeuvre", "<em>œuvre</em>"),
    ],
)
def test_what_was_found_is_marked_as_a_whole(index: Index, query: str, marked: str) -> None:
    (value, *_) = [hit["_highlightResult"]["content"].value for hit in index.answer(query)["hits"] if hit["content"]]
    assert marked in value


def test_a_snippet_of_a_text_without_spaces_is_short(tmp_path: Path) -> None:
    text = "日本語の長い文章です。" * 60 + "密码" + "続きの文章です。" * 60
    index = Index(tmp_path / "long", [records("長い", text)])
    (hit,) = [hit for hit in index.answer("密码", attributesToSnippet=["content:10"])["hits"] if hit["content"]]
    snippet = hit["_snippetResult"]["content"].value
    assert "<em>密码</em>" in snippet
    assert len(snippet) < 150


def test_all_of_a_long_text_without_spaces_is_found(tmp_path: Path) -> None:
    index = Index(tmp_path / "long", [records("長い", "日本語の長い文章です。" * 60 + "密码")])
    assert index.answer("密码")["nbHits"] == 1


def test_another_letter_than_those_of_a_word_is_not_found(index: Index) -> None:
    assert index.answer("数学", typoTolerance=False)["nbHits"] == 0
    assert index.answer("빌드", typoTolerance=False)["nbHits"] == 0


def test_word_that_begins_with_a_typed_one_counts_once_where_it_is_a_compound_of_it_too() -> None:
    frequencies = {"fenster": 4, "fensterglas": 3, "kellerfenster": 2}
    meanings = Vocabulary(frequencies, ["de"]).meanings("fenster", is_prefix=True, has_forms=True)
    assert meanings.tokens == {EXACT: ["fenster"], PREFIX: ["fensterglas"], COMPOUND: ["kellerfenster"]}
    assert meanings.frequency == 4 + 3 + 2
