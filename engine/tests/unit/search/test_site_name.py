"""The name of the product in queries on its own site, where it says nothing of what is looked for."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from octavo.search.text.site_name import name_in_title

from .conftest import SETTINGS, Index, records

PAGES = {
    "Installation": "Get the program with a package manager.\n## Linux\nThere is a package.",
    "Questions": "Some readers ask.\n## Can many people install Kiln Fire in one place\nYes, Kiln Fire may be shared.",
    "Flags": "Of the program.\n## kiln fire heat\nHow hot it gets.",
    "Heat": "What heat does to clay.",
    "Kiln Fire and the web": "Kiln Fire runs in browsers, and Kiln Fire installs nothing there.",
}


@pytest.fixture
def index(tmp_path: Path) -> Index:
    settings = msgspec.structs.replace(SETTINGS, name="Kiln Fire")
    return Index(tmp_path / "index", [records(title, body) for title, body in PAGES.items()], settings)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Kiln", "Kiln"),
        ("Kiln Docs", "Kiln"),
        ("The Kiln Developer Guide", "Kiln"),
        ("Kiln Fire - Heat for all", "Kiln Fire"),
        ("Kiln | Docs", "Kiln"),
        ("Kiln: a handbook", "Kiln"),
        ("Documentation", ""),
        ("Fire and clay in the kitchen of everybody", ""),
        ("Kiln-Fire", "Kiln-Fire"),
        ("", ""),
    ],
)
def test_name_is_what_a_title_has_besides_words_of_titles(title: str, name: str) -> None:
    assert name_in_title(title) == name


@pytest.mark.parametrize("query", ["install kiln fire", "kiln fire install", "how do I install Kiln Fire"])
def test_name_beside_another_word_is_no_matter(index: Index, query: str) -> None:
    assert index.found(query)[0] == "Installation"


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("kiln fire", "Kiln Fire and the web"),  # nothing else is asked for
        ("kiln fire heat", "kiln fire heat"),  # a heading, word for word
        ('"kiln fire" install', "Can many people install Kiln Fire in one place"),
        ("fire kiln install", "Can many people install Kiln Fire in one place"),
    ],
)
def test_name_counts_where_it_is_meant(index: Index, query: str, first: str) -> None:
    assert index.found(query, advancedSyntax=True)[0] == first


def test_client_may_need_all_words(index: Index) -> None:
    found = index.found("install kiln fire", removeStopWords=False)
    assert found[0] == "Can many people install Kiln Fire in one place"
