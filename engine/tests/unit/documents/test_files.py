"""Files that pages name are read once while a site is compiled, and never from outside its folder."""

from __future__ import annotations

import hashlib
from pathlib import Path

from octavo.content import EXTENSION_INPUTS
from octavo.documents.files import Files, hash_text, takes_in


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


def test_names_in_a_folder_are_listed_one_a_line(tmp_path: Path) -> None:
    write(tmp_path / "parts/b.md", "")
    write(tmp_path / "parts/a/x.md", "")
    write(tmp_path / "parts/.hidden", "")
    (tmp_path / "empty").mkdir()
    files = Files(tmp_path)
    assert files.read("parts/") == "a/\nb.md"
    assert [files.read(path) for path in ("empty/", "none/", "parts/b.md/")] == [None, None, None]


def test_line_ends_are_those_of_unix_and_letters_that_are_none_are_marked(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"a\r\nb\xff\n")
    files = Files(tmp_path)
    assert files.read("a.md") == "a\nb\ufffd\n"
    assert (files.read_source("a.md"), files.read_source("gone.md")) == ("a\nb\ufffd\n", "")


def test_files_above_the_site_are_read_as_far_as_it_is_allowed(tmp_path: Path) -> None:
    site = tmp_path / "one/two/site"
    site.mkdir(parents=True)
    for name in ("one/two/a.md", "one/b.md", "c.md", "one/two/.secret/d.md", "one/two/.github/e.md"):
        write(tmp_path / name, name)
    (tmp_path / "one/two/out.md").symlink_to(tmp_path / "c.md")
    files = Files(site)
    read = {
        path: [files.read(path, above) is not None for above in (0, 1, 2)]
        for path in ("../a.md", "../../b.md", "../.secret/d.md", "../.github/e.md", "../out.md", "../gone.md")
    }
    assert read == {
        "../a.md": [False, True, True],
        "../../b.md": [False, False, True],
        "../.secret/d.md": [False, False, False],
        "../.github/e.md": [False, True, True],
        "../out.md": [False, False, False],
        "../gone.md": [False, False, False],
    }


def test_what_a_document_depends_on_is_compared_by_its_hash(tmp_path: Path) -> None:
    write(tmp_path / "a.md", "a")
    (tmp_path / "b.png").write_bytes(b"\xff")
    write(tmp_path / "site/x.md", "")
    noted = {"a.md": hash_text("a"), "b.png": "b:" + hashlib.sha256(b"\xff").hexdigest()[:16], "gone.md": ""}
    others = {f"{EXTENSION_INPUTS}kit": "1"}
    assert Files(tmp_path, others).unchanged({**noted, **others})
    assert not Files(tmp_path).unchanged(others)
    assert Files(tmp_path / "site").unchanged({"../a.md": hash_text("a")})
    for path in noted:
        assert not Files(tmp_path).unchanged({**noted, path: hash_text("other")}), path
    (tmp_path / "b.png").write_bytes(b"\xfe")
    assert not Files(tmp_path).unchanged(noted)
    (tmp_path / "b.png").unlink()
    assert not Files(tmp_path).unchanged(noted)


def test_hash_of_a_missing_file_is_empty() -> None:
    assert hash_text(None) == ""
    assert hash_text("") == hashlib.sha256(b"").hexdigest()[:16]


def test_change_in_a_folder_touches_those_that_list_its_names() -> None:
    assert takes_in(["parts/a.md"], {"parts/a.md"})
    assert takes_in(["parts/"], {"parts/b.md"})
    assert takes_in(["./"], {"b.md"})
    assert not takes_in(["parts/a.md", "parts/"], {"parts/deep/b.md", "a.md"})
