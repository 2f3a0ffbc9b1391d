"""Where a site's cache is: below the site, or elsewhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from octavo.runtime import work_folder


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    monkeypatch.delenv("OCTAVO_CACHE_DIR", raising=False)
    folder = tmp_path / "site"
    folder.mkdir()
    return folder


def deny(monkeypatch: pytest.MonkeyPatch, *folders: Path) -> None:
    """Let nothing be written below some folders, as on a file system that is mounted read-only."""
    real_access, real_mkdir = os.access, Path.mkdir

    def is_denied(path: object) -> bool:
        return any(Path(str(path)).is_relative_to(folder) for folder in folders)

    def mkdir(self: Path, *args: int, **kwargs: bool) -> None:
        if is_denied(self):
            raise OSError(30, "Read-only file system")
        real_mkdir(self, *args, **kwargs)

    monkeypatch.setattr(Path, "mkdir", mkdir)
    monkeypatch.setattr(os, "access", lambda path, mode: not is_denied(path) and real_access(path, mode))


def test_site_that_can_be_written_holds_its_own(site: Path) -> None:
    assert work_folder(site) == site / ".octavo"


def test_check_leaves_the_site_alone(site: Path, tmp_path: Path) -> None:
    assert work_folder(site, writes_site=False).is_relative_to(tmp_path / "user/octavo")
    assert list(site.iterdir()) == []


def test_sites_of_one_name_are_told_apart(site: Path, tmp_path: Path) -> None:
    other = tmp_path / "other/site"
    other.mkdir(parents=True)
    assert work_folder(site, writes_site=False) != work_folder(other, writes_site=False)


def test_read_only_site_keeps_its_cache_in_the_users_folder(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deny(monkeypatch, site)
    assert work_folder(site).is_relative_to(tmp_path / "user/octavo")


def test_where_nothing_can_be_written_the_cache_lasts_as_long_as_the_process(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deny(monkeypatch, site, tmp_path / "user")
    folder = work_folder(site)
    assert not folder.is_relative_to(site)
    assert not folder.is_relative_to(tmp_path / "user")
    assert work_folder(site) == folder


def test_variable_names_another_folder(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OCTAVO_CACHE_DIR", str(tmp_path / "elsewhere"))
    for writes_site in (True, False):
        assert work_folder(site, writes_site=writes_site).parent == tmp_path / "elsewhere"
