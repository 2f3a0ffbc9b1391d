"""Queries of one to four words, as readers type them: with mistakes, with the last word unfinished."""

from __future__ import annotations

import random
import string
from collections.abc import Sequence

from octavo.search.index.record import Record
from octavo.search.text.tokens import make_stream

SEED = 4


def make_queries(records: Sequence[Record], count: int) -> list[str]:
    """Take neighbouring words of random records; a third has a typing mistake, a half ends in an unfinished word."""
    rng = random.Random(SEED)
    queries: list[str] = []
    while len(queries) < count:
        record = rng.choice(records)
        text = record.content or next(title for title in reversed(record.hierarchy) if title)
        words = [word for word in make_stream(text).parts if word.isalpha() and len(word) > 2]
        size = rng.randint(1, 4)
        if len(words) < size:
            continue
        start = rng.randint(0, len(words) - size)
        chosen = words[start : start + size]
        if rng.random() < 1 / 3:
            place = rng.randrange(size)
            chosen[place] = misspell(chosen[place], rng)
        if rng.random() < 1 / 2 and len(chosen[-1]) > 3:
            chosen[-1] = chosen[-1][: rng.randint(2, len(chosen[-1]) - 1)]
        queries.append(" ".join(chosen))
    return queries


def misspell(word: str, rng: random.Random) -> str:
    """Make one mistake in a word of four letters or more: a letter left out, added, replaced, or two swapped."""
    if len(word) < 4:
        return word
    place = rng.randrange(1, len(word) - 1)
    letter = rng.choice(string.ascii_lowercase)
    match rng.randrange(4):
        case 0:
            return word[:place] + word[place + 1 :]
        case 1:
            return word[:place] + letter + word[place:]
        case 2:
            return word[:place] + letter + word[place + 1 :]
        case _:
            return word[:place] + word[place + 1] + word[place] + word[place + 2 :]
