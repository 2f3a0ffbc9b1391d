"""The files of words, of their postings and of their endings."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Mapping, Sequence

from octavo.lazy import regex as re
from octavo.search.query.vocabulary import LONGEST_NEAR
from octavo.search.shards.entries import Entries, with_and_without
from octavo.search.shards.files import NAME_LETTERS, Shards, cut, firsts_of, recut, sizes_of, stretches
from octavo.search.shards.page_words import NAMED
from octavo.search.shards.postings import Written, write_postings
from octavo.search.shards.stored import Stored, StoredEndings, StoredUnit
from octavo.search.text.stemming import stems_of

WORDS_BYTES, POSTINGS_BYTES, ENDINGS_BYTES = 1_200, 1_400, 4_000
"""Bytes of JSON of one file, roughly; brotli leaves a third to a half. A query needs one or two words of a file, and pays for the
others; smaller files make the root larger, which names all."""

MOST_IN_ROOT, LIST_FILES = 120, 24
"""Files of words that the root names itself; with more, about so many of them share a list, and the root names the lists."""

NO_STEM, WHOLE_STEM = "~", "="
"""What is written for a word that has no forms in a language, and before a stem that has little in common with its word."""

_CUT_LETTERS = 26

SEPARATED = re.compile(r"^([^\W_]{2,})[-_./]([^\W_]{2}.*)$")
"""A word written apart, which is also looked for without its first separator."""


class WordFiles:
    """Writes the words of an index."""

    def __init__(self, shards: Shards, entries: Entries, stored: Stored, common: int) -> None:
        """Begin.

        Args:
            shards: The files.
            entries: Word → its postings; see `entry_line`.
            stored: The index before.
            common: Records from which a word is common; where it was another number, all postings are written anew.
        """
        self._shards = shards
        self._entries = entries
        self._stored = stored
        self._common = common
        self._is_as_common = common == stored.common
        self._touched = entries.touched()
        self.words = entries.words(self._touched)
        """All, sorted."""
        self._starts_before = [unit.start for unit in stored.units]
        self._firsts_before = [entries.before[start] for start in self._starts_before]
        self._written_before: dict[int, Mapping[str, Written]] = {}

    def write(self, languages: Sequence[str]) -> tuple[list[StoredUnit], list[int]]:
        """Write words and postings.

        Args:
            languages: In which their stems are written down.

        Returns:
            (files of words, number of the entries of each).
        """
        words, entries = self.words, self._entries
        starts = recut(words, _size_of_word, WORDS_BYTES, self._firsts_before, self._touched, is_anchored=True)
        apart = self._apart(starts)
        is_alike = self._is_as_common and list(languages) == self._stored.languages
        places = {word: place for place, word in enumerate(self._firsts_before)}
        units, numbers = [], []
        for place, (start, end) in enumerate(stretches(starts, len(words))):
            chosen, separated = words[start:end], apart.get(place, "")
            before = places.get(chosen[0])
            is_same = before is not None and not entries.is_changed(chosen) and chosen == self._words_before(before)
            numbers.append(self._stored.entries[before] if is_same and before is not None else entries.save(chosen))
            unit = self._stored.units[before] if is_same and is_alike and before is not None else None
            if unit is None or unit.apart != separated:
                units.append(self._write_unit(start, chosen, separated, languages))
                continue
            self._shards.keep(unit.postings + unit.name)  # in the order in which they are written
            units.append(StoredUnit(start, separated, unit.name, unit.postings))
        return units, numbers

    def write_lists(self, units: Sequence[StoredUnit]) -> Mapping[str, object]:
        """Write which files of words there are, for the root: where they are many, in lists of which a browser loads one for each word."""
        firsts = firsts_of(self.words, [unit.start for unit in units])
        names = [unit.name for unit in units]
        if len(units) <= MOST_IN_ROOT:
            return {"first": firsts, "names": "".join(names), "isListed": False}
        starts = cut(firsts, [1] * len(firsts), LIST_FILES)
        lists = [
            self._shards.add(["\n".join(firsts[start:end]), "".join(names[start:end])])
            for start, end in stretches(starts, len(firsts))
        ]
        return {"first": [firsts[start] for start in starts], "names": "".join(lists), "isListed": True}

    def _words_before(self, place: int) -> Sequence[str]:
        ends = self._starts_before
        end = ends[place + 1] if place + 1 < len(ends) else len(self._entries.before)
        return self._entries.before[ends[place] : end]

    def _apart(self, starts: Sequence[int]) -> Mapping[int, str]:
        """Find the words written apart: place of the file in which each would be without its separator → words, one a line."""
        firsts = firsts_of(self.words, starts)
        known = [unit.apart.split("\n") if unit.apart else [] for unit in self._stored.units]
        if firsts == firsts_of(self._entries.before, self._starts_before):
            apart = dict(enumerate(known))
            for word in self._touched:
                if (place := _place_apart(word, firsts)) is None:
                    continue
                if word in self._entries:
                    insort(apart[place], word)
                else:
                    apart[place].remove(word)
        else:
            fresh = [word for word in self._touched if word in self._entries]
            kept = [word for some in known for word in some if word in self._entries]
            apart = {}
            for word in sorted([*kept, *fresh]):
                if (place := _place_apart(word, firsts)) is not None:
                    apart.setdefault(place, []).append(word)
        return {place: "\n".join(found) for place, found in apart.items()}

    def _write_unit(self, start: int, words: Sequence[str], apart: str, languages: Sequence[str]) -> StoredUnit:
        written = [self._written(word) for word in words]
        starts = cut(words, [len(one.text) + 1 for one in written], POSTINGS_BYTES)
        postings = "".join(
            self._shards.add("\n".join([one.text for one in written[first:end]]))
            for first, end in stretches(starts, len(words))
        )
        # Texts alone: half of all words are in one record, which is left out here, and names of fields would be in each file.
        content = [
            "\n".join(words),
            ",".join(["" if one.frequency == 1 else str(one.frequency) for one in written]),
            ",".join(map(str, sizes_of(starts))),
            postings,
            apart.replace(NAMED, ""),
        ]
        if languages:  # the browser knows the stems of English words
            columns = [stems_of(words, language) for language in languages]
            content.append("\n".join(map(write_stems, words, zip(*columns, strict=True))))
        return StoredUnit(start, apart, self._shards.add(content), postings)

    def _written(self, word: str) -> Written:
        """Write the postings of a word; those that have not changed are read where they were written."""
        if self._entries.differs(word) or not self._is_as_common:
            return write_postings(self._entries.get(word), self._common)
        place = max(0, bisect_right(self._firsts_before, word) - 1)
        known = self._written_before.get(place)
        if known is None:
            known = self._written_before[place] = self._read_unit(self._stored.units[place])
        return known[word]

    def _read_unit(self, unit: StoredUnit) -> Mapping[str, Written]:
        words, frequencies, *_ = self._shards.read(unit.name)
        names = [unit.postings[at : at + NAME_LETTERS] for at in range(0, len(unit.postings), NAME_LETTERS)]
        texts = [text for name in names for text in self._shards.read(name).split("\n")]
        numbers = [int(number or 1) for number in frequencies.split(",")]
        return {
            word: Written(text, number) for word, text, number in zip(words.split("\n"), texts, numbers, strict=True)
        }

    def write_endings(self) -> StoredEndings:
        """Write the plain words reversed, to find words whose first letters are misspelt."""
        before = self._stored.endings
        plain_before = before.words.split("\n") if before.words else []
        touched = sorted([word[::-1] for word in self._touched if word.isalnum() and len(word) <= LONGEST_NEAR])
        if not touched:
            self._shards.keep(before.names)
            return before
        plain = with_and_without(plain_before, touched)
        firsts = [plain_before[start] for start in before.starts]
        starts = recut(plain, _size_of_ending, ENDINGS_BYTES, firsts, touched)
        known = {
            plain_before[start]: (plain_before[start:end], before.names[place * NAME_LETTERS : (place + 1) * NAME_LETTERS])
            for place, (start, end) in enumerate(stretches(before.starts, len(plain_before)))
        }  # fmt: skip
        names = []
        for start, end in stretches(starts, len(plain)):
            chosen = plain[start:end]
            same, name = known.get(chosen[0], ([], ""))
            if same == chosen:
                self._shards.keep(name)
            else:
                name = self._shards.add("\n".join(chosen))
            names.append(name)
        return StoredEndings("\n".join(plain), starts, "".join(names))

    @staticmethod
    def firsts_of_endings(endings: StoredEndings) -> list[str]:
        """List the first words of the files of endings, cut."""
        return firsts_of(endings.words.split("\n") if endings.words else [], endings.starts)


def write_stems(word: str, stems: Sequence[str]) -> str:
    """Write the stems of a word, one of each language: how many letters each leaves out at the end, as a letter from A, and what it adds.

    If all are equal, one stands for them. Whole stems of all words were half of a file.
    """
    codes = [_stem_code(word, stem) for stem in stems]
    return codes[0] if len(set(codes)) == 1 else "".join(codes)


def _stem_code(word: str, stem: str) -> str:
    if not stem:
        return NO_STEM
    same = next((place for place, (one, other) in enumerate(zip(word, stem, strict=False)) if one != other), None)
    same = min(len(word), len(stem)) if same is None else same
    cut = len(word) - same
    if cut >= _CUT_LETTERS or max(word) > "\uffff":  # a browser counts such a letter as two
        return WHOLE_STEM + stem
    return chr(ord("A") + cut) + stem[same:]


def _size_of_word(word: str) -> int:
    return len(word) + 3


def _size_of_ending(word: str) -> int:
    return len(word) + 1


def _place_apart(word: str, firsts: Sequence[str]) -> int | None:
    """Find the file of words with a sign in which a word written apart would be without its separator; None for other words."""
    match = SEPARATED.match(word.removeprefix(NAMED))
    return max(0, bisect_right(firsts, NAMED + match[1] + match[2]) - 1) if match is not None else None
