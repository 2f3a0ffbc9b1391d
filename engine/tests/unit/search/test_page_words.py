"""Words of pages for static search: what pages of several versions share, and what keeps them apart."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from engine.tests.unit.search.conftest import records
from octavo.search.index.record import Indexed
from octavo.search.shards.page_words import words_of_page
from octavo.search.shards.parts import make_part, read_part
from octavo.search.shards.postings import (
    COMMON,
    COMMON_OF_MANY,
    VERY_COMMON,
    Occurrence,
    Row,
    entry_line,
    recount_line,
    replace_line,
    write_numbers,
    write_postings,
    write_rows,
)
from octavo.search.shards.texts import BLOCKS, Block
from octavo.search.shards.words import write_stems

WHOLE = BLOCKS[-1]
TEXT = "Heat the kiln.\n## The glaze\nGlaze the kiln again.\n    kiln heat"


def page(text: str, version: str) -> list[Indexed]:
    """Make the records of a page in a version."""
    made = records("kiln", text)
    return [
        Indexed(msgspec.structs.replace(one.record, version=version, url=f"/{version}{one.record.url}"), one.text)
        for one in made
    ]


def test_versions_of_an_equal_page_have_equal_parts() -> None:
    assert make_part(page(TEXT, "1.0")) == make_part(page(TEXT, "2.0"))


def test_pages_that_differ_in_what_words_are_made_of_are_apart() -> None:
    first = page(TEXT, "1.0")
    record, text = first[-1]
    others = [
        page(TEXT.replace("again", "twice"), "2.0"),
        page(TEXT.replace("## The", "### The"), "2.0"),
        [*first[:-1], Indexed(msgspec.structs.replace(record, anchor="elsewhere"), text)],
        [*first[:-1], Indexed(msgspec.structs.replace(record, kind="api"), text)],
    ]
    assert make_part(first) not in [make_part(other) for other in others]


def test_words_of_a_page_have_their_places_and_counts() -> None:
    words = words_of_page(page(TEXT, "1.0"))
    assert len(words.rows["kiln"]) == 4  # the title and three texts
    assert words.frequencies["glaze"] == 3  # its heading and the texts below it
    assert words.outline == [1, 1, 2, 2]


def test_pages_are_written_alike_wherever_they_are() -> None:
    """What is written of a page is taken over for equal ones: only the first column tells which page it is."""
    first: list[Row] = [(Occurrence(0, 0, 1, 2, 1), 0), (Occurrence(1, 1, 7, 1, 0), [2, 5, 9])]
    second: list[Row] = [(Occurrence(3, 0, 1, 1, 2), 4)]
    entry = b"".join(
        [entry_line(number, 1, write_rows(rows, WHOLE)) for number, rows in ((4, first), (0, first), (2, second))]
    )
    pages, counts, headings, heads = [4 * 3, 0, 2, 2], [2, 1, 2], [0, 1, 3, 0, 1], [1, 7, 1, 1, 7]
    below, extents = [1, 1], [2, 1, 1, 2, 2, 1]
    times, places = [1, 3, 1, 1, 3], [0, 4, 0, 2, 3, 4, 2, 3, 4]
    assert write_postings(entry, COMMON).frequency == 3
    assert write_postings(entry, COMMON).text == write_numbers(
        pages + counts + headings + heads + below + extents + times + places
    )


def common(rows: Sequence[Row], block: Block) -> str:
    """Write the postings of a token that is common by its places in one page, which are taken for those of many."""
    pages = COMMON // len(rows) + 1
    return write_postings(
        b"".join([entry_line(number, 1, write_rows(rows, block)) for number in range(pages)]), COMMON
    ).text


def columns(rows: int, *written: Sequence[int]) -> str:
    """Write what each of as many pages has of common postings: the columns, page by page alike."""
    pages = COMMON // rows + 1
    head = write_numbers([4 * pages + 1, 0, *[1] * (pages - 1)])
    return head + "".join([write_numbers([*column] * pages) for column in written])


def test_common_words_keep_their_headings_and_the_first_text_of_each_file() -> None:
    """How often they are in the file is where other words have their number of places."""
    rows: list[Row] = [
        (Occurrence(0, 0, 1, 3, 1), [0, 2]),
        (Occurrence(0, 1, 7, 1, 0), [3, 8]),
        (Occurrence(0, 2, 7, 1, 0), 5),
        (Occurrence(1, 0, 2, 1, 4), 1),
        (Occurrence(1, 3, 7, 1, 0), 6),
        (Occurrence(2, 1, 7, 1, 0), 7),
    ]
    kept = columns(6, [4], [0, 0, 1, 1], [1, 7, 2, 7], [1, 1], [3, 1, 1, 4], [2, 4, 1, 1], [0, 2, 1], [3, 7])
    assert common(rows, Block(2, 100)) == kept
    finer = columns(
        6, [5], [0, 0, 1, 0, 1], [1, 7, 2, 7, 7], [1, 3, 1], [3, 1, 1, 4], [2, 3, 1, 1, 1], [0, 2, 1], [3, 6, 7]
    )
    assert common(rows, Block(2, 3)) == finer


def test_common_words_that_are_once_in_each_file_keep_all() -> None:
    rows: list[Row] = [(Occurrence(0, 0, 1, 3, 1), [0, 2]), (Occurrence(1, 1, 7, 1, 0), 3)]
    assert common(rows, WHOLE) == columns(2, [2], [0, 1], [1, 7], [1], [3, 1], [2, 1], [0, 2], [3])


def test_very_common_words_of_large_indexes_leave_out_their_places_in_texts() -> None:
    rows: list[Row] = [(Occurrence(0, 0, 1, 3, 1), [0, 2]), (Occurrence(1, 1, 7, 1, 0), 3)]
    pages = VERY_COMMON // len(rows)
    entry = b"".join([entry_line(number, 1, write_rows(rows, WHOLE)) for number in range(pages)])
    columns = [[2], [0, 1], [1, 7], [1], [3, 1], [2, 1], [0, 2]]
    head = write_numbers([4 * pages + 3, 0, *[1] * (pages - 1)])
    assert write_postings(entry, COMMON_OF_MANY).text == head + "".join(
        [write_numbers([*column] * pages) for column in columns]
    )
    assert write_postings(entry, COMMON).text.endswith(write_numbers([3] * pages))


def test_words_with_a_sign_have_files_of_their_own() -> None:
    """Whoever looks for the forms of `node` reads all that begins alike, and means neither `node:fs` nor `node_modules`."""
    part = read_part(make_part(page("# The kiln\nIt has node:fs and node_modules, nodes and café.\n", "1.0")))
    written = part.tokens.split("\n")
    assert {" node:fs", " node_modules", "nodes", "node"} <= set(written)
    assert not {"node:fs", "node_modules", " nodes"} & set(written)


@pytest.mark.parametrize(
    ("word", "stems", "written"),
    [
        ("kilns", ["kiln", "kiln"], "B"),
        ("kiln", ["kiln", ""], "A~"),
        ("glazes", ["glaz", "glazes"], "CA"),
        ("serializable", ["serializap", "serializabl"], "DpB"),
        ("abcdefghijklmnopqrstuvwxyzab", ["z"], "=z"),
        ("\U00010428\U00010428", ["\U00010428"], "=\U00010428"),
    ],
)
def test_stems_are_written_as_what_they_leave_out_of_their_words(word: str, stems: list[str], written: str) -> None:
    assert write_stems(word, stems) == written


def test_line_of_a_page_is_replaced_counted_anew_and_removed() -> None:
    line = write_rows([(Occurrence(0, 0, 1, 1, 1), 0)], WHOLE)
    entry = entry_line(12, 2, line) + entry_line(1, 3, line)
    assert replace_line(entry, 1, entry_line(1, 5, line)) == entry_line(12, 2, line) + entry_line(1, 5, line)
    assert replace_line(entry, 2, entry_line(2, 1, line)) == entry + entry_line(2, 1, line)
    assert replace_line(entry, 12, b"") == entry_line(1, 3, line)
    assert recount_line(entry, 12, 2, 3) == entry_line(12, 3, line) + entry_line(1, 3, line)
