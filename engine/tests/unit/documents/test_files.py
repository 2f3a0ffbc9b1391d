"""Files that pages name are read once while a site is compiled, and never from outside its folder."""

from __future__ import annotations

from pathlib import Path

from octavo.documents.files import Files


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_all_pages_see_one_state_of_a_file(tmp_path: Path) -> None:
    write(tmp_path / "parts/a.md", "first")
    files = Files(tmp_path)
    assert (files.read("parts/a.md"), files.read("parts/b.md")) == ("first", None)
    write(tmp_path / "parts/a.md", "second")
    write(tmp_path / "parts/b.md", "new")
    assert (files.read("parts/a.md"), files.read("parts/b.md")) == ("first", None)
    assert (Files(tmp_path).read("parts/a.md"), Files(tmp_path).read("parts/b.md")) == ("second", "new")


def test_no_file_outside_is_read_whatever_was_read_beside_it(tmp_path: Path) -> None:
    site = tmp_path / "site"
    write(tmp_path / "secret.md", "secret")
    write(site / "parts/a.md", "shown")
    (site / "parts/link.md").symlink_to(tmp_path / "secret.md")
    (site / "parts/same.md").symlink_to(site / "parts/a.md")
    (site / "away").symlink_to(tmp_path)
    files = Files(site)
    assert files.read("parts/a.md") == "shown"
    assert files.read("parts/same.md") == "shown"
    for path in ("parts/link.md", "parts/../../secret.md", "away/secret.md", "away/", "parts/../..", ".."):
        assert files.read(path) is None, path
