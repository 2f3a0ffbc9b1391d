"""What is kept between builds: a bad entry is a miss."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from octavo.errors import CacheLostError
from octavo.runtime.cache import Cache, digest, write_whole


class Entry(msgspec.Struct, frozen=True):
    name: str
    number: int


def test_hash_tells_parts_apart_and_not_text_from_bytes() -> None:
    assert digest("ab", "c") != digest("a", "bc")
    assert digest("a", b"b") == digest(b"a", "b")
    assert len(digest()) == 24


def test_table_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    cache.save_table("t", {"a": Entry("x", 1)})
    assert cache.load_table("t", dict[str, Entry], {}) == {"a": Entry("x", 1)}


@pytest.mark.parametrize("content", [b"", b"\xff\xff", msgspec.msgpack.encode({"a": {"name": 1}})])
def test_unusable_table_is_the_default(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "t").write_bytes(content)
    assert Cache(tmp_path).load_table("t", dict[str, Entry], {}) == {}


def test_cache_that_cannot_be_written_keeps_silent_about_tables(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = Cache(tmp_path / "file")
    cache.save_table("t", {})
    assert cache.load_table("t", dict[str, Entry], {}) == {}


def test_entries_of_a_pack_come_back_each_for_itself(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    entries = [Entry("a", 1), Entry("b", 2), Entry("c", 3)]
    places = cache.save_pack(entries)
    assert [cache.load_piece(place, Entry) for place in places] == entries
    assert cache.has_packs({places[0].pack, "other"}) == {places[0].pack}


def test_packs_of_no_use_are_removed(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    (kept,), (dropped,) = cache.save_pack([Entry("a", 1)]), cache.save_pack([Entry("b", 2)])
    cache.drop_packs_but({kept.pack})
    assert cache.has_packs({kept.pack, dropped.pack}) == {kept.pack}


def test_damage_that_still_decodes_is_found(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    (place,) = cache.save_pack([Entry("a", 1)])
    file = tmp_path / "packs" / place.pack
    file.write_bytes(msgspec.msgpack.encode(Entry("b", 1)))
    with pytest.raises(CacheLostError) as caught:
        cache.load_piece(place, Entry)
    assert str(caught.value) == f"{file} was lost or changed while the build ran. Build again."


def test_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        write_whole(tmp_path / "folder", b"x")
    write_whole(tmp_path / "file", b"x")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]
