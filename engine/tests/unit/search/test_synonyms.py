"""What means the same is found by either word, and said where it is marked."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from engine.tests.unit.search.conftest import SETTINGS, Index, records

GIVEN = {"faq": ["frequently asked questions"], "oven": ["kiln"]}
PAGES = {
    "Frequently asked questions": "Of potters.",
    "Kiln": "Asked about frequently.",
    "Glazes": "More in the FAQ.",
}


def make(folder: Path, synonyms: dict[str, list[str]]) -> Index:
    pages = [records(title, body) for title, body in PAGES.items()]
    return Index(folder / "index", pages, msgspec.structs.replace(SETTINGS, synonyms=synonyms))


@pytest.fixture
def index(tmp_path: Path) -> Index:
    return make(tmp_path, GIVEN)


def test_word_finds_the_phrase_that_it_stands_for(index: Index) -> None:
    assert set(index.found("faq")) == {"More in the FAQ.", "Frequently asked questions"}


def test_nothing_is_found_by_a_part_of_the_phrase(index: Index) -> None:
    assert "Asked about frequently." not in index.found("faq")


def test_phrase_finds_the_word_that_stands_for_it(index: Index) -> None:
    found = index.found("frequently asked questions ", removeWordsIfNoResults="none")
    assert set(found) == {"Frequently asked questions", "More in the FAQ."}


def test_other_forms_of_a_word_have_its_synonyms(index: Index) -> None:
    assert set(index.found("FAQs")) == {"More in the FAQ.", "Frequently asked questions"}


@pytest.mark.parametrize(("typed", "title"), [("oven", "Kiln"), ("oven asked", "Asked about frequently.")])
def test_word_finds_the_word_that_means_the_same(index: Index, typed: str, title: str) -> None:
    assert title in index.found(typed)


def test_quoted_word_is_looked_for_as_it_is_typed(index: Index) -> None:
    assert index.found('"faq"', advancedSyntax=True) == ["More in the FAQ."]


def test_words_of_the_phrase_are_marked(index: Index) -> None:
    hits = index.answer("faq")["hits"]
    (hit,) = [hit for hit in hits if hit["content"] is None]
    marked = hit["_highlightResult"]["hierarchy"]["lvl1"]
    assert marked.value == "<em>Frequently</em> <em>asked</em> <em>questions</em>"
    assert (marked.match_level, marked.matched_words) == ("full", ["faq"])


def test_site_without_synonyms_takes_words_as_they_are(tmp_path: Path) -> None:
    assert make(tmp_path, {}).found("faq") == ["More in the FAQ."]


def test_phrase_finds_a_phrase_that_means_the_same(tmp_path: Path) -> None:
    given = {"questions of potters": ["asked about frequently"], "データベース": ["数据库"]}
    index = make(tmp_path, given)
    assert "Asked about frequently." in index.found("questions of potters", removeWordsIfNoResults="none")
    assert "Of potters." in index.found("asked about frequently", removeWordsIfNoResults="none")
    pages = [records("数据库", "连接。"), records("窑", "火。")]
    own = Index(tmp_path / "other", pages, msgspec.structs.replace(SETTINGS, synonyms=given))
    assert own.found("データベース", removeWordsIfNoResults="none") == ["数据库"]
