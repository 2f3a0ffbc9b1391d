"""Files that a user names: only whole regular ones are read, and none is replaced."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from service_guard import move_to_new, read_regular


@pytest.mark.parametrize(("kind", "reason"), [("pipe", "Is not a regular file"), ("folder", "Is a directory")])
def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path, kind: str, reason: str) -> None:
    path = tmp_path / "x"
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    free = os.dup(1)
    os.close(free)
    with pytest.raises(OSError, match=reason) as caught:
        read_regular(path)
    # Nothing is left open.
    other = os.dup(1)
    os.close(other)
    assert other == free
    assert (caught.value.strerror, caught.value.filename) == (reason, str(path))


def test_file_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"a\r\n\0")
    assert read_regular(tmp_path / "x") == b"a\r\n\0"
    with pytest.raises(FileNotFoundError):
        read_regular(tmp_path / "gone")


@pytest.mark.parametrize("has_links", [True, False])
def test_draft_gets_the_name_and_replaces_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_links: bool
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOTSUP, "Operation not supported")

    if not has_links:
        monkeypatch.setattr(os, "link", refuse)
    draft, target = tmp_path / "draft", tmp_path / "target"
    draft.write_text("new")
    move_to_new(draft, target)
    assert (target.read_text(), draft.exists()) == ("new", False)
    draft.write_text("newer")
    with pytest.raises(FileExistsError) as caught:
        move_to_new(draft, target)
    assert caught.value.errno == errno.EEXIST
    assert (target.read_text(), draft.read_text()) == ("new", "newer")
    target.unlink()
    target.symlink_to(tmp_path / "nowhere")
    with pytest.raises(FileExistsError):
        move_to_new(draft, target)


def test_other_errors_are_passed_on(tmp_path: Path) -> None:
    (tmp_path / "draft").write_text("new")
    with pytest.raises(FileNotFoundError):
        move_to_new(tmp_path / "draft", tmp_path / "gone" / "target")
    assert (tmp_path / "draft").exists()
