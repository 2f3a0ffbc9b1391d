from __future__ import annotations

from pathlib import Path

import tantivy

from octavo.search.fields import facet_values
from octavo.search.index.tantivy_index import IndexReader, IndexWriter, make_entries, stable_number

from .conftest import SETTINGS, records


def write(
    folder: Path, titles: list[str], *, base: Path | None = None, removed: list[str] | None = None
) -> IndexReader:
    writer = IndexWriter(folder, base=base)
    writer.remove(removed or [])
    for title in titles:
        writer.add(make_entries(records(title, f"## About {title}\nThe text."), f"/{title}"))
    writer.commit(SETTINGS)
    return IndexReader(folder)


def test_numbers_of_all_records_are_those_of_the_records_also_in_several_segments(tmp_path: Path) -> None:
    write(tmp_path / "1", ["Kiln", "Glaze", "Clay"])
    write(tmp_path / "2", ["Wheel"], base=tmp_path / "1", removed=["/Glaze"])
    reader = write(tmp_path / "3", ["Brush", "Sponge"], base=tmp_path / "2")
    assert reader.searcher.num_segments > 1
    numbers = reader.columns.numbers(reader.searcher.search(tantivy.Query.all_query(), 100).hits)
    assert len(numbers) == reader.size == 5 * 3
    for number, candidate in zip(numbers, reader.candidates(numbers), strict=True):
        assert reader.columns.addresses[number] == stable_number(candidate.url)
        assert reader.columns.pages[number] == stable_number(candidate.page)
        assert reader.columns.levels[number] == candidate.record.weight.level
        combination = reader.columns.combinations[number]
        assert tuple(values[combination] for values in reader.columns.facets.values()) == facet_values(candidate.record)


def test_combinations_of_facets_are_fewer_than_records_and_known_only_once(tmp_path: Path) -> None:
    reader = write(tmp_path / "1", ["Kiln", "Glaze", "Clay"])
    assert (
        len(reader.columns.facets["kind"]) == len(set(zip(*reader.columns.facets.values(), strict=True))) < reader.size
    )
