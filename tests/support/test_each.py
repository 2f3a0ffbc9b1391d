"""Many cases in one test: all of them run, and those that fail are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.each import each

SEEN: list[tuple[int, str]] = []


@each("number, text", [(1, "a"), (2, "b")])
def test_each_case_gets_its_values_and_the_fixtures(number: int, text: str, tmp_path: Path) -> None:
    assert tmp_path.is_dir()
    SEEN.append((number, text))


@each("text", "ab")
@each("number", [1, 2])
def test_two_lists_are_combined(number: int, text: str) -> None:
    SEEN.append((number, text))


def test_failing_cases_are_named_and_the_others_run() -> None:
    seen = []

    @each("number", [1, 2, 3, 4], ids=lambda number: f"number {number}")
    def is_odd(number: int) -> None:
        seen.append(number)
        assert number % 2

    with pytest.raises(ExceptionGroup, match=r"(?s)2 of 4 cases fail.case: number 2.case: number 4") as raised:
        is_odd()
    assert seen == [1, 2, 3, 4]
    assert [error.__notes__ for error in raised.value.exceptions] == [["case: number 2"], ["case: number 4"]]


def test_failing_cases_of_two_lists_are_named_with_the_values_of_both() -> None:
    @each("text", ["a", "b"])
    @each("number", [1, 2])
    def fails_once(number: int, text: str) -> None:
        assert (number, text) != (2, "b")

    with pytest.raises(ExceptionGroup, match=r"(?s)1 of 2 cases fail.case: 'b'") as raised:
        fails_once()
    inner = raised.value.exceptions[0]
    assert isinstance(inner, ExceptionGroup)
    assert inner.exceptions[0].__notes__ == ["case: 2"]


def test_list_without_cases_fails() -> None:
    @each("number", [])
    def passes(number: int) -> None: ...

    with pytest.raises(AssertionError, match="passes has no cases"):
        passes()


def test_case_that_is_skipped_says_so() -> None:
    @each("number", [1, 2])
    def skips(number: int) -> None:
        pytest.skip(f"{number} cannot run")

    with pytest.raises(AssertionError, match="a case cannot be skipped by itself: 1"):
        skips()
