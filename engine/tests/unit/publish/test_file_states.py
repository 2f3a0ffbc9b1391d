"""What a published folder is brought back to, and when it passes for untouched."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from octavo.last_build.file_states import FolderStates, is_untouched, note_states, restore_folder
from octavo.manifest import MANIFEST_PATH, ManifestFile, hash_content

FILES = {"index.html": b"home", "a/index.html": b"a", "a/b/c.html": b"c"}


@pytest.fixture
def published(tmp_path: Path) -> tuple[Path, FolderStates]:
    folder = tmp_path / "Out"
    for name, content in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    manifest = {name: ManifestFile(hash=hash_content(content), size=len(content)) for name, content in FILES.items()}
    return folder, note_states(folder, manifest, FolderStates({}, {}))


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


WHOLE = ["a", "a/b", "a/b/c.html", "a/index.html", "index.html"]


def test_folder_as_it_was_written_is_untouched(published: tuple[Path, FolderStates]) -> None:
    folder, states = published
    assert is_untouched(folder, states)
    assert restore_folder(folder, states).files == states.files
    assert names(folder) == WHOLE
    assert not is_untouched(folder, FolderStates({}, {}))


def test_what_each_build_makes_anew_does_not_count_and_is_removed(published: tuple[Path, FolderStates]) -> None:
    folder, states = published
    (folder / MANIFEST_PATH).parent.mkdir(parents=True, exist_ok=True)
    (folder / MANIFEST_PATH).write_bytes(b"{}")
    (folder / "_octavo/search/1").mkdir(parents=True)
    restore_folder(folder, states)
    assert not (folder / MANIFEST_PATH).exists()
    assert not (folder / "_octavo/search").exists()


@pytest.mark.parametrize(
    ("change", "left"),
    [
        ("changed", ["a", "a/b", "a/b/c.html", "index.html"]),
        ("gone", ["a", "a/b", "a/b/c.html", "index.html"]),
        ("foreign", WHOLE),
        ("foreign folder", WHOLE),
        ("empty folder", WHOLE),
        ("link", WHOLE),
        ("link in place of a folder", ["index.html"]),
        ("last of a folder", ["a", "a/index.html", "index.html"]),
    ],
)
def test_what_is_not_as_it_was_is_removed(published: tuple[Path, FolderStates], change: str, left: list[str]) -> None:
    folder, states = published
    elsewhere = folder.parent / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept.txt").write_text("kept")
    match change:
        case "changed":
            (folder / "a/index.html").write_bytes(b"other")
        case "gone":
            (folder / "a/index.html").unlink()
        case "foreign":
            (folder / "a/new.html").write_bytes(b"new")
        case "foreign folder":
            (folder / "a/new/deep").mkdir(parents=True)
            (folder / "a/new/deep/x.html").write_bytes(b"new")
        case "empty folder":
            (folder / "empty").mkdir()
        case "link":
            (folder / "a/link").symlink_to(elsewhere)
        case "link in place of a folder":
            (folder / "a").rename(folder.parent / "moved")
            (folder / "a").symlink_to(folder.parent / "moved")
        case _:
            (folder / "a/b/c.html").unlink()
    assert not is_untouched(folder, states)
    restored = restore_folder(folder, states)
    assert names(folder) == left
    assert set(restored.files) == {name for name in left if name in FILES}
    assert (elsewhere / "kept.txt").read_text() == "kept"
    # What is left is what is noted.
    assert is_untouched(folder, restored)
    assert set(restored.folders) == {"", *(f"{name}/" for name in left if (folder / name).is_dir())}


@pytest.mark.parametrize("name", [".git", "lost+found"])
def test_folder_of_somebody_else_stays_where_it_is_at_the_top(published: tuple[Path, FolderStates], name: str) -> None:
    folder, states = published
    (folder / name).mkdir()
    assert is_untouched(folder, states)
    restore_folder(folder, states)
    assert names(folder) == sorted([*WHOLE, name])
    (folder / "a" / name).mkdir()
    assert not is_untouched(folder, states)


def test_copy_with_other_times_is_the_same_folder(published: tuple[Path, FolderStates]) -> None:
    folder, states = published
    for name in FILES:
        os.utime(folder / name, ns=(1, 1))
    assert is_untouched(folder, states)
    assert set(restore_folder(folder, states).files) == set(FILES)
