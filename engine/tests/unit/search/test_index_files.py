"""The files of an index: what belongs to it, and what a thread of the native library may still put beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.search.index.files import LOCKS, DamagedIndexError, check_index, open_to_readers, write_checksums


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_that_goes_after_the_index_was_written_does_not_damage_it(tmp_path: Path, lock: str) -> None:
    (tmp_path / "meta.json").write_text("{}")
    (tmp_path / lock).touch(0o600)
    write_checksums(tmp_path)
    open_to_readers(tmp_path, like=tmp_path / "meta.json")
    (tmp_path / lock).unlink()
    check_index(tmp_path)


def test_file_that_is_gone_or_changed_is_found(tmp_path: Path) -> None:
    (tmp_path / "meta.json").write_text("{}")
    (tmp_path / "part.store").write_text("records")
    write_checksums(tmp_path)
    (tmp_path / "part.store").write_text("Records")
    with pytest.raises(DamagedIndexError, match=r"part\.store has another content"):
        check_index(tmp_path)
    (tmp_path / "part.store").unlink()
    with pytest.raises(DamagedIndexError, match=r"part\.store cannot be read"):
        check_index(tmp_path)
