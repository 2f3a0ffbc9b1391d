"""`export_shards`: a finished index as static files.

What a browser loads for a query: the root once, the words that begin as the typed ones do, their postings, the outline
of pages whose headings match, and the texts that it shows. Only a record's own words are in the postings;
words of the headings above it are found through these headings, each of which names how many headings are below it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from octavo.search.index.record import Record
from octavo.search.index.record_text import CONTENT, Text
from octavo.search.index.tantivy_index import IndexReader
from octavo.search.query.synonyms import tokens_of_phrase
from octavo.search.query.vocabulary import LONGEST_NEAR
from octavo.search.shards.files import FORMAT, Shards, cut, firsts_of, sizes_of
from octavo.search.shards.page_numbers import GROUP, number_pages
from octavo.search.shards.page_words import PageWords, digest_of, words_of_page
from octavo.search.shards.postings import Postings, write_letters
from octavo.search.shards.texts import texts_of
from octavo.search.text.stemming import COMPOUNDING, languages_of, stems_of

WORDS_BYTES, POSTINGS_BYTES, ENDINGS_BYTES = 1_200, 1_400, 4_000
"""Bytes of JSON of one file, roughly; brotli leaves a third to a half. A query needs one or two words of a file, and pays for the
others; smaller files make the root larger, which names all."""

VERSION_NUMBERS = 16
"""Numbers of pages, a quarter of them in use, whose texts have the same letters of version in the names of their files:
the root names those of all pages."""

_READ_WORDS = msgspec.msgpack.Decoder(PageWords)

HEADING = 1 << 16
"""Number of a record: its heading times this, and for a text its place below the heading, from 1."""


def export_shards(reader: IndexReader) -> tuple[str, Mapping[str, bytes]]:
    """Write an index as static files.

    Returns:
        (name of the root, path in the published folder → content).
    """
    return _Export(reader).files()


SEPARATED = re.compile(r"^([^\W_]{2,})[-_./]([^\W_]{2}.*)$")
"""A word written apart, which is also looked for without its first separator."""


class _Export:
    def __init__(self, reader: IndexReader) -> None:
        self._reader = reader
        self._shards = Shards()
        self._postings: dict[str, Postings] = {}
        # The native index still counts the records that a later build has removed: these numbers would be of its history.
        self._frequencies: Counter[str] = Counter()
        self._spoken: set[str] = set()
        self._norms: list[int] = []
        self._tokens = 0
        self._texts: dict[int, dict[int, Mapping[str, object]]] = {}
        self._outlines: dict[int, dict[str, list[int]]] = {}
        self._combinations: dict[tuple[object, ...], int] = {}
        self._combination_of: list[int] = []
        self._places: dict[str, tuple[int, int]] = {}
        """Address → (place of its page in the root, record) of its title or heading."""
        self._words_by_version: dict[bytes, bytes] = {}
        """Hash of what a page of a version says → its words, as MessagePack: as objects, those of 1,000 pages take 200 MB."""

    def files(self) -> tuple[str, Mapping[str, bytes]]:
        groups = number_pages(self._reader.page_addresses())
        numbers = [group * GROUP + number for group, members in groups for number in members]
        for place, page in enumerate(self._reader.pages()):
            self._add_page(place, numbers[place], page)
        words = sorted(self._postings)
        languages = languages_of(sorted(self._spoken), self._postings)
        vocabulary = self._write_words(words, [one for one in languages if one != "en"])
        root = {
            "format": FORMAT,
            "records": self._reader.size,
            "pageTokens": self._tokens,
            "pages": [[group, write_letters(members)] for group, members in groups],
            "words": vocabulary,
            "endings": self._write_endings(words),
            "outlines": "".join(self._shards.add(self._outlines[group]) for group, _ in groups),
            "texts": "".join(self._shards.add_series(pages) for _, pages in sorted(self._texts.items())),
            "norms": write_letters(self._norms),
            "combinations": list(self._combinations),
            "combinationOf": self._combination_of,
            "languages": languages,
            "compounding": [language for language in languages if language in COMPOUNDING],
            **self._settings(),
        }
        return self._shards.add(root), self._shards.files

    def _add_page(self, place: int, number: int, page: Sequence[tuple[Record, Text]]) -> None:
        first = page[0][0]
        if first.language:
            self._spoken.add(first.language)
        words = self._words_of(page)
        self._frequencies.update(words.frequencies)
        for token, rows in words.rows.items():
            self._postings.setdefault(token, Postings()).add(number, rows)
        headings = (record for record, text in page if text.own != CONTENT)
        for heading, record in enumerate(headings):
            self._places.setdefault(record.url, (place, heading * HEADING))
        combination = (
            first.language, first.version, first.tag, first.section, first.hierarchy[0], first.kind,
            first.weight.page_rank,
        )  # fmt: skip
        self._combination_of.append(self._combinations.setdefault(combination, len(self._combinations)))
        self._tokens += words.tokens
        self._norms.append(norm_of(words.tokens))
        self._outlines.setdefault(number // GROUP, {})[str(number % GROUP)] = words.outline
        self._texts.setdefault(number // VERSION_NUMBERS, {})[number] = texts_of(page)

    def _words_of(self, page: Sequence[tuple[Record, Text]]) -> PageWords:
        """Take the words of a page apart, or those of a page that is the same in another version."""
        if not page[0][0].version:
            return words_of_page(page)
        key = digest_of(page)
        known = self._words_by_version.get(key)
        if known is not None:
            return _READ_WORDS.decode(known)
        words = words_of_page(page)
        self._words_by_version[key] = msgspec.msgpack.encode(words)
        return words

    def _write_words(self, words: Sequence[str], languages: Sequence[str]) -> object:
        starts = cut(words, [len(word) + 3 for word in words], WORDS_BYTES)
        firsts = firsts_of(words, starts)
        apart: dict[int, list[str]] = {}
        for word in words:
            joined = SEPARATED.sub(r"\1\2", word)
            if joined != word:
                apart.setdefault(max(0, bisect_right(firsts, joined) - 1), []).append(word)
        names = []
        for index, (start, end) in enumerate(zip(starts, [*starts[1:], len(words)], strict=True)):
            chosen = words[start:end]
            content: dict[str, object] = {
                "words": "\n".join(chosen),
                "frequencies": [self._frequencies[word] for word in chosen],
                "apart": "\n".join(apart.get(index, ())),
                "postings": self._write_postings(chosen),
            }
            if languages:  # of English words the browser knows the stems by itself
                content["stems"] = ["\n".join(stems_of(chosen, language)) for language in languages]
            names.append(self._shards.add(content))
        return {"first": firsts, "names": "".join(names)}

    def _write_endings(self, words: Sequence[str]) -> object:
        """Write the plain words read backwards, for those whose beginning is misspelt."""
        plain = sorted(word[::-1] for word in words if word.isalnum() and len(word) <= LONGEST_NEAR)
        starts = cut(plain, [len(word) + 1 for word in plain], ENDINGS_BYTES)
        names = [
            self._shards.add("\n".join(plain[start:end]))
            for start, end in zip(starts, [*starts[1:], len(plain)], strict=True)
        ]
        return {"first": firsts_of(plain, starts), "names": "".join(names)}

    def _write_postings(self, words: Sequence[str]) -> object:
        entries = [self._postings[word].encode() for word in words]
        starts = cut(words, [len(entry) + 1 for entry in entries], POSTINGS_BYTES)
        names = [
            self._shards.add("\n".join(entries[start:end]))
            for start, end in zip(starts, [*starts[1:], len(words)], strict=True)
        ]
        return {"sizes": sizes_of(starts), "names": "".join(names)}

    def _settings(self) -> dict[str, object]:
        settings = self._reader.settings

        def places(addresses: Sequence[str]) -> list[tuple[int, int]]:
            return [self._places[address] for address in addresses if address in self._places]

        pages = {address: page for address, (page, place) in self._places.items() if not place}
        rules = [
            {
                "id": rule.id,
                "queries": rule.queries,
                "isPart": rule.is_part,
                "pinned": places([*([rule.redirect] if rule.redirect else []), *rule.pinned]),
                "hidden": [pages[address] for address in rule.hidden if address in pages],
            }
            for rule in settings.rules
        ]
        synonyms = [(word, phrases, True) for word, phrases in settings.synonyms.items()]
        synonyms += [(word, phrases, False) for word, phrases in settings.one_way_synonyms.items()]
        return {
            "rules": rules,
            "synonyms": [
                [tokens_of_phrase(word), list(map(tokens_of_phrase, phrases)), both] for word, phrases, both in synonyms
            ],
        }


def norm_of(length: int) -> int:
    """Encode the length of a text as the native index does, in few steps: 0 to 40, then eight of each size."""
    if length <= 40:
        return length
    steps, start, step = 40, 40, 2
    while length >= start + 8 * step:
        start, steps, step = start + 8 * step, steps + 8, step * 2
    return steps + (length - start) // step
