"""Links between the pages of the repository lead somewhere. Pages of the site are checked by its own build."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest

from tests.repository.files import folder_of, text_files
from tests.support.each import each
from tests.support.paths import REPOSITORY

PAGES = sorted(
    name
    for name in text_files()
    if name.endswith(".md") and not re.search(r"^site/|^docs/(?!decisions/)|/fixtures/|/starters/|/relevance/", name)
)
LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")
PATH = re.compile(r"`(?P<path>(?:\.github|apis|bench|deploy|docs|engine|site|tests)/[\w./-]*)`")
"""A path from the repository's folder or the page's own, as prose names it; placeholders and globs do not match."""


def targets(name: str) -> list[str]:
    return [match["target"] for match in LINK.finditer(text_files()[name])]


@each("name", PAGES)
def test_links_of_a_page_lead_to_files(name: str) -> None:
    inside = [target for target in targets(name) if not re.match(r"[a-z+]+:|#", target)]
    missing = [target for target in inside if not (folder_of(name) / unquote(target.partition("#")[0])).exists()]
    assert missing == []


@each("name", PAGES)
def test_paths_that_a_page_names_exist(name: str) -> None:
    made_by_commands = (
        "engine/src/octavo/_theme/",
        "engine/theme/node_modules",
        "bench/results/",
        "bench/.work/",
        "site/build",
    )
    paths = {match["path"] for match in PATH.finditer(text_files()[name])}
    starts = (REPOSITORY, folder_of(name))
    missing = [path for path in paths if not any((start / path).exists() for start in starts)]
    missing = [path for path in sorted(missing) if not path.startswith(made_by_commands)]
    assert missing == []


@pytest.mark.parametrize("name", ["engine/README.md", "apis/README.md"])
def test_page_for_a_package_index_has_no_relative_links(name: str) -> None:
    """The index shows the page without the repository around it, so a relative link leads nowhere there."""
    assert [target for target in targets(name) if not target.startswith("https://")] == []
