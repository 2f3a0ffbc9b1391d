"""What lies among the documents of a site and is none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from octavo.site.sources import find_left_out, walk_files

LINK_OUT = "This link leads out of the site's folder, and what is there is not published."


@pytest.fixture
def site(tmp_path: Path) -> Path:
    root = tmp_path / "site"
    for name in (
        "docs/a.md",
        "docs/_partial.mdx",
        "docs/_data.json",
        "docs/.hidden.md",
        "docs/old.rst",
        "docs/inner/_b.md",
        "docs/_folder/_c.md",
        "docs/_folder.md/d.md",
        "docs/node_modules/_d.md",
        "docs/.git/_e.md",
        "top.rst",
    ):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    (tmp_path / "secret.md").write_text("")
    return root


def test_files_with_an_underscore_are_listed_and_those_in_such_folders_are_not(site: Path) -> None:
    found = find_left_out(site, ["docs", "docs"])
    assert found.files == ["docs/_partial.mdx", "docs/inner/_b.md"]
    assert found.problems == []
    assert found.others == ["docs/old.rst"]


def test_folder_of_the_site_itself_names_its_paths_without_a_dot(site: Path) -> None:
    found = find_left_out(site, [".", "docs"])
    assert found.files == ["docs/_partial.mdx", "docs/inner/_b.md"]
    # Files of a repository that no reader is meant to see are none of the documents.
    assert found.others == ["docs/old.rst"]
    assert sorted(walk_files(site, ".", (".md",))) == ["docs/a.md"]


def test_links_and_pipes_are_explained(site: Path) -> None:
    docs = site / "docs"
    links = {
        "out.md": "../../secret.md",
        "gone.md": "nothing.md",
        "folder": "inner",
        "in.md": "a.md",
        "to.md": "pipe.md",
    }
    for name, target in links.items():
        (docs / name).symlink_to(target)
    os.mkfifo(docs / "pipe.md")
    found = {one.span.path: one.message for one in find_left_out(site, ["docs"]).problems}
    assert found == {
        "docs/folder": "This link leads to a folder. Octavo follows links to files only.",
        "docs/gone.md": "This link leads nowhere.",
        "docs/out.md": LINK_OUT,
        "docs/pipe.md": "This is not a file but a pipe, a socket or a device.",
        "docs/to.md": "This link leads to a pipe, a socket or a device.",
    }
    assert sorted(walk_files(site, "docs", (".md",))) == ["docs/a.md", "docs/in.md"]


def test_links_to_folders_beside_the_documents_concern_nobody(site: Path) -> None:
    (site / "shortcut").symlink_to("docs")
    assert find_left_out(site, ["."]).problems == []


@pytest.mark.parametrize(
    ("index", "listed"),
    [(frozenset[str](), ["docs/a.md"]), (frozenset({"_partial"}), ["docs/_partial.mdx", "docs/a.md"])],
)
def test_indexes_may_begin_with_an_underscore(site: Path, index: frozenset[str], listed: list[str]) -> None:
    assert sorted(walk_files(site, "docs", (".md", ".mdx"), indexes=index)) == listed
