"""The product has one name. The first one belongs to somebody else's package, so it may appear only in the history."""

from __future__ import annotations

import re

import pytest

from tests.repository.files import repository_files, text_files

NAME = "otcer"[::-1]  # not written out, because this file is searched as well
FORMER_NAME = re.compile(NAME + r"(?!r(?:s|y|i|\b))", re.IGNORECASE)
"""The name in any identifier; English words go on differently: director, rectory, directories."""
HISTORY = "CHANGELOG.md"


def test_former_name_appears_only_in_the_changelog() -> None:
    found = [
        f"{name}:{number}: {line.strip()[:100]}"
        for name, text in text_files().items()
        if name != HISTORY and FORMER_NAME.search(text)
        for number, line in enumerate(text.splitlines(), 1)
        if FORMER_NAME.search(line)
    ]
    assert found == []


def test_no_file_is_called_by_the_former_name() -> None:
    assert [name for name in repository_files() if FORMER_NAME.search(name)] == []


@pytest.mark.parametrize("text", ["{0}", "{1}.", "{0}_build", "x_{2}_ROOT", "{2}ROOT", "make{1}Site"])
def test_former_name_is_found_in_identifiers(text: str) -> None:
    assert FORMER_NAME.search(text.format(NAME, NAME.title(), NAME.upper()))


@pytest.mark.parametrize(
    "text", ["directory", "Directories", "director", "IsADirectoryError", "correctors", "DIRECTORY"]
)
def test_english_words_are_no_names(text: str) -> None:
    assert not FORMER_NAME.search(text)
