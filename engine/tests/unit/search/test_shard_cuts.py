"""Where lists of words are cut into files: a new word must leave most files as they were."""

from __future__ import annotations

import random
import statistics
from itertools import pairwise

import pytest

from octavo.search.shards.files import cut

WANTED = 1_200


def stretches(words: list[str], *, is_anchored: bool = True) -> set[tuple[str, ...]]:
    starts = cut(words, [len(word) + 3 for word in words], WANTED, is_anchored=is_anchored)
    return {tuple(words[start:end]) for start, end in pairwise([*starts, len(words)])}


def made(rng: random.Random, count: int) -> list[str]:
    return sorted({"".join(rng.choices("etaoinshr", k=rng.randint(4, 12))) for _ in range(count)})


@pytest.mark.costly
def test_new_word_changes_the_files_beside_it() -> None:
    rng = random.Random(5)
    changed = []
    for _ in range(40):
        words = made(rng, 6_000)
        before = stretches(words)
        changed.append(len(stretches(sorted({*words, *made(rng, 1)})) - before))
    assert statistics.mean(changed) < 2.5
    assert max(changed) <= 20


def test_files_are_about_as_large_as_wanted() -> None:
    words = made(random.Random(6), 6_000)
    sizes = [sum(len(word) + 3 for word in stretch) for stretch in stretches(words)]
    assert WANTED * 0.8 < statistics.mean(sizes) < WANTED * 1.1
    assert max(sizes) <= 2 * WANTED


def test_files_without_anchors_are_cut_before_chosen_words_too() -> None:
    rng = random.Random(7)
    words = made(rng, 3_000)
    before = stretches(words, is_anchored=False)
    sizes = [sum(len(word) + 3 for word in stretch) for stretch in before]
    assert WANTED < statistics.mean(sizes) < WANTED * 1.3
    changed = [len(stretches(sorted({*words, *made(rng, 1)}), is_anchored=False) - before) for _ in range(5)]
    assert statistics.mean(changed) < 4


def test_nothing_is_cut_from_nothing() -> None:
    assert cut([], [], WANTED) == []
