"""Builds on file systems for which `A` and `a` are one name."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.manifest import ManifestFile, hash_content
from octavo.publish.staging import Staging
from tests.support.case_folding import fold_names
from tests.support.sites import read_folder

MANIFEST = {"_octavo/manifest.json": b"{}"}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    fold_names(monkeypatch, tmp_path)
    return tmp_path


def take_over(staging: Staging, address: str, content: bytes) -> ManifestFile:
    """Write a file unless an earlier build has left it."""
    file = ManifestFile(hash_content(content), len(content))
    return file if staging.reuse(address, file) else staging.write(address, content)


def build(place: Path, files: dict[str, bytes]) -> dict[str, bytes]:
    """Publish some files, and read what is there then; names in small letters, for the spelling is the first one's."""
    staging = Staging.make(place / "out", place / "work")
    staging.publish({address: take_over(staging, address, content) for address, content in (files | MANIFEST).items()})
    found = read_folder(place / "out")
    return {name.lower(): content for name, content in found.items() if name.lower() not in MANIFEST}


def test_simulation_finds_files_in_another_case(place: Path) -> None:
    (place / "Some").mkdir()
    (place / "Some/File").write_text("here")
    assert (place / "sOME/fILE").read_text() == "here"


def test_page_that_is_renamed_by_case_only_stays(place: Path) -> None:
    first = build(place, {"Guide/One/index.html": b"one", "Guide/Two/index.html": b"two"})
    assert first == {"guide/one/index.html": b"one", "guide/two/index.html": b"two"}
    # Twice: the spare, from which the third build starts, is what the first has published.
    for round_ in (b"1", b"2", b"3"):
        renamed = {"guide/one/index.html": b"one" + round_, "guide/Two/index.html": b"two"}
        assert build(place, renamed) == {"guide/one/index.html": b"one" + round_, "guide/two/index.html": b"two"}


def test_published_file_is_never_written_in_place(place: Path) -> None:
    """Spare and published folder share their files as hard links."""
    for _ in range(2):
        build(place, {"Page/index.html": b"published"})
    staging = Staging.make(place / "out", place / "work")
    staging.write("page/index.html", b"not yet")
    assert (place / "out/Page/index.html").read_bytes() == b"published"
    staging.discard()


def test_foreign_files_go_and_own_ones_stay_whatever_their_spelling(place: Path) -> None:
    build(place, {"Guide/a": b"a", "Guide/b": b"b"})
    for _ in range(3):
        assert build(place, {"guide/a": b"a", "guide/b": b"b"}) == {"guide/a": b"a", "guide/b": b"b"}
        (place / "out/guide/foreign").write_text("not ours")
