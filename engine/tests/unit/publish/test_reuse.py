"""A build takes files over from the published folder."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from octavo.errors import PublishError
from octavo.manifest import ManifestFile
from octavo.pipeline import SiteFiles
from octavo.publish.full_text import publish_full_text
from octavo.publish.search_entries import EntryPacks
from octavo.publish.staging import Staging
from octavo.rendering.theme import Theme
from octavo.runtime import Cache
from octavo.search import Stored
from tests.support.each import each
from tests.support.sites import MakeSite, page

NO_THEME = Theme("", "", "", "c.js", [], {}, {}, "", {}, {}, "")


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


def published(place: Path, files: dict[str, bytes]) -> dict[str, ManifestFile]:
    """Publish some files as the only ones."""
    staging = Staging.make(place / "out", place / "work")
    written = {address: staging.write(address, content) for address, content in files.items()}
    staging.publish(written)
    return written


def full_text(site_files: SiteFiles, place: Path, texts: dict[str, bytes]) -> tuple[dict[str, bytes], set[str]]:
    """Publish what is made of Markdown: (address → content of that, addresses that were written anew)."""
    out = place / "out"
    before = {path.relative_to(out).as_posix(): path.stat().st_ino for path in out.rglob("*") if path.is_file()}
    staging = Staging.make(out, place / "work")
    files = {address: staging.write(address, content) for address, content in texts.items()}
    made = publish_full_text(site_files, files, staging, Cache(place / "cache"))
    staging.publish(files | made)
    found = {address: out / address for address in made}
    fresh = {address for address, path in found.items() if before.get(address) != path.stat().st_ino}
    return {address: path.read_bytes() for address, path in found.items()}, fresh


def test_parts_of_the_full_text_are_made_again_when_one_of_their_pages_has_changed(
    make_site: MakeSite, tmp_path: Path
) -> None:
    folder = make_site({"docs/a.md": page("A"), "docs/b.md": page("B")}, "[programs]\nfull_text_size = 1000\n")
    site_files = SiteFiles(folder.assemble(), folder.root, NO_THEME, None)
    first, second = site_files.full_text_pages()
    texts = {first: b"one\n" * 120, second: b"two\n" * 120}
    made, fresh = full_text(site_files, tmp_path, texts)
    assert fresh == {"llms-full.txt", "llms-full-2.txt"}
    assert made["llms-full.txt"].endswith(b"\n" + texts[first])
    assert made["llms-full-2.txt"].endswith(b"\n" + texts[second])
    assert full_text(site_files, tmp_path, texts) == (made, set())
    changed, fresh = full_text(site_files, tmp_path, texts | {second: b"six\n" * 120})
    assert fresh == {"llms-full-2.txt"}
    assert changed["llms-full-2.txt"] == made["llms-full-2.txt"].replace(b"two", b"six")
    assert full_text(site_files, tmp_path, texts | {"llms-full.txt": b"own"})[0].keys() == {"llms-full-2.txt"}
    assert full_text(site_files, tmp_path, {}) == ({}, set())


@each("number", [errno.EPERM, errno.ENOTSUP, errno.EMLINK])
def test_file_system_without_hard_links_gets_copies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """FAT says that linking is not permitted, others that it is not supported."""
    place = tmp_path / str(number)
    place.mkdir()
    files = published(place, {"deep/a": b"a"})

    def refuse(_source: str, target: str) -> None:
        if not Path(target).parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "link", refuse)
    staging = Staging.make(place / "out", place / "work")
    assert staging.reuse("deep/a", files["deep/a"])
    assert (staging.path / "deep/a").read_bytes() == b"a"
    assert (staging.path / "deep/a").stat().st_ino != (place / "out/deep/a").stat().st_ino
    staging.discard()


def test_file_is_taken_over_where_the_new_build_has_a_folder_or_a_file_in_its_way(tmp_path: Path) -> None:
    files = published(tmp_path, {"deep/a": b"a", "b": b"b"})
    staging = Staging.make(tmp_path / "out", tmp_path / "work")
    (staging.path / "deep").write_bytes(b"a file")
    (staging.path / "b").mkdir()
    assert all(staging.reuse(address, file) for address, file in files.items())
    assert (staging.path / "deep/a").read_bytes() == b"a"
    assert (staging.path / "b").read_bytes() == b"b"
    staging.discard()


def test_changed_file_of_the_published_folder_is_not_taken_over(tmp_path: Path) -> None:
    files = published(tmp_path, {"a": b"a", "b": b"b"})
    (tmp_path / "out/a").write_bytes(b"x")
    (tmp_path / "out/b").unlink()
    staging = Staging.make(tmp_path / "out", tmp_path / "work")
    assert not any(staging.reuse(address, file) for address, file in files.items())
    staging.discard()


def test_what_killed_builds_have_left_is_removed_and_what_others_make_now_stays(tmp_path: Path) -> None:
    published(tmp_path, {"a": b"a"})
    staging = Staging.make(tmp_path / "out", tmp_path / "work")
    name = staging.path.name.rpartition("-")[0]
    staging.discard()
    for process in (99999999, os.getppid()):
        (tmp_path / f"work/{name}-{process}").mkdir()
    Staging.make(tmp_path / "out", tmp_path / "work").discard()
    assert [path.name for path in (tmp_path / "work").iterdir() if ".staging-" in path.name] == [
        f"{name}-{os.getppid()}"
    ]


def test_file_that_cannot_be_written_is_named_by_its_place_in_the_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    staging = Staging.make(tmp_path / "out", tmp_path / "work")

    def refuse(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", refuse)
    with pytest.raises(PublishError, match="out/deep/a cannot be written: the disk is full"):
        staging.write("deep/a", b"a")
    monkeypatch.undo()
    staging.discard()


def test_folders_that_cannot_be_made_are_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(PublishError, match="file where a folder is needed"):
        Staging.make(tmp_path / "file/out", tmp_path / "work")


def test_entries_of_many_builds_are_put_together(tmp_path: Path) -> None:
    """Else each build would leave a file, and each one would be opened for ever."""
    packs, numbers = EntryPacks(Cache(tmp_path)), [0]
    packs.begin("")
    stored = Stored(root="0", entries=[])
    most = 0
    for number in range(40):
        numbers = [*stored.entries, packs.save([b"%d" % number])]
        stored = packs.keep(Stored(root=str(number), entries=numbers))
        files = [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".msgpack"]
        most = max(most, len(files))
    assert [packs.load(number) for number in stored.entries] == [[b"%d" % number] for number in range(40)]
    assert 20 < most < 36
    assert len(files) < 10


def test_large_entries_are_written_before_all_are_there(tmp_path: Path) -> None:
    packs = EntryPacks(Cache(tmp_path))
    packs.begin("")
    large = b"a" * 4_000_001
    first, second = packs.save([large]), packs.save([b"b"])
    assert any(path.stat().st_size > 4_000 for path in tmp_path.rglob("*") if path.is_file())
    assert (packs.load(first), packs.load(second)) == ([large], [b"b"])
