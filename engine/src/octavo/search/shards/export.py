"""An index as static files: `export_shards` makes them of a finished index, `ShardsExport` of its pages and of the last files.

What a browser loads for a query: the root once, lists of files where these are many, the words that begin as the typed ones do,
their postings, the outline of pages whose headings match, and the texts that it shows. In these it also looks for frequent words
where the rarer ones of a query are in few, and for those places of common words that postings leave out. Only a record's own words are in the postings;
words of the headings above it are found through these headings, each of which names how many headings are below it.

Pages that are equal in several versions are one content: words, postings and texts name it, and the root says which
pages it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec

from octavo.search.index.settings import IndexSettings
from octavo.search.index.tantivy_index import IndexReader
from octavo.search.query.synonyms import tokens_of_phrase
from octavo.search.shards.contents import IndexedPage, ShardContent, gather_contents, starts_of_editions
from octavo.search.shards.entries import Entries, EntriesInMemory, EntryStore
from octavo.search.shards.files import FORMAT, VERSION_LETTERS, InMemory, Shards, ShardSink, name_of
from octavo.search.shards.page_numbers import GROUP, number_pages
from octavo.search.shards.parts import PagePart, digest_of_part, make_part, read_part
from octavo.search.shards.postings import (
    MANY_RECORDS,
    common_from,
    entry_line,
    recount_line,
    replace_line,
    write_letters,
)
from octavo.search.shards.stored import Stored, StoredContent, StoredGroup
from octavo.search.shards.words import WordFiles
from octavo.search.text.stemming import COMPOUNDING, languages_of
from octavo.search.text.stop_words import further_stop_words

FREQUENT, FREQUENT_OF_FEW = 1000, 4000
"""Records from which a word of a query is so frequent that a browser looks for it in the texts that hold the rarer words, if these
are few: its postings weigh more. The second number is for an index of fewer records than `MANY_RECORDS`, where postings weigh
little, and partial matches were too often others than the server's."""

MANY_CONTENTS = 4000
"""Contents from which the root does not say in which order those of a group follow each other where hits are equal: it is read before any
answer."""

OUTLINES = "outlines"
"""End of the name of the file of the outlines of a group."""

HEADING = 1 << 16
"""Number of a record: its heading times this, and for a text its place below the heading, from 1."""

_encode_json = msgspec.json.Encoder().encode


class IndexSource(NamedTuple):
    """What an index is made of."""

    pages: Sequence[IndexedPage]
    keys: Sequence[str]
    """Of each page, hash of what decides about its part; kept for the next index."""
    digests: Sequence[bytes]
    """Of each page, hash of its part."""
    settings: IndexSettings


def export_shards(reader: IndexReader) -> tuple[str, Mapping[str, bytes]]:
    """Write an index as static files, all anew.

    Returns:
        (name of the root, path in the published folder → content).
    """
    parts: list[bytes] = []
    pages: list[IndexedPage] = []
    for page in reader.pages():
        first = page[0][0]
        parts.append(make_part(page))
        pages.append(
            IndexedPage(
                first.url_without_anchor, first.language, first.version, first.tag, first.section, first.hierarchy[0],
                first.kind,
            )
        )  # fmt: skip
    source = IndexSource(pages, [""] * len(pages), list(map(digest_of_part, parts)), reader.settings)
    sink = InMemory()
    stored = ShardsExport(source, Stored(), parts.__getitem__, sink, EntriesInMemory()).write()
    return stored.root, sink.files


class ShardsExport:
    """Writes one index."""

    def __init__(
        self, source: IndexSource, before: Stored, load: Callable[[int], bytes], sink: ShardSink, store: EntryStore
    ) -> None:
        """Begin.

        Args:
            source: What it is made of.
            before: The index before; what has not changed is taken over from it. An empty one: all is made anew.
            load: Place of a page → its part.
            sink: Where its files are put.
            store: Holds the entries of the index before, and takes those of this one.
        """
        self._source = source
        self._before = before
        self._load = load
        self._shards = Shards(sink)
        words = before.words.split("\n") if before.words else []
        self._entries = Entries(words, [unit.start for unit in before.units], before.entries, store)
        self._contents: dict[str, StoredContent] = {}
        self._groups: dict[int, StoredGroup] = {}

    def write(self) -> Stored:
        """Write its files: what the next index needs to know of this one.

        Raises:
            LookupError: a file of the index before is not there, or in the way: it must be left out.
        """
        pages, before = self._source.pages, self._before
        starts = starts_of_editions(pages)
        contents = gather_contents(pages, self._source.digests, starts)
        groups = number_pages([content.name for content in contents])
        if len(contents) >= MANY_CONTENTS:
            contents, groups = _in_order_of_numbers(contents, groups)
        numbers = [group * GROUP + member for group, members in groups for member in members]
        self._remove_lost({content.name: number for content, number in zip(contents, numbers, strict=True)})
        place = 0
        for group, members in groups:
            self._add_group(group, members, contents[place : place + len(members)])
            place += len(members)
        rows = list(self._contents.values())
        records = sum(row.size * row.count for row in rows)
        common = common_from(records)
        words = WordFiles(self._shards, self._entries, before, common)
        spoken = sorted({page.language for page in pages if page.language})
        languages = languages_of(spoken, self._entries)
        stemmed = [one for one in languages if one != "en"]
        units, entries = words.write(stemmed)
        endings = words.write_endings()
        combinations: dict[tuple[object, ...], int] = {}
        sets: dict[tuple[int, ...], int] = {}
        set_of = [
            sets.setdefault(
                tuple(
                    [
                        combinations.setdefault(self._combination(pages[place], row, starts), len(combinations))
                        for place in content.pages
                    ]
                ),
                len(sets),
            )
            for content, row in zip(contents, rows, strict=True)
        ]
        root = {
            "format": FORMAT,
            "records": records,
            "frequent": FREQUENT if records >= MANY_RECORDS else FREQUENT_OF_FEW,
            "pageTokens": sum(row.length * row.count for row in rows),
            "pages": [
                [group, write_letters([(member - before) % GROUP for before, member in pairwise([0, *members])])]
                for group, members in groups
            ],
            "words": words.write_lists(units),
            "endings": {"first": words.firsts_of_endings(endings), "names": endings.names},
            "versions": "".join([one.version for one in self._groups.values()]),
            "norms": write_letters([norm_of(row.length) for row in rows]),
            "blocks": write_letters([row.blocks for row in rows]),
            "combinations": list(combinations),
            "sets": list(sets),
            "setOf": set_of,
            "languages": languages,
            "compounding": [language for language in languages if language in COMPOUNDING],
            "small": " ".join(sorted(further_stop_words(spoken))),
            **self._settings(contents),
        }
        return Stored(
            root=self._shards.add(root),
            pages={
                page.address: (key, digest)
                for page, key, digest in zip(pages, self._source.keys, self._source.digests, strict=True)
            },
            contents=self._contents,
            groups=self._groups,
            words="\n".join(words.words),
            units=units,
            entries=entries,
            languages=stemmed,
            endings=endings,
            common=common,
        )

    @staticmethod
    def _combination(
        page: IndexedPage, row: StoredContent, starts: Mapping[tuple[str, str | None], str]
    ) -> tuple[object, ...]:
        return (
            page.language, page.version, page.tag, page.section, page.group, page.kind, row.page_rank,
            starts[page.language, page.version],
        )  # fmt: skip

    def _add_group(self, group: int, members: Sequence[int], contents: Sequence[ShardContent]) -> None:
        """Add contents whose numbers are of one group: their words, outlines and texts."""
        parts: dict[int, PagePart] = {}
        rows: list[StoredContent] = []
        names = [content.name for content in contents]
        known = self._before.groups.get(group)
        is_same = known is not None and known.contents == names
        for member, content in zip(members, contents, strict=True):
            number = group * GROUP + member
            row = before = self._before.contents.get(content.name)
            if row is None or (row.digest, row.number, row.rest) != (content.digest, number, content.rest):
                part = parts[number] = read_part(self._load(content.pages[0]))
                new = _row_of(part, content, number)
                self._replace(row, new, part)
                row = new
            elif row.count != len(content.pages):
                row = self._recount(row, len(content.pages))
            is_same = is_same and row is before
            rows.append(row)
        if is_same and known is not None:
            self._keep_group(group, known, rows)
            return
        shown = sorted([(row.number, row.shown_hash) for row in rows])
        version = name_of(b"".join([b"%d %b" % one for one in shown]), VERSION_LETTERS)
        self._groups[group] = StoredGroup(names, version)
        outlines = [b'"%d":%b' % (row.number % GROUP, row.outline) for row in rows]
        self._shards.add_text(version, group, OUTLINES, b"{%b}" % b",".join(outlines))
        for content, row in zip(contents, rows, strict=True):
            self._write_texts(row, parts.get(row.number), version)
            self._contents[content.name] = (
                row if row.version == version else msgspec.structs.replace(row, version=version)
            )

    def _keep_group(self, group: int, known: StoredGroup, rows: Sequence[StoredContent]) -> None:
        """Take over the files of a group in which nothing has changed."""
        self._shards.keep_text(known.version, group, OUTLINES, before=known.version)
        self._groups[group] = known
        self._contents |= zip(known.contents, rows, strict=True)
        for row in rows:
            for text in row.texts:
                self._shards.keep_text(row.version, row.number, text, before=row.version)

    def _write_texts(self, row: StoredContent, part: PagePart | None, version: str) -> None:
        if part is None:
            for name in row.texts:
                self._shards.keep_text(version, row.number, name, before=row.version)
            return
        for name, rows in part.texts.items():
            self._shards.add_text(version, row.number, name, _text_file(row.rest, rows))

    def _replace(self, old: StoredContent | None, new: StoredContent, part: PagePart) -> None:
        """Put the words of a content in the place of those it had before."""
        counts = zip(part.tokens.split("\n"), part.frequencies, part.rows.split(b"\n"), strict=True)
        found = ((token, entry_line(new.number, frequency * new.count, rows)) for token, frequency, rows in counts)
        if not self._before.root:  # all is new: no need to look for what it had
            self._entries.append(found)
            return
        lines = dict(found)
        if old is not None and old.number == new.number:
            self._remove(old, lines)
        for token, line in lines.items():
            known = self._entries.get(token)
            entry = replace_line(known, new.number, line)
            if entry != known:
                self._entries.put(token, entry)

    def _recount(self, row: StoredContent, count: int) -> StoredContent:
        """Count the words of a content for as many pages as it has now."""
        for token in row.tokens.split("\n"):
            self._entries.put(token, recount_line(self._entries.get(token), row.number, row.count, count))
        return msgspec.structs.replace(row, count=count)

    def _remove_lost(self, numbers: Mapping[str, int]) -> None:
        """Remove the words of contents that are no more or have another number, before any gets a number of theirs."""
        for name, row in self._before.contents.items():
            if numbers.get(name) != row.number:
                self._remove(row, ())

    def _remove(self, row: StoredContent, kept: Iterable[str]) -> None:
        left = frozenset(kept)
        for token in row.tokens.split("\n"):
            if token not in left:
                self._entries.put(token, replace_line(self._entries.get(token), row.number, b""))

    def _settings(self, contents: Sequence[ShardContent]) -> dict[str, object]:
        settings = self._source.settings
        places: dict[str, tuple[int, StoredContent]] = {}
        if settings.rules:
            count = 0
            for content in contents:
                for page in content.pages:
                    places[self._source.pages[page].address] = (count, self._contents[content.name])
                    count += 1

        def place_of(address: str) -> Iterable[tuple[int, int]]:
            page, _, anchor = address.partition("#")
            if page in places:
                number, row = places[page]
                anchors = row.anchors.split("\n")
                if anchor in anchors:
                    yield number, anchors.index(anchor) * HEADING

        rules = [
            {
                "id": rule.id,
                "queries": rule.queries,
                "isPart": rule.is_part,
                "pinned": [
                    [place for one in (address, *rule.others.get(address, ())) for place in place_of(one)]
                    for address in [*([rule.redirect] if rule.redirect else []), *rule.pinned]
                ],
                "redirects": 1 if rule.redirect else 0,
                "hidden": [places[address][0] for address in rule.hidden if address in places],
            }
            for rule in settings.rules
        ]
        synonyms = [(word, phrases, True) for word, phrases in settings.synonyms.items()]
        synonyms += [(word, phrases, False) for word, phrases in settings.one_way_synonyms.items()]
        return {
            "name": list(tokens_of_phrase(settings.name.lower())),
            "rules": rules,
            "synonyms": [
                [tokens_of_phrase(word), list(map(tokens_of_phrase, phrases)), both] for word, phrases, both in synonyms
            ],
        }


def _row_of(part: PagePart, content: ShardContent, number: int) -> StoredContent:
    shown = hashlib.sha256(content.rest.encode() + b"\n" + part.outline)
    for name, rows in part.texts.items():
        shown.update(b"%b %d\n%b" % (name.encode(), len(rows), rows))
    return StoredContent(
        digest=content.digest,
        number=number,
        count=len(content.pages),
        rest=content.rest,
        tokens=part.tokens,
        size=part.size,
        length=part.length,
        page_rank=part.page_rank,
        outline=part.outline,
        anchors=part.anchors,
        blocks=part.blocks,
        texts=list(part.texts),
        shown_hash=shown.digest()[:8],
        version="",
    )


def _text_file(rest: str, rows: bytes) -> bytes:
    return b'{"url":%b,"rows":%b}' % (_encode_json(rest), rows)


def _in_order_of_numbers(
    contents: Sequence[ShardContent], groups: Sequence[tuple[int, list[int]]]
) -> tuple[list[ShardContent], list[tuple[int, list[int]]]]:
    """Sort the contents of each group by their numbers: what lies between these takes half as much as the numbers in any order."""
    place = 0
    ordered: list[ShardContent] = []
    for _, members in groups:
        some = contents[place : place + len(members)]
        ordered += [content for _, content in sorted(zip(members, some, strict=True), key=lambda pair: pair[0])]
        place += len(members)
    return ordered, [(group, sorted(members)) for group, members in groups]


def norm_of(length: int) -> int:
    """Encode the length of a text as the native index does, in few steps: 0 to 40, then eight of each size."""
    if length <= 40:
        return length
    steps, start, step = 40, 40, 2
    while length >= start + 8 * step:
        start, steps, step = start + 8 * step, steps + 8, step * 2
    return steps + (length - start) // step
