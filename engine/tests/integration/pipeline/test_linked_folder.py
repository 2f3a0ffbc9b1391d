"""The build after the first one takes the published folder over by another process, as hard links."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from octavo.last_build import FolderStates, linking
from octavo.publish.staging import Staging
from octavo.runtime import count_cores
from tests.support.sites import MakeSite, page, read_folder

FILES = {f"{number % 3}/page-{number}.html": f"page {number}".encode() for number in range(30)}


def publish(out: Path, work: Path, files: dict[str, bytes]) -> Staging:
    staging = Staging.make(out, work)
    manifest = {address: staging.write(address, content) for address, content in files.items()}
    staging.publish(manifest)
    return staging


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Output and work folder; the output has been published once, so there is no spare."""
    monkeypatch.setattr(linking, "_WORTH_FROM", 1)
    monkeypatch.setattr(linking, "count_cores", lambda: 2)
    monkeypatch.setattr("octavo.last_build.file_states.SETTLED_NS", -1_000_000_000)  # the files are as good as old
    out, work = tmp_path / "out", tmp_path / "work"
    publish(out, work, FILES)
    (out / "_octavo").mkdir()
    return out, work


def test_second_build_writes_only_what_has_changed(places: tuple[Path, Path]) -> None:
    out, work = places
    inodes = {address: (out / address).stat().st_ino for address in FILES}
    fresh = {**FILES, "1/page-1.html": b"another page"}
    del fresh["2/page-2.html"]
    publish(out, work, fresh)
    assert read_folder(out) == fresh
    assert [address for address in fresh if (out / address).stat().st_ino != inodes[address]] == ["1/page-1.html"]
    # The spare of the third build is what the first one has published.
    publish(out, work, FILES)
    assert read_folder(out) == FILES


def test_damaged_and_foreign_files_are_not_taken_over(places: tuple[Path, Path]) -> None:
    out, work = places
    (out / "0/page-0.html").unlink()
    (out / "0/page-3.html").write_bytes(b"damaged")
    (out / "0/foreign.html").write_bytes(b"foreign")
    (out / "1/page-1.html").unlink()
    (out / "1/page-1.html").symlink_to("/etc/hostname")
    publish(out, work, FILES)
    assert read_folder(out) == FILES


def test_files_of_a_process_that_has_died_are_written_anew(
    places: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(_connection: object, _parents: object, source: str, target: str, _states: FolderStates) -> None:
        (Path(target) / "0").mkdir()
        os.link(f"{source}/0/page-0.html", f"{target}/0/half.html")
        os._exit(1)

    monkeypatch.setattr(linking, "_link_all", die)
    out, work = places
    publish(out, work, FILES)
    assert read_folder(out) == FILES


def test_discarded_build_leaves_nothing(places: tuple[Path, Path]) -> None:
    out, work = places
    staging = Staging.make(out, work)
    staging.discard()
    assert not staging.path.exists()
    assert read_folder(out) == FILES


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or count_cores() < 2, reason="processes draw on Linux with two cores"
)
def test_processes_that_draw_all_pages_again_find_what_was_linked(make_site: MakeSite) -> None:
    files = {f"docs/page-{number}.md": page(f"Page {number}", "Text.") for number in range(80)}
    site = make_site({"docs/index.md": page("Home", "Text."), **files}, "")
    site.build()
    site.write({"octavo.toml": 'title = "Another title"\n'})
    assert site.build().drawn == 81
    assert "Another title" in site.html("/page-7")
