"""Text is measured and broken as a font sets it."""

from __future__ import annotations

import pytest

from octavo.diagrams.measure import Run, is_bold, line_width, text_width, wrap


def test_width_is_that_of_the_letters():
    assert text_width("iii", 16) < text_width("WWW", 16) / 3
    assert text_width("Model", 32) == pytest.approx(2 * text_width("Model", 16))
    assert text_width("Model", 16) == pytest.approx(47.0, abs=2)


def test_bold_text_is_wider():
    assert text_width("Gateway", 16, is_bold=True) > text_width("Gateway", 16)


@pytest.mark.parametrize(("text", "ems"), [("中文", 2.0), ("e\u0301", text_width("e", 1)), ("\u200b", 0.0)])
def test_characters_that_the_table_lacks_have_the_width_of_their_kind(text: str, ems: float):
    assert text_width(text, 10) == pytest.approx(10 * ems, abs=0.5)


@pytest.mark.parametrize(
    ("weight", "bold"), [(None, False), ("400", False), ("600", True), ("bold", True), ("normal", False)]
)
def test_weights(weight: str | None, *, bold: bool):
    assert is_bold(weight) is bold


def test_lines_are_broken_between_words_only():
    lines = wrap([[Run("one two three four")]], 16, text_width("one two ", 16))
    assert ["".join(run.text for run in line) for line in lines] == ["one two", "three", "four"]


def test_a_word_wider_than_the_line_stays_whole():
    lines = wrap([[Run("a incomprehensibilities b")]], 16, 30)
    assert [line[0].text for line in lines] == ["a", "incomprehensibilities", "b"]


def test_styles_of_a_line_survive_its_breaks():
    lines = wrap([[Run("plain "), Run("bold words", is_bold=True)]], 16, text_width("plain bold ", 16, is_bold=True))
    assert lines == [[Run("plain "), Run("bold", is_bold=True)], [Run("words", is_bold=True)]]


def test_every_line_fits():
    text = "A label that is long enough to be broken over several lines by the renderer"
    assert all(line_width(line, 16) <= 120 for line in wrap([[Run(text)]], 16, 120))


def test_a_line_is_broken_where_the_style_changes_behind_a_space():
    lines = wrap([[Run("calls back to "), Run("ListenerOfEvents", is_slanted=True)]], 16, 120)
    assert ["".join(run.text for run in line).strip() for line in lines] == ["calls back to", "ListenerOfEvents"]


def test_a_line_is_broken_behind_hyphens_of_words_and_not_of_numbers_and_signs():
    lines = wrap([[Run("topology-information-refresh -5 x-1")]], 16, 90)
    assert ["".join(run.text for run in line) for line in lines] == ["topology-", "information-", "refresh -5", "x-1"]
