from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from octavo.search.text.distance import begins_within, within

words = st.text("abc", max_size=7)


def reference(first: str, second: str) -> int:
    """Optimal string alignment distance, by its definition."""
    table = [[max(i, j) if not i * j else 0 for j in range(len(second) + 1)] for i in range(len(first) + 1)]
    for i in range(1, len(first) + 1):
        for j in range(1, len(second) + 1):
            cost = int(first[i - 1] != second[j - 1])
            table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + cost)
            if i > 1 and j > 1 and first[i - 1] == second[j - 2] and first[i - 2] == second[j - 1]:
                table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
    return table[-1][-1]


@given(words, words)
def test_within_agrees_with_the_definition_for_one_mistake(first: str, second: str) -> None:
    assert within(first, second, 1) == (reference(first, second) <= 1)


@given(words, words)
def test_within_agrees_with_the_definition_for_two_mistakes(first: str, second: str) -> None:
    assert within(first, second, 2) == (reference(first, second) <= 2)


def test_unfinished_misspelt_word_is_recognised() -> None:
    assert begins_within("configuration", "confgur", 1)
    assert not begins_within("configuration", "cnfgur", 1)


def test_every_single_mistake_is_recognised() -> None:
    rng = random.Random(1)
    for _ in range(200):
        place, letter = rng.randrange(8), rng.choice("xyz")
        assert within("workspac"[:place] + letter + "workspac"[place:], "workspac", 1)


@given(words, words, st.integers(0, 2))
def test_beginnings_agree_with_the_definition(text: str, beginning: str, limit: int) -> None:
    nearest = min(reference(text[:cut], beginning) for cut in range(len(text) + 1))

    assert begins_within(text, beginning, limit) == (nearest <= limit)


@given(words, words, st.integers(0, 2))
def test_beginning_is_near_if_some_beginning_of_the_text_is(text: str, beginning: str, limit: int) -> None:
    nearest = min(reference(text[:size], beginning) for size in range(len(text) + 1))
    assert begins_within(text, beginning, limit) == (nearest <= limit)
