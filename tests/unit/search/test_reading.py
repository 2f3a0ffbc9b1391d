"""An index is read as it lies: also on a disk that nobody may write to, and after it is gone."""

from __future__ import annotations

import shutil
from pathlib import Path

from recto.search.engine import Engine
from recto.search.index import IndexReader
from tests.unit.search.conftest import Index, records


def test_opening_an_index_writes_nothing_beside_it(tmp_path: Path) -> None:
    """The time of a folder changes with each file that comes or goes in it, a lock that is held for a moment too."""
    folder = tmp_path / "index"
    Index(folder, [records("Kilns", "Fired twice.")])
    before = folder.stat().st_mtime_ns
    reader = IndexReader(folder)
    assert reader.size == 2
    assert folder.stat().st_mtime_ns == before


def test_open_index_answers_after_its_folder_is_gone(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    index = Index(folder, [records("Kilns", "Fired twice.")])
    index.engine = Engine(IndexReader(folder))
    shutil.rmtree(folder)
    assert index.found("fired") == ["Fired twice."]
