"""An index is read as it lies: also on a disk that nobody may write to, and after it is gone."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import pytest

from engine.tests.unit.search.conftest import SETTINGS, Index, MakeIndex, records
from octavo.errors import ServeError
from octavo.search.index.files import LOCKS, is_whole, linked_index
from octavo.search.index.tantivy_index import IndexReader, IndexWriter, make_entries
from octavo.search.ranking.engine import Engine


def write_index(folder: Path) -> Path:
    writer = IndexWriter(folder)
    writer.add(make_entries(records("Kilns", "Fired twice."), "/kilns"))
    writer.commit(SETTINGS)
    return folder


def test_index_can_be_read_by_whom_the_site_can_be_read(tmp_path: Path) -> None:
    """A server is another user than the build: rights are those of any file that is written here."""
    (tmp_path / "page.html").touch()
    rights = {file.stat().st_mode & 0o777 for file in write_index(tmp_path / "index").iterdir()}
    assert rights == {(tmp_path / "page.html").stat().st_mode & 0o777}


def test_opening_an_index_writes_nothing_beside_it(tmp_path: Path) -> None:
    folder = write_index(tmp_path / "index")
    before = sorted(folder.iterdir())
    assert IndexReader(folder).size == 2
    assert sorted(folder.iterdir()) == before


def test_open_index_answers_after_its_folder_is_gone(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    index = Index(folder, [records("Kilns", "Fired twice.")])
    index.engine = Engine(IndexReader(folder))
    shutil.rmtree(folder)
    assert index.found("fired") == ["Fired twice."]


@pytest.mark.costly
def test_links_go_while_a_lock_is_put_beside_them(tmp_path: Path) -> None:
    folder = write_index(tmp_path / "index")
    for _ in range(50):
        with linked_index(folder) as links:
            writer = threading.Thread(target=lock_until_gone, args=(links,))
            writer.start()
        writer.join(10)
        assert not writer.is_alive()
        assert not links.exists()


def lock_until_gone(folder: Path) -> None:
    for _ in range(100_000):
        try:
            (folder / LOCKS[0]).touch()
        except FileNotFoundError:
            return


@pytest.mark.parametrize("name", ["records-0.bin", "meta.json", "octavo.json", "checksums.json"])
def test_damaged_index_is_refused_at_opening(make_index: MakeIndex, tmp_path: Path, name: str) -> None:
    make_index({"Clay": "Dig the clay."})
    file = tmp_path / "index" / name
    file.write_bytes(file.read_bytes()[:-1])
    assert not is_whole(tmp_path / "index")
    with pytest.raises(ServeError, match="Build the site again"):
        IndexReader(tmp_path / "index")


def test_index_that_lacks_a_file_is_not_inherited(make_index: MakeIndex, tmp_path: Path) -> None:
    make_index({"Clay": "Dig the clay."})
    assert is_whole(tmp_path / "index")
    (tmp_path / "index" / "records-0.bin").unlink()
    assert not is_whole(tmp_path / "index")
