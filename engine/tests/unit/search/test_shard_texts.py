"""The texts of a page in small files: each below its heading, with the headings above it that it needs."""

from __future__ import annotations

from engine.tests.unit.search.conftest import records
from octavo.search.shards.texts import TEXT_HEADINGS, TEXT_TEXTS, texts_of


def test_texts_lie_below_their_heading_and_the_headings_above() -> None:
    page = records("Clay", "Before.\n## Dry\nSlowly.\nIn shade.\n### Very dry\n    heat --low\n## Fire\nHot.")
    assert texts_of(page) == {
        "0-0": [
            [0, 1, "Clay", "", "Before."],
            [1, 2, "Dry", "dry", "Slowly.", "In shade."],
            [2, 3, "Very dry", "very-dry", ["heat --low", "", "code"]],
            [3, 2, "Fire", "fire", "Hot."],
        ]
    }


def test_headings_and_texts_are_divided_by_their_number() -> None:
    headings = "\n".join(f"## Step {number}\nText {number}." for number in range(TEXT_HEADINGS))
    files = texts_of(records("Clay", headings))
    assert list(files) == ["0-0", "1-0"]
    assert files["1-0"] == [[0, 1, "Clay", ""], [4, 2, "Step 3", "step-3", "Text 3."]]
    below = texts_of(records("Clay", "## Dry\n" + "\n".join(f"Text {number}." for number in range(TEXT_TEXTS + 1))))
    assert list(below) == ["0-0", "0-1"]
    assert [len(rows[-1]) for rows in below.values()] == [4 + TEXT_TEXTS - 1, 4 + 2]


def test_text_of_another_kind_than_its_page_says_so() -> None:
    page = records("Kiln API", "Returns.\n    curl /kilns", kind="api")
    assert texts_of(page)["0-0"] == [[0, 1, "Kiln API", "", "Returns.", ["curl /kilns", "", "code"]]]
    code = records("Kiln", "    curl /kilns", kind="code")
    assert texts_of(code)["0-0"] == [[0, 1, "Kiln", "", "curl /kilns"]]
