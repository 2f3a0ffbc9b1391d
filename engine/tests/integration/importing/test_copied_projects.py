"""Copies of projects: what links lead to is in them, as long as it is in the project."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import text_of, write

_MKDOCS = {"mkdocs.yml": "site_name: Kite\n", "docs/index.md": "# Kite\n"}
_DOCUSAURUS = {"docusaurus.config.js": 'module.exports = { title: "Kite" };\n', "docs/index.md": "# Kite\n"}


def test_copy_holds_no_file_from_outside_the_project(tmp_path: Path) -> None:
    """Links that led nowhere ended the import; others brought files of the machine into the site."""
    site, copy = tmp_path / "site", tmp_path / "copy"
    write(tmp_path, {"secret.md": "# Secret\n", "others/a.md": "# A\n"})
    write(site, _MKDOCS | {"README.md": "# Read me\n", "docs/guide/a.md": "# A\n"})
    for name, target in {
        "gone.md": "nowhere.md",
        "secret.md": "../../secret.md",
        "others": "../../others",
        "itself": "itself",
        "around": ".",
        "guide/back": "..",
        "readme.md": "../README.md",
        "copy-of-guide": "guide",
    }.items():
        (site / "docs" / name).symlink_to(target)
    (site / ".git").mkdir()
    (site / ".git" / "config").write_text("url = https://token@host/", encoding="utf-8")
    (site / "docs" / "config.md").symlink_to("../.git/config")
    import_site(site, to=copy)
    assert sorted(path.relative_to(copy).as_posix() for path in (copy / "docs").rglob("*.md")) == [
        "docs/copy-of-guide/a.md",
        "docs/guide/a.md",
        "docs/index.md",
        "docs/readme.md",
    ]
    report = (copy / "import-report.md").read_text(encoding="utf-8")
    assert re.search(r"Links out of the project, .* 8 times \(", report)
    assert "docs/around" in report  # the first of them are named


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_copy_does_not_wait_for_a_pipe(tmp_path: Path) -> None:
    site, copy = tmp_path / "site", tmp_path / "copy"
    write(site, _MKDOCS)
    os.mkfifo(site / "docs" / "pipe.md")
    import_site(site, to=copy)
    assert not (copy / "docs" / "pipe.md").exists()
    assert "docs/pipe.md" in (copy / "import-report.md").read_text(encoding="utf-8")


def test_folder_of_a_site_that_leads_out_of_the_project_is_not_copied(tmp_path: Path) -> None:
    site, copy = tmp_path / "site", tmp_path / "copy"
    write(tmp_path, {"others/secret.txt": "Secret"})
    write(site, _DOCUSAURUS)
    (site / "static").symlink_to("../others")
    import_site(site, to=copy)
    assert not list(copy.rglob("secret.txt"))
    assert "in a circle, and special files (static)" in (copy / "import-report.md").read_text(encoding="utf-8")


def test_documents_outside_of_the_project_are_not_copied(tmp_path: Path) -> None:
    """The site of a project whose documents lie elsewhere is the folder around both."""
    site, copy = tmp_path / "site", tmp_path / "copy"
    write(tmp_path, {"others/secret.md": "# Secret\n", "site/mkdocs.yml": "site_name: Kite\n"})
    (site / "docs").symlink_to("../others")
    import_site(site, to=copy)
    assert not list(copy.rglob("secret.md"))
    assert "in a circle, and special files (others)" in (copy / "import-report.md").read_text(encoding="utf-8")


def test_page_takes_nothing_in_from_outside_of_the_project(tmp_path: Path) -> None:
    """Its site is the folder around both, since a version of the documents lies there."""
    project, copy = tmp_path / "project", tmp_path / "copy"
    write(tmp_path, {"secret.txt": "The secret.\n", "docs/index.md": "# Elsewhere\n"})
    settings = "site_name: Kite\ndocs_dir: ../docs\nmarkdown_extensions:\n  - pymdownx.snippets: {base_path: [..]}\n"
    write(project, {"mkdocs.yml": settings, "docs/a.md": '--8<-- "secret.txt"\n'})
    import_site(project, to=copy)
    texts = [
        path.read_text(encoding="utf-8") for path in copy.rglob("*") if path.is_file() and ".octavo" not in path.parts
    ]
    assert not [text for text in texts if "The secret." in text or "# Elsewhere" in text]


def test_copy_of_a_project_may_name_files_above_its_site(tmp_path: Path) -> None:
    write(tmp_path, {"README.md": "# Read me\n"} | {f"site/{name}": text for name, text in _MKDOCS.items()})
    (tmp_path / ".git").mkdir()
    (tmp_path / "site" / "docs" / "readme.md").symlink_to("../../README.md")
    import_site(tmp_path / "site", to=tmp_path / "copy")
    assert (tmp_path / "copy" / "docs" / "readme.md").read_text(encoding="utf-8") == "# Read me\n"


def test_folders_that_lead_to_each_other_are_copied_once_in_each(tmp_path: Path) -> None:
    site, copy = tmp_path / "site", tmp_path / "copy"
    write(site, _MKDOCS | {"docs/one/a.md": "# A\n", "docs/two/b.md": "# B\n"})
    (site / "docs" / "one" / "other").symlink_to("../two")
    (site / "docs" / "two" / "other").symlink_to("../one")
    import_site(site, to=copy)
    assert sorted(path.relative_to(copy / "docs").as_posix() for path in (copy / "docs").rglob("*.md")) == [
        "index.md",
        "one/a.md",
        "one/other/b.md",
        "two/b.md",
        "two/other/a.md",
    ]


def test_copy_has_the_files_that_pages_take_in_and_not_the_whole_project(tmp_path: Path) -> None:
    """Snippets of a site may lie anywhere in its project: 110 MB of sources were copied for one site of 454 pages."""
    site, copy = tmp_path / "site", tmp_path / "copy"
    settings = """site_name: Kite
markdown_extensions:
  - abbr
  - pymdownx.snippets: {base_path: [.], auto_append: [includes/abbreviations.md]}
"""
    page = 'A WND.\n\n```go\n--8<-- "src/main.go"\n```\n\n--8<-- "parts/note.md"\n\n![Kite](kite.svg)\n'
    write(
        site,
        {
            "mkdocs.yml": settings,
            "docs/index.md": page,
            "docs/kite.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
            "includes/abbreviations.md": "*[WND]: Wind speed\n",
            "parts/note.md": 'Fly **high**.\n\n--8<-- "parts/inner.md"\n',
            "parts/inner.md": "Fly far.\n",
            "src/main.go": "package main\n",
            "src/other.go": "package other\n",
            "README.md": "# Read me\n",
        },
    )
    import_site(site, to=copy)
    assert (copy / "src/main.go").is_file()
    assert not (copy / "src/other.go").exists()
    assert not (copy / "README.md").exists()
    built = build_site(copy, tmp_path / "built", has_search=False)
    assert [finding.code for finding in built.diagnostics if finding.code != "unset-url"] == []
    html = (tmp_path / "built" / "index.html").read_text(encoding="utf-8")
    assert all(text in text_of(html) for text in ("package main", "Fly high .", "Fly far."))
    assert "Wind speed" in html
