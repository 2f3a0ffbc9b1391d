"""How alike two descriptions are: hashed word n-grams and the cosine between them.

The vector of a text counts its words (endings cut off, words without meaning left out), pairs of neighbouring words,
and pieces of three letters, each with a weight, folded into 512 numbers by a stable hash and scaled to length 1. It
needs no model, and is the same on every machine. `apis/tests/contract/gateway/persona_pairs.json` holds pairs of
descriptions that people would call the same or different; the threshold lies between them.
"""

from __future__ import annotations

import array
import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from operator import mul

DIMENSIONS = 512
THRESHOLD = 0.7
"""Cosine from which two descriptions count as the same, 0.0 to 1.0; the contract's distance of 0.3."""

_WORD = re.compile(r"\w+")
_EMPTY_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "by",
        "for",
        "from",
        "has",
        "have",
        "in",
        "into",
        "is",
        "it",
        "its",
        "of",
        "on",
        "or",
        "our",
        "that",
        "the",
        "their",
        "them",
        "they",
        "this",
        "to",
        "was",
        "who",
        "whom",
        "whose",
        "will",
        "with",
        "you",
        "your",
        "i",
        "we",
        "he",
        "she",
    ]
)
_ENDINGS = ("ations", "ation", "ings", "ing", "ers", "ies", "ed", "er", "es", "s", "e")
_SHORTEST_STEM = 3
_WORD_WEIGHT, _PAIR_WEIGHT, _PIECE_WEIGHT = 1.0, 0.4, 0.25


def vector_of(text: str) -> bytes:
    """Make the vector of a text: 512 floats of 4 bytes, length 1, or all zero where the text has no words."""
    sums = [0.0] * DIMENSIONS
    for feature, weight in _features(text):
        digest = hashlib.blake2b(feature.encode(), digest_size=8).digest()
        # The sign lets features that share a number cancel out instead of adding up.
        sums[int.from_bytes(digest[:4], "little") % DIMENSIONS] += weight if digest[4] & 1 else -weight
    length = math.sqrt(sum(map(mul, sums, sums)))
    return array.array("f", [value / length for value in sums] if length else sums).tobytes()


class Likeness:
    """Compares one vector with many: only its numbers other than 0 are read, some 50 of 512."""

    def __init__(self, vector: bytes) -> None:
        values = memoryview(vector).cast("f")
        self._places = [place for place in range(DIMENSIONS) if values[place]]
        self._values = [values[place] for place in self._places]

    def to(self, other: bytes) -> float:
        """Compare with another vector: 1.0 says the same, 0.0 has nothing in common."""
        values = memoryview(other).cast("f")
        return math.fsum(map(mul, self._values, map(values.__getitem__, self._places)))


def cosine(one: bytes, other: bytes) -> float:
    """Compare two vectors: 1.0 says the same, 0.0 has nothing in common."""
    return Likeness(one).to(other)


def _features(text: str) -> Iterator[tuple[str, float]]:
    stems = [_stem(word) for word in _WORD.findall(text.lower()) if word not in _EMPTY_WORDS]
    counts = Counter(stems)
    for stem, count in counts.items():
        # A word said twice weighs more, but not twice as much.
        yield f"w:{stem}", _WORD_WEIGHT * math.sqrt(count)
        for start in range(len(stem) - 2):
            yield f"p:{stem[start : start + 3]}", _PIECE_WEIGHT
    for pair in pairwise(stems):
        yield f"n:{' '.join(pair)}", _PAIR_WEIGHT


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word.removesuffix(ending)
    return word
