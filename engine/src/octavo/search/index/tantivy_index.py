"""The index: records as a folder of tantivy's files. Written by a build, then never changed, read by the server."""

from __future__ import annotations

import errno
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import tantivy

from octavo.errors import PublishError, ServeError
from octavo.search.fields import FACETS, facet_values
from octavo.search.index.columns import Columns
from octavo.search.index.facts import PageFacts
from octavo.search.index.files import (
    LOCKS,
    DamagedIndexError,
    check_index,
    copy_index,
    kept_checksums,
    linked_index,
    open_to_readers,
    write_checksums,
)
from octavo.search.index.record import Indexed, ObjectId, ObjectIds, Record, unpack_id
from octavo.search.index.record_text import CONTENT, TITLE, Text, without_marks
from octavo.search.index.records_file import (
    Candidate,
    PageFields,
    RecordsReader,
    RecordsWriter,
    Sign,
    encode_text,
)
from octavo.search.index.settings import SETTINGS_NAME, IndexSettings

WRITER_BYTES = 50 << 20
"""Memory in which tantivy gathers records before it writes a segment."""

BOOSTS: dict[str, float] = {
    "lvl1": 2.0, "lvl2": 1.7, "lvl3": 1.6, "lvl4": 1.5, "lvl5": 1.4, "lvl6": 1.4, "content": 1.0,
}  # fmt: skip
"""What the score of a candidate is multiplied with: only the best candidates are ranked, so headings must be among them."""

PAGE_TIMES: dict[str, int] = {"lvl1": 8, "lvl2": 3, "lvl3": 3}
"""How often the words of a title and of headings are counted among those of their page, beside the text."""

GENERATED = ("reference", "command", "api")
"""Kinds of pages that are made from a description."""

HEADING = "1"
"""Term of the field `is_heading`, which texts do not have. Titles have another one: all of their words."""

NUMBER_FIELDS = ("page_rank", "level", "position")
"""In the order of `Text.custom`."""


class Twin(NamedTuple):
    """A page with the same records as another, but for their addresses, their version and their tag."""

    route: str
    facts: PageFacts


class OwnEntries(msgspec.Struct, frozen=True, array_like=True):
    """What the records of one page have of their own."""

    shared: str
    """What tantivy is given of all of them: a JSON object, still open."""
    documents: list[str]
    """What more it is given of each, its place left out: fields of a JSON object."""
    url: str
    fields: PageFields
    ids: list[ObjectId]


class PageEntries(msgspec.Struct, frozen=True, array_like=True):
    """The records of a page and of its twins, ready for the index."""

    documents: list[str]
    """What tantivy is given of each record whichever page it is of: fields of a JSON object."""
    texts: bytes
    """Tokens and texts, as `records_file` keeps them."""
    offsets: list[int]
    """Where the text of each record begins."""
    pages: list[OwnEntries]


def make_schema() -> tantivy.Schema:
    """Describe the fields of the index."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("words", tokenizer_name="whitespace", index_option="freq")
    # All words of a page, in the document of its title: a query whose words no single record holds still finds the page.
    builder.add_text_field("page_words", tokenizer_name="whitespace", index_option="freq")
    for name in ("object_id", "route", "url_without_anchor"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in dict.fromkeys(facet.field for facet in FACETS):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in NUMBER_FIELDS:
        builder.add_integer_field(name, fast=True)
    builder.add_float_field("boost", fast=True)
    # One term for all headings: a union of the six types would be read through for each search.
    builder.add_text_field("is_heading", tokenizer_name="raw", index_option="basic")
    builder.add_integer_field("address", fast=True)
    builder.add_integer_field("facets", fast=True)
    builder.add_integer_field("place", fast=True)
    return builder.build()


def make_entries(records: Sequence[Indexed], route: str, twins: Sequence[Twin] = ()) -> PageEntries:
    """Prepare the records of a page, of which there is at least one; may run in another process than the writer.

    Args:
        records: The records, in the order of the page.
        route: Of the page.
        twins: Pages with the same records.
    """
    is_generated = records[0].record.kind in GENERATED
    heads: dict[tuple[bytes, int], list[str]] = {}
    texts = bytearray()
    documents: list[dict[str, object]] = []
    offsets: list[int] = []
    page_words: list[tuple[str, str]] = []
    for record, text in records:
        own = text.own
        key = (text.stream[: text.content_start], own)
        lines = heads.get(key)
        if lines is None:  # the headings are those of many records
            lines = [without_marks(line) for line in key[0].decode().split("\n")]
            lines = heads[key] = [lines[own], "".join(lines[:own] + lines[own + 1 :])]
        own_line = without_marks(text.stream[text.content_start :].decode()) if own == CONTENT else lines[0]
        page_words.append((record.type, own_line))
        document: dict[str, object] = {
            "words": own_line + lines[1],
            "type": record.type,
            "kind": record.kind,
            "boost": BOOSTS[record.type] * (0.7 if record.kind == "code" else 1.0),
            **dict(zip(NUMBER_FIELDS, text.custom, strict=True)),
        }
        if own == TITLE:
            document["is_heading"] = [HEADING, whole_title(text.parts(own))]
        elif own != CONTENT:
            document["is_heading"] = HEADING
        documents.append(document)
        offsets.append(len(texts))
        texts += encode_text(text, record, is_generated=is_generated)
    documents[0]["page_words"] = _words_of_page(page_words)
    first = records[0].record
    all_pages = [(route, first.url_without_anchor, first.version, first.tag)]
    all_pages += [(twin.route, twin.facts.url, twin.facts.version, twin.facts.tag) for twin in twins]
    return PageEntries(
        [_fields(document) for document in documents],
        bytes(texts),
        offsets,
        [_own_entries(records, *page) for page in all_pages],
    )


def _own_entries(records: Sequence[Indexed], route: str, url: str, version: str | None, tag: str) -> OwnEntries:
    """Make what records have of their own on the page at an address."""
    first = msgspec.structs.replace(records[0].record, url_without_anchor=url, version=version, tag=tag)
    shared = {
        "route": route,
        "url_without_anchor": url,
        "language": first.language,
        "version": version or "",
        "docusaurus_tag": tag,
        "section": first.section,
        "lvl0": first.hierarchy[0] or "",
    }
    combinations: dict[tuple[str, str], int] = {}
    ids = ObjectIds()
    own: list[ObjectId] = []
    documents: list[str] = []
    for record, _ in records:
        differing = record.type, record.kind
        facets = combinations.get(differing)
        if facets is None:
            one = msgspec.structs.replace(first, type=record.type, kind=record.kind)
            facets = combinations[differing] = stable_number("\n".join(facet_values(one)))
        address = f"{url}#{record.anchor}" if record.anchor else url
        own.append(ids.make(address, record.type, record.content))
        documents.append(f'"object_id":"{unpack_id(*own[-1])}","address":{stable_number(address)},"facets":{facets}')
    head = f"{{{_fields({name: text for name, text in shared.items() if text})}"
    return OwnEntries(head, documents, url, PageFields.of(first), own)


def whole_title(words: Iterable[str]) -> str:
    """Write the words of a title as one term, which is never `HEADING`."""
    return f" {' '.join(words)}"


def _words_of_page(lines: Iterable[tuple[str, str]]) -> str:
    """Write the words of a page, with those of its title and headings several times."""
    return "".join([line * PAGE_TIMES.get(type_, 1) for type_, line in lines])


def stable_number(text: str) -> int:
    """Give a text, such as an address, as a number, by which hits are counted without loading them."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest())


def _fields(fields: Mapping[str, object]) -> str:
    """Encode an object, and leave its braces out."""
    return _encode_json(fields)[1:-1].decode()


_encode_json = msgspec.json.Encoder().encode


class IndexWriter:
    """Writes an index into a folder: a new one, or a changed copy of another."""

    def __init__(self, folder: Path, *, base: Path | None = None) -> None:
        """Begin an index.

        Args:
            folder: Is made; must not exist.
            base: An index whose records are taken over, as hard links where the file system has them.

        Raises:
            PublishError: the folder cannot be written, or the base cannot be read.
        """
        try:
            folder.mkdir(parents=True)
            if base is not None:
                copy_index(base, folder)
            self._index = tantivy.Index(make_schema(), str(folder), reuse=base is not None)
            self._writer = self._index.writer(WRITER_BYTES, 1)
            self._records = RecordsWriter(folder)
        except (OSError, ValueError) as error:
            raise _unwritable(error) from error
        self._folder = folder
        self._base = base

    def add(self, entries: PageEntries) -> None:
        """Add the records of a page and of its twins.

        Raises:
            PublishError: the disk is full, or the like.
        """
        add = self._writer.add_json  # half the work of making documents here, field by field
        try:
            start = self._records.add_texts(entries.texts)
            texts = [start + offset for offset in entries.offsets]
            for page in entries.pages:
                head, places = page.shared, self._records.add_page(page.url, page.fields, texts, page.ids)
                for common, own, place in zip(entries.documents, page.documents, places, strict=True):
                    add(f'{head},{common},{own},"place":{place}}}')
        except (OSError, ValueError) as error:
            raise _unwritable(error) from error

    def remove(self, routes: Iterable[str]) -> None:
        """Remove the records of pages that the base has brought."""
        for route in routes:
            self._writer.delete_documents_by_term("route", route)

    def commit(self, settings: IndexSettings) -> None:
        """Write everything to disk.

        Raises:
            PublishError: the disk is full, or the like.
        """
        try:
            self._records.close()
            self._writer.commit()
            self._writer.wait_merging_threads()
            (self._folder / SETTINGS_NAME).unlink(missing_ok=True)
            (self._folder / SETTINGS_NAME).write_bytes(msgspec.json.encode(settings))
            for name in LOCKS:
                (self._folder / name).unlink(missing_ok=True)
            known = kept_checksums(self._folder, self._base) if self._base is not None else {}
            write_checksums(self._folder, known)
            open_to_readers(self._folder, like=self._folder / SETTINGS_NAME)
        except (OSError, ValueError) as error:
            raise _unwritable(error) from error


def _unwritable(error: OSError | ValueError) -> PublishError:
    """Explain why an index cannot be written; tantivy puts the system's error code into its message."""
    code = error.errno if isinstance(error, OSError) else None
    is_full = code in (errno.ENOSPC, errno.EDQUOT) or f"os error {errno.ENOSPC}" in str(error)
    hint = " The disk is full: make room and build again; what was published before is untouched." if is_full else ""
    return PublishError(f"The search index cannot be written: {error}.{hint}")


def read_settings(folder: Path) -> IndexSettings:
    """Read what an index says of itself, without opening it.

    Raises:
        ServeError: there is none, or it cannot be read.
    """
    try:
        return msgspec.json.decode((folder / SETTINGS_NAME).read_bytes(), type=IndexSettings)
    except (OSError, msgspec.MsgspecError) as error:
        raise ServeError(f"The search index in {folder} cannot be read: {error}. Build the site again.") from error


class IndexReader:
    """An index that is read: memory-mapped, so that it stays whole when another takes its place on disk."""

    def __init__(self, folder: Path) -> None:
        """Open an index.

        Raises:
            ServeError: there is none, or it cannot be read.
        """
        try:
            check_index(folder)
            self.settings = msgspec.json.decode((folder / SETTINGS_NAME).read_bytes(), type=IndexSettings)
            with linked_index(folder) as links:
                index = tantivy.Index.open(str(links))
                index.config_reader("manual")
                index.reload()
            self._records = RecordsReader(folder)
            self.schema = index.schema
            self.searcher = index.searcher()
            self.columns = Columns(folder, self.searcher, self._page_at, self._facets_at)
        except (OSError, ValueError, msgspec.MsgspecError, DamagedIndexError) as error:
            raise ServeError(f"The search index in {folder} cannot be read: {error}. Build the site again.") from error
        self.size: int = self.searcher.num_docs
        """Number of records."""

    def frequencies(self) -> Mapping[str, int]:
        """Count for every token the records that hold it."""
        return dict(self.searcher.terms_with_prefix("words", ""))

    def languages(self) -> list[str]:
        """List the languages that pages are said to be in."""
        return sorted({language for language in self.columns.facets["language"] if language})

    def candidates(self, numbers: Iterable[int]) -> list[Candidate]:
        """Load records as far as ranking needs them.

        Args:
            numbers: As `columns` gives them for what was found.
        """
        places = self.columns.places
        return self._records.candidates([places[number] for number in numbers])

    def showing(self, numbers: Sequence[int], signs: Sequence[Sign]) -> list[int]:
        """Keep the records whose tokens show all signs."""
        places = self.columns.places
        return [numbers[index] for index in self._records.showing([places[number] for number in numbers], signs)]

    def page_addresses(self) -> list[str]:
        """List the addresses of all pages, sorted."""
        return [address for address, _ in self._numbers_by_page()]

    def pages(self) -> Iterator[list[tuple[Record, Text]]]:
        """Load all records with their tokens, page by page, pages by their addresses; only one page is in memory."""
        for _, numbers in self._numbers_by_page():
            page = [(candidate.record, candidate.text) for candidate in self.candidates(numbers)]
            yield sorted(page, key=lambda entry: entry[0].weight.position)

    def _numbers_by_page(self) -> list[tuple[str, list[int]]]:
        found = self.searcher.search(tantivy.Query.all_query(), max(1, self.size), count=False)
        numbers_of: dict[int, list[int]] = {}
        for number in self.columns.numbers(found.hits):
            numbers_of.setdefault(self.columns.pages[number], []).append(number)
        return sorted(
            (self.candidates(numbers[:1])[0].record.url_without_anchor, numbers) for numbers in numbers_of.values()
        )

    def all_records(self) -> Iterator[Record]:
        """Load all records, page by page."""
        found = self.searcher.search(tantivy.Query.all_query(), max(1, self.size), count=False)
        places = self.columns.places
        yield from (self._records.record(places[number]) for number in self.columns.numbers(found.hits))

    def _facets_at(self, place: int) -> tuple[str, ...]:
        return facet_values(self._records.record(place))

    def _page_at(self, place: int) -> int:
        return stable_number(self._records.candidates([place])[0].page)
