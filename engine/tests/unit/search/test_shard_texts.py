"""The texts of a page in small files: each below its heading, with the headings above it that it needs."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.tests.unit.search.conftest import records
from octavo.search.index.record import Indexed
from octavo.search.shards.texts import BLOCKS, texts_of

FINEST = BLOCKS[0]
WHOLE = len(BLOCKS) - 1
LONG = "clay " * 60
"""So long that few such texts share a file."""


def test_texts_lie_below_their_heading_and_the_headings_above() -> None:
    page = records("Clay", "Before.\n## Dry\nSlowly.\nIn shade.\n### Very dry\n    heat --low\n## Fire\nHot.")
    assert texts_of(page).blocks == WHOLE
    assert rows_of(page) == {
        "0-0": [
            [0, 1, "Clay", "", "Before."],
            [1, 2, "Dry", "dry", "Slowly.", "In shade."],
            [2, 3, "Very dry", "very-dry", ["heat --low", "", "code"]],
            [3, 2, "Fire", "fire", "Hot."],
        ]
    }


def test_headings_and_texts_of_a_long_page_are_divided_by_their_number() -> None:
    long = f"{LONG * 4} "
    page = records("Clay", "\n".join(f"## Step {number}\n{long}{number}." for number in range(FINEST.headings)))
    files = rows_of(page)
    assert texts_of(page).blocks == 0
    assert list(files) == ["0-0", "1-0"]
    assert files["1-0"] == [[0, 1, "Clay", ""], [4, 2, "Step 3", "step-3", f"{long}3."]]
    below = rows_of(records("Clay", "## Dry\n" + "\n".join(f"{long}{number}." for number in range(FINEST.texts + 1))))
    assert list(below) == ["0-0", "0-1"]
    assert [len(rows[-1]) for rows in below.values()] == [4 + FINEST.texts - 1, 4 + 2]


def test_a_file_holds_more_headings_where_these_have_little_text() -> None:
    sections = "\n".join(f"## Step {number}\n{LONG}{number}." for number in range(32))
    page = records("Clay", sections)
    texts = texts_of(page)
    assert 0 < texts.blocks < WHOLE
    size = BLOCKS[texts.blocks].headings
    assert list(texts.files) == [f"{block}-0" for block in range(33 // size + 1)]
    assert max(map(len, texts.files.values())) < 2 * min(list(map(len, texts.files.values()))[:-1])


def test_a_short_page_is_one_file_whatever_the_number_of_its_headings() -> None:
    page = records("Clay", "\n".join(f"## Step {number}\nText." for number in range(20)))
    assert list(texts_of(page).files) == ["0-0"]


def rows_of(page: Sequence[Indexed]) -> dict[str, object]:
    """Read the files of a page."""
    return {name: msgspec.json.decode(rows) for name, rows in texts_of(page).files.items()}


def test_text_of_another_kind_than_its_page_says_so() -> None:
    page = records("Kiln API", "Returns.\n    curl /kilns", kind="api")
    assert rows_of(page)["0-0"] == [[0, 1, "Kiln API", "", "Returns.", ["curl /kilns", "", "code"]]]
    code = records("Kiln", "    curl /kilns", kind="code")
    assert rows_of(code)["0-0"] == [[0, 1, "Kiln", "", "curl /kilns"]]
