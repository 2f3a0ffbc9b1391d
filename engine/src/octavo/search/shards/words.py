"""The files of words, of their postings and of their endings."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from octavo.search.query.vocabulary import LONGEST_NEAR
from octavo.search.shards.files import Shards, cut, firsts_of, sizes_of
from octavo.search.shards.postings import write_postings
from octavo.search.shards.stored import Stored, StoredUnit
from octavo.search.text.stemming import stems_of

WORDS_BYTES, POSTINGS_BYTES, ENDINGS_BYTES = 1_200, 1_400, 4_000
"""Bytes of JSON of one file, roughly; brotli leaves a third to a half. A query needs one or two words of a file, and pays for the
others; smaller files make the root larger, which names all."""

SEPARATED = re.compile(r"^([^\W_]{2,})[-_./]([^\W_]{2}.*)$")
"""A word written apart, which is also looked for without its first separator."""


class WordFiles:
    """Writes the words of an index."""

    def __init__(self, shards: Shards, entries: Mapping[str, bytes | bytearray], stored: Stored) -> None:
        """Begin.

        Args:
            shards: The files.
            entries: Word → its postings; see `entry_line`.
            stored: The index before.
        """
        self._shards = shards
        self._entries = entries
        self._stored = stored
        before = stored.words.split("\n") if stored.words else []
        self._before = before
        self.words: list[str] = before if len(before) == len(entries) and all(map(entries.__contains__, before)) else sorted(entries)  # fmt: skip
        """All, sorted."""

    def write(self, changed: AbstractSet[str], languages: Sequence[str]) -> list[StoredUnit]:
        """Write words and postings.

        Args:
            changed: Words of which the entries are not those of the index before.
            languages: In which their stems are written down.
        """
        words = self.words
        is_same = words is self._before
        known = self._units_before() if list(languages) == self._stored.languages else {}
        if is_same:
            starts = [unit.start for unit in self._stored.units]
            apart: Mapping[int, str] = {place: unit.apart for place, unit in enumerate(self._stored.units)}
        else:
            starts = cut(words, [len(word) + 3 for word in words], WORDS_BYTES, is_anchored=True)
            apart = _apart_of(words, firsts_of(words, starts))
        units = []
        for place, (start, end) in enumerate(zip(starts, [*starts[1:], len(words)], strict=True)):
            chosen, separated = words[start:end], apart.get(place, "")
            unit = known.get(chosen[0])
            if unit is None or unit[0].apart != separated or unit[1] != chosen or not changed.isdisjoint(chosen):
                units.append(self._write_unit(start, chosen, separated, languages))
                continue
            self._shards.keep(unit[0].name + unit[0].postings)
            units.append(StoredUnit(start, separated, unit[0].name, unit[0].postings))
        return units

    def firsts(self, units: Sequence[StoredUnit]) -> list[str]:
        """List the first words of the files, cut."""
        return firsts_of(self.words, [unit.start for unit in units])

    def _units_before(self) -> dict[str, tuple[StoredUnit, list[str]]]:
        units, words = self._stored.units, self._before
        ends = [*(unit.start for unit in units[1:]), len(words)][: len(units)]
        return {words[unit.start]: (unit, words[unit.start : end]) for unit, end in zip(units, ends, strict=True)}

    def _write_unit(self, start: int, words: Sequence[str], apart: str, languages: Sequence[str]) -> StoredUnit:
        written = [write_postings(bytes(self._entries[word])) for word in words]
        starts = cut(words, [len(one.text) + 1 for one in written], POSTINGS_BYTES)
        postings = "".join(
            self._shards.add("\n".join([one.text for one in written[first:end]]))
            for first, end in zip(starts, [*starts[1:], len(words)], strict=True)
        )
        # Texts alone: half of all words are in one record, which is left out here, and names of fields would be in each file.
        content = [
            "\n".join(words),
            ",".join(["" if one.frequency == 1 else str(one.frequency) for one in written]),
            ",".join(map(str, sizes_of(starts))),
            postings,
            apart,
            *[
                "\n".join(stems_of(words, language)) for language in languages
            ],  # the browser knows those of English words
        ]
        return StoredUnit(start, apart, self._shards.add(content), postings)

    def write_endings(self) -> tuple[list[str], str]:
        """Write the plain words read backwards, for those whose beginning is misspelt: (first words of the files, names)."""
        if self.words is self._before:
            self._shards.keep(self._stored.endings[1])
            return self._stored.endings
        plain = sorted([word[::-1] for word in self.words if word.isalnum() and len(word) <= LONGEST_NEAR])
        starts = cut(plain, [len(word) + 1 for word in plain], ENDINGS_BYTES)
        ends = [*starts[1:], len(plain)]
        names = [self._shards.add("\n".join(plain[start:end])) for start, end in zip(starts, ends, strict=True)]
        return firsts_of(plain, starts), "".join(names)


def _apart_of(words: Sequence[str], firsts: Sequence[str]) -> Mapping[int, str]:
    """Find the words written apart: place of the file in which each would be without its separator → words, one a line."""
    apart: dict[int, list[str]] = {}
    for word in words:
        match = SEPARATED.match(word)
        if match is not None:
            place = max(0, bisect_right(firsts, match[1] + match[2]) - 1)
            apart.setdefault(place, []).append(word)
    return {place: "\n".join(found) for place, found in apart.items()}
