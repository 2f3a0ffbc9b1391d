"""Which words tell what a page is about: frequent in it, in its headings above all, and rare elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from heapq import nlargest

from octavo.search.index.record_text import CONTENT, NAME_MARK, Text
from octavo.search.text.stop_words import STOP_WORDS

MOST_WORDS = 16
_HEADING_TIMES = 4
_MOST_TIMES = 12
"""Occurrences of a word that count, so that one word in a long table is not all that a page is about."""


def telling_words(
    texts: Sequence[Text], frequency: Callable[[str], int], weight: Callable[[int], float]
) -> list[tuple[str, float]]:
    """Choose words of a page: (word, how telling it is).

    Args:
        texts: Its records.
        frequency: Records of the index that hold a word.
        weight: How rare a word is that so many records hold.
    """
    counts: Counter[str] = Counter()
    for text in texts:
        times = 1 if text.own == CONTENT else _HEADING_TIMES
        for token in text.lines[text.own].split():
            counts[token] += times
    valued = [
        (word, min(count, _MOST_TIMES) * weight(frequency(word)))
        for word, count in counts.items()
        if word != NAME_MARK and len(word) > 1 and word not in STOP_WORDS and not word.isdigit()
    ]
    return nlargest(MOST_WORDS, valued, key=lambda item: (item[1], item[0]))
