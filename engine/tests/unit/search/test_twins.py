"""Pages that are equal in several versions have their texts in the index once, and are found like others."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
import tantivy

from octavo.errors import ServeError
from octavo.search.index.record import Indexed, Record
from octavo.search.index.tantivy_index import IndexReader, IndexWriter, Twin, make_entries
from octavo.search.protocol.answer import make_answer
from octavo.search.query.parameters import parse_parameters
from octavo.search.ranking.engine import Engine

from .conftest import SETTINGS, facts, records

BODY = "Kilns fire clay.\n## Fire twice\nFirst bisque, then glaze.\n    kiln --twice\nTwice.\nTwice.\n## Cool"
VERSIONS = ["2.0", "1.1", "1.0"]


def page(version: str, body: str = BODY) -> list[Indexed]:
    return records("Kiln", body, **own(version))


def own(version: str) -> dict[str, str]:
    return {
        "url": f"https://docs.example.org/{version}/kiln",
        "version": version,
        "tag": f"docs-default-{version}",
    }


def write(folder: Path, *, is_together: bool) -> IndexReader:
    writer = IndexWriter(folder)
    if is_together:
        first, *others = VERSIONS
        twins = [Twin(f"/{version}/kiln", facts("Kiln", **own(version))) for version in others]
        writer.add(make_entries(page(first), f"/{first}/kiln", twins))
    else:
        for version in VERSIONS:
            writer.add(make_entries(page(version), f"/{version}/kiln"))
    writer.commit(SETTINGS)
    return IndexReader(folder)


def by_address(reader: IndexReader) -> list[Record]:
    return sorted(reader.all_records(), key=lambda record: (record.url_without_anchor, record.weight.position))


def test_equal_pages_have_the_records_that_each_would_have_alone(tmp_path: Path) -> None:
    together, alone = (write(tmp_path / str(way), is_together=way) for way in (True, False))
    expected = sorted(
        (record for version in VERSIONS for record, _ in page(version)),
        key=lambda record: (record.url_without_anchor, record.weight.position),
    )
    assert by_address(together) == by_address(alone) == expected
    assert len({record.object_id for record in expected}) == len(expected)
    assert together.page_addresses() == alone.page_addresses() == sorted(own(one)["url"] for one in VERSIONS)


def test_numbers_facets_and_tokens_of_equal_pages_are_those_of_single_ones(tmp_path: Path) -> None:
    def seen(reader: IndexReader) -> list[tuple[object, ...]]:
        columns = reader.columns
        numbers = columns.numbers(reader.searcher.search(tantivy.Query.all_query(), 100).hits)
        return sorted(
            (
                candidate.url,
                candidate.record.weight.position,
                columns.addresses[number],
                columns.pages[number],
                columns.levels[number],
                tuple(values[columns.combinations[number]] for values in columns.facets.values()),
                msgspec.to_builtins(candidate.text),
                candidate.text_below,
            )
            for number, candidate in zip(numbers, reader.candidates(numbers), strict=True)
        )

    assert repr(seen(write(tmp_path / "1", is_together=True))) == repr(seen(write(tmp_path / "2", is_together=False)))


@pytest.mark.parametrize("parameters", [{}, {"facetFilters": ["version:1.0"]}, {"facets": ["*"], "distinct": False}])
def test_searches_of_equal_pages_answer_as_of_single_ones(tmp_path: Path, parameters: dict[str, object]) -> None:
    def answer(reader: IndexReader) -> object:
        raw = {"query": "twice", "hitsPerPage": 50, **parameters}
        answer = make_answer(Engine(reader), "docs", parse_parameters(raw), raw)
        hits = sorted(answer["hits"], key=lambda hit: (hit["url"], hit["objectID"]))
        return hits, answer["nbHits"], answer.get("facets")

    assert answer(write(tmp_path / "1", is_together=True)) == answer(write(tmp_path / "2", is_together=False))


def test_texts_of_equal_pages_are_in_the_index_once(tmp_path: Path) -> None:
    text = "\n".join(f"Sentence {number} of a long page about clay." for number in range(200))
    sizes = []
    for name, others in (("one", []), ("ten", [f"1.{number}" for number in range(9)])):
        writer = IndexWriter(tmp_path / name)
        twins = [Twin(f"/{version}/kiln", facts("Kiln", **own(version))) for version in others]
        writer.add(make_entries(page("2.0", text), "/2.0/kiln", twins))
        writer.commit(SETTINGS)
        sizes.append((tmp_path / name / "records-0.bin").stat().st_size)
    one, ten = sizes
    assert ten < 3 * one


def test_heading_at_the_end_of_a_page_has_no_text_of_the_next_page_below_it(tmp_path: Path) -> None:
    reader = write(tmp_path / "index", is_together=True)
    numbers = reader.columns.numbers(reader.searcher.search(tantivy.Query.all_query(), 100).hits)
    below = {one.url.partition("#")[2]: one.text_below for one in reader.candidates(numbers) if not one.record.content}
    assert below == {"": "Kilns fire clay.", "fire-twice": "First bisque, then glaze.", "cool": None}


def test_index_of_another_format_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "index", is_together=True)
    file = tmp_path / "index" / "records-0.bin"
    file.write_bytes(b"x" * file.stat().st_size)
    (tmp_path / "index" / "checksums.json").write_text("{}")
    with pytest.raises(ServeError, match="another version of Octavo"):
        IndexReader(tmp_path / "index")
