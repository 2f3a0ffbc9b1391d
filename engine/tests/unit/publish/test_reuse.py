"""A build takes files over from the published folder."""

from __future__ import annotations

from pathlib import Path

from octavo.publish.staging import Staging


def test_a_file_is_taken_over_as_often_as_it_is_asked_for(tmp_path: Path) -> None:
    """Shards of search are first taken for those of now, and then, when they are not, for those of the build before."""
    out, work = tmp_path / "out", tmp_path / "work"
    first = Staging.make(out, work)
    file = first.write("_octavo/files/find/a.json", b"{}")
    first.publish({"_octavo/files/find/a.json": file})
    second = Staging.make(out, work)
    assert second.reuse("_octavo/files/find/a.json", file)
    assert second.reuse("_octavo/files/find/a.json", file)
    assert (second.path / "_octavo/files/find/a.json").read_bytes() == b"{}"
    assert not second.reuse("_octavo/files/find/b.json", file)
    second.discard()
