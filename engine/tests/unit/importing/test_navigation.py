"""Labels of pages in the navigation of an imported site."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.importing.navigation import name_of_site, title_of
from octavo.importing.tree import Tree


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Fire\n", "Fire"),
        ("# Fire { #hot }\n", "Fire"),
        ("# Fire {: #hot .big }\n", "Fire"),
        ("# Fire {#hot}\n", "Fire"),
        ('# Fire { data-toc-label="F" }\n', "Fire"),
        ("# Fire {#hot} #\n", "Fire"),
        ("# Fire in {braces}\n", "Fire in {braces}"),
        ("# [Fire](https://fire.example) it\n", "Fire it"),
        ("# ![](logo.svg) Fire\n", "Fire"),
        ('# <a name="top"></a>Fire <small>now</small>\n', "Fire now"),
        ("# The `fire` **program**\n", "The fire program"),
        ("# Fire &amp; ash\n", "Fire & ash"),
        ("# fire\\_now\n", "fire_now"),
        ("# a < b and c > d\n", "a < b and c > d"),
        ("# ![](logo.svg)\n", "First page"),
        ("---\ntitle: Its title\n---\n\n# Fire\n", "Its title"),
        ("Text.\n", "First page"),
    ],
)
def test_label_is_what_readers_see_of_the_title(tmp_path: Path, text: str, title: str) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "first-page.md").write_text(text)
    assert title_of(Tree(tmp_path, {}, "docs"), "first-page.md") == title


@pytest.mark.parametrize(
    ("folder", "title"),
    [
        ("/code/fire-works", "Fire works"),
        ("/code/fire-works/docs", "Fire works"),
        ("/code/fire-works/Website", "Fire works"),
        ("/code/fire-works/docs/book", "Book"),
        ("/docs", "Docs"),
    ],
)
def test_site_without_a_title_is_called_by_its_project(folder: str, title: str) -> None:
    assert name_of_site(Path(folder)) == title
