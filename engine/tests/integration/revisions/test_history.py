"""When each file was last changed, as git knows it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from octavo.site import LastCommit, find_head, load_history


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "--quiet")
    commit(
        tmp_path, {"site/docs/a.md": "1", "site/docs/größe.md": "1", "README.md": "1"}, "Ada", "2026-01-01T12:00:00Z"
    )
    commit(tmp_path, {"site/docs/a.md": "2"}, "Grace", "2026-02-01T23:30:00-05:00")
    return tmp_path


def git(folder: Path, *arguments: str, **environment: str) -> None:
    names = {f"GIT_{who}_{what}": "x@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    subprocess.run(
        ["git", "-C", folder, *arguments],
        check=True,
        capture_output=True,
        env={**os.environ, **names, "GIT_CONFIG_GLOBAL": "/dev/null", **environment},
    )


def commit(folder: Path, files: dict[str, str], author: str, date: str) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "-m", "x", GIT_AUTHOR_NAME=author, GIT_COMMITTER_DATE=date)


def test_each_file_has_the_day_in_utc_and_the_author_of_its_last_commit(repository: Path) -> None:
    assert load_history(repository / "site") == {
        "docs/a.md": LastCommit("2026-02-02", "Grace"),
        "docs/größe.md": LastCommit("2026-01-01", "Ada"),
    }


def test_file_that_was_never_committed_has_no_history(repository: Path) -> None:
    (repository / "site/docs/new.md").write_text("x")
    assert "docs/new.md" not in load_history(repository / "site")


def test_head_changes_with_each_commit(repository: Path) -> None:
    before = find_head(repository / "site")
    commit(repository, {"README.md": "2"}, "Ada", "2026-03-01T12:00:00Z")
    after = find_head(repository / "site")
    assert before is not None
    assert after is not None
    assert before != after


def test_folder_outside_a_repository_has_no_head(tmp_path: Path) -> None:
    assert find_head(tmp_path) is None


def test_repository_without_commits_has_no_head_and_no_history(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    assert (find_head(tmp_path), load_history(tmp_path)) == (None, {})
