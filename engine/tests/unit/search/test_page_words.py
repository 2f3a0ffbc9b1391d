"""Words of pages for static search: what pages of several versions share, and what keeps them apart."""

from __future__ import annotations

import msgspec

from engine.tests.unit.search.conftest import records
from octavo.search.index.record import Indexed
from octavo.search.shards.page_words import digest_of, words_of_page
from octavo.search.shards.postings import COMMON, TEXTS_OF_COMMON, Occurrence, PageRows, Postings, write_numbers

TEXT = "Heat the kiln.\n## The glaze\nGlaze the kiln again.\n    kiln heat"


def page(text: str, version: str) -> list[Indexed]:
    """Make the records of a page in a version."""
    made = records("kiln", text)
    return [
        Indexed(msgspec.structs.replace(one.record, version=version, url=f"/{version}{one.record.url}"), one.text)
        for one in made
    ]


def test_versions_of_an_equal_page_share_their_words() -> None:
    assert digest_of(page(TEXT, "1.0")) == digest_of(page(TEXT, "2.0"))


def test_pages_that_differ_in_what_words_are_made_of_are_apart() -> None:
    first = page(TEXT, "1.0")
    record, text = first[-1]
    others = [
        page(TEXT.replace("again", "twice"), "2.0"),
        page(TEXT.replace("## The", "### The"), "2.0"),
        [*first[:-1], Indexed(msgspec.structs.replace(record, anchor="elsewhere"), text)],
        [*first[:-1], Indexed(msgspec.structs.replace(record, kind="api"), text)],
    ]
    assert digest_of(first) not in [digest_of(other) for other in others]


def test_words_of_a_page_have_their_places_and_counts() -> None:
    words = words_of_page(page(TEXT, "1.0"))
    assert words.rows["kiln"].records == 4  # the title and three texts
    assert words.frequencies["glaze"] == 3  # its heading and the texts below it
    assert words.outline == [1, 1, 2, 2]


def test_pages_are_written_alike_wherever_they_are() -> None:
    """What is written of a page is taken over for equal ones: only the first column tells which page it is."""
    first, second = PageRows(), PageRows()
    first.add(Occurrence(0, 0, 1, 2, 1), [0])
    first.add(Occurrence(1, 1, 7, 1, 0), [2, 5, 9])
    second.add(Occurrence(3, 0, 1, 1, 2), [4])
    postings = Postings()
    for number, rows in ((0, first), (2, second), (4, first)):
        postings.add(number, rows)
    pages, counts, headings, heads = [3, 0, 2, 2], [2, 1, 2], [0, 1, 3, 0, 1], [1, 7, 1, 1, 7]
    below, extents = [1, 1], [2, 1, 1, 2, 2, 1]
    times, places = [1, 3, 1, 1, 3], [0, 2, 3, 4, 4, 0, 2, 3, 4]
    assert postings.encode() == write_numbers(pages + counts + headings + heads + below + extents + times + places)


def test_common_words_keep_the_first_texts_of_a_page() -> None:
    rows = PageRows()
    rows.add(Occurrence(0, 0, 1, 1, 1), [0, 4, 8])
    for below in range(1, TEXTS_OF_COMMON + 3):
        rows.add(Occurrence(0, below, 7, 1, 0), [0, 4, 8])
    postings = Postings()
    pages = COMMON // rows.records + 1
    for number in range(pages):
        postings.add(number, rows)
    assert postings.encode().startswith(write_numbers([pages, 0, *[1] * (pages - 1), *[TEXTS_OF_COMMON + 1] * pages]))
    assert postings.encode().endswith(write_numbers([0, 4] * (TEXTS_OF_COMMON + 1)))
